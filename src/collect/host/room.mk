libhecate_a_SOURCES += \
	src/collect/host/doctor.c src/collect/host/doctor.h \
	src/collect/host/owners.c src/collect/host/owners.h \
	src/collect/host/source_all.c
