#!/bin/sh
# hecate sim: simulated machines in session files and CSV; truth, secret machines and their scores; refused input.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
short="--machine small --samples 30 --accesses 2000 --warm-up 1000"
sql() { python3 -c 'import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall())' "$@"; }

# Into a session file, with its model and its truth.
status 0 "$HECATE" sim $short -m haswell-mmu --plant merging,early_psc --workload 'linear:footprint=64M,stride={64,4096}' -o s.hct
has "what was added" "$err" 's.hct: 2 observations were added; 120000 loads and stores'
status 0 "$HECATE" export s.hct --json -o s.json
is "two observations, named after their workloads" "$(json s.json '[o["name"] for o in d["observations"]]')" "['linear:footprint=64M,stride=64', 'linear:footprint=64M,stride=4096']"
is "  with the text that repeats them" "$(json s.json 'd["observations"][1]["source"]')" "sim:small:early_psc,merging:linear,footprint=64M,stride=4096:samples=30,seed=2,accesses=2000,warm-up=1000"
is "  and the model" "$(json s.json 'd["model"]')" haswell_mmu
status 0 "$HECATE" check s.hct --variant m4 --json -o check.json
is "verdicts on them as on any data" "$(json check.json '[o["verdict"] for o in d["observations"]]')" "['feasible', 'feasible']"
is "the truth is stored next to them" "$(sql s.hct "SELECT value FROM truth WHERE key='features'")" "[('early_psc,merging',), ('early_psc,merging',)]"
is "  by the number of the observation" "$(sql s.hct "SELECT count(*) FROM truth JOIN observation ON observation.id=truth.observation WHERE key='machine' AND value='small'")" "[(2,)]"
status 0 "$HECATE" export s.hct --csv -o s.csv
is "no export has it" "$(cat s.csv s.json | grep -cE 'translation prefetches|walks that')" 0
status 0 "$HECATE" sim -q $short -m haswell-mmu --plant none --workload 'linear:footprint=64M,stride=64' -o s.hct
is "a file is appended to, with other names" "$(sql s.hct "SELECT name FROM observation WHERE id IN (SELECT observation FROM truth WHERE value='none')")" "[('linear:footprint=64M,stride=64#2',)]"

# Ctrl-C ends it within a workload, and what is complete is kept.
status 0 python3 "$HECATE_TESTS/lib/stop.py" 0.3 "$HECATE" sim --machine small --warm-up 0 --samples 900000 --accesses 2000 --workload 'linear:stride={64,4096}' -o cut.hct
has "what Ctrl-C leaves" "$err" 'interrupted: [12] of 2 workloads have complete samples, and these are kept'
has "  is in the file" "$(sql cut.hct "SELECT count(*) FROM truth JOIN observation ON observation.id=truth.observation WHERE key='machine'")" '^\[\([12],\)\]$'
status 2 python3 "$HECATE_TESTS/lib/stop.py" 0 "$HECATE" sim --machine small --warm-up 900000000000 -o none.hct
has "  nothing" "$err" 'stopped before a sample was complete'
is "  and no file" "$(ls none.hct 2>&1 | grep -c 'No such')" 1
status 0 python3 "$HECATE_TESTS/lib/stop.py" 0.3 "$HECATE" sim --machine core --program mcf-like --truth never --warm-up 0 --samples 900000 --accesses 2000 --json
printf '%s\n' "$out" >cut.json
is "  on a pipeline" "$(json cut.json 'd["cut"], [r["program"] for r in d["runs"]]')" "(True, ['mcf-like'])"

# The same seed gives the same bytes; another seed gives others.
for seed in 5 5 6; do
	status 0 "$HECATE" sim $short --seed $seed --workload random --csv -o "$seed.csv"
	cksum <"$seed.csv" >>sums
