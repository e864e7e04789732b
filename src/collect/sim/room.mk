libhecate_a_SOURCES += \
	src/collect/sim/core.h \
	src/collect/sim/event.h \
	src/collect/sim/machine.c src/collect/sim/machine.h \
	src/collect/sim/plants.c \
	src/collect/sim/pmu.h \
	src/collect/sim/uop.h
