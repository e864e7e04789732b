libhecate_a_SOURCES += \
	src/text/aexpr.c src/text/aexpr.h src/text/aexpr_column.c src/text/aexpr_operate.h src/text/aexpr_print.c src/text/unit.c \
	src/text/bexpr.c src/text/bexpr.h src/text/bexpr_sat.c \
	src/text/diag.c src/text/diag.h \
	src/text/item.c src/text/item.h \
	src/text/lex.c src/text/lex.h \
	src/text/notation.c src/text/notation.h \
	src/text/source.c src/text/source.h \
	src/text/word_list.c src/text/word_list.h
