libhecate_a_SOURCES += \
	src/core/stats/chi2_gsl.c \
	src/core/stats/cholesky.c src/core/stats/cholesky.h \
	src/core/stats/dot.h \
	src/core/stats/eigen_gsl.c src/core/stats/eigen.h \
	src/core/stats/region.c src/core/stats/region.h
