libhecate_a_SOURCES += src/collect/sim/event.c src/collect/sim/event.h
libhecate_a_SOURCES += src/collect/sim/pmu.c src/collect/sim/pmu_lie.c src/collect/sim/pmu.h
libhecate_a_SOURCES += src/collect/sim/run.c src/collect/sim/run.h src/collect/sim/sampler.c src/collect/sim/sampler.h
libhecate_a_SOURCES += src/collect/sim/suite.c src/collect/sim/suite.h
