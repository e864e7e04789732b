#!/bin/sh
# hecate diff -i in a real terminal: two programs are measured and followed, paused and stopped; q asks; the runs are kept
# and opened again; what cannot run says why; nothing is left running.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "a comparison in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"
live() { pgrep -f "sleep 0.0[0-9]*$$" || true; }
none_lives() { [ -z "$(live)" ]; }

# the pid makes the programs this test's own
start 120 40 "$quiet $HECATE diff -i 'sleep 0.01$$' 'sleep 0.04$$'"
wait_for "runs are followed" '[0-9]+ runs, '
wait_for "the answer is known, and nothing runs on" 'known, Space goes on'
wait_for "  it is in the header" '↑ slower '
wait_for "  with its interval" '├─*┼'
wait_for "  and the runs in order" '─ Runs in order '
keys Space; wait_for "Space goes on" '[0-9]+ runs, '
keys Space; wait_for "Space pauses" 'paused, Space goes on'
keys Enter; wait_for "Enter says it in words" 'at every look, wrong with a chance of 0.5 %'
keys Escape; wait_gone "Esc closes that" 'at every look'
keys q; wait_for "q asks what becomes of the runs" 'runs of A and B'
keys Escape; wait_gone "Esc stays" 'runs of A and B'
keys Space; wait_for "it goes on" '[0-9]+ runs, '
keys Escape; wait_for "Esc stops" 'stopped; what was measured stands'
until_so "$PATIENCE" none_lives; is "  and ends the command" "$(live)" ""
keys w; wait_for "w offers the file" 'save'
keys f; wait_for "  which is written" 'written: hecate-[0-9-]*.json'
file=$(cd "$tmp" && ls hecate-*.json)
keys q
check "then q leaves at once" until_so $PATIENCE test -f "$tmp/status"
end
"$HECATE" diff "$tmp/$file" >"$tmp/out" 2>&1
is "the file says the same in text" "$?" 1
check "  by intervals that hold at every look" grep -q 'in blocks of random order' "$tmp/out"
start 80 24 "$quiet $HECATE diff -i $tmp/$file"
wait_for "the file is opened in the explorer" '↑ slower '
keys s; wait_for "s sorts" 'by name'
keys Space; wait_for "it cannot be measured again" 'these runs were recorded'
end
start 120 40 "$quiet $HECATE diff -i 'exit 3' 'sleep 0.01$$'"
wait_for "a command that fails says so" 'A ended with status 3 in its first run'
end
done_testing
