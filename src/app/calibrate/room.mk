libhecate_a_SOURCES += \
	src/app/calibrate/answers.c src/app/calibrate/answers.h \
	src/app/calibrate/answers_file.c \
	src/app/calibrate/calibrate.c src/app/calibrate/calibrate.h \
	src/app/calibrate/candidate.c src/app/calibrate/candidate.h \
	src/app/calibrate/knob.c src/app/calibrate/knob.h src/app/calibrate/knob_machine.h \
	src/app/calibrate/knob_table.h src/app/calibrate/knob_text.c \
	src/app/calibrate/coverage.c src/app/calibrate/coverage.h \
	src/app/calibrate/machine_text.c src/app/calibrate/machine_text.h \
	src/app/calibrate/staged.c src/app/calibrate/staged.h \
	src/app/calibrate/ties.c src/app/calibrate/ties.h \
	src/app/calibrate/trial.c src/app/calibrate/trial.h
