#!/bin/sh
# What other simulators counted, as stacks side by side with ours: gem5's stats.txt, Sniper's statistics and CPI stacks.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
unset HECATE_MODELS # in the tree that hecate was built from
data=$HECATE_TESTS/data

for s in gem5-o3 sniper sniper-cpi; do
	status 0 "$HECATE" stack $s --check
	is "$s: nothing to be warned of" "$err" ""
done
parts() { # OBSERVATION: those that are not 0
	json out "[(p['name'], round(p['value'], 6)) for p in d['observations'][$1]['bars'][0]['parts'] if p['value']]"
}

# A real stats.txt with names of before gem5 21. Rename's states and the cycles in which the CPU slept are all cycles:
# 44255424 + 1489967 + 23832 + 20796133 + (11129664 + 53665975) + 81995 = 131442990. 46732943 of the 52738766 times that
# something was full it was the load queue.
status 0 "$HECATE" stack gem5-o3 "$data/gem5/mcf-o3.txt" --json -q
is "gem5: cycles and CPI" "$(json out '[(b["whole"], round(b["figure"], 6), b["over"]) for x in d["observations"] for b in x["bars"]]')" "[(131442990, 0.831978, 0)]"
is "  what rename did" "$(json out '[(p["name"], p["value"]) for p in d["observations"][0]["bars"][0]["parts"] if not p["parent"]]')" \
	"[('running', 44255424), ('squash', 1489967), ('serialize', 23832), ('front_end', 20796133), ('back_end', 64795639), ('asleep', 81995), ('(not accounted for)', 0)]"
is "  what was full, by numbers" "$(json out '[(p["name"], p["value"] == 64795639 * n / 52738766) for p, n in zip([q for q in d["observations"][0]["bars"][0]["parts"] if q["parent"] == "back_end"], [23342, 777450, 46732943, 5205031, 0])]')" \
	"[('rob', True), ('iq', True), ('lq', True), ('sq', True), ('registers', True)]"
is "  a statistic that is left out is 0, and that is said" "$(json out 'd["observations"][0]["bars"][0]["missing"], d["observations"][0]["bars"][0]["notes"]')" \
	"([], ['taken as 0, all or in part, because the source of the data leaves out what is 0: no_register'])"

# The same numbers under gem5's later names, and under those of its standard library.
sed 's/rename\.RunCycles/rename.status::Running/; s/rename\.BlockCycles/rename.status::Blocked/; s/rename\.UnblockCycles/rename.status::Unblocking/
	s/rename\.IdleCycles/rename.status::Idle/; s/rename\.SquashCycles/rename.status::Squashing/; s/rename\.serializeStallCycles/rename.status::SerializeStall/
	s/fetch\.icacheStallCycles/fetchStats0.icacheStallCycles/; s/fetch\.TlbCycles/fetch.status::itlbWait/; s/fetch\.SquashCycles/fetch.status::squashing/
	s/fetch\.IcacheWaitRetryStallCycles/fetch.status::icacheWaitRetry/; s/fetch\.PendingTrapStallCycles/fetch.status::trapPending/
	s/system\.cpu\.committedInsts/system.cpu.commitStats0.numInsts/' "$data/gem5/mcf-o3.txt" >later.txt
sed 's/^system\.cpu\./board.processor.cores.core./' later.txt >library.txt
cp out before.json
for f in later library; do
	status 0 "$HECATE" stack gem5-o3 $f.txt --json -q
	is "gem5, $f names: the same" "$(json out 'd["observations"][0]["bars"][0]["parts"]')" "$(json before.json 'd["observations"][0]["bars"][0]["parts"]')"
done
grep -v 'rename\.' "$data/gem5/mcf-o3.txt" >no-rename.txt
status 0 "$HECATE" stack gem5-o3 no-rename.txt --json -q
is "gem5 without the object is no gem5 of zeros" "$(json out '"renaming" in [m["counter"] for m in d["observations"][0]["bars"][0]["missing"]]')" True

