libhecate_a_SOURCES += \
	src/collect/doctor.h \
	src/collect/source.h

include src/collect/perf/room.mk
include src/collect/import/room.mk
