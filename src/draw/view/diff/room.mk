libhecate_a_SOURCES += \
	src/draw/view/diff/diff.c src/draw/view/diff/diff_parts.h \
	src/draw/view/diff/more_pairs.c \
	src/draw/view/diff/runs_in_order.c \
	src/draw/view/diff/spread.c
