libhecate_a_SOURCES += \
	src/draw/view/view_simulated.c \
	src/draw/view/view.c src/draw/view/view.h \
	src/draw/view/view_broken.c \
	src/draw/view/view_certificate.c \
	src/draw/view/view_constraint.c src/draw/view/view_constraint.h \
	src/draw/view/view_constraints.c \
	src/draw/view/view_counters.c src/draw/view/view_counters.h \
	src/draw/view/view_geometry.c src/draw/view/view_geometry.h \
	src/draw/view/view_geometry_legend.c \
	src/draw/view/view_help.c \
	src/draw/view/view_history.c \
	src/draw/view/view_loss.c \
	src/draw/view/view_models.c \
	src/draw/view/view_observation.c src/draw/view/view_observation.h \
	src/draw/view/view_observations.c \
	src/draw/view/view_page.c src/draw/view/view_page.h \
	src/draw/view/view_parts.c src/draw/view/view_parts.h \
	src/draw/view/view_paths.c src/draw/view/view_paths.h \
	src/draw/view/view_paths_box.c src/draw/view/view_paths_box.h \
	src/draw/view/view_paths_flows.c \
	src/draw/view/view_paths_lanes.c \
	src/draw/view/view_paths_lines.c \
	src/draw/view/view_paths_map.c \
	src/draw/view/view_paths_moments.c \
	src/draw/view/view_paths_node.c \
	src/draw/view/view_paths_places.c \
	src/draw/view/view_paths_table.c \
	src/draw/view/view_popup.c \
	src/draw/view/view_timeline.c \
	src/draw/view/view_queue.c \
	src/draw/view/view_queues.c src/draw/view/view_queues.h \
	src/draw/view/view_relation.c src/draw/view/view_relation.h \
	src/draw/view/view_samples.c \
	src/draw/view/view_search.c src/draw/view/view_search.h \
	src/draw/view/view_search_boxes.c src/draw/view/view_search_boxes.h \
	src/draw/view/view_search_graph.c \
	src/draw/view/view_search_words.c \
	src/draw/view/view_selected.c src/draw/view/view_selected.h \
	src/draw/view/view_stack_methods.c \
	src/draw/view/view_stack_parts.c \
	src/draw/view/view_stall_components.c \
	src/draw/view/view_stall_rows.c \
	src/draw/view/view_stalls.c src/draw/view/view_stalls.h \
	src/draw/view/view_start.c \
	src/draw/view/view_tree.c \
	src/draw/view/view_whence.c \
	src/draw/view/view_why.c
