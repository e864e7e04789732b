libsim_a_SOURCES += \
	src/sim/core.c src/sim/core.h \
	src/sim/event.c src/sim/event.h \
	src/sim/generate.h \
	src/sim/generate_array.c \
	src/sim/generate_data.c \
	src/sim/intervals.c src/sim/intervals.h \
	src/sim/machine.c src/sim/machine.h \
	src/sim/machine_pipe.c \
	src/sim/machine_read.c src/sim/machine_read.h \
	src/sim/parameter_table.c src/sim/parameter_table.h \
	src/sim/pipe_run.c src/sim/pipe_run.h \
	src/sim/probe_run.c src/sim/probe_run.h \
	src/sim/features.h src/sim/plants.c \
	src/sim/plant_runs.c src/sim/plant_runs.h \
	src/sim/pmu.c src/sim/pmu.h \
	src/sim/overflow.c src/sim/overflow.h \
	src/sim/orders.c src/sim/orders.h \
	src/sim/row_maker.h \
	src/sim/run.c src/sim/run.h \
	src/sim/sampler.c src/sim/sampler.h \
	src/sim/settings.c \
	src/sim/source_sim.c src/sim/source_sim.h \
	src/sim/suite.c src/sim/suite.h \
	src/sim/trace.c src/sim/trace.h \
	src/sim/uop.h \
	src/sim/workload.c src/sim/workload.h

include src/sim/account/room.mk
include src/sim/mmu/room.mk
include src/sim/pipeline/room.mk
include src/sim/program/room.mk
include src/sim/server/room.mk
include src/sim/trace/room.mk
libsim_a_SOURCES += src/sim/op.h
