libhecate_a_SOURCES += \
	src/core/spec/parse.c src/core/spec/parse_program.c src/core/spec/parser.h \
	src/core/spec/spec.c src/core/spec/spec.h
