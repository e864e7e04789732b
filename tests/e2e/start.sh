#!/bin/sh
# The start screen opens the program's own session files by name, asks before it drops observations, and takes nothing
# of one session into the next.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the start screen in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"
programs=$(dirname "$HECATE")/tests/programs

# Sessions of a model, and of a network with a stack, made by the program itself.
(cd "$tmp" && "$HECATE" record -q -o model.hct -m linux-page-faults -- "$programs/segv" 50 >/dev/null 2>&1
"$HECATE" record -q -o net.hct -m linux-vm -- "$programs/segv" 50 >/dev/null 2>&1
cp "$HECATE_TESTS/screens/expect/programs.csv" rows.csv
"$HECATE" import -q -o bare.hct rows.csv >/dev/null 2>&1)
is "three session files" "$(cd "$tmp" && ls ./*.hct | wc -l)" 3

start 120 40 "$quiet $HECATE"
wait_for "the start screen" 'does this model survive'
for name in model.hct ./model.hct; do
	keys o; wait_for "a prompt for a file" 'Open a file'
	keys -l "$name"; keys Enter
	wait_for "o $name opens the session: model and data" 'linux_pagefault.*model.hct'
	wait_for "  with its observation" '✗ 1 of 1'
	keys S; wait_for "back on the start screen" 'What can be measured'
done
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "net.hct"; keys Enter
wait_for "o net.hct opens the network with its data" 'linux_vm '
wait_for "  with its snapshots" 'whole run'
keys S; wait_for "back on the start screen" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "bare.hct"; keys Enter
wait_for "data without a model ask for one" 'Which model fits bare.hct'
wait_for "  by how many of its counters they have" 'linux-page-faults +model +11 of 11 counters'
keys Escape; wait_for "the start screen stays" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "rows.csv"; keys Enter
wait_for "so do data of other tools" 'Which model fits rows.csv'
keys Enter; wait_for "Enter takes the best" 'linux_pagefault.*rows.csv.*✗ [0-9]+ of'
keys q; until_so $PATIENCE quits; end
start 120 40 "$quiet $HECATE rows.csv"
wait_for "and data on the command line" 'Which model fits rows.csv'
keys Enter; wait_for "Enter takes the best" 'linux_pagefault.*rows.csv.*✗ [0-9]+ of'
keys S; wait_for "back on the start screen" 'What can be measured'
keys o; wait_for "data are among the recent files" '▸ *rows.csv'
keys Escape; wait_gone "Esc closes the list" 'Open a file'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "none.hct"; keys Enter
wait_for "so is a file that does not exist" 'cannot open none.hct: no such file'

# The recorded example opens the README's picture on every machine.
keys r; wait_for "r judges the recorded programs" 'page-faults.csv.*✗ 5 of 8'
wait_for "  and shows the example's constraint" 'PGF += +Fu +[+] +Fk'
keys S; wait_for "back on the start screen" 'What can be measured'

# One key does not drop counted data, and nothing of them stays.
keys f; wait_for "a prompt for a command" 'Run a command'; wait_for "  says whether the counters fit" 'Fit: [^.]+[.]'; keys C-u; keys -l "true"; keys Enter
wait_for "its observation" '1 of 1|survives 1'
keys S; wait_for "back on the start screen" 'What can be measured'
keys m; wait_for "a question" 'a run of true, [0-9.]+ m?s'; wait_for "  with its answers" 'x +open haswell-mmu without saving'
keys Escape; wait_gone "Esc stays" 'without saving'
keys 1; wait_for "no data are dropped" 'linux_pagefault'
keys S; wait_for "back on the start screen" 'What can be measured'
keys m; wait_for "the question again" 'open haswell-mmu without saving'; keys x; wait_for "x opens it" 'haswell_mmu m0'
wait_for "  without data" 'No data yet'
screen >"$tmp/screen"
is "  and without the command of the last session" "$(grep -cE 'true|was not started' "$tmp/screen")" 0
keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end

