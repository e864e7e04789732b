libhecate_a_SOURCES += \
	src/core/network/delays.c src/core/network/delays.h src/core/network/increments.c src/core/network/increments.h \
	src/core/network/pairs.c \
	src/core/network/breakdown.c src/core/network/breakdown.h \
	src/core/network/mix.h \
	src/core/network/check.c src/core/network/check_links.c \
	src/core/network/flow.c src/core/network/flow.h \
	src/core/network/flow_layout.c src/core/network/flow_layout.h \
	src/core/network/flow_map.c src/core/network/flow_map.h \
	src/core/network/flow_order.c src/core/network/flow_order.h \
	src/core/network/layout.c src/core/network/layout.h \
	src/core/network/layout_lanes.c src/core/network/layout_parts.h src/core/network/layout_route.c src/core/network/layout_rows.c src/core/network/layout_units.c \
	src/core/network/flow_table.c src/core/network/flow_table.h \
	src/core/network/network.c src/core/network/network.h \
	src/core/network/parse.c src/core/network/parse_stage.c src/core/network/parser.h \
	src/core/network/path_map.c src/core/network/path_map.h \
	src/core/network/plan.c src/core/network/plan.h \
	src/core/network/qos.c src/core/network/qos.h \
	src/core/network/queues.c src/core/network/queues.h \
	src/core/network/stall_hops.c src/core/network/stall_shares.c \
	src/core/network/stall_parts.h src/core/network/stall_sets.c \
	src/core/network/stall_rows.c src/core/network/stall_rows.h \
	src/core/network/stalls.c src/core/network/stalls.h \
	src/core/network/state.c src/core/network/state.h src/core/network/state_parts.h src/core/network/state_read.c
