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
done_testing
