libhecate_a_SOURCES += \
	src/draw/bar.c \
	src/draw/cell.c src/draw/cell.h \
	src/draw/glyph.c \
	src/draw/layout.c src/draw/layout.h \
	src/draw/number.c \
	src/draw/panes.c src/draw/panes.h \
	src/draw/picture.c \
	src/draw/theme.c src/draw/theme.h
