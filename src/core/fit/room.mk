libhecate_a_SOURCES += src/core/fit/holders.c src/core/fit/holders.h
