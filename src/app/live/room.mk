libhecate_a_SOURCES += \
	src/app/live/live_source.c \
	src/app/live/flow_rows.c src/app/live/flow_rows.h \
	src/app/live/flow_run.c src/app/live/flow_run.h \
	src/app/live/flow_watch.c src/app/live/flow_watch.h \
	src/app/live/live.c src/app/live/live.h \
	src/app/live/live_counters.c src/app/live/live_counters.h \
	src/app/live/live_explain.c \
	src/app/live/live_plan.c src/app/live/live_plan.h \
	src/app/live/live_state.h \
	src/app/live/output.c src/app/live/output.h \
	src/app/live/spec_run.c src/app/live/spec_run.h \
	src/app/live/spec_run_open.c \
	src/app/live/spec_run_rows.c \
	src/app/live/spec_run_say.c \
	src/app/live/spec_run_state.h \
	src/app/live/stall_run.c src/app/live/stall_run.h \
	src/app/live/stall_run_rows.c \
	src/app/live/stall_run_say.c \
	src/app/live/stall_run_state.h
