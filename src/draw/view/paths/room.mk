libhecate_a_SOURCES += \
	src/draw/view/paths/box.c src/draw/view/paths/box.h \
	src/draw/view/paths/flows.c \
	src/draw/view/paths/lanes.c \
	src/draw/view/paths/lines.c \
	src/draw/view/paths/map.c \
	src/draw/view/paths/snapshots.c \
	src/draw/view/paths/node.c \
	src/draw/view/paths/paths.c src/draw/view/paths/paths.h \
	src/draw/view/paths/places.c \
	src/draw/view/paths/table.c
