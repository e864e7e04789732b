libhecate_a_SOURCES += src/collect/sim/event.c src/collect/sim/event.h
libhecate_a_SOURCES += src/collect/sim/pmu.c src/collect/sim/pmu_lie.c src/collect/sim/pmu.h
