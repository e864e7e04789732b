libsim_a_SOURCES += \
	src/sim/pipeline/corrector.c \
	src/sim/pipeline/counter.h \
	src/sim/pipeline/loop.c \
	src/sim/pipeline/memory.c src/sim/pipeline/memory.h \
	src/sim/pipeline/pipe.c src/sim/pipeline/pipe.h \
	src/sim/pipeline/pipe_commit.c \
	src/sim/pipeline/pipe_dispatch.c \
	src/sim/pipeline/pipe_execute.c \
	src/sim/pipeline/pipe_fetch.c \
	src/sim/pipeline/pipe_order.c \
	src/sim/pipeline/pipe_slots.c \
	src/sim/pipeline/pipe_state.h \
	src/sim/pipeline/predict.c src/sim/pipeline/predict.h \
	src/sim/pipeline/seen_code.c src/sim/pipeline/seen_code.h \
	src/sim/pipeline/stride.c src/sim/pipeline/stride.h \
	src/sim/pipeline/tage.c src/sim/pipeline/tage.h \
	src/sim/pipeline/tage_sc_l.c \
	src/sim/pipeline/targets.c \
	src/sim/pipeline/two_bit.c src/sim/pipeline/predictors.h
