libhecate_a_SOURCES += \
	src/collect/process/capture.c src/collect/process/capture.h \
	src/collect/process/child.c src/collect/process/child.h \
	src/collect/process/minder.c src/collect/process/minder.h \
	src/collect/process/processes.c src/collect/process/processes.h \
	src/collect/process/programs.c src/collect/process/programs.h \
	src/collect/process/setup.c src/collect/process/setup.h \
	src/collect/process/target.c src/collect/process/target.h
