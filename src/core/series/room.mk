libhecate_a_SOURCES += \
	src/core/series/changes.c src/core/series/changes.h
