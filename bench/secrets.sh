#!/bin/sh
# Machines with secret features: all sets of the five that haswell usually has, each with SEEDS seeds (3), run the suite
# (mmu). A search names the features of each: over the choices of MODEL (haswell-mmu), and over those of RIVALS
# (haswell-study), which has other explanations of the same counts. LEAVE (its triggers of prefetches, and what no counter
# shows) stays off there.
#   SEEDS=1 FEATURES="early_psc merging" OPTIONS="--samples 40" bench/secrets.sh
# A feature is false if the data require it and the machine does not have it. It is missed if the machine has it and the
# data do not require it. A missed one is open if a model with it and one without survive. It is hidden if a model without
# it allows everything that the machine does, whatever is measured.
# With KEEP=DIR each machine is kept as DIR/SET-SEED.json and not simulated again.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT INT TERM
: "${HECATE:=hecate}" "${SEEDS:=3}" "${SUITE:=mmu}" "${MODEL:=haswell-mmu}" "${RIVALS:=haswell-study}" "${MACHINE:=haswell}" "${FEATURES:=tlb_pf early_psc merging pml4e bypass}"
: "${LEAVE:=pf_loads,pf_stores,pf_spec,pf_lsq,pf_dtlb_miss,pf_stlb_miss,pf_sets,ab_l1,ab_l2}" "${KEEP:=$tmp}"

reveal() { # FILE NAME OPTIONS…
	file=$1 name=$2
	shift 2
	"$HECATE" sim --reveal "$file" "$@" --json -o "$KEEP/$name.part" && mv "$KEEP/$name.part" "$KEEP/$name"
}

score() { # NAME FAMILY
	python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
text = lambda key: ",".join(d[key]) or "none"
print("\t".join([text("planted"), text("answer"), text("false"), text("missed"), text("open"), "yes" if d["survives"] else "no", ",".join(f for f in d["missed"] if f in d["hidden"]) or "none"]))' "$KEEP/$1" | tee -a "$tmp/$2"
}

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
		own=$subset-$seed.json rivals=$subset-$seed-rivals.json
		if [ ! -s "$KEEP/$own" ] || [ ! -s "$KEEP/$rivals" ]; then
			# shellcheck disable=SC2086
			"$HECATE" sim -q --machine "$MACHINE" -m "$MODEL" --plant "${planted:-none}" --suite "$SUITE" --seed $((seed * 1000)) $OPTIONS -o "$tmp/s.hct" || exit 1
			reveal "$tmp/s.hct" "$own" && reveal "$tmp/s.hct" "$rivals" -m "$RIVALS" --fix "$LEAVE" || exit 1
			rm -f "$tmp/s.hct"
		fi
		score "$own" own
		score "$rivals" rivals
		seed=$((seed + 1))
	done
	subset=$((subset + 1))
done >&2
for family in own rivals; do
	[ $family = own ] && echo "over the choices of $MODEL:" || echo "over those of $RIVALS, with its rivals:"
	awk -F '\t' '
	# Is each missed feature open or hidden?
	function excused(    i, n, a, all) {
		n = split($4, a, ",")
		all = 1
		for (i = 1; i <= n; i++)
			all = all && index("," $5 "," $7 ",", "," a[i] ",")
		return all
	}
	{ machines++; exact += $3 == "none" && $4 == "none"; score += $3 == "none" && excused(); refuted += $6 == "no" }
	$3 != "none" { false_ones += split($3, a, ","); wrong++ }
	$4 != "none" { n = split($4, a, ","); missed += n; for (i = 1; i <= n; i++) which[a[i]]++ }
	$5 != "none" { open += split($5, a, ",") }
	$7 != "none" { hidden += split($7, a, ",") }
	{ best += $3 == "none" && $4 == $7 }
	END {
		printf "  %d machines: %d named exactly, %d with more missed only that no counter shows, %d more with what these data leave open, %d with a false feature\n", machines, exact, best - exact, score - best, wrong
		printf "  %d false features, %d missed ones, of which %d are open and %d hidden; %d machines whose own features are refuted\n", false_ones, missed, open, hidden, refuted
		for (f in which) printf "    missed %s in %d\n", f, which[f] | "sort"
	}' "$tmp/$family"
done
