#!/bin/sh
# hecate search names a counter that counts by a factor before it proposes features. If a feature is missing, no counter
# explains that.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
seeds=$(echo 2 1 3 4 5 6 7 8 | cut -d " " -f "-$(rounds 1 8)")

simulate() {
	seed=$1
	shift
	rm -f m.hct
	"$HECATE" sim -q -o m.hct -m haswell-mmu --seed "$seed" --samples 60 --accesses 20000 --warm-up 100000 \
		--workload linear:footprint=1G,stride=64 --workload linear:footprint=64M,stride=4096 --workload lines:footprint=1G \
		--workload random:footprint=256M --workload random:footprint=1G,loads=0.7 "$@" >sim.out 2>&1 || cat sim.out
}

for seed in $seeds; do
	for lie in load.walk_done:dtlb_load_misses.walk_completed:1.23 load.walk_done:dtlb_load_misses.walk_completed:1.05 \
		load.causes_walk:dtlb_load_misses.miss_causes_a_walk:0.8 load.ret_stlb_miss:mem_uops_retired.stlb_miss_loads:1.23; do
		counter=${lie%%:*} factor=${lie##*:} event=${lie#*:}
		event=${event%:*}
		simulate "$seed" --lie "$event=factor:$factor"
		status 0 "$HECATE" search -q haswell-mmu m.hct --json
		# Another counter that occurs in all broken constraints, and counts the inverse, explains as much.
		is "seed $seed: $counter × $factor leaves no survivor, and is named with its factor" \
			"$(json out "d['minimal'], [x['factor_least'] * .99 <= $factor <= x['factor_most'] * 1.01 for x in d['suspects'] if x['counter'] == '$counter']")" \
			"([], [True])"
		has "  and a sentence says so" "$(json out 'd["says"]')" "(^perhaps|; or) $counter counts [0-9at]"
	done
	simulate "$seed"
	for without in tlb_pf merging; do
		status 0 "$HECATE" search -q haswell-mmu m.hct --fix $without --json
		is "seed $seed: no model survives without $without, and no counter is named" "$(json out 'd["minimal"], d["suspects"]')" "([], [])"
	done
done

# The text has counters before features.
simulate 1 --lie dtlb_load_misses.walk_completed=factor:1.23
status 0 "$HECATE" search -q haswell-mmu m.hct
has "text" "$out" '^perhaps load.walk_done counts 1\.2[0-9]( to 1\.2[0-9])? times what it should, the same in all observations: that alone would explain all [0-9]+ that refute'
is "text: counters first" "$(printf '%s\n' "$out" | grep -nE '^(perhaps|no choice|proposed)' | cut -d: -f2 | cut -c1-7 | tr '\n' ' ')" "perhaps no choi propose "
status 0 "$HECATE" search -q haswell-mmu m.hct --step discovery
has "a step: before its proposal" "$out" '^perhaps |relax'

# By hand: a and b rise together, and b counts three times instead of two.
cat >pair.udd <<'X'
model pair; counter a; counter b; feature more;
path p { count a; count b; }
path q when more { count b; }
X
printf 'observation,a,b\no,1000,1500\nq,2000,3000\nr,701,1052\n' >factor.csv
printf 'observation,a,b\no,1000,1500\nq,2000,2600\nr,700,900\n' >feature.csv
status 0 "$HECATE" search pair.udd factor.csv --exact --json
is "either counter, by the common factor" "$(json out 'sorted((x["counter"], round(x["factor_least"], 2), round(x["factor_most"], 2), x["explains"]) for x in d["suspects"])')" "[('a', 0.67, 0.67, 3), ('b', 1.5, 1.5, 3)]"
is "  next to the feature that survives" "$(json out 'd["minimal"]')" "[['more']]"
status 0 "$HECATE" search pair.udd feature.csv --exact --json
is "without a common factor: the feature" "$(json out 'd["minimal"], d["suspects"]')" "([['more']], [])"

# An error that refutes every model everywhere: it stands out against the model that has the missing feature, too.
cat >three.udd <<'X'
model three; counter a; counter b; counter c; feature more;
path p { count a; count b; count c; }
path q when more { count c; }
X
printf 'observation,a,b,c\no,10010,10000,15000\nq,20020,20000,23000\nr,7007,7000,10000\n' >small.csv
status 0 "$HECATE" search three.udd small.csv --exact --json
is "a small error next to a missing feature" "$(json out 'd["minimal"], sorted(x["counter"] for x in d["suspects"])')" "([], ['a', 'b'])"
status 0 "$HECATE" search three.udd small.csv --exact
has "  with as many digits as tell it from 1" "$out" ' a counts 1\.00095 to 1\.00105 times .* that refute more$'
printf 'observation,a,b\no,10,15\nq,20,20\n' >one.csv
status 0 "$HECATE" search pair.udd one.csv --exact --json
is "one refuted observation names no counter" "$(json out 'd["suspects"]')" "[]"

done_testing
