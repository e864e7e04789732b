libhecate_a_SOURCES += \
	src/app/session/session_sim.c src/app/session/session_sim.h \
	src/app/session/command.c \
	src/app/session/session.c src/app/session/session.h \
	src/app/session/session_act.c \
	src/app/session/session_answers.c \
	src/app/session/session_cursor.c src/app/session/session_cursor.h \
	src/app/session/session_features.c src/app/session/session_features.h \
	src/app/session/session_flows.c src/app/session/session_flows.h \
	src/app/session/session_geometry.c src/app/session/session_geometry.h \
	src/app/session/session_leave.c src/app/session/session_leave.h \
	src/app/session/session_notes.c src/app/session/session_notes.h \
	src/app/session/session_paths.c src/app/session/session_paths.h \
	src/app/session/session_profile.c src/app/session/session_profile.h \
	src/app/session/session_profile_act.c \
	src/app/session/session_profile_due.c src/app/session/session_profile_due.h \
	src/app/session/session_prompt.c \
	src/app/session/session_queues.c src/app/session/session_queues.h \
	src/app/session/session_relax.c src/app/session/session_relax.h \
	src/app/session/session_rows.c src/app/session/session_rows.h \
	src/app/session/session_search.c src/app/session/session_search.h \
	src/app/session/session_stalls.c src/app/session/session_stalls.h \
	src/app/session/session_start.c src/app/session/session_start.h \
	src/app/session/session_views.c src/app/session/session_views.h \
	src/app/session/start.c src/app/session/start.h
