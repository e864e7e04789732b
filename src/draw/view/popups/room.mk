libhecate_a_SOURCES += \
	src/draw/view/popups/help.c \
	src/draw/view/popups/leave.c \
	src/draw/view/popups/palette.c \
	src/draw/view/popups/popups.c \
	src/draw/view/popups/prompt.c \
	src/draw/view/popups/ratios.c \
	src/draw/view/popups/whence.c
