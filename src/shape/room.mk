libhecate_a_SOURCES += \
	src/shape/shape.c src/shape/shape.h \
	src/shape/shape_json.c \
	src/shape/wire.c src/shape/wire.h
