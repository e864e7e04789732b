libhecate_a_SOURCES += \
	src/collect/sim/cache.c src/collect/sim/cache.h \
	src/collect/sim/core.c src/collect/sim/core.h \
	src/collect/sim/event.c src/collect/sim/event.h \
	src/collect/sim/machine.c src/collect/sim/machine.h \
	src/collect/sim/mmu.c src/collect/sim/mmu.h \
	src/collect/sim/pages.c src/collect/sim/pages.h \
	src/collect/sim/plants.c \
	src/collect/sim/pmu.c src/collect/sim/pmu_lie.c src/collect/sim/pmu.h \
	src/collect/sim/tags.c src/collect/sim/tags.h \
	src/collect/sim/uop.h \
	src/collect/sim/walker.c src/collect/sim/walker.h \
	src/collect/sim/workload.h
libhecate_a_SOURCES += src/collect/sim/run.c src/collect/sim/run.h src/collect/sim/sampler.c src/collect/sim/sampler.h
libhecate_a_SOURCES += src/collect/sim/suite.c src/collect/sim/suite.h
