libhecate_a_SOURCES += \
	src/collect/sim/trace/cbp.c \
	src/collect/sim/trace/champsim.c \
	src/collect/sim/trace/gzip.h src/collect/sim/trace/gzip_zlib.c \
	src/collect/sim/trace/input.c src/collect/sim/trace/input.h \
	src/collect/sim/trace/lackey.c src/collect/sim/trace/lackey.h \
	src/collect/sim/trace/lackey_ops.c \
	src/collect/sim/trace/op_trace.c src/collect/sim/trace/op_trace.h \
	src/collect/sim/trace/places.c src/collect/sim/trace/places.h \
	src/collect/sim/trace/reader.h
