libhecate_a_SOURCES += \
	src/core/probe/code.c src/core/probe/parse.c src/core/probe/probe.h
