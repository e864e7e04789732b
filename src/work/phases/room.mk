libhecate_a_SOURCES += \
	src/work/phases/phases.c src/work/phases/phases.h \
	src/work/phases/scenarios.def \
	src/work/phases/series_set.c src/work/phases/series_set.h \
	src/work/phases/series_text.c src/work/phases/series_text.h
