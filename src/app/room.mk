libhecate_a_SOURCES += \
	src/app/machine.c src/app/machine.h \
	src/app/remarks.c src/app/remarks.h \
	src/app/side_process.c src/app/side_process.h \
	src/app/wire.c src/app/wire.h
include src/app/control/room.mk
include src/app/engine/room.mk
include src/app/files/room.mk
include src/app/analysis/room.mk
include src/app/autosave/room.mk
include src/app/run/room.mk
include src/app/trust/room.mk
include src/app/probe/room.mk
include src/app/calibrate/room.mk
include src/app/slices/room.mk
include src/app/timeline/room.mk
include src/app/report/room.mk
include src/app/search/room.mk
include src/app/state/room.mk
