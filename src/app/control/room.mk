libhecate_a_SOURCES += \
	src/app/control/control.c src/app/control/control.h \
	src/app/control/control_command.c src/app/control/control_command.h \
	src/app/control/control_flows.c src/app/control/control_flows.h \
	src/app/control/control_timeline.c src/app/control/control_timeline.h \
	src/app/control/control_recorded.c src/app/control/control_recorded.h \
	src/app/control/control_spec.c src/app/control/control_spec.h
