#!/bin/sh
# models/haswell-study.udd: where on its way a µop triggers a prefetch, what rival features do to a search, and the 34
# models of the case study on one table of observations.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# places FILE PATH: for each signature, the lookups that a µpath of it made before its first reference, and those after
places() {
	python3 - "$1" "$2" <<'END'
import json, sys
kind = sys.argv[2].split("_")[0]
seen = set()
for s in json.load(open(sys.argv[1]))["signatures"]:
    steps = s["example"]
    if steps[0]["name"] != sys.argv[2]:
        continue
    first = next(i for i, x in enumerate(steps) if x["step"] == "count" and x["name"].startswith("walk_ref."))
    made = [x["name"] + " " + x["value"] for x in steps[:first] if x["step"] == "choice" and x["name"] in (kind + "_DTLB", kind + "_STLB", kind + "_PdeCache")]
    fate = [x["value"] for x in steps[:first] if x["name"] == kind + "_Fate"]
    seen.add(", ".join(made + fate))
print("; ".join(sorted(seen)))
END
}
while read -r variant kind before; do
	"$HECATE" paths haswell-study --variant "$variant" --json >paths.json
	is "$variant: the lookups before a prefetch" "$(places paths.json "${kind}_triggers")" "$before"
done <<'END'
t0 load Retires; Squashed
t9 load Retires
t10 load load_DTLB Miss, Retires
t11 load load_DTLB Miss, load_STLB Miss, Retires
t12 store Retires
t13 store store_DTLB Miss, Retires
t14 store store_DTLB Miss, store_STLB Miss, Retires
END
"$HECATE" paths haswell-study --variant t16 --json >t16.json
for kind in load store; do
	is "t16: both kinds, at a DTLB miss, ${kind}s" "$(places t16.json ${kind}_triggers)" "${kind}_DTLB Miss, Retires"
done
status 2 "$HECATE" paths haswell-study --features pf_loads
has "loads trigger prefetches at some place" "$err" 'pf_lsq'

# All variants as a partial order.
status 0 "$HECATE" compare haswell-study --json
is "variants and cones" "$(json out 'len(d["sets"]), len({s["cone"] for s in d["sets"]}), [s["error"] for s in d["sets"] if s["error"]]')" "(43, 23, [])"
status 0 "$HECATE" compare haswell-study
has "t0 to t8 are m4" "$out" '^  m4 = m8 = t0 = t1 = t2 = t3 = t4 = t5 = t6 = t7 = t8 = '
has "a0 to a3 are one" "$out" '^  a0 = a1 = a2 = a3 = '

# Walks without references, missed lookups without walks, references without walks: without rivals a search requires the
# features that are named after them. With rivals it requires nothing, and lists the alternatives.
# row NAME COUNTER=COUNT…: an observation with all counters; the others are 0
"$HECATE" constraints haswell-study --json >m0.json
row() {
	python3 - "$@" <<'END'
import json, sys
said = dict(x.split("=") for x in sys.argv[2:])
counters = json.load(open("m0.json"))["counters"]
assert set(said) <= set(counters)
print(",".join([sys.argv[1]] + [said.get(c, "0") for c in counters]))
END
}
walks="load.causes_walk=1000 load.walk_done_4k=1000 load.walk_done=1000"
{
	echo "observation,$(json m0.json '",".join(d["counters"])')"
	row hidden $walks load.ret_stlb_miss=1000 load.ret=1000
	row lookups $walks load.ret_stlb_miss=1000 load.ret=1000 'load.pde$_miss=2000' walk_ref.l2=4000
	row linear load.ret=64000 walk_ref.l2=4000
} >data.csv
status 0 "$HECATE" search haswell-mmu data.csv --exact --trust-zeros --json
is "no rivals" "$(json out '[" ".join(x) for x in d["minimal"]], d["required"]')" \
	"(['tlb_pf early_psc merging bypass'], ['tlb_pf', 'early_psc', 'merging', 'bypass'])"
triggers=pf_loads,pf_stores,pf_spec,pf_lsq,pf_dtlb_miss,pf_stlb_miss,pf_sets,ab_l1,ab_l2
status 0 "$HECATE" search haswell-study data.csv --exact --trust-zeros --fix $triggers --json
is "rivals" "$(json out 'sorted(" ".join(x) for x in d["minimal"]), d["required"]')" \
	"(['tlb_pf bypass ab_psc', 'tlb_pf early_psc merging bypass', 'tlb_pf early_psc merging replay', 'tlb_pf merging ab_psc replay'], ['tlb_pf'])"
# Retired requests without a counted walk are merged; no rival explains them.
row merged $walks load.ret_stlb_miss=3000 load.ret=3000 walk_ref.l2=1000 >>data.csv
status 0 "$HECATE" search haswell-study data.csv --exact --trust-zeros --fix $triggers --json
is "merging has no rival here" "$(json out 'd["required"]')" "['tlb_pf', 'merging']"
is "early_psc has one" "$(json out 'sorted(" ".join(x) for x in d["minimal"])')" \
	"['tlb_pf early_psc merging bypass', 'tlb_pf early_psc merging replay', 'tlb_pf merging ab_psc replay', 'tlb_pf merging bypass ab_psc']"

# The 34 models of Tables 3, 5 and 7, and which observations refute which.
refuted() {
	for v in "$@"; do
		"$HECATE" check haswell-study data.csv --exact --trust-zeros --variant $v --json >$v.json
	done
	python3 - "$@" <<'END'
import json, sys
for v in sys.argv[1:]:
    print(v, *(x["name"] for x in json.load(open(v + ".json"))["observations"] if x["verdict"] == "infeasible"))
END
}
is "Table 3" "$(refuted m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11)" "m0 hidden lookups linear merged
m1 hidden lookups merged
m2 hidden
m3 hidden
m4
m5 linear
m6 lookups
m7 lookups merged
m8
m9 linear
m10 lookups
m11 lookups merged"
is "Table 5" "$(refuted t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15 t16 t17 | tr -s '\n ' ' ')" \
	"t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 linear t11 linear t12 linear t13 linear t14 linear t15 t16 linear t17 linear "
is "Table 7" "$(refuted a0 a1 a2 a3 | tr -s '\n ' ' ')" "a0 hidden a1 hidden a2 hidden a3 hidden "
# A replay counts as a walk of its own. Only that of a merged request, of which nothing else is counted, has no
# reference next to it.
is "appendix C.4" "$(refuted r0 r1 r2 r3 | tr -s '\n ' ' ')" "r0 r1 hidden lookups merged r2 linear r3 "
done_testing
