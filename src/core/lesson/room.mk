libhecate_a_SOURCES += \
	src/core/lesson/lesson.h \
	src/core/lesson/parse.c src/core/lesson/parse_cases.c src/core/lesson/parse_task.c src/core/lesson/parser.h
