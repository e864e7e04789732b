libhecate_a_SOURCES += \
	src/core/metric/box.c \
	src/core/metric/compute.c \
	src/core/metric/metric.h \
	src/core/metric/parse.c \
	src/core/metric/parts.h \
	src/core/metric/print.c \
	src/core/metric/set.c \
	src/core/metric/span.h
