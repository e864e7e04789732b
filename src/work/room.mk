libhecate_a_SOURCES += \
	src/work/catalogue.c src/work/catalogue.h src/work/catalogue_load.c \
	src/work/machine.c src/work/machine.h \
	src/work/remarks.c src/work/remarks.h \
	src/work/side_process.c src/work/side_process.h
include src/work/analysis/room.mk
include src/work/calibrate/room.mk
include src/work/diff/room.mk
include src/work/files/room.mk
include src/work/lesson/room.mk
include src/work/metrics/room.mk
include src/work/phases/room.mk
include src/work/fit/room.mk
include src/work/probe/room.mk
include src/work/run/room.mk
include src/work/search/room.mk
include src/work/slices/room.mk
include src/work/sweep/room.mk
include src/work/timeline/room.mk
include src/work/trust/room.mk
