#!/bin/sh
# Top-down on the simulated core: made counts, and slots worked out by hand.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
unset HECATE_MODELS # in the tree that hecate was built from

for s in topdown-l1 topdown-l2 topdown-l3; do
	status 0 "$HECATE" stack $s --check
	is "$s: nothing to be warned of" "$err" ""
done

# 1000 cycles are 4000 slots. "mixed": bad speculation is 1300 - 1000 + 4·20 = 380, the back end 4000 - 1000 - 380 - 600 =
# 2020. 19 mispredictions and clears share 380. Nothing delivered in 90 cycles: 360 slots, of which 80 for the ITLB, 240
# for the cache, 40 left. Memory: 4·(200 + 50) = 1000.
# "memory" waits for loads in 900 cycles, for stores in 300: 4800 slots, cut at the 3000 of its back end.
# "fetch" waits for ITLB and cache longer than its front end delivers nothing; nothing was mispredicted, no load waited.
cat >core.csv <<'X'
observation,cycles,instructions,slots.undelivered,cycles.undelivered,uops.dispatched,uops.retired,cycles.recovery,branch.miss.retired,clears,cycles.exec_none,cycles.load_wait,cycles.l1d_wait,cycles.l2d_wait,cycles.l3d_wait,cycles.store_full,cycles.l1i_wait,cycles.itlb_wait,cycles.dtlb_wait,cycles.div_busy
mixed,1000,800,600,90,1300,1000,20,15,4,300,200,150,120,100,50,60,20,30,80
memory,1000,1000,0,0,1000,1000,0,0,0,950,900,900,600,600,300,0,0,700,900
fetch,1000,1000,2000,400,1000,1000,0,0,0,500,0,0,0,0,0,300,250,0,2000
X
parts() { # NUMBER
	json out "[(p['name'], p['value']) for p in d['observations'][$1]['bars'][0]['parts'] if p['value'] or p['name'][0] != '(']"
}
status 0 "$HECATE" stack topdown-l1 core.csv --json
is "level 1" "$(parts 0)" "[('retiring', 1000), ('bad_spec', 380), ('front_end', 600), ('back_end', 2020)]"
is "whole and CPI" "$(json out '[(b["whole"], b["figure"]) for x in d["observations"] for b in x["bars"]]')" "[(4000, 1.25), (4000, 1), (4000, 1)]"
status 0 "$HECATE" stack topdown-l2 core.csv --json
is "level 2" "$(parts 0)" "[('retiring', 1000), ('bad_spec', 380), ('mispredicts', 300), ('machine_clears', 80), ('front_end', 600), ('latency', 360), ('bandwidth', 240), ('back_end', 2020), ('memory_bound', 1000), ('core_bound', 1020)]"
is "  waits that overlap are cut at the back end" "$(parts 1)" "[('retiring', 1000), ('bad_spec', 0), ('mispredicts', 0), ('machine_clears', 0), ('front_end', 0), ('latency', 0), ('bandwidth', 0), ('back_end', 3000), ('memory_bound', 3000), ('core_bound', 0)]"
status 0 "$HECATE" stack topdown-l3 core.csv --json
is "level 3" "$(parts 0)" "[('retiring', 1000), ('bad_spec', 380), ('mispredicts', 300), ('machine_clears', 80), ('front_end', 600), ('latency', 360), ('itlb', 80), ('icache', 240), ('resteers', 40), ('bandwidth', 240), ('back_end', 2020), ('memory_bound', 1000), ('L1', 200), ('dtlb', 120), ('L1_hits', 80), ('L2', 120), ('L3', 80), ('DRAM', 400), ('store', 200), ('core_bound', 1020), ('divider', 320), ('ports', 700)]"
is "  levels of a memory bound that was cut: by their shares" "$(parts 1 | sed "s/.*('L1', /('L1', /")" "('L1', 0), ('dtlb', 0), ('L1_hits', 0), ('L2', 750), ('L3', 0), ('DRAM', 1500), ('store', 750), ('core_bound', 0), ('divider', 0), ('ports', 0)]"
is "  the front end's waits are cut at its latency, the divider at the core's" "$(parts 2 | sed "s/.*('front_end', /('front_end', /")" "('front_end', 2000), ('latency', 1600), ('itlb', 1000), ('icache', 600), ('resteers', 0), ('bandwidth', 400), ('back_end', 1000), ('memory_bound', 0), ('L1', 0), ('dtlb', 0), ('L1_hits', 0), ('L2', 0), ('L3', 0), ('DRAM', 0), ('store', 0), ('core_bound', 1000), ('divider', 1000), ('ports', 0)]"
is "  each level adds up, and nothing is said against it" "$(json out '[(b["over"], b["notes"]) for x in d["observations"] for b in x["bars"]]')" "[(0, []), (0, []), (0, [])]"

# The same as a tree: shares of what topdown-l3 has in slots, and the tree is picked by the events.
cp out l3.json
status 0 "$HECATE" stack topdown core.csv --json
is "as a tree" "$(json out '[s["name"] for s in d["stacks"]]')" "['topdown_core']"
for pair in retiring:retiring bad_spec:bad_speculation mispredicts:branch_mispredicts front_end:frontend_bound \
	latency:fetch_latency itlb:itlb_misses icache:icache_misses resteers:branch_resteers bandwidth:fetch_bandwidth \
	back_end:backend_bound memory_bound:memory_bound L1:l1_bound dtlb:dtlb_load L2:l2_bound L3:l3_bound DRAM:dram_bound \
	store:store_bound core_bound:core_bound divider:divider ports:ports_utilization; do
	share() { json $1 "[p['raw_share'] for x in d['observations'] for p in x['bars'][0]['parts'] if p['name'] == '$2']"; }
	is "  ${pair#*:}" "$(share out ${pair#*:})" "$(share l3.json ${pair%:*})"
done
is "  what is worth a look" "$(json out '[p["name"] for p in d["observations"][2]["bars"][0]["parts"] if p["flagged"]]')" \
	"['frontend_bound', 'fetch_latency', 'icache_misses', 'itlb_misses', 'backend_bound', 'core_bound', 'divider']"

# Counts that contradict each other are named before what formulas make of them.
haswell() { # RETIRED ISSUED STALLS_L1D STALLS_L2
	for x in 10000000,CPU_CLK_UNHALTED.THREAD 3500000,INST_RETIRED.ANY 2000000,IDQ_UOPS_NOT_DELIVERED.CORE \
		"$2,UOPS_ISSUED.ANY" "$1,UOPS_RETIRED.RETIRE_SLOTS" 100000,INT_MISC.RECOVERY_CYCLES \
		300000,IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE 1000,IDQ.MS_UOPS 30000,BR_MISP_RETIRED.ALL_BRANCHES \
		20,MACHINE_CLEARS.COUNT 3000000,CYCLE_ACTIVITY.STALLS_LDM_PENDING 1000000,RESOURCE_STALLS.SB \
		4000000,CYCLE_ACTIVITY.CYCLES_NO_EXECUTE 6500000,UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC \
		5500000,UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC "$3,CYCLE_ACTIVITY.STALLS_L1D_PENDING" \
		"$4,CYCLE_ACTIVITY.STALLS_L2_PENDING" 10000,MEM_LOAD_UOPS_RETIRED.L3_HIT 2000,MEM_LOAD_UOPS_RETIRED.L3_MISS; do
		echo "${x%%,*},,${x#*,},1000000,100.00,,"
	done >hsw.csv
	"$HECATE" stack "$5" hsw.csv --json >out
	json out '"; ".join(x for x in d["observations"][0]["bars"][0]["notes"] if "cannot be:" in x or "below zero" in x)'
}
is "no contradiction" "$(haswell 14000000 15000000 2000000 2000000 topdown-l3-hsw)" ""
is "  nor within the skew of two reads" "$(haswell 14000000 15000000 2000000 2030000 topdown-l3-hsw | sed 's/l2_bound.*//')" ""
has "more retired than slots" "$(haswell 60400000 61000000 2000000 1000000 topdown-l1-hsw)" \
	'^retired \(UOPS_RETIRED.RETIRE_SLOTS, 60.4 M\) is more than slots \(40.0 M\), which cannot be: counts of both threads of a core, or cycles of another CPU'
has "  the part below zero" "$(haswell 60400000 61000000 2000000 1000000 topdown-l1-hsw)" 'back_end is below zero \(-[0-9.]+ M\): its counts contradict each other'
has "an erratum" "$(haswell 14000000 15000000 2000000 2600000 topdown-l3-hsw)" \
	'^waits_l2 \(CYCLE_ACTIVITY.STALLS_L2_PENDING, 2.60 M\) is more than waits_l1 \(CYCLE_ACTIVITY.STALLS_L1D_PENDING, 2.00 M\), which cannot be: .*HSM63'
done_testing
