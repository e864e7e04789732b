#!/bin/sh
# Machines whose features are to be found out: all sets of the five that haswell usually has, each with SEEDS seeds (3), by the suite (mmu), and what a search over the model (haswell-mmu) names of each.
#   SEEDS=1 FEATURES="early_psc merging" OPTIONS="--samples 40" bench/secrets.sh
# A feature is false where the data require it and the machine has it not; missed where it has it and they do not require it; of these, open where a model with it and one without survive.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT INT TERM
: "${HECATE:=hecate}" "${SEEDS:=3}" "${SUITE:=mmu}" "${MODEL:=haswell-mmu}" "${MACHINE:=haswell}" "${FEATURES:=tlb_pf early_psc merging pml4e bypass}"
set -- $FEATURES
subsets=$((1 << $#)) subset=0
while [ $subset -lt $subsets ]; do
	planted='' bit=0
	for feature; do
		[ $((subset >> bit & 1)) -eq 1 ] && planted=$planted${planted:+,}$feature
		bit=$((bit + 1))
	done
	seed=1
	while [ $seed -le "$SEEDS" ]; do
		# shellcheck disable=SC2086
		"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "${planted:-none}" --suite "$SUITE" --seed $((seed * 1000)) $OPTIONS -o "$tmp/s.hct" || exit 1
		"$HECATE" sim --reveal "$tmp/s.hct" --json -o "$tmp/s.json" || exit 1
		rm -f "$tmp/s.hct"
		python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
text = lambda key: ",".join(d[key]) or "none"
print("\t".join([text("planted"), text("answer"), text("false"), text("missed"), text("open"), "yes" if d["survives"] else "no"]))' "$tmp/s.json" | tee -a "$tmp/all"
		seed=$((seed + 1))
	done
	subset=$((subset + 1))
done >&2
awk -F '\t' '
	{ machines++; exact += $3 == "none" && $4 == "none"; told += $3 == "none" && $4 == $5; refuted += $6 == "no" }
	$3 != "none" { false_ones += split($3, a, ","); wrong++ }
	$4 != "none" { n = split($4, a, ","); missed += n; for (i = 1; i <= n; i++) which[a[i]]++ }
	$5 != "none" { open += split($5, a, ",") }
	END {
		printf "%d machines: %d named exactly, %d more by all that the data can tell, %d with a false feature\n", machines, exact, told - exact, wrong
		printf "%d false features, %d missed ones, of which %d are open; %d machines whose own features are refuted\n", false_ones, missed, open, refuted
		for (f in which) printf "  missed %s in %d\n", f, which[f] | "sort"
	}' "$tmp/all"
