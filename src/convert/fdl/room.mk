libconvert_a_SOURCES += \
	src/convert/fdl/fdl.h src/convert/fdl/read.c \
	src/convert/fdl/fdl_flow.h src/convert/fdl/parse.c src/convert/fdl/order.c src/convert/fdl/lint.c \
	src/convert/fdl/decisions.c src/convert/fdl/graph.c src/convert/fdl/graph.h src/convert/fdl/states.c \
	src/convert/fdl/lexer.c src/convert/fdl/lexer.h \
	src/convert/fdl/m4.c src/convert/fdl/parts.h \
	src/convert/fdl/print.c src/convert/fdl/print.h src/convert/fdl/udd_text.c src/convert/fdl/words.c src/convert/fdl/words.h src/convert/fdl/write.c \
	src/convert/fdl/sidecar.c \
	src/convert/fdl/table.c
