libhecate_a_SOURCES += \
	src/collect/sim/core.h \
	src/collect/sim/event.h \
	src/collect/sim/machine.c src/collect/sim/machine.h \
	src/collect/sim/plants.c \
	src/collect/sim/pmu.h \
	src/collect/sim/uop.h
libhecate_a_SOURCES += src/collect/sim/event.c
libhecate_a_SOURCES += src/collect/sim/pmu.c src/collect/sim/pmu_lie.c
libhecate_a_SOURCES += src/collect/sim/run.c src/collect/sim/run.h src/collect/sim/sampler.c src/collect/sim/sampler.h
libhecate_a_SOURCES += src/collect/sim/suite.c src/collect/sim/suite.h
