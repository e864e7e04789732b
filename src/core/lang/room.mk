libhecate_a_SOURCES += \
	src/core/lang/aexpr.c src/core/lang/aexpr.h src/core/lang/aexpr_print.c src/core/lang/unit.c \
	src/core/lang/bexpr.c src/core/lang/bexpr.h src/core/lang/bexpr_sat.c \
	src/core/lang/counters.c src/core/lang/counters.h \
	src/core/lang/diag.c src/core/lang/diag.h \
	src/core/lang/item.c src/core/lang/item.h \
	src/core/lang/lex.c src/core/lang/lex.h \
	src/core/lang/scope.c src/core/lang/scope.h \
	src/core/lang/source.c src/core/lang/source.h \
	src/core/lang/text_kind.h
