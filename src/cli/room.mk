libhecate_a_SOURCES += \
	src/cli/cmd_sim.c src/cli/sim_parts.h src/cli/sim_list.c src/cli/sim_intervals.c src/cli/stack_instructions.c src/cli/sim_reveal.c \
	src/cli/sim_summary.c \
	src/cli/cmd_calibrate.c \
	src/cli/cmd_check.c \
	src/cli/cmd_compare.c \
	src/cli/cmd_constraints.c \
	src/cli/cmd_determinism.c \
	src/cli/cmd_diff.c \
	src/cli/cmd_doctor.c \
	src/cli/cmd_explore.c \
	src/cli/cmd_export.c src/cli/export_follow.c src/cli/export_follow.h \
	src/cli/sim_server.c \
	src/cli/cmd_fit.c \
	src/cli/cmd_grade.c src/cli/lesson_args.c src/cli/lesson_args.h src/cli/lesson_check.c src/cli/lesson_grade.c src/cli/lesson_grade.h \
	src/cli/cmd_import.c \
	src/cli/cmd_laws.c \
	src/cli/cmd_locate.c \
	src/cli/cmd_metrics.c src/cli/metric_args.c src/cli/metric_args.h \
	src/cli/cmd_net.c src/cli/net_compare.c src/cli/net_compare.h \
	src/cli/cmd_paths.c \
	src/cli/cmd_events.c \
	src/cli/cmd_phases.c \
	src/cli/cmd_print.c \
	src/cli/cmd_probe.c \
	src/cli/cmd_record.c \
	src/cli/cmd_report.c \
	src/cli/cmd_search.c \
	src/cli/cmd_slices.c \
	src/cli/cmd_stack.c \
	src/cli/cmd_sweep.c \
	src/cli/cmd_trace.c \
	src/cli/determinism_here.c \
	src/cli/determinism_overflow.c \
	src/cli/collect.c src/cli/collect.h src/cli/errata.c \
	src/cli/commands.h \
	src/cli/config.c src/cli/config.h \
	src/cli/counting.c src/cli/counting.h \
	src/cli/model_args.c src/cli/model_args.h \
	src/cli/trust_args.c src/cli/trust_args.h \
	src/cli/help.c src/cli/help.h src/cli/options.c src/cli/options.def src/cli/options.h src/cli/own_options.h src/cli/subcommands.def \
	src/cli/output_file.c src/cli/output_file.h \
	src/cli/probe_elsewhere.c \
	src/cli/profile_args.c src/cli/profile_args.h \
	src/cli/tree_args.c src/cli/tree_args.h \
	src/cli/reading.c src/cli/reading.h \
	src/cli/search_watch.c src/cli/search_watch.h \
	src/cli/signals.c src/cli/signals.h \
	src/cli/spec_args.c src/cli/spec_args.h \
	src/cli/text_args.c src/cli/text_args.h \
	src/cli/watch_args.c src/cli/watch_args.h \
	src/cli/writing.c src/cli/writing.h
include src/cli/print/room.mk
