#!/bin/sh
# Top-down trees: hecate's nodes against the published formulas on made count vectors and raw logs, how a tree is picked,
# and counts that contradict each other. tests/lib/published_tree.py evaluates the formulas; it knows nothing of hecate.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
unset HECATE_MODELS # in the tree that hecate was built from
data=$HECATE_TESTS/data/topdown
published() { python3 "$HECATE_TESTS/lib/published_tree.py" "$@"; }

for m in hsw skl icl spr zen4 neoverse-v2; do
	status 0 "$HECATE" stack topdown-$m --check
	is "$m: nothing to be warned of" "$err" ""
	published vectors "$data/$m.txt" 1000 23 >$m.csv
	status 0 "$HECATE" stack topdown-$m $m.csv --json -o $m.json
	check "$m: the published formulas and limits, to the last bit" published compare "$data/$m.txt" $m.csv $m.json
	has "  on all vectors" "$out" '^1000 vectors, [0-9]{5,} values compared, [0-9]{5,} known, [0-9]+ above their limits, 0 wrong'
done

# A formula that differs in one bit is found: the oracle compares numbers, and not what both print.
sed 's/^node Bad_Speculation | *| (/&0.000000001 + /' "$data/hsw.txt" >other.txt
is "  a formula was changed" "$(cmp -s "$data/hsw.txt" other.txt; echo $?)" 1
published compare other.txt hsw.csv hsw.json >found && not_ok "a changed formula is found" || ok "a changed formula is found"

# Raw logs of perf stat -x: the tree is picked by their events, under the names that perf gives them.
for m in hsw skl spr; do
	status 0 "$HECATE" stack topdown "$data/$m.perf" --json -q
	is "$m.perf: the tree is picked" "$(json out '[s["name"] for s in d["stacks"]]')" "['topdown_$m']"
	check "  its levels, by the independent script" published compare "$data/$m.txt" "$data/$m.perf" out
done
status 0 "$HECATE" stack topdown "$data/skl.perf" -q
# 4 slots in each of 40 G cycles; 9, 21 and 24 - 21 + 4·0.6 G of them for three parts of level 1.
has "level 1 by hand" "$out" '^   frontend_bound +5\.6 +15 '
has "  retiring" "$out" '^   retiring +13\.1 +70 '
has "  bad speculation" "$out" '^   bad_speculation +3\.4 +15 '
has "  what is left" "$out" '^ \* backend_bound +77\.9 +20 '
has "a node whose counter is missing names it" "$out" 'divider +\? +20  not counted: ARITH.DIVIDER_ACTIVE$'
has "advice for the deepest nodes worth a look" "$out" '^ backend_bound → memory_bound → dram_bound → mem_latency 55\.0 %$'
has "  what it means" "$out" '^    means: Few reads beyond L2'
has "  what to measure next" "$out" '^    next: Chains of loads'
has "  what helps" "$out" '^    helps: Independent loads'
has "the parts of what is not worth a look stay out" "$(printf '%s\n' "$out" | grep -c icache_misses)" '^0$'
status 0 "$HECATE" stack topdown "$data/skl.perf" -q -v
has "--verbose: all nodes, with formulas" "$out" '^ +icache_misses'
has "  a formula" "$out" '^ +int_divider|^ +port_7'
has "  and its text" "$out" '= uops_retired.retire_slots / slots$'
has "  their source" "$out" '^ formulas: intel/perfmon, SKL/metrics/skylake_metrics.json, TMA 5.01'

# Each node of each tree has advice, and each advice is for a node of some tree.
status 0 "$HECATE" stack topdown --check --json
is "all nodes have title, meaning, next, help and limit" "$(json out '[(s["name"], p["name"]) for s in d["stacks"] for p in s["parts"] if not (p["title"] and p["means"] and p["next"] and p["helps"] and p["above"] is not None)]')" "[]"
is "all trees name their source" "$(json out '[s["name"] for s in d["stacks"] if len(s["tree"]["source"]) < 20]')" "[]"
json out '"\n".join(sorted({p["name"] for s in d["stacks"] for p in s["parts"]}))' >nodes
sed -n 's/^advice "*\([a-z0-9_]*\).*/\1/p' "$TOP_SRCDIR/models/stacks/topdown.advice" | sort >advised
is "no advice without a node" "$(LC_ALL=C sort nodes | LC_ALL=C comm -13 - advised)" ""

# Counts that contradict each other: the two raw counts are named.
change() { # EVENT COUNT: of the log of Skylake
	sed "s/^[0-9]*;;$1;/$2;;$1;/" "$data/skl.perf" >changed.perf
	"$HECATE" stack topdown changed.perf --json -q -o changed.json
	json changed.json '"\n".join(d["observations"][0]["bars"][0]["notes"])'
}
has "below zero" "$(change IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE 5000000000)" \
	'^fetch_bandwidth is below zero .*: IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE \(5.00 G\) contradicts IDQ_UOPS_NOT_DELIVERED.CORE \(9.00 G\)'
