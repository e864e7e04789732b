libhecate_a_SOURCES += \
	src/app/run/counter_list.c src/app/run/counter_list.h \
	src/app/run/counter_plan.c src/app/run/counter_plan.h \
	src/app/run/counters_run.c src/app/run/counters_run.h \
	src/app/run/counters_run_explain.c \
	src/app/run/counters_run_state.h \
	src/app/run/flow_recorder.c src/app/run/flow_recorder.h \
	src/app/run/flow_rows.c src/app/run/flow_rows.h \
	src/app/run/flow_run.c src/app/run/flow_run.h \
	src/app/run/output.c src/app/run/output.h \
	src/app/run/run.c src/app/run/run.h src/app/run/run_kinds.def \
	src/app/run/run_source.c \
	src/app/run/sampling.h \
	src/app/run/spec_run.c src/app/run/spec_run.h \
	src/app/run/spec_run_open.c \
	src/app/run/spec_run_rows.c \
	src/app/run/spec_run_say.c \
	src/app/run/spec_run_state.h \
	src/app/run/subject_runs.c src/app/run/subject_runs.h \
	src/app/run/tasktime_run.c src/app/run/tasktime_run.h \
	src/app/run/tasktime_run_rows.c \
	src/app/run/tasktime_run_say.c \
	src/app/run/tasktime_run_state.h \
	src/app/run/run_kinds.c
