libhecate_a_SOURCES += \
	src/core/series/changes.c src/core/series/changes.h \
	src/core/series/level.c src/core/series/level.h
