libhecate_a_SOURCES += src/work/fit/fit.c src/work/fit/fit.h
