include src/collect/perf/room.mk
include src/collect/import/room.mk
