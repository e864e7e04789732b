libhecate_a_SOURCES += \
	src/core/stats/centred.c src/core/stats/centred.h \
	src/core/stats/count_bounds.c src/core/stats/count_bounds.h \
	src/core/stats/counterpoint.c src/core/stats/counterpoint.h \
	src/core/stats/dot_product.h \
	src/core/stats/matrix_gsl.c src/core/stats/matrix.h \
	src/core/stats/noise.c src/core/stats/noise.h src/core/stats/noise_ask.c \
	src/core/stats/noise_series.c src/core/stats/noise_series.h \
	src/core/stats/region.c src/core/stats/region.h src/core/stats/region_rows.c src/core/stats/region_rows.h \
	src/core/stats/sequence.c src/core/stats/sequence.h \
	src/core/stats/spectra.c src/core/stats/spectra.h \
	src/core/stats/tails_gsl.c src/core/stats/tails.h
