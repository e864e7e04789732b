libhecate_a_SOURCES += \
	src/draw/view/geometry/geometry.c src/draw/view/geometry/geometry.h \
	src/draw/view/geometry/legend.c src/draw/view/geometry/window.c
