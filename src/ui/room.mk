libhecate_a_SOURCES += \
	src/ui/editor.c src/ui/editor.h \
	src/ui/explorer.c src/ui/explorer.h \
	src/ui/input.c src/ui/input.h \
	src/ui/report_writer.c src/ui/report_writer.h \
	src/ui/mouse_report.c src/ui/mouse_report.h \
	src/ui/term_curses.c src/ui/term.h \
	src/ui/term_decode.c src/ui/term_decode.h \
	src/ui/term_frame.c src/ui/term_frame.h \
	src/ui/term_modes.c src/ui/term_modes.h \
	src/ui/term_wanted.c src/ui/term_wanted.h \
	src/ui/themes.c src/ui/themes.h
