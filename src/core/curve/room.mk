libhecate_a_SOURCES += \
	src/core/curve/curve.c src/core/curve/curve.h \
	src/core/curve/knee.c src/core/curve/knee.h \
	src/core/curve/trend.c src/core/curve/trend.h
