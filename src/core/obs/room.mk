libhecate_a_SOURCES += src/core/obs/obs.c src/core/obs/obs.h
