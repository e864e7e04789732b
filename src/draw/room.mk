libhecate_a_SOURCES += \
	src/draw/amount.c src/draw/amount.h \
	src/draw/bar.c \
	src/draw/bar_chart.c src/draw/bar_chart.h \
	src/draw/cell.c src/draw/cell.h \
	src/draw/dag.c \
	src/draw/dag_svg.c src/draw/dag_svg.h \
	src/draw/graph_svg.c src/draw/graph_svg.h \
	src/draw/glyph.c \
	src/draw/layered.c src/draw/layered.h \
	src/draw/layered_graph.h \
	src/draw/layered_place.c \
	src/draw/layout.c src/draw/layout.h \
	src/draw/panes.c src/draw/panes.h \
	src/draw/picture.c \
	src/draw/plot_canvas.c src/draw/plot_canvas.h \
	src/draw/report_files.c src/draw/report_files.h \
	src/draw/search_layout.c src/draw/search_layout.h \
	src/draw/stack_bars.c src/draw/stack_bars.h \
	src/draw/time_graph.c src/draw/time_graph.h \
	src/draw/view_queue.c src/draw/view_queues.h \
	src/draw/theme.c src/draw/theme.h \
	src/draw/xml.c src/draw/xml.h \
	src/draw/view.c src/draw/view.h \
	src/draw/view_broken.c \
	src/draw/view_certificate.c \
	src/draw/view_counters.c src/draw/view_counters.h \
	src/draw/view_constraint.c src/draw/view_constraint.h \
	src/draw/view_constraints.c \
	src/draw/view_geometry.c src/draw/view_geometry.h \
	src/draw/view_geometry_legend.c \
	src/draw/view_history.c \
	src/draw/view_loss.c \
	src/draw/view_models.c \
	src/draw/view_observation.c src/draw/view_observation.h \
	src/draw/view_observations.c \
	src/draw/view_page.c src/draw/view_page.h \
	src/draw/view_parts.c src/draw/view_parts.h \
	src/draw/view_paths.c src/draw/view_paths.h src/draw/view_paths_box.c src/draw/view_paths_box.h src/draw/view_paths_lines.c src/draw/view_paths_places.c src/draw/view_paths_lanes.c src/draw/view_paths_map.c \
	src/draw/view_paths_moments.c src/draw/view_paths_node.c src/draw/view_paths_table.c \
	src/draw/view_popup.c src/draw/view_profile.c src/draw/view_queues.c src/draw/view_stalls.c \
	src/draw/view_samples.c \
	src/draw/view_search.c src/draw/view_search.h \
	src/draw/view_search_boxes.c src/draw/view_search_boxes.h \
	src/draw/view_search_graph.c \
	src/draw/view_search_words.c \
	src/draw/view_selected.c src/draw/view_selected.h \
	src/draw/view_stack_methods.c src/draw/view_stack_parts.c \
	src/draw/view_stalls.h \
	src/draw/view_stall_components.c \
	src/draw/view_stall_rows.c \
	src/draw/view_simulated.c \
	src/draw/view_start.c \
	src/draw/view_tree.c \
	src/draw/view_why.c
