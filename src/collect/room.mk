libhecate_a_SOURCES += \
	src/collect/doctor.c src/collect/doctor.h \
	src/collect/liveness.c src/collect/liveness.h \
	src/collect/source_all.c \
	src/collect/owners.c src/collect/owners.h \
	src/collect/rotation.c src/collect/rotation.h \
	src/collect/source_none.c src/collect/source.h \
	src/collect/target.c src/collect/target.h

include src/collect/perf/room.mk
include src/collect/proc/room.mk
include src/collect/import/room.mk
include src/collect/store/room.mk
include src/collect/sim/room.mk