done
is "the same seed, the same bytes" "$(sed -n 1p sums)" "$(sed -n 2p sums)"
is "another seed, others" "$(sort -u sums | wc -l | tr -d ' ')" 2
status 0 "$HECATE" sim $short --workload random --csv
has "a CSV, with the events' names" "$(printf '%s\n' "$out" | head -n 1)" '^observation,time,dtlb_load_misses.miss_causes_a_walk,.*,cycles,instructions,page-faults$'
status 0 "$HECATE" import -q -o back.hct 5.csv
status 0 "$HECATE" sim $short -e cycles,mem_uops_retired.all_loads --csv --exact
is "chosen events" "$(printf '%s\n' "$out" | sed -n '1p;$p' | cut -d, -f1,3-)" "$(printf 'observation,cycles,mem_uops_retired.all_loads\n'; printf '%s\n' "$out" | tail -n 1 | cut -d, -f1,3-)"
is "exact: each sample has its loads" "$(printf '%s\n' "$out" | sed 1d | cut -d, -f4 | sort -u)" 2000

# As data, and as a command.
status 0 "$HECATE" check haswell-mmu sim:small:none:linear,footprint=64M:samples=30,accesses=2000 --json -o data.json
is "as data" "$(json data.json '[(o["name"], o["samples"]) for o in d["observations"]]')" "[('linear:footprint=64M', 30)]"
status 0 "$HECATE" check haswell-mmu --json -o live.json -- sim:small:none:linear,footprint=64M:samples=3
is "as a command: exact totals" "$(json live.json '[(o["exact"], o["samples"]) for o in d["observations"]]')" "[(True, 1)]"
status 0 "$HECATE" record -q -m haswell-mmu -I 1 -o live.hct -- sim:small:none:random:samples=12,accesses=2000
is "recorded while it runs" "$(sql live.hct 'SELECT count(*) FROM sample')" "[(12,)]"
status 0 "$HECATE" check haswell-mmu --json -o live.json -r 2 -- sim:small:none:random:samples=3
is "  the second time with other numbers" "$(json live.json '[len(d["observations"]), d["observations"][0]["values"] == d["observations"][1]["values"]]')" "[2, False]"
status 2 "$HECATE" check haswell-mmu -- sim:small:none:random more
has "a simulated command has no arguments" "$err" 'takes no argument: more'

# A suite of the user's own; a trace.
printf '# two\nlinear:stride={8,64}\nchase\n' >own.suite
status 0 "$HECATE" sim $short -q --suite ./own.suite -o suite.hct
is "a suite" "$(sql suite.hct 'SELECT name FROM observation ORDER BY id')" "[('linear:stride=8',), ('linear:stride=64',), ('chase',)]"
printf 'linear\nlinaer\n' >bad.suite
status 2 "$HECATE" sim $short --suite ./bad.suite -o none.hct
has "a suite with an unknown workload: the place" "$err" 'bad.suite:2'
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "I  04000000,4\n L %x,8\n S %x,8\n", 268435456 + 4096 * (i % 700), 536870912 + 8 * i }' >trace
status 0 "$HECATE" sim --machine small --accesses 1000 --trace trace --exact -e mem_uops_retired.all_loads,mem_uops_retired.all_stores --csv
is "a trace, to its end" "$(printf '%s\n' "$out" | sed 1d | cut -d, -f1,3- | sort -u)" "trace,500,500"
is "  all of it" "$(printf '%s\n' "$out" | sed 1d | wc -l | tr -d ' ')" 10
status 0 "$HECATE" sim --machine small --accesses 10000 --trace trace --workload trace:page=2m --exact -e dtlb_load_misses.walk_completed_4k,dtlb_load_misses.walk_completed_2m_4m --csv
is "  its parameters" "$(printf '%s\n' "$out" | tail -n 1 | tr -d '"' | awk -F, '{ print $1, $3, ($4 > 0) }')" "trace:page=2m 0 1"
is "  from standard input" "$("$HECATE" sim -q --machine small --accesses 10000 --trace - --exact -e mem_uops_retired.all_loads --csv <trace | tail -n 1 | cut -d, -f1,3)" "trace,5000"
status 2 "$HECATE" sim --machine small --trace trace --workload linear -o none.hct
has "a trace is no other workload" "$err" 'replaces a workload'
status 2 "$HECATE" sim --machine small --warm-up 100000 --trace trace -o none.hct
has "a trace that is too short" "$err" 'ended before anything was measured.*--warm-up'
echo "no trace" >broken
status 2 "$HECATE" sim --machine small --trace broken -o none.hct
status 2 "$HECATE" sim --machine small --trace missing -o none.hct
has "no such trace" "$err" 'cannot open missing'
is "no file is left" "$(ls none.hct 2>/dev/null)" ""

