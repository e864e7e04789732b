libhecate_a_SOURCES += \
	src/core/counters/counters.c src/core/counters/counters.h \
	src/core/counters/scope.c src/core/counters/scope.h \
	src/core/counters/text_kind.h
