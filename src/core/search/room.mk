libhecate_a_SOURCES += \
	src/core/search/clauses.c src/core/search/clauses.h \
	src/core/search/hitting.c src/core/search/hitting.h \
	src/core/search/lattice.c src/core/search/lattice.h src/core/search/lattice_run.h \
	src/core/search/lattice_map.c \
	src/core/search/lattice_needs.c \
	src/core/search/lattice_steps.c \
	src/core/search/lattice_test.c \
	src/core/search/propose.c src/core/search/propose.h src/core/search/propose_alternatives.c src/core/search/propose_run.h \
	src/core/search/search_graph.c src/core/search/search_graph.h \
	src/core/search/search_graph_merge.c
