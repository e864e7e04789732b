libsim_a_SOURCES += \
	src/sim/program/catalogue.c src/sim/program/catalogue.h \
	src/sim/program/code.c src/sim/program/code.h \
	src/sim/program/lessons.c \
	src/sim/program/operations.c src/sim/program/operations.h \
	src/sim/program/parameters.c src/sim/program/parameters.h \
	src/sim/program/program.c src/sim/program/program.h \
	src/sim/program/routines.c
