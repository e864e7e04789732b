#!/bin/sh
# FDL files wherever a model is accepted; -D and what a session keeps of it; folders as families; the forms of print;
# the columns that stand for counters.
. "$HECATE_TESTS/lib/tap.sh"
fdl=$HECATE_TESTS/fdl
cd "$tmp" || exit 1
cp -r "$fdl/good" "$fdl/family" "$fdl/gem5" .
number() { "$HECATE" paths "$@" --json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["paths"], len(d["signatures"]))'; }

# By file name, by model name, and in each subcommand.
is "a file" "$(number good/tlb.fdlm4)" "9 4"
mkdir -p models
cp good/three.fdl models/
is "by name, from HECATE_MODELS" "$(HECATE_MODELS=$tmp number three)" "5 4"
status 0 "$HECATE" constraints good/tlb.fdlm4 --json
is "constraints" "$(json out 'd["model"], [x["text"] for x in d["equalities"]]')" "('tlb', ['tlb.hit = tlb.hit_4k + tlb.hit_2m'])"
status 0 "$HECATE" print good/tlb.fdlm4 --dot
is "one node for each label's text" "$(grep -c 'label="walks"' out)" 2
status 0 "$HECATE" print good/tlb.fdlm4 --svg
has "a picture" "$out" '^<svg'
cat >rows.csv <<'CSV'
observation,TLB.hit_4k:u,tlb.hit_2m:u,walks:u,missed:u
good,4,2,6,3
good,5,1,4,2
good,6,2,8,1
good,3,3,6,3
bad,4,2,6,63
bad,5,1,4,62
bad,6,2,8,61
bad,3,3,6,63
CSV
status 1 "$HECATE" check good/tlb.fdlm4 rows.csv --independent-rows --json
is "verdicts" "$(json out '[(x["name"], x["verdict"]) for x in d["observations"]]')" "[('good', 'feasible'), ('bad', 'infeasible')]"
is "the sum is derived, and :u is reported" "$(json out 'sorted({x["code"]: x["text"] for x in d["warnings"] if x["code"] in ("derived", "user-only")}), d["missing"], d["extra"]')" "(['derived', 'user-only'], [], [])"
status 1 "$HECATE" check good/tlb.fdlm4 rows.csv --independent-rows --explain --flow
has "the explanation names a property once" "$out" 'tlb · Tlb Miss · ■ walks'
hasnt() { case "$2" in *"$3"*) not_ok "$1" "$2" ;; *) ok "$1" ;; esac; }
hasnt "  nothing else" "$out" 'Tlb Miss · Retires Yes · Tlb Miss'
status 0 "$HECATE" import -o s.hct -m good/tlb.fdlm4 -D EXTRA -D MORE=1 rows.csv
status 0 "$HECATE" paths s.hct --json
is "a session reopens the model with its -D" "$(json out '"tlb.more" in d["signatures"][2]["coef"] or any("tlb.more" in s["coef"] for s in d["signatures"])')" True
cp good/tlb.fdlm4 gone.fdlm4
"$HECATE" import -q -o t.hct -m gone.fdlm4 rows.csv 2>/dev/null
rm gone.fdlm4
status 1 "$HECATE" check -q --independent-rows t.hct
status 0 "$HECATE" report -q good/tlb.fdlm4 rows.csv
has "a report" "$out" 'tlb'
status 0 "$HECATE" locate -q good/tlb.fdlm4 walks rows.csv
status 0 "$HECATE" search -q good/tlb.fdlm4 rows.csv --observations good

# -D without a meaning.
status 2 "$HECATE" paths good/three.fdl -D EXTRA
has "-D and a .fdl file" "$err" '-D is for .fdlm4 files; good/three.fdl does not go through m4'
status 2 "$HECATE" paths haswell-mmu -D EXTRA
has "-D and a µDD" "$err" '-D is for .fdlm4 files'
status 2 "$HECATE" paths good/tlb.fdlm4 -D 4
has "-D without a name" "$err" '-D 4 defines nothing'

# What print gives, compared with m4 itself.
status 0 "$HECATE" print good/tlb.fdlm4
printf '%s\n' "$out" >own.fdl
status 0 "$HECATE" print own.fdl
is "print repeats what it printed" "$out" "$(cat own.fdl)"
for set in "" "-D EXTRA" "-D EXTRA=1 -D MORE"; do
	# shellcheck disable=SC2086
	if command -v m4 >/dev/null; then
		m4 $(echo "$set" | sed 's/-D /-D/g') good/tlb.fdlm4 >through.fdl
		"$HECATE" print through.fdl >want
		"$HECATE" print good/tlb.fdlm4 $set >got
		is "as m4 $set expands it" "$(cat got)" "$(cat want)"
	else
		skip "as m4 $set expands it" "m4 is not installed"
	fi
done
status 0 "$HECATE" print good/tlb.fdlm4 --udd -o tlb.udd
is "as a µDD" "$(number tlb.udd)" "9 4"
status 0 "$HECATE" print haswell-mmu --variant m1 --fdl -o m1.fdl
has "what FDL cannot express" "$err" 'not in FDL: events: load.ret counts mem_uops_retired.all_loads'
is "a µDD as FDL" "$(number m1.fdl)" "2736 557"
status 2 "$HECATE" print haswell-mmu --fdl --dot
has "a single form" "$err" 'give one of them'

