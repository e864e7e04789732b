libhecate_a_SOURCES += \
	src/draw/view/constraints/broken.c \
	src/draw/view/constraints/certificate.c \
	src/draw/view/constraints/constraint.c \
	src/draw/view/constraints/constraints.c src/draw/view/constraints/constraints.h \
	src/draw/view/constraints/loss.c
