libhecate_a_SOURCES += \
	src/explorer/control/control_lesson.c src/explorer/control/control.c src/explorer/control/control.h \
	src/explorer/control/control_ending.c src/explorer/control/control_parts.h \
	src/explorer/control/control_diff.c \
	src/explorer/control/control_files.c src/explorer/control/control_files.h \
	src/explorer/control/control_model.c src/explorer/control/control_model.h \
	src/explorer/control/control_replies.c \
	src/explorer/control/control_probes.c \
	src/explorer/control/control_runs.c