# Errors of the PMU. A counter that is dead in many workloads is in no verdict, and refutes no true constraint.
workloads='linear:footprint=64M,stride={8,16,24,32,40,48,56,64,72,80,88,96,104,112,120,128,136,144,152,160}'
status 0 "$HECATE" sim -q $short -m haswell-mmu --plant none --workload "$workloads" --lie mem_uops_retired.all_loads=dead -o dead.hct
status 0 "$HECATE" check dead.hct --family-wise --json -o dead.json
is "a dead counter is in no verdict" "$(json dead.json '"load.ret" in d["dead"], "load.walk_done" in d["dead"], d["infeasible"]')" "(True, False, 0)"

# The simulator's zeros are zeros, whether counters take turns or not; of a machine that lies they may be anything.
printf 'model zero; counter l = "mem_uops_retired.all_loads"; counter g = "dtlb_load_misses.walk_completed_1g"; path p { count l; choose { case Small: case Large: count g; } }\n' >zero.udd
zeros='[w["text"].split(" ")[0] for w in d["warnings"] if w["code"] == "zero-suspect"]'
for how in "" ,exact; do
	status 0 "$HECATE" check zero.udd sim:haswell::linear:samples=8,accesses=2000$how --json
	is "no zero of a simulation is suspicious$how" "$(json out "$zeros")" "[]"
	status 0 "$HECATE" check zero.udd -I 1 --json -- sim:haswell::linear:samples=8,accesses=2000$how
	is "… live" "$(json out "$zeros")" "[]"
done
status 0 "$HECATE" check zero.udd --json -- sim:haswell::linear:samples=8,accesses=2000
is "… in totals" "$(json out "$zeros")" "[]"
for lie in "" "--lie dtlb_load_misses.walk_completed_1g=dead"; do
	status 0 "$HECATE" sim -q $short --exact -m zero.udd --workload linear $lie -o zero.hct
	status 0 "$HECATE" check zero.hct --json
	is "… in a file, with lies: ${lie:-none}" "$(json out "$zeros")" "$([ "$lie" ] && echo "['g']" || echo '[]')"
	rm zero.hct
done

status 0 "$HECATE" sim $short --exact -e instructions,page-faults --lie instructions=fault:100 --workload linear:footprint=600G,stride=4096,touched=0 --csv -o leak.csv
status 0 "$HECATE" sim $short --exact -e instructions,page-faults --workload linear:footprint=600G,stride=4096,touched=0 --csv -o honest.csv
is "each page fault leaks the requested number" "$(paste -d, leak.csv honest.csv | sed 1d | awk -F, '$3 - $7 != 100 * $8 || $8 == 0' | wc -l | tr -d ' ')" 0

