# Programs for looking at; tests run them in tmux where there is one.
noinst_PROGRAMS = tests/programs/termdemo
tests_programs_termdemo_SOURCES = tests/programs/termdemo.c
tests_programs_termdemo_LDADD = libhecate.a
