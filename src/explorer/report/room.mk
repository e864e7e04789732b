libhecate_a_SOURCES += \
	src/explorer/report/report.c src/explorer/report/report.h \
	src/explorer/report/report_curves.c \
	src/explorer/report/report_diff.c src/explorer/report/report_diff.h \
	src/explorer/report/report_graph.c \
	src/explorer/report/report_html.c src/explorer/report/report_html.h \
	src/explorer/report/report_html_timeline.c \
	src/explorer/report/report_look.c src/explorer/report/report_look.h \
	src/explorer/report/report_markup.c \
	src/explorer/report/report_network.c src/explorer/report/report_table.h \
	src/explorer/report/report_page.c src/explorer/report/report_page.h \
	src/explorer/report/report_proof.c \
	src/explorer/report/report_timeline.c src/explorer/report/report_timeline.h
