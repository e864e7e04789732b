libhecate_a_SOURCES += \
	src/app/profile/column_owners.c src/app/profile/column_owners.h \
	src/app/profile/flow_name.c src/app/profile/flow_name.h \
	src/app/profile/flow_sum.c src/app/profile/flow_sum.h \
	src/app/profile/methods.c src/app/profile/methods.h \
	src/app/profile/network_data.c src/app/profile/network_data.h \
	src/app/profile/profile.c src/app/profile/profile.h \
	src/app/profile/profile_bars.c \
	src/app/profile/profile_flows.c src/app/profile/profile_flows.h \
	src/app/profile/profile_names.c src/app/profile/profile_names.h \
	src/app/profile/profile_phases.c \
	src/app/profile/profile_state.h \
	src/app/profile/stack_count.c src/app/profile/stack_count.h \
	src/app/profile/stack_notes.c src/app/profile/stack_notes.h \
	src/app/profile/stack_phases.c src/app/profile/stack_phases.h \
	src/app/profile/traffic.c src/app/profile/traffic.h
