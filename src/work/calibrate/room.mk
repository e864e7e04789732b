libhecate_a_SOURCES += \
	src/work/calibrate/answers.c src/work/calibrate/answers.h \
	src/work/calibrate/answers_file.c \
	src/work/calibrate/calibrate.c src/work/calibrate/calibrate.h \
	src/work/calibrate/candidate.c src/work/calibrate/candidate.h \
	src/work/calibrate/knob.c src/work/calibrate/knob.h src/work/calibrate/knob_machine.h \
	src/work/calibrate/knob_table.h src/work/calibrate/knob_text.c \
	src/work/calibrate/coverage.c \
	src/work/calibrate/machine_text.c src/work/calibrate/machine_text.h \
	src/work/calibrate/staged.c src/work/calibrate/staged.h \
	src/work/calibrate/ties.c \
	src/work/calibrate/trial.c src/work/calibrate/trial.h
