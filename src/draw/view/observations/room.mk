libhecate_a_SOURCES += \
	src/draw/view/observations/observation.c \
	src/draw/view/observations/observations.c src/draw/view/observations/observations.h \
	src/draw/view/observations/samples.c
