#!/bin/sh
# Flows in view 5: of a running command, one flow alone; and read back from the file.
. "$HECATE_TESTS/lib/tap.sh"
command -v tmux >/dev/null || { skip "the explorer in tmux" "no tmux"; done_testing; exit; }
. "$HECATE_TESTS/lib/tmux.sh"
programs=$(dirname "$HECATE")/tests/programs

cat >"$tmp/near.net" <<'END'
network near "near and far";
kind rd "reads";
counter minor = "minor-faults" per task unit requests;
counter major = "major-faults" per task unit requests;
stage a { module core "core" { rd { miss = minor + major; } } }
stage b { module memory "memory" { rd { hit = minor; } } module disk "disk" { rd { hit = major; } } }
link core -> memory { rd = minor; }
link core -> disk { rd = major; }
END
( cd "$tmp" && "$HECATE" net near.net --flows -q -- true ) >"$tmp/out" 2>"$tmp/err"
if grep -q 'needs CAP_PERFMON' "$tmp/err"; then
	skip "flows of a command in the explorer" "needs root, to record whole CPUs"
	done_testing; exit
fi
# left: wait until hecate has ended
left() { until_so $PATIENCE test -f "$tmp/status"; is "$1: exit status" "$(cat "$tmp/status")" "status 0"; end; }

start 120 40 "$HECATE -o kept.hec --flows near.net -I 100 -- sh -c 'while [ ! -e stop ]; do $programs/touch 400; done'"
wait_for "the list of flows appears" 'task, CPU'
wait_for "with the tasks" 'touch-[0-9]+ CPU [0-9]+ '
keys f
wait_for "one flow alone" 'Paths · [a-z]+-[0-9]+ CPU [0-9]+'
keys Escape
wait_for "all flows again" 'all tasks together'
is "the command still runs" "$(screen | grep -c 'Esc stops')" 1
touch "$tmp/stop"
runs_no_more() { ! shows 'Esc stops'; }
check "the command ends" until_so $PATIENCE runs_no_more
keys q; left "left"

start 80 24 "$HECATE kept.hec"
wait_for "opened again" 'Paths'
keys g '[' '[' F
wait_for "the list on a small screen" 'task, CPU'
keys q; left "left again"
cd "$tmp" || exit 1
status 0 "$HECATE" net kept.hec --flows --json
is "the flows are in the file" "$(json out 'all(f["task"].split("-")[0] in ("sh", "touch", "hecate") for f in d["flows"]), len(d["flows"]) > 0')" "(True, True)"
done_testing
