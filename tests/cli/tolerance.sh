#!/bin/sh
# hecate check on exact totals of hardware counters. Interrupts make them wrong by a few counts, which must not refute a
# true model.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
sim="--machine small --samples 30 --accesses 2000 --warm-up 1000 --plant merging --exact"
random='random:footprint=64M,touched=0,loads={0.3,0.5,0.7,1}'
check="check haswell-mmu --features merging"
lies=
for event in dtlb_load_misses.walk_completed dtlb_load_misses.miss_causes_a_walk dtlb_load_misses.pde_cache_miss mem_uops_retired.all_loads \
	dtlb_store_misses.walk_completed mem_uops_retired.stlb_miss_loads; do
	lies="$lies --lie $event=interrupt:1"
done

# shellcheck disable=SC2086 # lists of words
status 0 "$HECATE" sim -q $sim --workload "$random" $lies -o interrupts.hct
status 1 "$HECATE" $check interrupts.hct --tolerance 0 --json -o strict.json
is "without a tolerance a true model is refuted" "$(json strict.json 'd["infeasible"] > 0')" True
status 0 "$HECATE" $check interrupts.hct --json -o tolerant.json
is "with the tolerance of hardware counters it survives" "$(json tolerant.json 'd["infeasible"]')" 0
is "each observation has it" "$(json tolerant.json '{tuple(w["code"] for w in o["warnings"] if w["code"] != "zero-suspect") for o in d["observations"]}')" "{('tolerance',)}"
has "  in a sentence" "$(json tolerant.json '[w["text"] for w in d["warnings"] if w["code"] == "tolerance"][0]')" 'exact'
status 0 "$HECATE" $check interrupts.hct --tolerance 1000
status 2 "$HECATE" $check interrupts.hct --tolerance -1
has "a tolerance below 0" "$err" '--tolerance'
status 2 "$HECATE" $check interrupts.hct --tolerance some
has "a tolerance that is not a number" "$err" '--tolerance'

# Larger errors refute as before.
# shellcheck disable=SC2086
status 0 "$HECATE" sim -q $sim --workload "$random" --lie dtlb_load_misses.walk_completed=factor:1.02 -o wrong.hct
status 1 "$HECATE" $check wrong.hct --json
is "a counter that counts 2 % too much" "$(json "$tmp/out" 'd["infeasible"]')" 4

# Software events, and files without a duration, are exact to the count.
cat >rule.udd <<'END'
model rule; counter a = "page-faults"; counter b = "minor-faults"; path p { count a; count b; }
END
printf 'a,b\n1000,1001\n' >totals.csv
status 1 "$HECATE" check rule.udd totals.csv --exact --json
is "no tolerance" "$(json "$tmp/out" 'd["observations"][0]["warnings"]')" "[]"
status 0 "$HECATE" check rule.udd totals.csv --exact --tolerance 1
done_testing
