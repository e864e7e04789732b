libhecate_a_SOURCES += \
	src/app/timeline/column_factor.h \
	src/app/timeline/column_owners.c src/app/timeline/column_owners.h \
	src/app/timeline/flow_name.c src/app/timeline/flow_name.h \
	src/app/timeline/flow_sum.c src/app/timeline/flow_sum.h \
	src/app/timeline/methods.c src/app/timeline/methods.h \
	src/app/timeline/network_data.c src/app/timeline/network_data.h \
	src/app/timeline/timeline.c src/app/timeline/timeline.h \
	src/app/timeline/timeline_bars.c \
	src/app/timeline/timeline_flows.c src/app/timeline/timeline_flows.h \
	src/app/timeline/timeline_history.c \
	src/app/timeline/timeline_names.c src/app/timeline/timeline_names.h \
	src/app/timeline/timeline_state.h \
	src/app/timeline/stack_count.c src/app/timeline/stack_count.h \
	src/app/timeline/stack_notes.c src/app/timeline/stack_notes.h \
	src/app/timeline/stack_phases.c src/app/timeline/stack_phases.h \
	src/app/timeline/traffic.c src/app/timeline/traffic.h \
	src/app/timeline/tree_choice.c src/app/timeline/tree_choice.h \
	src/app/timeline/tree_notes.c src/app/timeline/tree_notes.h
