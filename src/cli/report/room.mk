libhecate_a_SOURCES += \
	src/cli/report/report.c src/cli/report/report.h \
	src/cli/report/report_compare.c src/cli/report/report_compare.h \
	src/cli/report/report_drafts.c src/cli/report/report_drafts.h \
	src/cli/report/report_explain.c src/cli/report/report_explain.h \
	src/cli/report/report_files.c src/cli/report/report_files.h \
	src/cli/report/report_json.c \
	src/cli/report/report_locate.c src/cli/report/report_locate.h \
	src/cli/report/report_net.c src/cli/report/report_net.h \
	src/cli/report/report_net_check.c \
	src/cli/report/report_net_flows.c src/cli/report/report_net_flows.h \
	src/cli/report/report_net_json.c \
	src/cli/report/report_net_map.c \
	src/cli/report/report_net_page.h \
	src/cli/report/report_net_qos.c \
	src/cli/report/report_order.c \
	src/cli/report/report_profile.c src/cli/report/report_profile.h \
	src/cli/report/report_search.c src/cli/report/report_search.h \
	src/cli/report/report_search_json.c \
	src/cli/report/report_stack.c src/cli/report/report_stack.h \
	src/cli/report/report_stack_check.c \
	src/cli/report/report_stack_json.c \
	src/cli/report/report_stalls.c \
	src/cli/report/report_stalls_json.c \
	src/cli/report/report_worth.c src/cli/report/report_worth.h
