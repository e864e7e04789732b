libhecate_a_SOURCES += \
	src/app/probe/imported.c src/app/probe/imported.h \
	src/app/probe/probes.c src/app/probe/probes.h
