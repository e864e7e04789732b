libhecate_a_SOURCES += \
	src/core/stats/centred.c src/core/stats/centred.h \
	src/core/stats/chi2_gsl.c \
	src/core/stats/cholesky.c src/core/stats/cholesky.h \
	src/core/stats/dot.h \
	src/core/stats/eigen_gsl.c src/core/stats/eigen.h \
	src/core/stats/few.c src/core/stats/few.h \
	src/core/stats/lag.c src/core/stats/lag.h \
	src/core/stats/region.c src/core/stats/region.h \
	src/core/stats/sequence.c src/core/stats/sequence.h \
	src/core/stats/shrink.c src/core/stats/shrink.h
