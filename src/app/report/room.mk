libhecate_a_SOURCES += \
	src/app/report/report.c src/app/report/report.h \
	src/app/report/report_graph.c \
	src/app/report/report_network.c src/app/report/report_table.h \
	src/app/report/report_timeline.c src/app/report/report_timeline.h