# A counter that counts too much refutes a true model: it is named, with the events that its errors go along with.
random='random:footprint=64M,touched=0,loads={0.3,0.5,0.7,1}'
status 0 "$HECATE" sim -q $short --exact --plant merging --workload "$random" -o honest.hct
status 0 "$HECATE" check haswell-mmu honest.hct --features merging
for lie in fault:1 interrupt:20 factor:1.02; do
	rm -f wrong.hct
	status 0 "$HECATE" sim -q $short --exact --plant merging --workload "$random" --lie dtlb_load_misses.walk_completed=$lie -o wrong.hct
	status 1 "$HECATE" check haswell-mmu wrong.hct --features merging --explain --json -o wrong.json
	json wrong.json '"\n".join("%s %s %d %.4f %.4f %s %s" % (m["counter"], m["direction"], m["explains"], m["share_least"], m["share_most"], m.get("per"), round(m.get("rate_least", 0), 2)) for e in d["explanations"] for m in e["miscounts"][:1] if e["equality"])' >cause
	case $lie in
	fault:1)
		is "a leak of page faults is a possible cause" "$(cut -d' ' -f1-3,6- cause)" "load.walk_done high 4 page-faults 1.0"
		status 1 "$HECATE" check haswell-mmu wrong.hct --features merging --explain
		has "  in text" "$out" 'or a counter is wrong: load.walk_done too high by 1 per page-faults .*; that explains 4 of 4'
		;;
	interrupt:20) is "  interrupts of the timer" "$(cut -d' ' -f1-3,6 cause)" "load.walk_done high 4 s" ;;
	factor:1.02) is "  a counter that counts too much" "$(awk '{ print $1, $2, $3, ($4 > 0.018 && $5 < 0.0205), $6 }' cause)" "load.walk_done high 4 1 None" ;;
	esac
done
rm -f wrong.hct
status 0 "$HECATE" sim -q $short --exact --plant merging --workload "$random" --lie dtlb_load_misses.walk_completed_4k=factor:0.95 -o wrong.hct
status 1 "$HECATE" check haswell-mmu wrong.hct --features merging --explain --trust-zeros --json -o wrong.json
is "  one that counts too little, or the other one too much" \
	"$(json wrong.json 'sorted((m["counter"], m["direction"], m["explains"], round(m["share_most"], 2)) for e in d["explanations"] for m in e["miscounts"] if e["equality"] and m["share_most"])')" \
	"[('load.walk_done', 'high', 4, 0.05), ('load.walk_done_4k', 'low', 4, 0.05)]"

