libhecate_a_SOURCES += \
	src/collect/liveness.c src/collect/liveness.h \
	src/collect/overflow.c src/collect/overflow.h \
	src/collect/rotation.c src/collect/rotation.h \
	src/collect/source.c src/collect/source.h

include src/collect/process/room.mk
include src/collect/events/room.mk
include src/collect/host/room.mk
include src/collect/perf/room.mk
include src/collect/workload/room.mk
include src/collect/proc/room.mk
include src/collect/import/room.mk
include src/collect/store/room.mk
include src/collect/native/room.mk
