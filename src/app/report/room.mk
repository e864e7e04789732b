libhecate_a_SOURCES += \
	src/app/report/report.c src/app/report/report.h \
	src/app/report/report_graph.c \
	src/app/report/report_profile.c src/app/report/report_profile.h
