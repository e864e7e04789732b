libhecate_a_SOURCES += \
	src/core/diff/diff.c src/core/diff/diff.h \
	src/core/diff/moved.c \
	src/core/diff/disturbed.c \
	src/core/diff/recorded.c \
	src/core/diff/stated.c \
	src/core/diff/faults.c \
	src/core/diff/shift.c src/core/diff/shift.h
