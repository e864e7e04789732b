libhecate_a_SOURCES += \
	src/draw/amount.c src/draw/amount.h \
	src/draw/bar.c \
	src/draw/cell.c src/draw/cell.h \
	src/draw/dag.c \
	src/draw/dag_svg.c src/draw/dag_svg.h \
	src/draw/geometry_svg.c src/draw/report_drawings.h \
	src/draw/glyph.c \
	src/draw/graph_svg.c src/draw/graph_svg.h \
	src/draw/heat_map.c src/draw/heat_map.h src/draw/heat_map_svg.c \
	src/draw/interval_diagram.c src/draw/interval_diagram.h \
	src/draw/layered.c src/draw/layered.h \
	src/draw/layered_graph.h \
	src/draw/layered_place.c \
	src/draw/layout.c src/draw/layout.h \
	src/draw/panes.c src/draw/panes.h \
	src/draw/picture.c \
	src/draw/plot_canvas.c src/draw/plot_canvas.h \
	src/draw/report_files.c src/draw/report_files.h \
	src/draw/report_html_file.c \
	src/draw/search_layout.c src/draw/search_layout.h \
	src/draw/stack_bars.c src/draw/stack_bars.h \
	src/draw/svg.c src/draw/svg.h \
	src/draw/theme.c src/draw/theme.h \
	src/draw/time_graph.c src/draw/time_graph.h \
	src/draw/verdicts_svg.c
include src/draw/view/room.mk
