libhecate_a_SOURCES += src/core/fit/holders.c src/core/fit/holders.h src/core/fit/sets.c src/core/fit/sets.h src/core/fit/cone_constraints.c src/core/fit/set_constraints.c src/core/fit/sets_search.c
