libhecate_a_SOURCES += \
	src/collect/doctor.c src/collect/doctor.h \
	src/collect/source_none.c src/collect/source.h

include src/collect/perf/room.mk
include src/collect/import/room.mk
