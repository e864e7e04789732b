libhecate_a_SOURCES += \
	src/explorer/report/report.c src/explorer/report/report.h \
	src/explorer/report/report_graph.c \
	src/explorer/report/report_network.c src/explorer/report/report_table.h \
	src/explorer/report/report_timeline.c src/explorer/report/report_timeline.h
