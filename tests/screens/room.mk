# Views on cells: one program of a file for each part. Then the real program in a bare terminal.
libtest_a_SOURCES += tests/lib/pty.c tests/lib/pty.h
screen_tests = tests/screens/answers.c tests/screens/screens.c tests/screens/search.c tests/screens/stalls.c tests/screens/views.c \
	tests/screens/paths.c tests/screens/simulated.c tests/screens/relations.c tests/screens/events.c tests/screens/probes.c tests/screens/diff.c tests/screens/phases.c \
	tests/screens/server.c tests/screens/tree.c tests/screens/instructions.c tests/screens/columns.c tests/screens/keys.c tests/screens/empty.c tests/screens/alternatives.c tests/screens/lessons.c tests/screens/matrix.c
terminal_tests = tests/e2e/faults.c tests/e2e/monkey.c tests/e2e/terminal.c
check_PROGRAMS += tests/screens/all tests/e2e/all
tests_screens_all_SOURCES = $(screen_tests) tests/screens/pictures.c tests/screens/monkey.c tests/screens/stage.c tests/screens/stage.h
tests_e2e_all_SOURCES = $(terminal_tests)
case_tests += $(screen_tests) tests/screens/pictures.c tests/screens/monkey.c $(terminal_tests)
EXTRA_DIST += tests/screens/expect tools/make-pictures tests/screens/make-far tests/screens/make-slots tests/screens/make-tasks tests/screens/make-walks tests/screens/make-paths tests/screens/make-phased tests/screens/make-two

# After an intended change: draws the screens again. Look at the difference (git diff) before you commit it.
update-screens: tests/screens/all
	for test in $(screen_tests); do HECATE_UPDATE=1 HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) \
		tests/screens/all `basename $$test .c` || exit 1; done
.PHONY: update-screens
