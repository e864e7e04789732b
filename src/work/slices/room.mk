libhecate_a_SOURCES += \
	src/work/slices/probes.def \
	src/work/slices/sliced.c src/work/slices/sliced.h \
	src/work/slices/skp.c src/work/slices/skp.h \
	src/work/slices/skp_points.c \
	src/work/slices/slices.c src/work/slices/slices.h \
	src/work/slices/slices_simulate.c
