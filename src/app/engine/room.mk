libhecate_a_SOURCES += \
	src/app/engine/engine.c src/app/engine/engine.h \
	src/app/engine/engine_reply.c src/app/engine/engine_state.h \
	src/app/engine/message.c src/app/engine/message.h \
	src/app/engine/serve.c src/app/engine/serve.h
