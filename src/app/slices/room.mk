libhecate_a_SOURCES += \
	src/app/slices/probes.def \
	src/app/slices/sliced.c src/app/slices/sliced.h \
	src/app/slices/skp.c src/app/slices/skp.h \
	src/app/slices/skp_points.c \
	src/app/slices/slices.c src/app/slices/slices.h \
	src/app/slices/slices_simulate.c
