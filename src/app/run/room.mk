libhecate_a_SOURCES += \
	src/app/run/counter_list.c src/app/run/counter_list.h \
	src/app/run/counter_plan.c src/app/run/counter_plan.h \
	src/app/run/counter_remarks.c src/app/run/counter_remarks.h \
	src/app/run/counter_rows.c src/app/run/counter_rows.h \
	src/app/run/counters_run.c src/app/run/counters_run.h \
	src/app/run/flow_recorder.c src/app/run/flow_recorder.h \
	src/app/run/flow_rows.c src/app/run/flow_rows.h \
	src/app/run/flow_run.c src/app/run/flow_run.h \
	src/app/run/output.c src/app/run/output.h \
	src/app/run/probe_run.c src/app/run/probe_run.h \
	src/app/run/run.c src/app/run/run.h src/app/run/run_kinds.def \
	src/app/run/run_limits.c src/app/run/run_limits.h \
	src/app/run/run_source.c \
	src/app/run/run_subject.c src/app/run/run_subject.h \
	src/app/run/run_sampling.h \
	src/app/run/spec_clock.c src/app/run/spec_clock.h \
	src/app/run/spec_parts.c src/app/run/spec_parts.h \
	src/app/run/spec_report.c \
	src/app/run/spec_run.c src/app/run/spec_run.h \
	src/app/run/spec_table.c src/app/run/spec_table.h \
	src/app/run/subject_runs.c src/app/run/subject_runs.h \
	src/app/run/tasktime_remarks.c src/app/run/tasktime_remarks.h \
	src/app/run/tasktime_rows.c src/app/run/tasktime_rows.h \
	src/app/run/tasktime_run.c src/app/run/tasktime_run.h \
	src/app/run/run_kinds.c