has "above 100 %" "$(change UOPS_RETIRED.RETIRE_SLOTS 210000000000)" \
	'^retiring is above 100 % \(131.2 %\), but a share lies in 0 ... 100 %: UOPS_RETIRED.RETIRE_SLOTS \(210 G\) contradicts CPU_CLK_UNHALTED.THREAD \(40.0 G\)'
has "an order of counts comes first" "$(change CYCLE_ACTIVITY.STALLS_L2_MISS 25000000000 | head -n 1)" \
	'^cycle_activity.stalls_l2_miss \(CYCLE_ACTIVITY.STALLS_L2_MISS, 25.0 G\) is more than cycle_activity.stalls_l1d_miss \(CYCLE_ACTIVITY.STALLS_L1D_MISS, 24.0 G\), which cannot be'
# Formulas of Sapphire Rapids never go below zero: a child that is larger than its parent makes a sum that is too large.
sed 's/^[0-9]*;;topdown-fetch-lat;/60000000000;;topdown-fetch-lat;/' "$data/spr.perf" >changed.perf
status 0 "$HECATE" stack topdown changed.perf --json -q
has "children that do not add up" "$(json out '"\n".join(d["observations"][0]["bars"][0]["notes"])')" \
	'^the nodes of frontend_bound add up to 200.3 % of it: topdown-fetch-lat \(60.0 G\) contradicts topdown-fe-bound \(30.0 G\)'

# Bad input.
cat "$data/skl.perf" >two.perf
sed 1,2d "$data/spr.perf" | grep -v 'CPU_CLK_UNHALTED\|INST_RETIRED.ANY;' >>two.perf
status 2 "$HECATE" stack topdown two.perf
has "two generations in one file" "$err" 'the data have events of two generations: [A-Z0-9_.:a-z]+ is of topdown-(skl|spr), [A-Z0-9_.:a-z-]+ of topdown-(skl|spr)'
has "  and what to do" "$err" 'give each its own file, or name the tree: hecate stack topdown-'
status 2 "$HECATE" stack topdown "$data/skl.perf" "$data/spr.perf"
has "  in two files" "$err" 'events of two generations'
status 0 "$HECATE" stack topdown-skl two.perf -q
grep -v ';CPU_CLK_UNHALTED.THREAD;' "$data/skl.perf" >rootless.perf
status 2 "$HECATE" stack topdown rootless.perf
has "the root's counter is missing" "$err" 'topdown-skl fits best, but the data lack a counter of its root: CPU_CLK_UNHALTED.THREAD'
status 2 "$HECATE" stack topdown-skl rootless.perf
has "  also if the tree is named" "$err" 'no observation has the counters of a whole.*CPU_CLK_UNHALTED.THREAD'
printf 'observation,load.ret\na,1\n' >none.csv
status 2 "$HECATE" stack topdown none.csv
has "no event of any tree" "$err" 'no event of any tree of topdown \(.*topdown-skl'
status 0 "$HECATE" report topdown "$data/skl.perf" -q
has "the explorer and the report pick it, too" "$out" '^\| stack \| topdown..?skl \|$'
sed 's/^shared "topdown"/shared "nosuch"/' "$TOP_SRCDIR/models/stacks/topdown-zen4.stack" >mine.stack
status 2 "$HECATE" stack mine.stack --check
has "advice that is not there" "$err" 'mine.stack takes advice from nosuch.advice, which is neither beside it nor installed'
printf 'shared;\nadvice frontend_bound "mine" means "of my own";\n' >nosuch.advice
status 0 "$HECATE" stack mine.stack --check --json
is "advice beside the stack" "$(json out '[p["means"] for p in d["stacks"][0]["parts"] if p["name"] == "frontend_bound"]')" "['of my own']"
status 2 "$HECATE" stack topdown
has "no data" "$err" 'chosen by the events of recorded data.*topdown-hsw'
printf 'observation,cycles,instructions\na,2,1\n' >general.csv
status 2 "$HECATE" stack topdown general.csv
has "no node of any tree" "$err" 'no node of any tree of topdown has all its counters in the data \(.*hecate stack topdown --check lists'
grep -v 'UOPS_RETIRED.RETIRE_SLOTS' "$data/skl.perf" >part.perf
status 0 "$HECATE" stack topdown part.perf -q
has "without one counter of level 1 the rest stands" "$out" '^   frontend_bound +5\.6'
has "  and the others say why not" "$out" 'retiring +\? +70  not counted: UOPS_RETIRED.RETIRE_SLOTS'
done_testing
