libhecate_a_SOURCES += \
	src/work/diff/bench.h src/work/diff/bench_explain.c src/work/diff/bench_files.c src/work/diff/bench_run.c src/work/diff/bench_table.c \
	src/work/diff/contest.c src/work/diff/contest.h src/work/diff/contest_news.c src/work/diff/contest_news.h \
	src/work/diff/diff_stack.c src/work/diff/diff_words.c src/work/diff/diff_words.h src/work/diff/diff_why.c \
	src/work/diff/measure.c src/work/diff/measure.h \
	src/work/diff/published.c src/work/diff/sides.c src/work/diff/sides.h src/work/diff/recorded.c \
	src/work/diff/revisions.c
