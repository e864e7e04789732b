libhecate_a_SOURCES += \
	src/draw/view/start/start.c