# Sniper's statistics: 2660 cycles at 2.66 GHz are 1 µs. 5320 instructions by 4 are 1330 cycles, or 500 ns of base's 800.
status 0 "$HECATE" stack sniper "$data/sniper/dump.txt" --json -q
is "Sniper: time and CPI" "$(json out '[(x["name"], round(b["whole"], 6), round(b["figure"], 6)) for x in d["observations"] for b in x["bars"]]')" "[('dump:core0', 2000, 1), ('dump:core1', 2000, 4)]"
is "  the first core" "$(parts 0)" "[('base', 800), ('dispatch_width', 500), ('depend', 300), ('branch', 200), ('ifetch', 100), ('mem', 900), ('mem_l1d', 100), ('mem_l2', 200), ('mem_dram', 600)]"
is "  the second waits, begins late, and ends early" "$(parts 1)" "[('base', 300), ('dispatch_width', 125), ('depend', 175), ('branch', 100), ('ifetch', 50), ('mem', 500), ('mem_l2', 100), ('mem_dram', 400), ('sync', 600), ('locks', 600), ('imbalance_start', 400), ('imbalance_end', 50)]"
status 0 "$HECATE" stack sniper "$data/sniper/old.txt" --json -q
is "sim.stats: a difference, and no frequency" "$(json out '[(round(b["whole"], 6), b["figure"], [m["counter"] for m in b["missing"]]) for x in d["observations"] for b in x["bars"]]')" "[(2000, None, ['frequency']), (1900, None, ['frequency'])]"
is "  parts" "$(parts 1)" "[('base', 300), ('depend', 300), ('mem', 300), ('mem_dram', 300), ('sync', 1300), ('locks', 1300)]"
sed 's/rob_timer/interval_timer/' "$data/sniper/dump.txt" >interval.txt
status 0 "$HECATE" stack sniper interval.txt --json -q
is "another core model" "$(parts 0 | sed "s/, ('branch.*//")" "[('base', 800), ('dispatch_width', 500), ('depend', 300)"

# Sniper's CPI stacks, as printed.
status 0 "$HECATE" stack sniper-cpi "$data/sniper/stack.txt" --json -q
is "a printed CPI stack" "$(parts 0)" "[('dispatch_width', 0.25), ('depend', 0.13), ('depend_int', 0.13), ('branch', 0.07), ('ifetch', 0.05), ('mem', 0.73), ('mem_l1d', 0.1), ('mem_l3', 0.15), ('mem_dram', 0.48), ('other', 0.02)]"
is "  CPI, and nothing too much" "$(json out '[(b["figure"], round(b["over"], 6)) for x in d["observations"] for b in x["bars"]]')" "[(1.25, 0)]"
status 0 "$HECATE" stack sniper-cpi "$data/sniper/table.txt"
has "a negative component is left out, and said" "$err" 'table.txt: values of 1 statistic left out \(below zero\): cpi.imbalance-end \(line 6\)'
status 0 "$HECATE" stack sniper-cpi "$data/sniper/table.txt" --json
is "  and makes its core's parts too much" "$(json out '[(x["name"], round(b["over"], 6)) for x in d["observations"] for b in x["bars"]]')" "[('table:core0', 0), ('table:core1', 0.1)]"
"$HECATE" stack sniper-cpi - --json -q <"$data/sniper/stack.txt" >out 2>/dev/null
is "from a pipe" "$(json out 'd["observations"][0]["name"], d["observations"][0]["bars"][0]["figure"]')" "('stdin', 1.25)"

# A whole that no counter of the data is part of is unknown, and one of 0 is no bar: another simulation, or another file.
grep -v elapsed_time "$data/sniper/dump.txt" >wrong.txt
status 2 "$HECATE" stack sniper wrong.txt -q
has "a dump without the whole" "$err" 'nothing could be accounted for: no observation has the counters of a whole: performance_model.elapsed_time; .*--check'
is "  the whole is unknown" "$(printf '%s\n' "$out" | grep -c 'time ? ns')" 2
status 2 "$HECATE" stack sniper wrong.txt -q --json
is "  in JSON, too" "$(json "$tmp/out" '[b["whole"] for x in d["observations"] for b in x["bars"]]')" "[None, None]"
printf 'performance_model.elapsed_time = 0, 0\nrob_timer.cpiBase = 0, 0\n' >idle.txt
status 2 "$HECATE" stack sniper idle.txt -q
has "a whole of 0" "$err" 'nothing could be accounted for: the whole is 0 in each observation'
printf 'performance_model.elapsed_time = 0, 7\nrob_timer.cpiBase = 0, 7\n' >half.txt
status 0 "$HECATE" stack sniper half.txt -q

# Its database: 2 ns are 2 000 000 fs.
py - "$HECATE_TESTS/data/sniper/db.sql" <<'P'
import sqlite3, sys
c = sqlite3.connect("sim.stats.sqlite3"); c.executescript(open(sys.argv[1]).read())
P
status 0 "$HECATE" stack sniper sim.stats.sqlite3 --json -q
is "a database" "$(json "$tmp/out" '[(x["name"], b["whole"]) for x in d["observations"] for b in x["bars"]]')" "[('sim.stats:core0', 2), ('sim.stats:core1', 2)]"

# Side by side, and in a session file.
status 0 "$HECATE" import -q -o s.hecate "$data/sniper/stack.txt" "$data/sniper/table.txt"
status 0 "$HECATE" stack sniper-cpi s.hecate --json
is "a session file gives the same" "$(parts 0)" "[('dispatch_width', 0.25), ('depend', 0.13), ('depend_int', 0.13), ('branch', 0.07), ('ifetch', 0.05), ('mem', 0.73), ('mem_l1d', 0.1), ('mem_l3', 0.15), ('mem_dram', 0.48), ('other', 0.02)]"
status 0 "$HECATE" stack sniper,gem5-o3 "$data/sniper/dump.txt" "$data/gem5/mcf-o3.txt" --ascii -q
has "two simulators in one account" "$out" '^ gem5_o3 '
done_testing
