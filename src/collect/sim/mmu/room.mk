libhecate_a_SOURCES += \
	src/collect/sim/mmu/cache.c src/collect/sim/mmu/cache.h \
	src/collect/sim/mmu/ways.h \
	src/collect/sim/mmu/mmu.c src/collect/sim/mmu/mmu.h \
	src/collect/sim/mmu/walker.c src/collect/sim/mmu/walker.h
