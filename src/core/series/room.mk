libhecate_a_SOURCES += \
	src/core/series/changes.c src/core/series/changes.h \
	src/core/series/mean.c src/core/series/mean.h \
	src/core/series/rhythm.c src/core/series/rhythm.h \
	src/core/series/beat.c src/core/series/beat.h \
	src/core/series/panel.h src/core/series/windows.c src/core/series/windows.h \
	src/core/series/season_gsl.c src/core/series/season.h \
	src/core/series/forecast_gsl.c src/core/series/forecast.h \
	src/core/series/outliers_gsl.c src/core/series/outliers.h \
	src/core/series/correlation.c src/core/series/correlation.h
