libhecate_a_SOURCES += \
	src/work/trust/events.c src/work/trust/events.h \
	src/work/trust/facts.c src/work/trust/facts.h \
	src/work/trust/facts_save.c \
	src/work/trust/known.c src/work/trust/known.h \
	src/work/trust/recorded.c src/work/trust/recorded.h \
	src/work/trust/instrumented.c src/work/trust/instrumented.h \
	src/work/trust/command.c src/work/trust/command.h \
	src/work/trust/instrumented_count.c src/work/trust/instrumented_count.h \
	src/work/trust/instrumented_text.c \
	src/work/trust/determinism.c src/work/trust/determinism.h src/work/trust/determinism_words.c \
	src/work/trust/determinism_table.c src/work/trust/determinism_table.h \
	src/work/trust/measured.c src/work/trust/measured.h \
	src/work/trust/overflow.c src/work/trust/overflow.h src/work/trust/overflow_result.h \
	src/work/trust/overflow_json.c src/work/trust/overflow_text.c \
	src/work/trust/error_advice.c \
	src/work/trust/shelf.c src/work/trust/shelf.h \
	src/work/trust/table.c src/work/trust/table.h
