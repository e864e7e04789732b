libhecate_a_SOURCES += \
	src/core/spec/pace.c src/core/spec/pace.h \
	src/core/spec/parse.c src/core/spec/parse_program.c src/core/spec/parser.h \
	src/core/spec/spec.h src/core/spec/words.c
