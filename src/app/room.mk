libhecate_a_SOURCES += \
	src/app/action.c src/app/action.def src/app/action.h \
	src/app/machine.h \
	src/app/remarks.c src/app/remarks.h \
	src/app/wire.c src/app/wire.h
include src/app/desk/room.mk
include src/app/engine/room.mk
include src/app/files/room.mk
include src/app/judge/room.mk
include src/app/keep/room.mk
include src/app/live/room.mk
include src/app/profile/room.mk
include src/app/report/room.mk
include src/app/search/room.mk
include src/app/session/room.mk
