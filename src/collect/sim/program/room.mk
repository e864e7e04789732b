libhecate_a_SOURCES += \
	src/collect/sim/program/catalogue.c src/collect/sim/program/catalogue.h \
	src/collect/sim/program/code.c src/collect/sim/program/code.h \
	src/collect/sim/program/lessons.c \
	src/collect/sim/program/operations.c src/collect/sim/program/operations.h \
	src/collect/sim/program/parameters.c src/collect/sim/program/parameters.h \
	src/collect/sim/program/program.c src/collect/sim/program/program.h \
	src/collect/sim/program/routines.c
