#!/bin/sh
# The real program in a real terminal: the start screen, a refutation at exit, Space on a feature, survival.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
programs=$(dirname "$HECATE")/tests/programs
. "$HECATE_TESTS/lib/tmux.sh"
# The third argument is the command line. Programs that end with their terminal run with $quiet: LeakSanitizer waits at
# exit for a SIGSTOP, which the SIGCONT of the hang-up can undo for ever.
quiet="ASAN_OPTIONS=detect_leaks=0"

start 80 24 "$HECATE"
wait_for "start screen: the question" 'does this model survive this data'
wait_for "start screen: what can be measured" 'software events'
wait_for "start screen: the demo is offered" 'page faults of a command'
keys '?'
wait_for "help" 'Help . Start'
keys Escape q
wait_for "the terminal is restored and the status is 0" '^'
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
until_so $PATIENCE test -s "$tmp/stty"
has "the terminal's modes are as they were" "$(cat "$tmp/stty")" '(^| )icanon'
has "  and it echoes" "$(cat "$tmp/stty")" '(^| )echo '
end

start 120 40 "env HECATE_LOG=$tmp/journal $HECATE linux-page-faults --counters Fu,MIN,MAJ -- $programs/segv 50"
wait_for "refuted at exit" '✗ 1 of 1 infeasible'
wait_for "the reason" 'Fu.*≤.*MIN.*\+.*MAJ'
wait_for "off by the handled signals" 'off by [+]4[0-9]|off by [+]50'
wait_for "feature A would make it feasible" 'relaxed by.*A.*makes 1'
keys Space
wait_for "A on: it survives" '✓ survives 1'
keys R
wait_for "run again: a second observation" '✓ survives 2'
keys Space
wait_for "A off: both are refuted" '✗ 2 of 2 infeasible'
journal=$(cat "$tmp/journal")
has "the journal has keys" "$journal" '^[0-9]+\.[0-9]{6} [0-9]+ ui +key Space: toggle$'
has "  requests" "$journal" '^[0-9.]+ [0-9]+ control +request result 0 -: [0-9.]+ ms$'
has "  what the engine did" "$journal" '^[0-9.]+ [0-9]+ engine +served run [0-9]+: [0-9.]+ ms$'
has "  runs" "$journal" '^[0-9.]+ [0-9]+ run +counters ended$'
for size in 200x60 80x24 60x20 40x10 38x5 19x2 120x40; do
	t resize-window -t s -x "${size%x*}" -y "${size#*x}"
	wait_for "at $size the verdict is shown" '✗ 2 of 2'
done
keys r; wait_for "a prompt for a command" 'Run a command'
keys C-u; keys -l 'true'; keys Enter
wait_for "its observation comes" '✗ 2 of 3 infeasible'
keys 2; wait_for "view 2: the constraint that both break" '✗ +2 .*Fu.*≤'
wait_for "  with the engine's words on its µpaths" 'µpaths that make it tight +[0-9]+ of'
wait_for "  and on a lost counter" 'Fu +[0-9]+ constraints? goe?s?, .*2 of 2 no longer refuted'
keys x; wait_for "the counters to lose" 'Lose a counter'; keys Escape
keys Tab Tab Enter; wait_for "view 3 with the one that breaks it" 'from user code .Fu. exceed'
keys Enter; wait_for "its samples" 'Certificate, in words'; keys Escape
keys Escape; wait_for "  and back" 'Touched by'; keys 1
keys O; wait_for "output popup" 'Output of the command'; keys Escape
keys D; wait_for "doctor popup" 'Doctor'; keys Escape
keys T; wait_for "the list of themes" 'Enter keeps it'; keys End Enter; wait_for "  and the one chosen" 'theme solarized-light'
keys w; wait_for "the list of files to write" 'verdicts, search and notes as Markdown'; keys s; wait_for "picture written" 'written: hecate-1.txt'
is "text and SVG are written" "$(ls "$tmp"/hecate-1.txt "$tmp"/hecate-1.svg | wc -l)" 2
keys w; keys r; wait_for "report written" 'written: hecate-report-1.md'
has "the report has the verdict" "$(cat "$tmp/hecate-report-1.md")" '3 observations: '
keys n; wait_for "a prompt for a note" 'Note on'; keys -l 'noted here'; keys Enter
wait_for "a session without a file says so" 'noted; w saves the note in a file  '
keys w; keys f; wait_for "a file name is proposed" 'linux_pagefault-20.*hct'; keys C-u; keys -l 'kept.hct'; keys Enter
wait_for "from now on the session is kept" '· saved'
keys R; wait_for "  with new observations" '✗ 2 of 4 infeasible|✗ 3 of 4 infeasible'
keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end

