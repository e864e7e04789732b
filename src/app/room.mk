libhecate_a_SOURCES += \
	src/app/action.c src/app/action.def src/app/action.h \
	src/app/analysis.c src/app/analysis.h \
	src/app/combine.c src/app/combine.h \
	src/app/command.c \
	src/app/cones.c src/app/cones.h \
	src/app/constraints.c src/app/constraints.h \
	src/app/data.c src/app/data.h \
	src/app/describe.c src/app/describe.h \
	src/app/describe_noise.c \
	src/app/prepare.c \
	src/app/desk.c src/app/desk.h \
	src/app/engine.c src/app/engine.h \
	src/app/files.c src/app/files.h \
	src/app/geometry.c src/app/geometry.h \
	src/app/geometry_answer.c \
	src/app/judge.c \
	src/app/live.c src/app/live.h \
	src/app/loss.c src/app/loss.h \
	src/app/machine.h \
	src/app/message.c src/app/message.h \
	src/app/observations.c src/app/observations.h \
	src/app/output.c src/app/output.h \
	src/app/quality.c \
	src/app/recording.c src/app/recording.h src/app/recording_export.c \
	src/app/result.c src/app/result.h \
	src/app/search.c src/app/search.h \
	src/app/search_cones.c src/app/search_cones.h \
	src/app/search_alike.c src/app/search_alike.h \
	src/app/search_graph.c src/app/search_graph.h \
	src/app/serve.c src/app/serve.h \
	src/app/session.c src/app/session.h \
	src/app/session_act.c \
	src/app/session_answers.c \
	src/app/session_geometry.c src/app/session_geometry.h \
	src/app/session_prompt.c \
	src/app/session_rows.c src/app/session_rows.h \
	src/app/session_start.c src/app/session_start.h \
	src/app/session_views.c src/app/session_views.h \
	src/app/stack_count.c src/app/stack_count.h \
	src/app/start.c src/app/start.h \
	src/app/touch.c src/app/touch.h \
	src/app/witness.c src/app/witness.h \
	src/app/wire.c src/app/wire.h \
	src/app/words.c src/app/words.h
