libhecate_a_SOURCES += \
	src/work/lesson/answers.c src/work/lesson/answers.h \
	src/work/lesson/judge.c src/work/lesson/judge.h \
	src/work/lesson/lesson_files.c src/work/lesson/lesson_files.h
