libhecate_a_SOURCES += \
	src/app/probe/probe_machine.c src/app/probe/probe_machine.h \
	src/app/probe/probes.c src/app/probe/probes.h \
	src/app/probe/rob_study.c src/app/probe/rob_study.h
