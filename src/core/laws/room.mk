libhecate_a_SOURCES += \
	src/core/laws/ask.c src/core/laws/ask.h src/core/laws/blame.c \
	src/core/laws/judge.c src/core/laws/judge.h \
	src/core/laws/laws.h src/core/laws/parse.c
