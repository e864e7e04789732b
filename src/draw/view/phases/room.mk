libhecate_a_SOURCES += \
	src/draw/view/phases/changed.c \
	src/draw/view/phases/phases.c src/draw/view/phases/phases.h
