libhecate_a_SOURCES += \
	src/core/cone/blocks.c src/core/cone/blocks.h \
	src/core/cone/paths_gmp.c src/core/cone/paths_gmp.h \
	src/core/cone/signatures.c src/core/cone/signatures.h \
	src/core/cone/vectors.c src/core/cone/vectors.h \
	src/core/cone/walk.h src/core/cone/witness.c
