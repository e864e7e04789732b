libhecate_a_SOURCES += \
	src/collect/native/counters.c src/collect/native/counters.h \
	src/collect/native/encode.c src/collect/native/encode.h \
	src/collect/native/memory.c src/collect/native/memory.h \
	src/collect/native/native.c src/collect/native/native.h \
	src/collect/native/points.c src/collect/native/points.h \
	src/collect/native/timer.c src/collect/native/timer.h \
	src/collect/native/uses.c src/collect/native/uses.h \
	src/collect/native/workbench.c src/collect/native/workbench.h
