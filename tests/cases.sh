#!/bin/sh
# The C tests: make check runs each file that has cases; the program of a folder runs the cases that are asked for.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL # those of the make that runs this test

# shellcheck disable=SC2016 # make reads this
listed=$(printf 'listed:\n\t@echo $(filter-out %%.sh,$(TESTS))\n' | make -s -C "$TOP_BUILDDIR" -f Makefile -f - listed)
is "each file with cases is in TESTS once" \
	"$(printf '%s\n' "$listed" | tr ' ' '\n' | grep '^tests/' | sed 's/\.c$//' | sort)" \
	"$(cd "$TOP_SRCDIR" && grep -l '^TEST_MAIN(' tests/*/*.c | sed 's/\.c$//' | sort)"

make -s -C "$TOP_BUILDDIR" tests/unit/all >"$tmp/log" 2>&1 || not_ok "make tests/unit/all" "$(cat "$tmp/log")"
cases() { sh "$HECATE_TESTS/run-cases" "$@" | sed 's/^\(not \)\{0,1\}ok [0-9]* - //'; }
is "the cases of one file" "$(cases ../tests/unit/zeros.c)" "1..3
the_picture_is_of_what_was_judged
a_source_that_vouches_is_believed_everywhere
a_run_sets_the_mark"
is "those of a part of a name" "$(cases tests/unit/zeros.c vouches | sed 1d)" \
	"the_picture_is_of_what_was_judged # SKIP not asked for
a_source_that_vouches_is_believed_everywhere
a_run_sets_the_mark # SKIP not asked for"
status 2 "$TOP_BUILDDIR/tests/unit/all" zero
has "a part of a file's name is no file" "$err" 'name one of these files'
has "it names them" "$err" 'tests/unit/zeros\.c'
done_testing
