libsim_a_SOURCES += \
	src/sim/server/cores.c \
	src/sim/server/counters.c src/sim/server/counters.h \
	src/sim/server/counts.h \
	src/sim/server/load.c src/sim/server/load.h \
	src/sim/server/parts.h \
	src/sim/server/requests.c \
	src/sim/server/run.c src/sim/server/run.h \
	src/sim/server/sampler.c src/sim/server/sampler.h \
	src/sim/server/server.h src/sim/server/server_read.c \
	src/sim/server/station.c src/sim/server/station.h \
	src/sim/server/tags.c src/sim/server/tags.h \
	src/sim/server/tiers.c \
	src/sim/server/tor.c src/sim/server/tor.h \
	src/sim/server/wheel.c src/sim/server/wheel.h
