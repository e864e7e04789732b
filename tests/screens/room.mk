# The real program in a bare terminal.
libtest_a_SOURCES += tests/lib/pty.c tests/lib/pty.h
check_PROGRAMS += tests/e2e/faults tests/e2e/monkey tests/e2e/terminal

screen_programs = tests/screens/screens tests/screens/search tests/screens/stalls tests/screens/views tests/screens/paths tests/screens/simulated tests/screens/relations tests/screens/events tests/screens/probes tests/screens/tree tests/screens/instructions
check_PROGRAMS += $(screen_programs) tests/screens/pictures tests/screens/monkey
tests_screens_pictures_SOURCES = tests/screens/pictures.c tests/screens/stage.c tests/screens/stage.h
tests_screens_monkey_SOURCES = tests/screens/monkey.c tests/screens/stage.c tests/screens/stage.h
tests_screens_screens_SOURCES = tests/screens/screens.c tests/screens/stage.c tests/screens/stage.h
tests_screens_search_SOURCES = tests/screens/search.c tests/screens/stage.c tests/screens/stage.h
tests_screens_stalls_SOURCES = tests/screens/stalls.c tests/screens/stage.c tests/screens/stage.h
tests_screens_views_SOURCES = tests/screens/views.c tests/screens/stage.c tests/screens/stage.h
tests_screens_paths_SOURCES = tests/screens/paths.c tests/screens/stage.c tests/screens/stage.h
tests_screens_simulated_SOURCES = tests/screens/simulated.c tests/screens/stage.c tests/screens/stage.h
tests_screens_events_SOURCES = tests/screens/events.c tests/screens/stage.c tests/screens/stage.h
tests_screens_probes_SOURCES = tests/screens/probes.c tests/screens/stage.c tests/screens/stage.h
tests_screens_tree_SOURCES = tests/screens/tree.c tests/screens/stage.c tests/screens/stage.h
tests_screens_instructions_SOURCES = tests/screens/instructions.c tests/screens/stage.c tests/screens/stage.h
tests_screens_relations_SOURCES = tests/screens/relations.c tests/screens/stage.c tests/screens/stage.h
EXTRA_DIST += tests/screens/expect tools/make-pictures tests/screens/make-far tests/screens/make-slots tests/screens/make-tasks tests/screens/make-walks tests/screens/make-paths tests/screens/make-phased

# After an intended change: draws the screens again. Look at the difference (git diff) before you commit it.
update-screens: $(screen_programs)
	for program in $(screen_programs); do HECATE_UPDATE=1 HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) $$program || exit 1; done
.PHONY: update-screens
