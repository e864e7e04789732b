libhecate_a_SOURCES += src/core/cluster/dbscan.c src/core/cluster/dbscan.h
