libhecate_a_SOURCES += src/core/obs/columns.c src/core/obs/columns.h src/core/obs/fold.c src/core/obs/obs.c src/core/obs/obs.h src/core/obs/rise.c src/core/obs/rise.h
