libhecate_a_SOURCES += \
	src/draw/view/probes/curve.c \
	src/draw/view/probes/meaning.c \
	src/draw/view/probes/probes.c src/draw/view/probes/probes.h \
	src/draw/view/probes/slices_popup.c
