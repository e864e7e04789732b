libsim_a_SOURCES += \
	src/sim/mmu/cache.c src/sim/mmu/cache.h \
	src/sim/mmu/ways.h \
	src/sim/mmu/mmu.c src/sim/mmu/mmu.h \
	src/sim/mmu/walker.c src/sim/mmu/walker.h
