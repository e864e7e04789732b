libhecate_a_SOURCES += \
	src/core/cone/blocks.c src/core/cone/blocks.h \
	src/core/cone/cone.c src/core/cone/cone.h \
	src/core/cone/cone_text.c \
	src/core/cone/double_description_ppl.c src/core/cone/double_description.h \
	src/core/cone/facets.c src/core/cone/facets.h \
	src/core/cone/insertion.c src/core/cone/insertion.h \
	src/core/cone/midpoints.c \
	src/core/cone/normal_form_gmp.c src/core/cone/normal_form.h \
	src/core/cone/paths_gmp.c src/core/cone/paths_gmp.h \
	src/core/cone/ppl_session_ppl.c src/core/cone/ppl_session.h \
	src/core/cone/rows.c src/core/cone/rows.h \
	src/core/cone/rref.c src/core/cone/rref_gmp.c src/core/cone/rref.h \
	src/core/cone/separate_ppl.c src/core/cone/separate.h \
	src/core/cone/signatures.c src/core/cone/signatures_packed.c src/core/cone/signatures.h \
	src/core/cone/state_between.c \
	src/core/cone/state_table.c src/core/cone/state_table.h \
	src/core/cone/sums.c src/core/cone/supports.c src/core/cone/supports.h \
	src/core/cone/uses.c src/core/cone/uses.h \
	src/core/cone/vectors.c src/core/cone/vectors.h \
	src/core/cone/walk.h src/core/cone/witness.c
