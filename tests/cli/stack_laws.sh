#!/bin/sh
# The shipped stacks on the logs of tests/data: shares lie in 0 … 100 %, and no parts exceed their parent.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
data=$HECATE_TESTS/data

# Names of the parts outside of 0 … 100 % or with parts that exceed them, then of bars that are exceeded.
broken='[x for o in d["observations"] for b in o["bars"] for x in
	[p["name"] for p in b["parts"] if p["raw_share"] is not None and
	not -1e-9 <= p["raw_share"] <= 1 + 1e-9 or (p["over"] or 0) > 1e-9 * abs(p["raw"] or 0)]
	+ ["(whole)"] * ((b["over"] or 0) > 1e-9)]'
broken=$(printf '%s' "$broken" | tr '\n\t' '  ')
known='sum(p["raw_share"] is not None for o in d["observations"] for b in o["bars"] for p in b["parts"])'

obeys() { # STACK LOG LEAST [BROKEN]
	"$HECATE" stack "$1" "$data/$2" --json -q >out 2>err
	is "$1 on $2" "$(json out "$broken")" "${4:-[]}"
	is "  parts that are known, at least $3" "$(json out "$known >= $3")" True
}
for p in hsw spr; do
	obeys topdown-$p topdown/$p.perf 50
	obeys topdown-l1-$p topdown/$p.perf 4
	obeys topdown-l2-$p topdown/$p.perf 10
done
obeys topdown-icl topdown/spr.perf 50
obeys topdown-l3-spr topdown/spr.perf 40
# made counts, drawn apart from each other: fewer cycles of DTLB hits than of walks, more of resteers than of latency
obeys topdown-skl topdown/skl.perf 90 "['load_stlb_hit']"
obeys topdown-l3-hsw topdown/hsw.perf 20 "['latency', '(not accounted for)']"
obeys gem5-o3 gem5/mcf-o3.txt 18
obeys sniper sniper/dump.txt 50
obeys sniper sniper/old.txt 50
obeys sniper-cpi sniper/stack.txt 25
# core1 of this table adds up to 0.1 more than its CPI
obeys sniper-cpi sniper/table.txt 50 "['(not accounted for)', '(whole)']"

done_testing
