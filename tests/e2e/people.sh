#!/bin/sh
# Three people reach their goals at 80x24: somebody whose model is refuted, somebody with a build on a machine without a
# PMU, and a student. They know only what the screen says: each key is read from it before it is pressed, except arrows,
# Enter and Esc, and letters in a prompt.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "people in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
cd "$tmp" || exit
programs=$(dirname "$HECATE")/tests/programs
cp "$TOP_SRCDIR/models/demo/page-faults.csv" perf.csv
cp "$TOP_SRCDIR/models/linux-page-faults.udd" mine.udd
printf 'all: a b c d e f\na b c d e f:\n\t@%s 150\n' "$programs/spin" >Makefile

# hecate ARGUMENT…: the person starts it
hecate() { start 80 24 "ASAN_OPTIONS=detect_leaks=0 $HECATE $*"; }
# gives_up NAME: what follows would only wait in vain
gives_up() { not_ok "$1" "$(screen)"; end; done_testing; exit; }
# sees NAME PATTERN
sees() { until_so $PATIENCE shows "$2" && ok "$who: $1" || gives_up "$who: $1"; }
# shown WORDS: the key that stands in front of these words: in the footer, a menu, a popup, the help or a message
shown() {
	screen | sed -nE "s/^(.*[ │▸(])?(Space|Tab|Enter|Ctrl-.|[^ │▸]) +($1).*/\\2/p" | tail -n 1
}
reads() { key=$(shown "$1"); [ -n "$key" ]; }
# press NAME WORDS: presses the key that the screen shows for these words
press() {
	until_so $PATIENCE reads "$2" || gives_up "$who: $1: no key is shown for: $2"
	case $key in Ctrl-*) keys "C-${key#Ctrl-}" ;; *) keys "$key" ;; esac
	ok "$who: $1 ($key)"
}
# answers TEXT: types into the prompt
answers() { keys -l "$1"; keys Enter; }
# arrow KEY PATTERN: presses an arrow and waits until what fits the pattern changes. False: it does not
part() { screen | grep -oE "$1"; }
changed() { [ "$(part "$1")" != "$before" ]; }
arrow() { before=$(part "$2"); keys "$1"; until_so $PATIENCE changed "$2"; }
# go_to NAME KEY PATTERN: presses the arrow until the cursor is on that row
go_to() {
	until shows "▸ ?$3"; do arrow "$2" "▸[^│]*" || gives_up "$who: $1"; done
	ok "$who: $1"
}
# look_up NAME WORDS: finds in the help the key for these words, leaves the help and presses it
look_up() {
	press "$1: asks for help" help
	sees "$1: the help" 'Help ·'
	until reads "$2"; do arrow Down ".*" || gives_up "$who: $1: not in the help: $2"; done
	found=$key
	keys Escape; wait_gone "$who: $1: back from the help" 'Help ·'
	keys "$found"
	ok "$who: $1 ($found)"
}
# leaves NAME: hecate has ended
ended() { [ -f "$tmp/status" ]; }
leaves() {
	until_so $PATIENCE ended || gives_up "$who: $1"
	is "$who: $1" "$(cat "$tmp/status")" "status 0"
	end
}

who=refuted
hecate
sees "Home" 'What can be measured here'
press "opens" 'open a model'; sees "a prompt" 'Open a file'
answers perf; sees "her model fits" 'mine.udd +model +11 of 11 counters'
keys Enter; sees "the model is refuted" '✗ 5 of 8'
sees "in words" 'Page faults handled for any task \(PGF\) exceed the'
sees "  and in numbers" '2.{1,3}995 ≠ 2.{1,3}205 [+] 465'
press "asks what repairs it" discover; sees "one feature does" '[dD] proposes [A-Z], frees 3'
repair=$(screen | sed -nE 's/.*proposes ([A-Z]),.*/\1/p' | head -n 1)
go_to "finds it" Down "\\[ \\] $repair "
press "switches it on" toggle; sees "three programs less refute it" '✗ 2 of 8'
sees "  and this one does not" 'xargs  feasible'
look_up "undoes" 'undo:'; sees "it is off again" "undone: feature $repair is off again"
sees "  and the verdict is as before" '✗ 5 of 8'
press "redoes" redoes; sees "it is on again" '✗ 2 of 8'
look_up "writes" 'write this'; sees "what can be written" 'this session is in no file yet'
press "a report" 'report +verdicts'; sees "the report" 'written: hecate-report-1.md'
has "refuted: it has the verdict" "$(cat hecate-report-1.md)" '2 infeasible, 6 feasible'
press "quits" quit; sees "what is in no file" 'a search over 6 features'
press "saves" 'save as .* and leave'; leaves "left"
hecate
sees "the session is on Home, with its verdict" '│  linux_pa.* ✗ 2 of 8 '
press "goes there" pane; sees "the cursor is on it" '▸ *linux_pa'; sees "  and named in full" '^ linux_pagefault-[0-9-]+[.]hct: '
press "opens it" open; sees "nothing is lost" '✗ 2 of 8'
sees "  and the feature is still on" "\\[x\\] $repair "
press "quits" quit; leaves "left again"
rm -f linux_pagefault-2* hecate-*

who=build
# A child of make that had not executed its program at the first sample keeps make's name, so 6 may be fewer.
answer='spin [(][3-6] of them[)] (waited|ran) [0-9.]+ %'
hecate stall-sources -- make -j2
sees "it ended" 'make ended, status 0'
sees "the answer" "$answer"
said=$(screen | grep -oE "$answer" | head -n 1 | tr '()' '..')
sees "the whole run, busiest first" 'whole run · busiest first'
rows() { screen | sed -nE 's/^[ ▸]((spin|make)[-0-9…]*)  *[0-9].*/\1/p'; }
rows >rows
has "build: a compiler first" "$(head -n 1 rows)" '^spin'
keys G; sees "make last" '▸make'
rows >>rows
is "build: seven tasks" "$(sort -u rows | wc -l)" 7
press "quits" quit; sees "what is in no file" 'a run of make, [0-9.]+ m?s'
press "saves" 'save as .* and leave'; leaves "left"
hecate
sees "the run is on Home, with its command" '│  make-.*hct make -j2 +today'
press "goes there" pane; sees "the cursor is on it" '▸ *make-'
press "opens it" open; sees "the answer is the same" "$said"; sees "and how it ended" 'make ended, status 0'
press "quits" quit; leaves "left again"

who=student
hecate
sees "Home" 'What can be measured here'
press "goes to the list" pane; look_up "goes to its end" 'to the last'; sees "lessons" ' Lessons'
go_to "finds the lesson" Up 'page-faults '
press "opens it" open; sees "its first step" 'Lesson .* step 1 of 9 '
press "answers" answer; sees "a prompt" 'your answer, a number:'
answers 3; sees "that was wrong" '✗ That is another number'
press "answers again" answer; sees "a prompt again" 'your answer, a number:'
answers 5; sees "that was right" '✓ Five of eight'
press "goes on" next; sees "the second step" 'Lesson .* step 2 of 9 '
press "quits" quit; leaves "left"
hecate
press "goes to the list" pane; look_up "goes to its end" 'to the last'; sees "lessons" ' Lessons'
go_to "finds the lesson, and where it was left" Up 'page-faults +step 2 of 9'
press "opens it" open; sees "where she was" 'Lesson .* step 2 of 9 +●◆'
press "quits" quit; leaves "left again"
done_testing