# The session continues as it was left.
start 120 40 "$HECATE kept.hct"
wait_for "reopened: the data, also those counted in the explorer" 'of 4 infeasible'
wait_for "the note" 'notes 1'
keys L; wait_for "the list of notes" 'noted here'; keys Escape
keys R; wait_for "the last command runs again" 'of 5 infeasible'
keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end

# kill -9 between notes and toggles, several times: the file is sound each time, and has every note that was reported as
# saved.
sql() { python3 -c 'import sqlite3, sys; r = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall(); print(r[0][0] if r else "")' "$tmp/kept.hct" "$1"; }
is_noted() { [ "$(sql "SELECT count(*) FROM remark WHERE text='round $round'")" = 1 ]; }
sound=0
for round in 1 2 3 4; do
	start 120 40 "$HECATE kept.hct"
	wait_for "round $round: opened" 'of 5 infeasible|survives'
	keys 3 Down n; wait_for "round $round: the prompt" 'Note on'; keys C-u; keys -l "round $round"; keys Enter
	until_so $PATIENCE is_noted
	keys 1 Space 2 3 m
	pid=$(t list-panes -t s -F '#{pane_pid}'); kill -9 $(pgrep -P "$pid" -x hecate) 2>/dev/null
	end
	[ "$(sql "PRAGMA integrity_check")" = ok ] && [ "$(sql "SELECT count(*) FROM remark WHERE text='round $round'")" = 1 ] &&
		[ "$(sql "SELECT count(*) FROM observation")" = 5 ] && sound=$((sound + 1))
done
is "killed four times, sound and complete four times" $sound 4
start 120 40 "$HECATE kept.hct"
wait_for "it can be opened" 'notes [2-5]'
keys q
end

start 80 24 "$HECATE linux-page-faults --counters Fu,MIN,MAJ -- sleep 1000.$$"
wait_for "the running command is shown" 'sleep runs'
pkill -TERM -f "^$HECATE linux-page-faults --counters Fu,MIN,MAJ -- sleep 1000.$$"
until_so $PATIENCE test -f "$tmp/status"
is "SIGTERM: exit status" "$(cat "$tmp/status")" "status 143"
wait_for "SIGTERM: a message on the restored terminal" 'ended by signal 15.*the command was ended too'
end

# Samples grow, and verdicts follow. Features can be toggled meanwhile. Esc ends the run and keeps the samples.
sh -c 'while :; do /bin/true; done' &
loop=$!
start 120 40 "$HECATE linux-page-faults --counters Fu,MIN,MAJ -p $loop -I 20"
wait_for "a process is watched" "sh-$loop is watched, .*samples at 20 ms"
wait_for "the verdict on the samples so far, over time" 'over .* since .* is the limit'
keys Space
wait_for "a feature is toggled while samples come" '\[x\] A'
wait_for "  and the result is of that choice" '1 of 6 on'
wait_for "  with more samples" "sh-$loop .*[0-9]{3} samples"
t resize-window -t s -x 80 -y 24
wait_for "at 80x24 too" 'is watched'
keys Escape
wait_for "Esc ends the run" 'the watching ended after'
wait_for "the verdict stays" 'survives 1|1 of 1'
keys R
wait_for "the process can be watched again" "is watched"
kill $loop
wait_for "the end of the process is reported" "sh-$loop(#2)? ended after"
loses "q asks before they are lost" '2 observations counted here; the last run: sh-[0-9]+'
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end
start 120 40 "$HECATE linux-page-faults --counters Fu,MIN,MAJ -I 2 -- $programs/segv 300000"
wait_for "the samples and the exact totals of a command" '✗ segv total'
wait_for "next to the samples, which may or may not be refuted" '✗ [12] of 2 infeasible'
end

# The terminal disappears: hecate, its engine, its helpers and the command all end by themselves.
ours() { pgrep -f "linux-page-faults --counters Fu,MIN,MAJ -- sleep 2000.$$|^sleep 2000.$$" | wc -l; }
start 80 24 "$quiet $HECATE linux-page-faults --counters Fu,MIN,MAJ -- sleep 2000.$$"
wait_for "a command runs" 'sleep runs'
t kill-server
none_is_left() { [ "$(ours)" -eq 0 ]; }
until_so $PATIENCE none_is_left
is "without a terminal all processes end" "$(ours)" 0
end

start 80 24 "$quiet NO_COLOR=1 $HECATE --ascii haswell-mmu"
wait_for "ASCII, no colour, no data" '\? no data'
screen >"$tmp/screen"
is "nothing but ASCII" "$(LC_ALL=C grep -c '[^ -~]' "$tmp/screen")" 0
is "no colour sequences" "$(t capture-pane -e -p -t s | grep -cE "$(printf '\033')\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])([;m])")" 0
done_testing
