libhecate_a_SOURCES += \
	src/work/run/counter_list.c src/work/run/counter_list.h \
	src/work/run/counter_plan.c src/work/run/counter_plan.h \
	src/work/run/counter_remarks.c src/work/run/counter_remarks.h \
	src/work/run/counter_rows.c src/work/run/counter_rows.h \
	src/work/run/counters_run.c src/work/run/counters_run.h \
	src/work/run/flow_recorder.c src/work/run/flow_recorder.h \
	src/work/run/flow_rows.c src/work/run/flow_rows.h \
	src/work/run/flow_run.c src/work/run/flow_run.h \
	src/work/run/output.c src/work/run/output.h \
	src/work/run/probe_run.c src/work/run/probe_run.h \
	src/work/run/run.c src/work/run/run.h src/work/run/run_kinds.def \
	src/work/run/run_source.c src/work/run/run_source.h \
	src/work/run/run_subject.c src/work/run/run_subject.h \
	src/work/run/run_sampling.h \
	src/work/run/spec_clock.c \
	src/work/run/spec_parts.c src/work/run/spec_parts.h \
	src/work/run/spec_report.c \
	src/work/run/spec_run.c src/work/run/spec_run.h \
	src/work/run/spec_table.c src/work/run/spec_table.h \
	src/work/run/stall_counters.c src/work/run/stall_counters.h \
	src/work/run/subject_runs.c src/work/run/subject_runs.h \
	src/work/run/tasktime_rows.c src/work/run/tasktime_rows.h \
	src/work/run/tasktime_remarks.c \
	src/work/run/tasktime_run.c src/work/run/tasktime_run.h \
	src/work/run/run_kinds.c
