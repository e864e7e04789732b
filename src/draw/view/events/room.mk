libhecate_a_SOURCES += \
	src/draw/view/events/catalogue.c \
	src/draw/view/events/event.c \
	src/draw/view/events/events.c src/draw/view/events/events.h \
	src/draw/view/events/runs.c
