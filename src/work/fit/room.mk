libhecate_a_SOURCES += src/work/fit/fit.c src/work/fit/fit.h src/work/fit/fit_counters.c src/work/fit/fit_try.c src/work/fit/fit_words.c src/work/fit/fitting.c src/work/fit/fitting.h
