libhecate_a_SOURCES += \
	src/core/verdict/box.c src/core/verdict/box.h \
	src/core/verdict/certificate.c src/core/verdict/certificate.h \
	src/core/verdict/certify_gmp.c src/core/verdict/certify.h \
	src/core/verdict/cone_test.c src/core/verdict/decide.h src/core/verdict/regions.c \
	src/core/verdict/witness.c src/core/verdict/witness.h \
	src/core/verdict/uop_range.c src/core/verdict/uop_range.h \
	src/core/verdict/uop_bound.c src/core/verdict/uop_ellipsoid.c src/core/verdict/uop_program.h \
	src/core/verdict/holm.c \
	src/core/verdict/lp_glpk.c src/core/verdict/lp.h \
	src/core/verdict/match.c src/core/verdict/match.h \
	src/core/verdict/nnls.c src/core/verdict/nnls.h \
	src/core/verdict/point.c src/core/verdict/point.h \
	src/core/verdict/projection.c src/core/verdict/projection.h \
	src/core/verdict/verdict.c src/core/verdict/verdict.h src/core/verdict/violation.c
