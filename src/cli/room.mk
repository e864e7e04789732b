libhecate_a_SOURCES += \
	src/cli/cmd_check.c \
	src/cli/cmd_search.c \
	src/cli/collect.c src/cli/collect.h \
	src/cli/cmd_compare.c \
	src/cli/cmd_constraints.c \
	src/cli/cmd_doctor.c \
	src/cli/cmd_explore.c \
	src/cli/cmd_export.c \
	src/cli/cmd_import.c \
	src/cli/cmd_locate.c \
	src/cli/cmd_net.c \
	src/cli/report_net.c src/cli/report_net.h src/cli/report_net_check.c \
	src/cli/report_net_flows.c src/cli/report_net_flows.h src/cli/report_net_json.c src/cli/report_net_map.c src/cli/report_net_page.h src/cli/report_net_qos.c \
	src/cli/cmd_paths.c \
	src/cli/cmd_print.c \
	src/cli/cmd_record.c \
	src/cli/cmd_report.c \
	src/cli/profile_args.c src/cli/profile_args.h \
	src/cli/report_files.c src/cli/report_files.h src/cli/report_profile.c src/cli/report_profile.h \
	src/cli/commands.h \
	src/cli/counting.c src/cli/counting.h \
	src/cli/options.c src/cli/options.def src/cli/options.h \
	src/cli/report.c src/cli/report.h src/cli/report_json.c \
	src/cli/report_compare.c src/cli/report_compare.h src/cli/report_order.c \
	src/cli/report_locate.c src/cli/report_locate.h \
	src/cli/report_drafts.c src/cli/report_drafts.h \
	src/cli/report_explain.c src/cli/report_explain.h \
	src/cli/report_search.c src/cli/report_search_json.c src/cli/report_search.h \
	src/cli/report_worth.c src/cli/report_worth.h \
	src/cli/search_watch.c src/cli/search_watch.h \
	src/cli/cmd_stack.c \
	src/cli/stalling.c src/cli/stalling.h src/cli/report_stalls.c src/cli/report_stalls_json.c \
	src/cli/report_stack.c src/cli/report_stack.h src/cli/report_stack_check.c src/cli/report_stack_json.c \
	src/cli/run_live.c src/cli/run_live.h \
	src/cli/cmd_sim.c src/cli/sim.h src/cli/sim_list.c src/cli/sim_reveal.c \
	src/cli/subject.c src/cli/subject.h \
	src/cli/subcommands.c \
	src/cli/work.c src/cli/work.h src/cli/work_live.c \
	src/cli/specified.c src/cli/specified.h
