#!/bin/sh
# hecate diff -i in a real terminal: two programs are measured and followed, paused and stopped; q asks.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "a comparison in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"

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
end
done_testing
