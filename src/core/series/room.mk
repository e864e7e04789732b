libhecate_a_SOURCES += \
	src/core/series/changes.c src/core/series/changes.h \
	src/core/series/mean.c src/core/series/mean.h \
	src/core/series/rhythm.c src/core/series/rhythm.h \
	src/core/series/beat.c src/core/series/beat.h
