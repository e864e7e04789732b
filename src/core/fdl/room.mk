libhecate_a_SOURCES += \
	src/core/fdl/fdl.h src/core/fdl/read.c \
	src/core/fdl/fdl_flow.h src/core/fdl/parse.c src/core/fdl/order.c src/core/fdl/lint.c \
	src/core/fdl/decisions.c src/core/fdl/graph.c src/core/fdl/graph.h src/core/fdl/states.c \
	src/core/fdl/lexer.c src/core/fdl/lexer.h \
	src/core/fdl/m4.c src/core/fdl/m4.h \
	src/core/fdl/print.c src/core/fdl/print.h src/core/fdl/udd_text.c src/core/fdl/words.c src/core/fdl/words.h src/core/fdl/write.c \
	src/core/fdl/sidecar.c src/core/fdl/sidecar.h \
	src/core/fdl/table.c src/core/fdl/table.h