# Secret machines.
# All features but those that no model has.
family=tlb_pf,early_psc,merging,pml4e,bypass,pf_sets,pf_stores,pf_dtlb_miss,pf_stlb_miss,ab_walk,ab_psc,replay
status 0 "$HECATE" sim -q $short -m haswell-mmu --secret --seed 3 --plant "$family" --workload 'linear:footprint=64M' -o secret.hct
is "a secret machine shows no feature" "$(sql secret.hct "SELECT DISTINCT key FROM truth ORDER BY 1")" "[('machine',), ('salt',), ('seal',)]"
has "  nor the options that it was made with" "$(sql secret.hct 'SELECT source, command FROM observation')" 'sim:small:secret:.*sim:small:secret:'
status 0 "$HECATE" sim --reveal secret.hct --json -o reveal.json
planted=$(json reveal.json '",".join(d["planted"])')
is "it is revealed, and scored" "$(json reveal.json 'd["sealed"], d["searched"], d["false"], d["survives"], set(d["missed"]) <= set(d["planted"])')" "(True, True, [], True, True)"
status 0 "$HECATE" sim --reveal secret.hct -m haswell-study --fix pf_loads,pf_stores,pf_spec,pf_lsq,pf_dtlb_miss,pf_stlb_miss,pf_sets,ab_l1,ab_l2 --json -o rivals.json
is "with rivals in the family" "$(json rivals.json 'd["complete"], d["false"], d["survives"], "pf_sets" in d["missed"]')" "(True, [], True, False)"
status 0 "$HECATE" sim -q $short -m haswell-mmu --plant tlb_pf,early_psc,merging,pml4e,bypass --workload 'linear:footprint=64M' -o five.hct
status 0 "$HECATE" sim --reveal five.hct --json -o five.json
is "no counter separates a root cache from bypass" "$(json five.json 'd["hidden"]')" "['pml4e']"
status 0 "$HECATE" sim --reveal five.hct -m haswell-study --fix pf_loads,pf_stores,pf_spec,pf_lsq,pf_dtlb_miss,pf_stlb_miss,pf_sets,ab_l1,ab_l2 --json -o rivals.json
is "  nor an early lookup, if requests may be dropped" "$(json rivals.json 'd["hidden"]')" "['early_psc', 'pml4e']"
status 2 "$HECATE" sim --reveal secret.hct --fix merginj
has "  an unknown feature to leave out" "$err" 'no feature .merginj.*merging'
status 0 "$HECATE" sim --reveal secret.hct --plant "$planted" --json -o guess.json
is "an answer by the user" "$(json guess.json 'd["exact"], d["false"], d["missed"]')" "(True, [], [])"
status 0 "$HECATE" sim --reveal secret.hct --plant none
has "  a wrong one" "$out" 'not every feature is named'
status 0 "$HECATE" sim -q $short -m haswell-mmu --secret --seed 3 --plant "$family" --workload 'linear:footprint=64M' -o again.hct
status 0 "$HECATE" sim --reveal again.hct --json -o again.json
is "the same seed draws the same" "$(json again.json '",".join(d["planted"])')" "$planted"
status 2 "$HECATE" sim --reveal s.hct
has "two machines in one file have no single answer" "$err" 'holds 2 machines'
status 2 "$HECATE" sim --reveal back.hct
has "recorded data have no truth" "$err" 'has no truth'
python3 -c 'import sqlite3; c = sqlite3.connect("again.hct"); c.execute("UPDATE truth SET value = ? WHERE key = ?", ("0123", "seal")); c.commit()'
status 2 "$HECATE" sim --reveal again.hct
has "a broken seal" "$err" 'no set of features has this seal'

# What is refused.
cat >tiny.machine <<'END'
END
for bad in "" "--machine nothing -o x.hct" "--machine ./tiny.machine -o x.hct" "--workload linear:speed=1 -o x.hct" "--workload linear:footprint=1048576G -o x.hct" "--plant fast -o x.hct" \
	"--samples 0 -o x.hct" "--accesses 0 -o x.hct" "--seed x -o x.hct" "--lie cycles=often:1 -o x.hct" "-e nothing -o x.hct" "-e {cycles,page-faults -o x.hct" "--secret --csv" "--json -o x.hct" \
	"--secret --plant none -o x.hct" "-m haswell-mmu -e cycles -o x.hct" "-m linux-page-faults -e cycles -o x.hct" "--suite nothing -o x.hct" "--fix merging -o x.hct" "--workload {a -o x.hct"; do
	status 2 "$HECATE" sim $bad
	has "  with what to do" "$err" '^hecate: .{20}'
done
status 2 "$HECATE" sim $short -e '{page_walker_loads.dtlb_l1,page_walker_loads.dtlb_l2,page_walker_loads.dtlb_l3,page_walker_loads.dtlb_memory,machine_clears.count}' -o x.hct
has "more events together than there are counters" "$err" 'can never be counted.*smaller groups'
is "no file was written" "$(ls x.hct 2>/dev/null)" ""
status 0 "$HECATE" sim --list
has "the features that exist" "$out" 'early_psc'
is "  in ASCII" "$("$HECATE" sim --list --ascii | LC_ALL=C grep -c "[^ -~]")" 0
has "  parameters of programs, with defaults" "$out" 'to_far=0 +share of the other accesses that go anywhere'
has "  suites" "$out" 'mmu +[0-9]+ workloads'
is "the suite mmu has 200 workloads or more" "$(printf '%s\n' "$out" | awk '$1 == "mmu" { print ($2 >= 200) }')" 1
done_testing
