# Programs for looking at; the script runs them in tmux where there is one.
noinst_PROGRAMS = tests/programs/termdemo
tests_programs_termdemo_SOURCES = tests/programs/termdemo.c
tests_programs_termdemo_LDADD = libhecate.a
check_SCRIPTS += tests/programs/termdemo.sh
EXTRA_DIST += tests/programs/termdemo.sh
