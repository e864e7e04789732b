libhecate_a_SOURCES += \
	src/core/stall/amounts.c src/core/stall/amounts.h \
	src/core/stall/classes.c \
	src/core/stall/cost.c src/core/stall/cost.h \
	src/core/stall/partition.c src/core/stall/partition.h src/core/stall/partition_cpus.c src/core/stall/partition_state.h \
	src/core/stall/task.c \
	src/core/stall/tasks.c src/core/stall/tasks.h
