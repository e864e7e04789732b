libhecate_a_SOURCES += \
	src/core/tasktime/amounts.c src/core/tasktime/amounts.h \
	src/core/tasktime/classes.c \
	src/core/tasktime/cost.c src/core/tasktime/cost.h \
	src/core/tasktime/fault_cost.c src/core/tasktime/fault_cost.h \
	src/core/tasktime/partition.c src/core/tasktime/partition.h src/core/tasktime/partition_cpus.c src/core/tasktime/partition_state.h \
	src/core/tasktime/task.c
