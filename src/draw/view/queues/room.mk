libhecate_a_SOURCES += \
	src/draw/view/queues/queue.c \
	src/draw/view/queues/queues.c src/draw/view/queues/queues.h
