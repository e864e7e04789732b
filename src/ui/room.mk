libhecate_a_SOURCES += \
	src/ui/term_curses.c src/ui/term.h
