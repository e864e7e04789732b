libhecate_a_SOURCES += \
	src/app/probe/probe_book.c src/app/probe/probe_book.h \
	src/app/probe/probe_known.c src/app/probe/probe_known.h \
	src/app/probe/probe_machine.c src/app/probe/probe_machine.h \
	src/app/probe/probe_store.c src/app/probe/probe_store.h \
	src/app/probe/prober.c src/app/probe/prober.h \
	src/app/probe/probes.c src/app/probe/probes.h \
	src/app/probe/native_expect.c src/app/probe/native_expect.h \
	src/app/probe/rob_study.c src/app/probe/rob_study.h
