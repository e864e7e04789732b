libsim_a_SOURCES += \
	src/sim/trace/cbp.c \
	src/sim/trace/champsim.c \
	src/sim/trace/gzip.h src/sim/trace/gzip_zlib.c \
	src/sim/trace/input.c src/sim/trace/input.h \
	src/sim/trace/lackey.c src/sim/trace/lackey.h \
	src/sim/trace/lackey_ops.c \
	src/sim/trace/op_trace.c src/sim/trace/op_trace.h \
	src/sim/trace/places.c src/sim/trace/places.h \
	src/sim/trace/reader.h
