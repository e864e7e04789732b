libhecate_a_SOURCES += \
	src/work/timeline/estimates.c src/work/timeline/estimates.h \
	src/work/timeline/tiering.c src/work/timeline/tiering.h \
	src/work/timeline/queue_lengths.c src/work/timeline/queue_lengths.h \
	src/work/timeline/fitting.c src/work/timeline/fitting.h \
	src/work/timeline/column_factor.h \
	src/work/timeline/exported_metrics.c src/work/timeline/exported_metrics.h \
	src/work/timeline/metrics_feed.c src/work/timeline/metrics_feed.h \
	src/work/timeline/column_owners.c src/work/timeline/column_owners.h \
	src/work/timeline/owner_name.c src/work/timeline/owner_name.h \
	src/work/timeline/owner_join.c \
	src/work/timeline/flow_name.c src/work/timeline/flow_name.h \
	src/work/timeline/flow_sum.c src/work/timeline/flow_sum.h \
	src/work/timeline/methods.c src/work/timeline/methods.h \
	src/work/timeline/network_compare.c src/work/timeline/network_compare.h \
	src/work/timeline/network_columns.c src/work/timeline/network_data.c src/work/timeline/network_data.h \
	src/work/timeline/snapshot_records.c src/work/timeline/snapshot_records.h \
	src/work/timeline/snapshot_records_flows.c \
	src/work/timeline/run_advice.c src/work/timeline/run_advice.h \
	src/work/timeline/run_answer.c src/work/timeline/run_answer.h \
	src/work/timeline/run_load.c src/work/timeline/run_load.h \
	src/work/timeline/timeline.c src/work/timeline/timeline.h \
	src/work/timeline/timeline_bars.c \
	src/work/timeline/timeline_course.c \
	src/work/timeline/timeline_flows.c src/work/timeline/timeline_flows.h \
	src/work/timeline/timeline_history.c \
	src/work/timeline/timeline_names.c src/work/timeline/timeline_names.h \
	src/work/timeline/timeline_ratios.c src/work/timeline/timeline_ratios.h \
	src/work/timeline/timeline_state.h \
	src/work/timeline/stack_count.c src/work/timeline/stack_count.h \
	src/work/timeline/stack_notes.c src/work/timeline/stack_notes.h \
	src/work/timeline/stack_phases.c src/work/timeline/stack_phases.h \
	src/work/timeline/traffic.c src/work/timeline/traffic.h \
	src/work/timeline/tree_choice.c src/work/timeline/tree_choice.h \
	src/work/timeline/tree_notes.c src/work/timeline/tree_notes.h
