libhecate_a_SOURCES += \
	src/app/probe/imported.c src/app/probe/imported.h
