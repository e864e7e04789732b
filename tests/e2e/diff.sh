#!/bin/sh
# hecate diff -i in a real terminal: two programs are measured and followed, paused and stopped; q asks.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "a comparison in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
quiet="ASAN_OPTIONS=detect_leaks=0"

# the pid makes the programs this test's own
printf 'stack calls "system calls" per task;\ncounter reads = "io:syscr" per task unit requests;\nwhole all = reads;\nexclusive;\npart reading = reads;\n' >"$tmp/calls.stack"
start 120 40 "$quiet $HECATE diff -i --stack ./calls.stack 'sleep 0.01$$' 'sleep 0.04$$'"
wait_for "runs are followed" '[0-9]+ runs, '
wait_for "the answer is known, and nothing runs on" 'known, Space goes on'
wait_for "  it is in the header" '↑ slower '
wait_for "  with its interval" '├─*┼'
wait_for "  and the runs in order" '─ Runs in order '
# the mouse: a click chooses a row, one on a title sorts by it, the wheel moves
if infocmp xterm-256color >/dev/null 2>&1; then
	sgr() { t send-keys -t s -H $(printf '\033[<%d;%d;%d%s' "$2" "$3" "$4" "$1" | od -An -tx1); }
	click() { sgr M 0 "$1" "$2"; sgr m 0 "$1" "$2"; }
	click 5 7; wait_for "a click chooses a quantity" '^▸[^w]'
	sgr M 64 5 7; wait_for "  the wheel goes back" '^▸(wall|processor) time'
	click 5 4; wait_for "  a click on a title sorts by it" '· by name'
	keys s s s; wait_gone "  s goes on to the next order" '· by '
	keys Home
else
	skip "the mouse in the view" "no terminfo of xterm-256color"
fi
keys w; wait_for "w offers a report" 'r *report'
keys r; wait_for "  it is written" 'written: hecate-report-1.md'
keys w; wait_for "  or a page" 'p *page'
keys p; wait_for "  in one file" 'written: hecate-report-1.html'
has "the report says the answer" "$(cat "$tmp/hecate-report-1.md")" '^\*\*B is slower than A: wall time'
has "  with a picture of the view" "$(cat "$tmp/hecate-report-1-difference.svg")" '>order<'
has "  the page, too" "$(cat "$tmp/hecate-report-1.html")" '>order<'
has "  and needs no other file" "$(grep -c 'src=\|href="[^#]' "$tmp/hecate-report-1.html")" '^0$'
keys Space; wait_for "Space goes on" '[0-9]+ runs, '
keys Space; wait_for "Space pauses" 'paused, Space goes on'
keys Enter; wait_for "Enter says it in words" 'at every look, wrong with a chance of 0.5 %'
has "  and where the difference went" "$(cat "$tmp/screen")" 'B takes longer, .* waiting\.'
has "  with the parts of a stack" "$(cat "$tmp/screen")" 'Parts of the stack +calls'
has "  and their counts" "$(cat "$tmp/screen")" 'reading +[0-9]+ +[0-9]+ '
keys Escape; wait_gone "Esc closes that" 'at every look'
keys q; wait_for "q asks what becomes of the runs" 'runs of A and B'
keys Escape; wait_gone "Esc stays" 'runs of A and B'
keys Space; wait_for "it goes on" '[0-9]+ runs, '
keys Escape; wait_for "Esc stops" 'stopped; what was measured stands'
end
done_testing
