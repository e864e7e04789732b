libhecate_a_SOURCES += \
	src/app/state/action.c src/app/state/action.def src/app/state/action.h \
	src/app/state/answers.c src/app/state/answers.h \
	src/app/state/data.c src/app/state/data.h \
	src/app/state/screen_layout.h \
	src/app/state/pane.c src/app/state/pane.h \
	src/app/state/panes.def src/app/state/pane_ids.h \
	src/app/state/question.c src/app/state/question.h \
	src/app/state/requests.c src/app/state/requests.h \
	src/app/state/explore_start.h \
	src/app/state/state.c src/app/state/state.h \
	src/app/state/state_act.c \
	src/app/state/state_answers.c src/app/state/state_answers.h \
	src/app/state/state_check.c src/app/state/state_check.h \
	src/app/state/state_cursor.c src/app/state/state_cursor.h \
	src/app/state/state_events.c src/app/state/state_events.h \
	src/app/state/state_features.c src/app/state/state_features.h \
	src/app/state/state_flows.c src/app/state/state_flows.h \
	src/app/state/state_geometry.c src/app/state/state_geometry.h \
	src/app/state/state_instructions.c src/app/state/state_instructions.h \
	src/app/state/state_intervals.c src/app/state/state_intervals.h \
	src/app/state/state_leave.c src/app/state/state_leave.h \
	src/app/state/state_lists.c src/app/state/state_lists.h \
	src/app/state/state_notes.c src/app/state/state_notes.h \
	src/app/state/state_paths.c src/app/state/state_paths.h \
	src/app/state/state_probes.c src/app/state/state_probes.h \
	src/app/state/state_prompt.c \
	src/app/state/state_queues.c src/app/state/state_queues.h \
	src/app/state/state_relax.c src/app/state/state_relax.h \
	src/app/state/state_rows.c src/app/state/state_rows.h \
	src/app/state/state_search.c src/app/state/state_search.h \
	src/app/state/state_sim.c src/app/state/state_sim.h \
	src/app/state/state_nodes.c src/app/state/state_nodes.h \
	src/app/state/state_stalls.c src/app/state/state_stalls.h \
	src/app/state/state_start.c src/app/state/state_start.h \
	src/app/state/state_timeline.c src/app/state/state_timeline.h \
	src/app/state/state_timeline_act.c \
	src/app/state/state_timeline_due.c src/app/state/state_timeline_due.h \
	src/app/state/state_tree.c src/app/state/state_tree.h \
	src/app/state/state_views.c src/app/state/state_views.h \
	src/app/state/view_state.c src/app/state/view_state.h
