libhecate_a_SOURCES += \
	src/core/stack/account.c src/core/stack/account.h \
	src/core/stack/bounds.c src/core/stack/bounds.h \
	src/core/stack/check.c \
	src/core/stack/errors.c src/core/stack/errors.h \
	src/core/stack/overlap.c \
	src/core/stack/parse.c src/core/stack/parse_part.c src/core/stack/parse_tree.c src/core/stack/parser.h \
	src/core/stack/stack.h \
	src/core/stack/tree.c src/core/stack/tree.h
