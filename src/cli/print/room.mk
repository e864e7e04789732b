libhecate_a_SOURCES += \
	src/cli/print/print.c src/cli/print/print.h \
	src/cli/print/print_calibrate.c src/cli/print/print_calibrate.h \
	src/cli/print/print_calibrated_programs.c \
	src/cli/print/print_check.c \
	src/cli/print/print_laws.c src/cli/print/print_laws.h src/cli/print/print_phases.c \
	src/cli/print/print_compare.c src/cli/print/print_compare.h \
	src/cli/print/print_workload.c \
	src/cli/print/print_counting.c \
	src/cli/print/print_determinism.c src/cli/print/print_determinism.h \
	src/cli/print/print_determinism_json.c \
	src/cli/print/print_diff.c src/cli/print/print_diff.h \
	src/cli/print/print_drafts.c \
	src/cli/print/print_explain.c src/cli/print/print_explain.h \
	src/cli/print/print_check_json.c \
	src/cli/print/print_locate.c \
	src/cli/print/print_metrics.c src/cli/print/print_metrics.h \
	src/cli/print/print_net.c src/cli/print/print_net.h \
	src/cli/print/print_net_advice.c \
	src/cli/print/print_net_check.c \
	src/cli/print/print_net_tiering.c src/cli/print/print_net_tiering.h \
	src/cli/print/print_net_estimates.c src/cli/print/print_net_estimates.h \
	src/cli/print/print_net_doubts.c \
	src/cli/print/print_net_flows.c src/cli/print/print_net_flows.h \
	src/cli/print/print_net_json.c \
	src/cli/print/print_net_map.c \
	src/cli/print/print_net_page.h \
	src/cli/print/print_net_by.c \
	src/cli/print/print_net_compare.c \
	src/cli/print/print_net_qos.c \
	src/cli/print/print_order.c \
	src/cli/print/print_probe.c src/cli/print/print_probe.h \
	src/cli/print/print_rob_study.c \
	src/cli/print/print_untested.c src/cli/print/print_untested.h \
	src/cli/print/print_report.c \
	src/cli/print/print_search.c src/cli/print/print_search.h \
	src/cli/print/print_search_json.c \
	src/cli/print/print_slices.c \
	src/cli/print/print_stack.c src/cli/print/print_stack.h \
	src/cli/print/print_stack_check.c \
	src/cli/print/print_stack_json.c \
	src/cli/print/print_stalls.c src/cli/print/print_stalls.h \
	src/cli/print/print_sweep.c src/cli/print/print_sweep.h \
	src/cli/print/print_tree.c \
	src/cli/print/print_stalls_json.c \
	src/cli/print/print_trust.c src/cli/print/print_trust.h \
	src/cli/print/print_worth.c \
	src/cli/print/text_table.c src/cli/print/text_table.h
