libhecate_a_SOURCES += \
	src/app/trust/events.c src/app/trust/events.h \
	src/app/trust/facts.c src/app/trust/facts.h \
	src/app/trust/facts_save.c \
	src/app/trust/known.c src/app/trust/known.h \
	src/app/trust/recorded.c src/app/trust/recorded.h \
	src/app/trust/instrumented.c src/app/trust/instrumented.h \
	src/app/trust/command.c src/app/trust/command.h \
	src/app/trust/instrumented_count.c src/app/trust/instrumented_count.h \
	src/app/trust/instrumented_text.c \
	src/app/trust/determinism.c src/app/trust/determinism.h src/app/trust/determinism_words.c \
	src/app/trust/determinism_table.c src/app/trust/determinism_table.h \
	src/app/trust/measured.c src/app/trust/measured.h \
	src/app/trust/overflow.c src/app/trust/overflow.h src/app/trust/overflow_result.h \
	src/app/trust/overflow_json.c src/app/trust/overflow_text.c \
	src/app/trust/remedy.c \
	src/app/trust/shelf.c src/app/trust/shelf.h \
	src/app/trust/table.c src/app/trust/table.h
