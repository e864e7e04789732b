libhecate_a_SOURCES += \
	src/explorer/state/action.c src/explorer/state/action.def src/explorer/state/action.h \
	src/explorer/state/answers.c src/explorer/state/answers.h \
	src/explorer/state/data.c src/explorer/state/data.h \
	src/explorer/state/screen_layout.h \
	src/explorer/state/shown.c src/explorer/state/shown.h \
	src/explorer/state/pane.c src/explorer/state/pane.h \
	src/explorer/state/pane_share.h src/explorer/state/panes.def src/explorer/state/pane_ids.h src/explorer/state/popups.def \
	src/explorer/state/question.c src/explorer/state/question.h \
	src/explorer/state/requests.c src/explorer/state/requests.h \
	src/explorer/state/explore_start.h \
	src/explorer/state/state.c src/explorer/state/state.h \
	src/explorer/state/state_act.c \
	src/explorer/state/state_answers.c src/explorer/state/state_answers.h \
	src/explorer/state/state_catalogue.c src/explorer/state/state_catalogue.h \
	src/explorer/state/state_check.c \
	src/explorer/state/state_columns.c src/explorer/state/state_columns.h \
	src/explorer/state/state_cursor.c src/explorer/state/state_cursor.h \
	src/explorer/state/state_diff.c src/explorer/state/state_diff.h \
	src/explorer/state/state_events.c src/explorer/state/state_events.h \
	src/explorer/state/state_features.c src/explorer/state/state_texts.c src/explorer/state/state_texts.h \
	src/explorer/state/state_follow.c src/explorer/state/state_follow.h src/explorer/state/state_themes.c \
	src/explorer/state/state_flows.c src/explorer/state/state_flows.h \
	src/explorer/state/state_geometry.c src/explorer/state/state_geometry.h \
	src/explorer/state/state_instructions.c src/explorer/state/state_instructions.h \
	src/explorer/state/state_intervals.c src/explorer/state/state_intervals.h \
	src/explorer/state/lesson_parts.h src/explorer/state/lesson_play.h \
	src/explorer/state/state_lesson.c src/explorer/state/state_lesson_look.c src/explorer/state/state_leave.c src/explorer/state/state_leave.h \
	src/explorer/state/state_lists.c src/explorer/state/state_lists.h \
	src/explorer/state/state_notes.c src/explorer/state/state_notes.h \
	src/explorer/state/state_palette.c src/explorer/state/state_palette_take.c src/explorer/state/state_palette.h \
	src/explorer/state/state_paths.c src/explorer/state/state_paths.h \
	src/explorer/state/state_probes.c src/explorer/state/state_probes.h \
	src/explorer/state/state_prompt.c \
	src/explorer/state/state_phases.c src/explorer/state/state_phases.h \
	src/explorer/state/state_queues.c src/explorer/state/state_queues.h \
	src/explorer/state/state_reason.c src/explorer/state/state_reason.h \
	src/explorer/state/state_relax.c src/explorer/state/state_relax.h \
	src/explorer/state/state_reload.c src/explorer/state/state_reload.h \
	src/explorer/state/state_rows.c src/explorer/state/state_rows.h \
	src/explorer/state/state_search.c src/explorer/state/state_search.h \
	src/explorer/state/state_settings.c src/explorer/state/state_settings.h \
	src/explorer/state/state_sim.c src/explorer/state/state_sim.h \
	src/explorer/state/state_nodes.c src/explorer/state/state_nodes.h \
	src/explorer/state/state_stalls.c src/explorer/state/state_stalls.h \
	src/explorer/state/state_start.c src/explorer/state/state_start.h \
	src/explorer/state/state_timeline.c src/explorer/state/state_timeline.h \
	src/explorer/state/state_timeline_act.c \
	src/explorer/state/state_timeline_due.c src/explorer/state/state_timeline_due.h \
	src/explorer/state/state_tree.c src/explorer/state/state_tree.h \
	src/explorer/state/state_undo.c src/explorer/state/state_undo.h \
	src/explorer/state/undo_parts.c src/explorer/state/undo_parts.h \
	src/explorer/state/undo_steps.c src/explorer/state/undo_steps.h \
	src/explorer/state/state_where.c src/explorer/state/state_views.c src/explorer/state/state_views.h \
	src/explorer/state/view_state.c src/explorer/state/view_state.h
