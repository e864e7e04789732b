libhecate_a_SOURCES += \
	src/work/metrics/metric_data.c src/work/metrics/metric_data.h \
	src/work/metrics/metric_laws.c src/work/metrics/metric_laws.h \
	src/work/metrics/metric_tree.c \
	src/work/metrics/table_metrics.c
