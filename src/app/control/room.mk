libhecate_a_SOURCES += \
	src/app/control/control.c src/app/control/control.h \
	src/app/control/control_ending.c src/app/control/control_ending.h \
	src/app/control/control_files.c src/app/control/control_files.h \
	src/app/control/control_probes.c src/app/control/control_probes.h \
	src/app/control/control_runs.c src/app/control/control_runs.h
