libhecate_a_SOURCES += \
	src/collect/host/cpu.c src/collect/host/cpu.h \
	src/collect/host/doctor.c src/collect/host/doctor.h \
	src/collect/host/fault_keep.c src/collect/host/fault_keep.h \
	src/collect/host/machine.c src/collect/host/machine.h \
	src/collect/host/owners.c src/collect/host/owners.h \
	src/collect/host/source_all.c