# Events with CounterPoint's names: their own columns, four of them together, and the short names of our recordings.
cat >pair.fdl <<'FDL'
FLOW {
    incr mem_uops_retired.all_loads;
    switch Walks {
        Yes => incr dtlb_load_misses.miss_causes_a_walk; incr page_walker_loads;
        No => pass;
    };
    done;
}
FDL
printf 'observation,mem_uops_retired.all_loads,DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK,page_walker_loads.dtlb_l1,page_walker_loads.dtlb_l2,page_walker_loads.dtlb_l3,page_walker_loads.dtlb_memory\no,10,4,1,2,0,1\n' >events.csv
printf 'observation,load.ret,load.causes_walk,walk_ref.l1,walk_ref.l2,walk_ref.l3,walk_ref.mem\no,10,4,1,2,0,1\n' >short.csv
printf 'observation,load.ret,load.causes_walk,page_walker_loads\no,10,4,4\n' >sum.csv
for file in events short sum; do
	status 0 "$HECATE" check pair.fdl $file.csv --exact --json
	is "$file: all three counters" "$(json out 'd["missing"], [(x["counter"], x["mean"]) for x in d["observations"][0]["values"]], d["extra"]')" \
		"([], [('mem_uops_retired.all_loads', 10), ('dtlb_load_misses.miss_causes_a_walk', 4), ('page_walker_loads', 4)], [])"
done
# Counters of FDL, which are bare names of events, are explained: each event of fdl.counters has a text.
printf 'observation,mem_uops_retired.all_loads,dtlb_load_misses.miss_causes_a_walk,page_walker_loads\no,10,5,4\n' >refuted.csv
status 1 "$HECATE" check -q pair.fdl refuted.csv --exact
has "a refutation says what its counters count" "$(tr '\n' ' ' <out)" 'oad walks started'
is "events without a text" "$(sed -n '/^counter/,/;/p' "$TOP_SRCDIR/models/fdl.counters" | tr -d '\n' | tr ';' '\n' |
	grep counter | grep -cv '"  *"')" 0
status 0 "$HECATE" sim -q -m haswell-study --workload linear:footprint=64M,stride=64 --samples 30 -o sim.hct
status 1 "$HECATE" check pair.fdl sim.hct --json
is "a recording of haswell-study" "$(json out 'd["missing"]')" "[]"
printf 'counter mem_uops_retired.all_loads = "my.loads";\n' >fdl.counters
printf 'observation,my.loads\no,10\n' >mine.csv
status 0 "$HECATE" check -q pair.fdl mine.csv --exact
rm fdl.counters
status 2 "$HECATE" check -q pair.fdl mine.csv --exact

# A folder.
status 0 "$HECATE" compare family
has "a partial order" "$out" '^  large = large2 +More$'
has "  the smaller ones in it" "$out" 'contains next: small$'
status 0 "$HECATE" compare family --json
is "tags" "$(json out '[(x["name"], x["tags"]) for x in d["sets"]]')" "[('large', ['More']), ('large2', ['More', 'Early']), ('small', [])]"
status 0 "$HECATE" compare family/ small large --json
is "two of them" "$(json out 'd["relation"], d["second"]["tags"]')" "('inside', ['More'])"
status 2 "$HECATE" search family rows.csv
has "why a search is impossible" "$err" 'family/ is a folder of models, which have no features in common that a search could switch'
is "  in one sentence" "$(printf '%s\n' "$err" | grep -c .)" 1
status 0 "$HECATE" paths family --variant small
status 2 "$HECATE" paths family
has "no model of the folder is chosen" "$err" '--variant names one of them: large, large2, small'
status 2 "$HECATE" print family
has "a folder has no text of its own" "$err" 'or all of them as one µDD family with --udd'
status 0 "$HECATE" print family --udd -o family.udd
status 0 "$HECATE" compare family.udd
has "as one family" "$out" '^  large = large2 '
printf 'observation,one,two,extra\no,3,1,5\n' >extra.csv
status 1 "$HECATE" check family extra.csv --exact --variant large
status 0 "$HECATE" import -q -o folder.hct -m family extra.csv
rm -r family
status 1 "$HECATE" check folder.hct --exact --variant small
mkdir nothing
status 2 "$HECATE" compare nothing
has "a folder without FDL files" "$err" 'nothing/ has no .fdl or .fdlm4 file'

# gem5.
for file in reset goes-on; do
	status 0 "$HECATE" check -q gem5/core.fdl "$HECATE_TESTS/data/gem5/$file.txt" --json
	is "gem5: $file" "$(json out '[(x["name"], x["samples"], x["verdict"]) for x in d["observations"]], d["missing"]')" "([('$file', 3, 'feasible')], [])"
done
awk '/Begin/ { n++ } n == 2' "$HECATE_TESTS/data/gem5/reset.txt" >stats.txt
status 0 "$HECATE" check gem5/core.fdl stats.txt --json
is "a statistic that no dump lists is 0" "$(json out '[x["text"] for x in d["warnings"] if x["code"] == "silent-zero"], d["missing"]')" \
	"(['fetch_squashes is taken as 0: system.cpu.fetch.status::squashing is not in the data, and their source leaves out what is 0'], [])"
status 0 "$HECATE" import -q -o gem5.hct stats.txt
status 0 "$HECATE" check gem5/core.fdl gem5.hct --json
is "  also from a session" "$(json out 'd["missing"], d["observations"][0]["verdict"]')" "([], 'feasible')"
head -5 stats.txt >cut.txt
status 2 "$HECATE" check gem5/core.fdl cut.txt
has "a truncated file" "$err" 'cut.txt:1: the dump that begins here has no end'
done_testing
