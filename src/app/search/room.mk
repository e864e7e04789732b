libhecate_a_SOURCES += \
	src/app/search/compare.c src/app/search/compare.h \
	src/app/search/compare_data.c \
	src/app/search/compare_order.c \
	src/app/search/compare_remedy.c \
	src/app/search/contexts.c src/app/search/contexts.h \
	src/app/search/locate.c src/app/search/locate.h \
	src/app/search/locate_columns.c \
	src/app/search/locate_describe.c \
	src/app/search/locate_finder.h \
	src/app/search/passes.c src/app/search/passes.h \
	src/app/search/relation.c src/app/search/relation.h \
	src/app/search/search.c src/app/search/search.h \
	src/app/search/search_alike.c src/app/search/search_alike.h \
	src/app/search/search_alike_words.c \
	src/app/search/search_discovery.c \
	src/app/search/search_graph.c src/app/search/search_graph.h \
	src/app/search/search_graph_merge.c \
	src/app/search/search_judge.c \
	src/app/search/search_result.c src/app/search/search_result.h \
	src/app/search/search_rows.c src/app/search/search_rows.h \
	src/app/search/search_words.c \
	src/app/search/search_work.h \
	src/app/search/worth.c src/app/search/worth.h
