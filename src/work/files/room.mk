libhecate_a_SOURCES += \
	src/work/files/reveal.c src/work/files/reveal.h \
	src/work/files/simulate.c src/work/files/simulation.c src/work/files/simulation.h src/work/files/simulation_text.h \
	src/work/files/bundle.c \
	src/work/files/calibration.c src/work/files/calibration.h \
	src/work/files/data.c src/work/files/data.h \
	src/work/files/laws_files.c src/work/files/laws_files.h \
	src/work/files/laws_told.c src/work/files/laws_told.h \
	src/work/files/families.c src/work/files/files.c src/work/files/files.h \
	src/work/files/how_words.c src/work/files/how_words.h \
	src/work/files/ingest_session.c src/work/files/ingest_session.h \
	src/work/files/ingest.c src/work/files/ingest.h src/work/files/ingest_mark.c src/work/files/ingest_mark.h \
	src/work/files/instruction_run.c src/work/files/instruction_run.h \
	src/work/files/instruction_stacks.c src/work/files/instruction_stacks.h \
	src/work/files/intervals.c src/work/files/intervals.h \
	src/work/files/recording.c src/work/files/recording.h \
	src/work/files/openable.c src/work/files/openable.h src/work/files/openable_describe.c \
	src/work/files/metric_text.c src/work/files/metric_text.h \
	src/work/files/keep.c src/work/files/keep.h src/work/files/post.h src/work/files/post_curl.c src/work/files/recent.c src/work/files/recent.h \
	src/work/files/recording_export.c \
	src/work/files/recording_machine.c src/work/files/recording_machine.h \
	src/work/files/server.c src/work/files/server.h \
	src/work/files/stored.c src/work/files/stored.h \
	src/work/files/texts.c src/work/files/texts.h \
	src/work/files/trace_file.c src/work/files/trace_file.h \
	src/work/files/tracing.c src/work/files/tracing.h
