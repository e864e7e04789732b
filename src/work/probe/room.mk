libhecate_a_SOURCES += \
	src/work/probe/export.c src/work/probe/export.h \
	src/work/probe/native_expect.c src/work/probe/native_expect.h \
	src/work/probe/probe_book.c src/work/probe/probe_book.h \
	src/work/probe/probe_known.c src/work/probe/probe_known.h \
	src/work/probe/probe_machine.c src/work/probe/probe_machine.h \
	src/work/probe/probe_store.c src/work/probe/probe_store.h \
	src/work/probe/prober.c src/work/probe/prober.h \
	src/work/probe/probes.c src/work/probe/probes.h \
	src/work/probe/rob_study.c src/work/probe/rob_study.h
