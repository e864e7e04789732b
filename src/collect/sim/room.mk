libhecate_a_SOURCES += \
	src/collect/sim/core.c src/collect/sim/core.h \
	src/collect/sim/event.c src/collect/sim/event.h \
	src/collect/sim/generate.h \
	src/collect/sim/generate_array.c \
	src/collect/sim/generate_data.c \
	src/collect/sim/intervals.c src/collect/sim/intervals.h \
	src/collect/sim/machine.c src/collect/sim/machine.h \
	src/collect/sim/machine_pipe.c \
	src/collect/sim/machine_read.c src/collect/sim/machine_read.h \
	src/collect/sim/notation.c src/collect/sim/notation.h \
	src/collect/sim/parameter_table.c src/collect/sim/parameter_table.h \
	src/collect/sim/pipe_run.c src/collect/sim/pipe_run.h \
	src/collect/sim/probe_run.c src/collect/sim/probe_run.h \
	src/collect/sim/plants.c \
	src/collect/sim/plant_runs.c src/collect/sim/plant_runs.h \
	src/collect/sim/pmu.c src/collect/sim/pmu.h \
	src/collect/sim/overflow.c src/collect/sim/overflow.h \
	src/collect/sim/orders.c src/collect/sim/orders.h \
	src/collect/sim/run.c src/collect/sim/run.h \
	src/collect/sim/sampler.c src/collect/sim/sampler.h \
	src/collect/sim/settings.c src/collect/sim/settings.h \
	src/collect/sim/source_sim.c src/collect/sim/source_sim.h \
	src/collect/sim/suite.c src/collect/sim/suite.h \
	src/collect/sim/trace.c src/collect/sim/trace.h \
	src/collect/sim/uop.h \
	src/collect/sim/workload.c src/collect/sim/workload.h

include src/collect/sim/account/room.mk
include src/collect/sim/mmu/room.mk
include src/collect/sim/pipeline/room.mk
include src/collect/sim/program/room.mk
include src/collect/sim/trace/room.mk
libhecate_a_SOURCES += src/collect/sim/op.h
