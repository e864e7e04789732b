libhecate_a_SOURCES += \
	src/event/list.c src/event/list.h \
	src/event/modifiers.c src/event/modifiers.h \
	src/event/name.c src/event/name.h \
	src/event/table.c src/event/table.h \
	src/event/table_find.c \
	src/event/unit.c src/event/unit.h \
	src/event/words.c src/event/words.h
