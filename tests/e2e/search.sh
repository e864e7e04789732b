#!/bin/sh
# The search in a real terminal: d and Enter until nothing is refuted, e, a; Esc and a resize during a long search.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"

start 120 40 "$HECATE linux-page-faults $HECATE_TESTS/data/programs/programs.csv --exact"
wait_for "46 programs" '✗ [0-9]+ of 46 infeasible'
wait_for "the model at the start" '✗ [0-9]+ ∅ here'
keys e; wait_for "e: a refuted model is not reduced" 'this model is refuted: d adds'
none_is_old() { ! shows ' old( |$)'; }
round=0
while [ $round -lt 4 ] && ! grep -q '✓ survives 46' "$tmp/screen"; do
	round=$((round + 1))
	keys d; wait_for "d, round $round: a proposal" 'd proposes [A-Z ]+, frees? [0-9]+; Enter takes'
	grep -q 'relaxes .*[=≤]' "$tmp/screen" && ok "  and what it relaxes" || not_ok "… and what it relaxes" "$(cat "$tmp/screen")"
	keys Enter; wait_for "Enter: its features are on" '\[x\] [ACDE]'
	wait_for "  and its verdicts are known" '✗ [0-9]+ of 46 infeasible|✓ survives 46'
	until_so $PATIENCE none_is_old
done
wait_for "the last proposal survives" '✓ survives 46'
keys d; wait_for "d: nothing to relax" 'nothing refutes this model'
keys e; wait_for "e: the required features" 'required +A C D E'
wait_for "the smallest survivor" '✓ +0 .*★'
keys a; wait_for "a: all 64 sets" 'of 64 sets'
wait_for "models that the data do not separate" 'B adds nothing to A [+] D'
keys Tab Tab Tab Tab; wait_for "the pane has the focus" 'Enter model'
keys Home Enter; wait_for "Enter: back to the first model" '✗ [0-9]+ of 46 infeasible'
t resize-window -t s -x 200 -y 60
wait_for "200x60: boxes" '┃ A C D E.* ★ ┃'
wait_for "  the model of this choice" '┌ here ─'
wait_for "a witness" 'signature [0-9]+ of [0-9]+'
t resize-window -t s -x 80 -y 24
wait_for "80x24: the list" '✓ +0 A C D E ★'
loses "q asks before the search is lost" 'a search over [0-9]+ features?, which has judged [0-9]+ models'
until_so $PATIENCE test -f "$tmp/status"
is "exit status" "$(cat "$tmp/status")" "status 0"
end

# Sixteen features that shrink the cone as much as they extend it: each of 65536 sets needs a test.
awk 'BEGIN {
	print "model slow;"
	for (i = 0; i < 16; i++) printf "feature f%d \"f%d\";\n", i, i
	print "path p { count x;"
	for (i = 0; i < 16; i++) printf "when (f%d) { count y%d; } else { count z%d; }\n", i, i % 4, i % 4
	print "}" }' >"$tmp/slow.udd"
awk 'BEGIN {
	print "observation,x,y0,y1,y2,y3,z0,z1,z2,z3"
	for (k = 0; k < 40; k++) { printf "o%d,10", k; for (j = 0; j < 8; j++) printf ",%d", (k * 7 + j * 3) % 5; print "" } }' >"$tmp/slow.csv"
start 80 24 "$HECATE slow.udd slow.csv --exact"
wait_for "all observations are refuted" '✗ 40 of 40'
keys a; wait_for "a long search shows its progress" 'search .*[0-9]+ tested, now'
wait_for "  and how to stop it" 'Esc stops'
for size in 200x60 40x10 38x5 120x40; do
	t resize-window -t s -x "${size%x*}" -y "${size#*x}"
	wait_for "drawn at $size while it runs" '✗ 40 of 40'
done
wait_for "it still runs" '[0-9]+ tested, now'
keys Down Down Space; wait_for "a toggle stops it, and verdicts follow" '1 of 16 on'
wait_for "models found so far stay" '[0-9]+ of 65536 sets|[0-9]+ more refuted'
keys a; wait_for "another search" '[0-9]+ tested, now'
keys Escape; wait_for "Esc stops it" 'search stopped; what it has found stands'
wait_for "  and its models stay" '[0-9]+ more refuted'
keys d; wait_for "the engine answers again" 'd proposes|no feature|nothing|relax'
until_so $PATIENCE quits
is "exit status" "$(cat "$tmp/status")" "status 0"
done_testing
