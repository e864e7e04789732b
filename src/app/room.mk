libhecate_a_SOURCES += \
	src/app/analysis.c src/app/analysis.h \
	src/app/cones.c src/app/cones.h \
	src/app/engine.c src/app/engine.h \
	src/app/files.c src/app/files.h \
	src/app/live.c src/app/live.h \
	src/app/message.c src/app/message.h \
	src/app/result.c src/app/result.h \
	src/app/serve.c src/app/serve.h \
	src/app/wire.c src/app/wire.h
