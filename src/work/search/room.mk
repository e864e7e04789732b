libhecate_a_SOURCES += \
	src/work/search/compare.c src/work/search/compare.h \
	src/work/search/compare_data.c \
	src/work/search/compare_order.c \
	src/work/search/compare_remedy.c \
	src/work/search/contexts.c src/work/search/contexts.h \
	src/work/search/locate.c src/work/search/locate.h \
	src/work/search/locate_columns.c \
	src/work/search/locate_describe.c \
	src/work/search/locate_finder.h \
	src/work/search/passes.c src/work/search/passes.h \
	src/work/search/relation.c src/work/search/relation.h \
	src/work/search/search.c src/work/search/search.h \
	src/work/search/search_alike.c src/work/search/search_alike.h \
	src/work/search/search_alike_words.c \
	src/work/search/search_discovery.c \
	src/work/search/search_judge.c \
	src/work/search/search_result.c src/work/search/search_result.h \
	src/work/search/search_rows.c src/work/search/search_rows.h \
	src/work/search/search_words.c \
	src/work/search/search_work.h \
	src/work/search/worth.c src/work/search/worth.h
