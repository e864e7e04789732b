libhecate_a_SOURCES += \
	src/core/udd/alternatives.h \
	src/core/udd/ast.h src/core/udd/dot.c src/core/udd/fset.h src/core/udd/outline.c src/core/udd/outline.h src/core/udd/print.c \
	src/core/udd/before.c src/core/udd/build.h src/core/udd/check.h src/core/udd/check_expansion.c src/core/udd/check_names.c src/core/udd/labels.c \
	src/core/udd/complain.c src/core/udd/features.c src/core/udd/growing.c \
	src/core/udd/diagram.c src/core/udd/diagram.h src/core/udd/expander.h src/core/udd/expand.c src/core/udd/expand_decision.c \
	src/core/udd/expand_label.c src/core/udd/expand_node.c \
	src/core/udd/include.c src/core/udd/include.h src/core/udd/join.c \
	src/core/udd/model.c src/core/udd/model.h \
	src/core/udd/parse.c src/core/udd/parse_first.c src/core/udd/parse_item.c src/core/udd/parse_stmt.c src/core/udd/parser.h \
	src/core/udd/word.c src/core/udd/word.h
