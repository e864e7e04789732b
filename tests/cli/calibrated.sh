#!/bin/sh
# hecate sim --calibrate finds the errors of a simulated machine's counters. With that book no leak refutes a true model,
# and no search proposes a signature for it; false models stay refuted. Without it the counter is named before anything
# else. Each error is planted on seeds of its own; `make bench-trust` has rates.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
seeds=$(seq "$(rounds 1 6)")
truth=tlb_pf,early_psc,merging

simulate() { # FILE SEED LIE…
	file=$1 seed=$2
	shift 2
	rm -f "$file"
	"$HECATE" sim -q --exact --seed "$seed" --samples 40 --accesses 20000 --warm-up 5000 --plant $truth,bypass -o "$file" \
		--set 'timer 1000 Hz' --workload random:footprint=1G,touched=0 --workload linear:footprint=1G,stride=4096,touched=0 \
		--workload linear:footprint=1G,stride=64 "$@" >sim.out 2>&1 || cat sim.out
}
calibrate() { status 0 "$HECATE" sim -q --set 'timer 1000 Hz' --plant $truth,bypass --seed 77 --calibrate book.trust "$@"; }
refuted() { json out 'd["infeasible"]'; }

# COUNTER EVENT HOW: in the book, what refutes, what is named
planted() {
	counter=$1 event=$2 how=$3 adds=$4 per=$5
	calibrate --lie "$event=$how"
	status 0 "$HECATE" check book.trust --json
	is "$event=$how is found, and nothing else" \
		"$(json out '[(e["events"], [(t["low"] <= '"$adds"' <= t["high"], t["high"] - t["low"] < 0.001, t["per"]) for t in e["adds"]]) for e in d["pages"][0]["events"] if e["letters"] or e["adds"]]')" \
		"[(['$event'], [(True, True, '$per')])]"
	for seed in $seeds; do
		simulate clean.hct "$seed"
		simulate m.hct "$seed" --lie "$event=$how"
		status 0 "$HECATE" check -q haswell-mmu clean.hct --features $truth,bypass --json
		"$HECATE" check -q haswell-mmu m.hct --features $truth,bypass --json >out
		is "seed $seed: $event=$how refutes the true model falsely" "$(json out 'd["infeasible"] > 0')" True
		status 0 "$HECATE" check -q haswell-mmu m.hct --features $truth,bypass --trust book.trust --json
		is "seed $seed:   with the book it does not" "$(refuted)" 0
		"$HECATE" check -q haswell-mmu clean.hct --json >out
		want=$(refuted)
		status 1 "$HECATE" check -q haswell-mmu m.hct --trust book.trust --json
		is "seed $seed:   the model without features stays refuted" "$(json out '(d["infeasible"] > 0, all(x["certificate"]["verified"] for x in d["observations"] if x["verdict"] == "infeasible"))')" "(True, True)"
		# Looking for signatures that explain an error of a few counts takes seconds, over all choices of features.
		[ -z "$HECATE_SLOW" ] && [ "$per" = interrupts ] && fix="--features $truth --fix $truth" || fix=
		status 0 "$HECATE" search -q haswell-mmu m.hct --json $fix
		is "seed $seed:   a search without it names the counter first" "$(json out '[x["counter"] for x in d["suspects"]][:1]')" "['$counter']"
		status 0 "$HECATE" search -q haswell-mmu m.hct --trust book.trust --json
		is "seed $seed:   with it the true model survives, and nothing is proposed or suspected" \
			"$(json out '(len(d["minimal"]) > 0, all(set(m) <= set("'$truth,bypass'".split(",")) for m in d["minimal"]), d["suspects"], d.get("proposals"))')" "(True, True, [], None)"
	done
}
planted load.walk_done dtlb_load_misses.walk_completed fault:1 1 page-faults
planted load.walk_done dtlb_load_misses.walk_completed interrupt:5 5 interrupts
planted load.walk_done dtlb_load_misses.walk_completed factor:1.23 0.23 count

# A machine whose counters are right, one error of another kind, and mistakes.
calibrate
is "a machine without errors" "$("$HECATE" check book.trust --json | py -c 'import json, sys; print({(e["verdict"], e["letters"]) for e in json.load(sys.stdin)["pages"][0]["events"]})')" "{('deterministic', '')}"
cp book.trust first.trust
calibrate
is "  the same each time" "$(cmp first.trust book.trust && echo same)" same
calibrate --lie dtlb_load_misses.pde_cache_miss=also:mem_uops_retired.all_stores:0.1 --lie page_walker_loads.dtlb_l3=dead
is "what is no leak is bounded, and a dead counter is named" "$("$HECATE" check book.trust --json | py -c 'import json, sys; print([(e["verdict"], e["letters"]) for e in json.load(sys.stdin)["pages"][0]["events"] if e["letters"]])')" "[('else', '!'), ('else', 'M')]"
status 2 "$HECATE" sim --calibrate b.trust -o x.hct
has "no samples" "$err" "calibrate writes a .trust file, and no samples; leave out -o"
status 2 "$HECATE" sim --machine core --calibrate b.trust
has "no pipeline" "$err" "has a pipeline, whose counters are not calibrated; calibrate a machine without one"
status 2 "$HECATE" sim -q --calibrate no/such/folder/b.trust
has "a folder that is not there" "$err" "no/such/folder/b.trust"
done_testing
