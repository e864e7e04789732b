libhecate_a_SOURCES += \
	src/app/action.c src/app/action.def src/app/action.h \
	src/app/analysis.c src/app/analysis.h \
	src/app/combine.c src/app/combine.h \
	src/app/command.c \
	src/app/cones.c src/app/cones.h \
	src/app/compare.c src/app/compare.h src/app/compare_data.c src/app/compare_order.c src/app/compare_remedy.c \
	src/app/constraints.c src/app/constraints.h \
	src/app/data.c src/app/data.h \
	src/app/describe.c src/app/describe.h \
	src/app/describe_noise.c \
	src/app/passes.c src/app/passes.h \
	src/app/prepare.c \
	src/app/desk.c src/app/desk.h \
	src/app/desk_command.c src/app/desk_command.h \
	src/app/desk_profile.c src/app/desk_profile.h \
	src/app/drafts.c src/app/drafts.h \
	src/app/engine.c src/app/engine.h \
	src/app/engine_reply.c src/app/engine_reply.h \
	src/app/explain.c src/app/explain.h \
	src/app/files.c src/app/files.h \
	src/app/flow_ranges.c src/app/flow_ranges.h \
	src/app/flow_run.c src/app/flow_run.h \
	src/app/geometry.c src/app/geometry.h \
	src/app/geometry_answer.c \
	src/app/judge.c \
	src/app/keep.c src/app/keep.h src/app/keep_graph.c src/app/keep_profile.c src/app/keep_rows.c src/app/keep_settings.c src/app/keep_tables.c \
	src/app/live.c src/app/live.h \
	src/app/live_counters.c src/app/live_counters.h src/app/live_explain.c src/app/live_state.h src/app/live_plan.c src/app/live_plan.h \
	src/app/locate.c src/app/locate.h src/app/locate_columns.c src/app/locate_describe.c src/app/locate_finder.h \
	src/app/loss.c src/app/loss.h \
	src/app/machine.h \
	src/app/message.c src/app/message.h \
	src/app/methods.c src/app/methods.h \
	src/app/network_data.c src/app/network_data.h \
	src/app/observations.c src/app/observations.h \
	src/app/output.c src/app/output.h \
	src/app/column_owners.c src/app/column_owners.h \
	src/app/past.c src/app/past.h \
	src/app/session_paths.c src/app/session_paths.h src/app/traffic.c src/app/traffic.h \
	src/app/profile.c src/app/profile.h src/app/profile_bars.c src/app/profile_names.c src/app/profile_names.h src/app/profile_state.h \
	src/app/quality.c \
	src/app/recording.c src/app/recording.h src/app/recording_export.c \
	src/app/remarks.c src/app/remarks.h \
	src/app/report.c src/app/report.h src/app/report_graph.c src/app/report_profile.c src/app/report_profile.h \
	src/app/relation.c src/app/relation.h \
	src/app/relax.c src/app/relax.h \
	src/app/relax_judge.c src/app/relax_judge.h \
	src/app/result.c src/app/result.h \
	src/app/search.c src/app/search.h \
	src/app/search_cones.c src/app/search_cones.h \
	src/app/search_alike.c src/app/search_alike.h \
	src/app/search_discovery.c \
	src/app/search_end.c src/app/search_end.h \
	src/app/search_graph.c src/app/search_graph.h \
	src/app/search_rows.c src/app/search_rows.h \
	src/app/search_graph_merge.c \
	src/app/search_judge.c \
	src/app/search_say.c \
	src/app/search_tell.c \
	src/app/search_work.h \
	src/app/serve.c src/app/serve.h \
	src/app/session.c src/app/session.h \
	src/app/session_act.c \
	src/app/session_answers.c \
	src/app/session_geometry.c src/app/session_geometry.h \
	src/app/session_notes.c src/app/session_notes.h \
	src/app/session_profile.c src/app/session_profile.h \
	src/app/session_prompt.c \
	src/app/session_queues.c src/app/session_queues.h \
	src/app/session_stalls.c src/app/session_stalls.h \
	src/app/session_relax.c src/app/session_relax.h \
	src/app/session_rows.c src/app/session_rows.h \
	src/app/session_search.c src/app/session_search.h \
	src/app/session_sim.c src/app/session_sim.h \
	src/app/session_start.c src/app/session_start.h \
	src/app/session_views.c src/app/session_views.h \
	src/app/stack_count.c src/app/stack_count.h \
	src/app/stack_notes.c src/app/stack_notes.h \
	src/app/stall_run.c src/app/stall_run.h src/app/stall_run_rows.c src/app/stall_run_say.c src/app/stall_run_state.h \
	src/app/live_source.c \
	src/app/simulation.c src/app/simulation.h src/app/simulate.c \
	src/app/start.c src/app/start.h \
	src/app/reveal.c src/app/reveal.h \
	src/app/texts.c src/app/texts.h \
	src/app/touch.c src/app/touch.h \
	src/app/witness.c src/app/witness.h \
	src/app/wire.c src/app/wire.h \
	src/app/words.c src/app/words.h \
	src/app/worth.c src/app/worth.h \
	src/app/spec_run.c src/app/spec_run.h src/app/spec_run_rows.c src/app/spec_run_state.h
