libhecate_a_SOURCES += \
	src/core/trust/book.c src/core/trust/book.h \
	src/core/trust/book_parse.c \
	src/core/trust/book_print.c \
	src/core/trust/calibrate.c src/core/trust/calibrate.h \
	src/core/trust/cpuinfo.c src/core/trust/cpuinfo.h \
	src/core/trust/expected.c src/core/trust/expected.h \
	src/core/trust/judge.c src/core/trust/judge.h src/core/trust/judging.h \
	src/core/trust/judge_constant.c \
	src/core/trust/judge_doubts.c \
	src/core/trust/judge_faults.c \
	src/core/trust/judge_interrupts.c \
	src/core/trust/runs.c src/core/trust/runs.h \
	src/core/trust/slope_gsl.c src/core/trust/slope.h \
	src/core/trust/correct.c src/core/trust/correct.h \
	src/core/trust/attribute.c src/core/trust/attribute.h \
	src/core/trust/trust.c src/core/trust/trust.h
