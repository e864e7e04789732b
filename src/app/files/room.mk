libhecate_a_SOURCES += \
	src/app/files/reveal.c src/app/files/reveal.h \
	src/app/files/simulate.c src/app/files/simulation.c src/app/files/simulation.h src/app/files/simulation_text.h \
	src/app/files/bundle.c \
	src/app/files/calibration.c src/app/files/calibration.h \
	src/app/files/data.c src/app/files/data.h \
	src/app/files/families.c src/app/files/files.c src/app/files/files.h \
	src/app/files/ingest.c src/app/files/ingest.h src/app/files/ingest_mark.c src/app/files/ingest_mark.h \
	src/app/files/instruction_run.c src/app/files/instruction_run.h \
	src/app/files/instruction_stacks.c src/app/files/instruction_stacks.h \
	src/app/files/intervals.c src/app/files/intervals.h \
	src/app/files/recording.c src/app/files/recording.h \
	src/app/files/recording_export.c \
	src/app/files/stored.c src/app/files/stored.h \
	src/app/files/texts.c src/app/files/texts.h \
	src/app/files/trace_file.c src/app/files/trace_file.h \
	src/app/files/tracing.c src/app/files/tracing.h
