libhecate_a_SOURCES += \
	src/explorer/engine/engine.c src/explorer/engine/engine.h \
	src/explorer/engine/engine_reply.c src/explorer/engine/engine_state.h \
	src/explorer/engine/message.c src/explorer/engine/message.h \
	src/explorer/engine/serve.c
