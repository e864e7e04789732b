libhecate_a_SOURCES += \
	src/work/diff/measure.c src/work/diff/measure.h \
	src/work/diff/recorded.c \
	src/work/diff/revisions.c
