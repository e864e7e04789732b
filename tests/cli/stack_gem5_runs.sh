#!/bin/sh
# The CPI of each core of gem5's public O3 runs: data/gem5/o3-runs.txt has what the stack reads of 46 stats.txt, and
# gem5's own CPI of their 54 cores.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
unset HECATE_MODELS # in the tree that hecate was built from
runs=$HECATE_TESTS/data/gem5/o3-runs.txt

awk '/^== / { if (f) print "---------- End Simulation Statistics   ----------" >f
	close(f); f = $2 ".txt"; print "---------- Begin Simulation Statistics ----------" >f; next }
	{ print >f } END { print "---------- End Simulation Statistics   ----------" >f }' "$runs"

all=0
for core in cpu cpu0 cpu1 cpu2 cpu3; do
	sed "s/system\.cpu/system.$core/g" "$HECATE_TESTS/../models/stacks/gem5-o3.stack" >$core.stack
	set -- $(grep -l "^system\.$core\.cpi " *.txt)
	awk -v cpi="system.$core.cpi" '$1 == cpi { print $2 }' "$@" >theirs
	status 0 "$HECATE" stack $core.stack "$@" --json -q
	json out '"\n".join("%.9f" % b["figure"] for x in d["observations"] for b in x["bars"])' >ours
	# gem5 writes six digits
	is "$core of $# runs: gem5's CPI" "$(paste ours theirs | awk '$1 - $2 > 1.01e-6 || $2 - $1 > 1.01e-6 { print "ours " $1 ", theirs " $2 } END { print NR }')" $#
	# under either of its names; 0 is left out
	is "  runs that ran out of registers" "$(json out 'sum(p["name"] == "registers" and p["value"] > 0 for x in d["observations"] for b in x["bars"] for p in b["parts"])')" "$(cat "$@" | grep -ic "^system\.$core\.rename\.fullregister")"
	is "  nothing is charged twice" "$(json out 'sum(b["over"] for x in d["observations"] for b in x["bars"])')" 0
	all=$((all + $#))
done
is "cores" $all 54
done_testing
