libhecate_a_SOURCES += \
	src/app/run/run_source.c \
	src/app/run/flow_rows.c src/app/run/flow_rows.h \
	src/app/run/flow_run.c src/app/run/flow_run.h \
	src/app/run/flow_watch.c src/app/run/flow_watch.h \
	src/app/run/live.c src/app/run/live.h \
	src/app/run/live_counters.c src/app/run/live_counters.h \
	src/app/run/live_explain.c \
	src/app/run/live_plan.c src/app/run/live_plan.h \
	src/app/run/live_state.h \
	src/app/run/run.c src/app/run/run.h src/app/run/run_kinds.def \
	src/app/run/output.c src/app/run/output.h \
	src/app/run/spec_run.c src/app/run/spec_run.h \
	src/app/run/spec_run_open.c \
	src/app/run/spec_run_rows.c \
	src/app/run/spec_run_say.c \
	src/app/run/spec_run_state.h \
	src/app/run/tasktime_run.c src/app/run/tasktime_run.h \
	src/app/run/tasktime_run_rows.c \
	src/app/run/tasktime_run_say.c \
	src/app/run/tasktime_run_state.h