# Recorded runs: by key, by file, from the command line, and in a session, which remembers where they are.
runs=$HECATE_TESTS/data/determinism/pairs.csv
start 120 40 "$quiet $HECATE"
wait_for "the start screen" 'does this model survive'
keys e; wait_for "e opens the installed runs in view 0" '0 Events.*'
wait_for "  with the event that counts all else" 'loads_retired.*counts other'
keys 1; wait_for "a model is not open" 'no model is open'
keys S; wait_for "back on the start screen" 'What can be measured'
# Probes of this core: on another processor than x86-64 a message says why not.
keys b; wait_for "b opens the probes of this core" 'probes  this machine|machine code of x86-64, and this is another.*this is sim:core'
keys S; wait_for "back on the start screen" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "$runs"; keys Enter
wait_for "o opens a table of runs" 'pairs.csv +8 events'
keys S; wait_for "back on the start screen" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "rows.csv"; keys Enter
wait_for "other data are no table of runs" 'Which model fits rows.csv'
keys Escape; wait_gone "Esc leaves it" 'Which model'; keys 0; wait_for "and the runs stay" 'pairs.csv +8 events'
keys q
until_so $PATIENCE test -f "$tmp/status"
end
start 120 40 "$quiet $HECATE $runs --expected $HECATE_TESTS/data/determinism/expected.csv"
wait_for "a table of runs on the command line, with expected counts" 'inst_retired.*[+]1[01].{1,3}[0-9]{3}'
keys Enter; wait_for "Enter explains the event" 'What explains it'
keys q; keys q
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end
start 120 40 "$quiet $HECATE model.hct"
wait_for "a session" 'linux_pagefault.*model.hct'
keys S; wait_for "the start screen" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "$runs"; keys Enter
wait_for "runs open next to its model" 'pairs.csv +8 events'
keys n; wait_for "a prompt for a note" 'Note on'; keys -l "a note on an event"; keys Enter
wait_for "a note on an event" 'noted'
keys q
until_so $PATIENCE test -f "$tmp/status"
end
start 120 40 "$quiet $HECATE model.hct"
wait_for "the session comes back in view 0 with its runs" 'pairs.csv +8 events'
keys L; wait_for "and the note" 'a note on an event'
keys q; keys 1; wait_for "and its model" '1 of 1'
keys q
until_so $PATIENCE test -f "$tmp/status"
end

# Recordings stand on the start screen with their verdicts, and two keys resume one; a few letters open the rest.
cp "$tmp/model.hct" "$tmp/a-longer-name.hct"
start 80 24 "$quiet $HECATE"
wait_for "recordings at 80x24, with verdicts" 'model.hct +✗ 1 of 1 .*today'
wait_for "  with their whole names" 'a-longer-name.hct +✗ 1 of 1 .*today'
keys Tab; wait_for "Tab goes to the list" '▸ *[a-z-]+[.]hct'
keys Enter; wait_for "Enter resumes" 'linux_pagefault|linux_vm|linux-vm|holds no'
keys S; wait_for "back on the start screen" 'What can be measured'
keys o; wait_for "a prompt for a file" 'Open a file'
keys -l "lin"; wait_for "names that fit" 'linux-page-faults +model'
keys Tab; wait_for "Tab completes what they have in common" '> linux-'
keys Down; keys Enter; wait_for "Down and Enter open the second" 'linux_vm|linux-vm'
keys q
until_so $PATIENCE test -f "$tmp/status"
end

# A command alone opens what can be counted anywhere, here as well.
start 120 40 "$quiet $HECATE -- sh -c 'i=0; while [ \$i -lt 20000 ]; do i=\$((i + 1)); done'"
wait_for "a command alone opens the network of Linux" 'linux_vm'
wait_for "  and says how it went" 'sh ended, status 0|no counter'
keys q
until_so $PATIENCE quits
end
# A session of a newer hecate, and one that cannot be written; root can write everything, so another user opens that.
cd "$tmp" || exit
cp model.hct newer.hct
python3 -c 'import sqlite3; sqlite3.connect("newer.hct").execute("PRAGMA user_version=99")'
start 80 24 "$quiet $HECATE"
wait_for "a session of a newer hecate is listed" 'newer.hct '
keys o; wait_for "a prompt for a file" 'Open a file'; keys -l "newer.hct"; keys Enter
wait_for "it is not opened, and why" 'newer.hct was written by a newer hecate: its format is version 99'
keys q; until_so $PATIENCE quits; end
mkdir -p own
cp model.hct own/locked.hct
chmod 444 own/locked.hct
chmod 755 "$tmp" own
other=
[ "$(id -u)" = 0 ] && other="setpriv --reuid=65534 --regid=65534 --clear-groups env XDG_STATE_HOME=/dev/null/none"
# shellcheck disable=SC2086
if $other "$HECATE" --version >/dev/null 2>&1; then
	before=$(cksum <own/locked.hct)
	start 80 24 "$quiet $other $HECATE own/locked.hct"
	wait_for "a session that cannot be written opens" '✗ 1 of 1'
	keys Space; wait_for "a change is not saved, and the screen says so" 'not saved'
	keys q; wait_for "q says why" 'Not saved: own/locked.hct cannot be written: Permission denied'
	wait_for "  and offers another folder" 'f +save in another folder'
	keys x; until_so $PATIENCE test -f "$tmp/status"
	is "  x leaves, and its status says that it is not saved" "$(cat "$tmp/status")" "status 2"
	end
	is "  the file is as it was" "$(cksum <own/locked.hct)" "$before"
else
	skip "a session that cannot be written" "no other user can run $HECATE"
fi
done_testing
