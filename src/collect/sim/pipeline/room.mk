libhecate_a_SOURCES += \
	src/collect/sim/pipeline/corrector.c src/collect/sim/pipeline/corrector.h \
	src/collect/sim/pipeline/counter.h \
	src/collect/sim/pipeline/loop.c src/collect/sim/pipeline/loop.h \
	src/collect/sim/pipeline/memory.c src/collect/sim/pipeline/memory.h \
	src/collect/sim/pipeline/pipe.c src/collect/sim/pipeline/pipe.h \
	src/collect/sim/pipeline/pipe_commit.c \
	src/collect/sim/pipeline/pipe_dispatch.c \
	src/collect/sim/pipeline/pipe_execute.c \
	src/collect/sim/pipeline/pipe_fetch.c \
	src/collect/sim/pipeline/pipe_order.c \
	src/collect/sim/pipeline/pipe_slots.c \
	src/collect/sim/pipeline/pipe_state.h \
	src/collect/sim/pipeline/predict.c src/collect/sim/pipeline/predict.h \
	src/collect/sim/pipeline/seen_code.c src/collect/sim/pipeline/seen_code.h \
	src/collect/sim/pipeline/stride.c src/collect/sim/pipeline/stride.h \
	src/collect/sim/pipeline/tage.c src/collect/sim/pipeline/tage.h \
	src/collect/sim/pipeline/tage_sc_l.c src/collect/sim/pipeline/tage_sc_l.h \
	src/collect/sim/pipeline/targets.c src/collect/sim/pipeline/targets.h \
	src/collect/sim/pipeline/two_bit.c src/collect/sim/pipeline/two_bit.h
