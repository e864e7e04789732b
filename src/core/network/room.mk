libhecate_a_SOURCES += \
	src/core/network/network.h src/core/network/parser.h \
	src/core/network/check.c src/core/network/parse.c src/core/network/parse_stage.c src/core/network/words.c
