#!/bin/sh
# hecate check --trust corrects counters by what is known of their events, and says how much that mattered. A leak that
# refutes a true model refutes it no more; a wrong model stays refuted, by a certificate of the corrected counts.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >leak.trust <<'X'
cpu sim {
	event "dtlb_load_misses.walk_completed" { verdict correctable; letters "p"; adds 1 per page-faults; source "planted"; }
}
cpu other {
	event "instructions" { verdict correctable; letters "h"; adds 1 per interrupts; source "planted"; }
}
X
"$HECATE" sim -q --exact --seed 3 --samples 40 --accesses 20000 --warm-up 5000 -o m.hct \
	--workload random:footprint=1G,touched=0 --workload linear:footprint=1G,stride=4096,touched=0 \
	--workload linear:footprint=1G,stride=64 --lie dtlb_load_misses.walk_completed=fault:1 >sim.out 2>&1 || cat sim.out
truth=tlb_pf,early_psc,merging

status 1 "$HECATE" check -q haswell-mmu m.hct --features $truth --json
is "a leak refutes the true model" "$(json out 'd["infeasible"], d["observations"][0]["trust"], d["observations"][0]["without_trust"]')" "(2, [], None)"
status 1 "$HECATE" check -q haswell-mmu m.hct --features $truth --explain --json
is "check --explain names the leak" "$(json out '[(x["counter"], x["per"], x["rate_least"] <= 1 <= x["rate_most"], x["explains"]) for x in d["suspects"]][0]')" "('load.walk_done', 'page-faults', True, 2)"
status 1 "$HECATE" check -q haswell-mmu m.hct --features $truth --explain
has "  in a line before what refutes" "$(printf '%s\n' "$out" | sed '/^what refutes it/q')" "^perhaps load.walk_done counts 1 too many per page-faults, .*explain all 2 that refute tlb_pf, early_psc"
status 1 "$HECATE" check -q haswell-mmu m.hct --features $truth --propose
has "check --propose: before the signature" "$out" "perhaps load.walk_done counts 1 too many per page-faults, the same in all observations .*explain all 2 that refute"
has "  and after it" "$out" "a signature explains no more than one wrong counter does"

status 0 "$HECATE" check -q haswell-mmu m.hct --features $truth --trust leak.trust:sim --json
is "with trust nothing refutes it" "$(json out 'd["infeasible"], d["feasible"]')" "(0, 3)"
is "  each observation says what was corrected" "$(json out '[(x["counter"], x["subtracted"] > 1000, x["widened"], x["because"]) for x in d["observations"][0]["trust"]]')" "[('load.walk_done', True, 0, '1 per page-faults (planted)')]"
is "  and what would be without" "$(json out '[x["without_trust"] for x in d["observations"]]')" "['infeasible', 'infeasible', None]"
status 0 "$HECATE" check -q haswell-mmu m.hct --features $truth --trust leak.trust:sim
has "text" "$out" "trust +load.walk_done .* lower: it counts too many, 1 per page-faults \(planted\)"
has "  " "$out" "without these corrections it would be infeasible"
has "  the sum" "$out" "counters corrected in 2 of 3: that changes 2 verdicts"

status 1 "$HECATE" check -q haswell-mmu m.hct --trust leak.trust:sim --json
is "a wrong model stays refuted, certified" "$(json out '[(x["name"], x["certificate"]["verified"]) for x in d["observations"] if x["verdict"] == "infeasible"]')" "[('linear:footprint=1G,stride=64', True)]"
status 0 "$HECATE" search -q haswell-mmu m.hct --json
is "search without trust names the leak first" "$(json out 'd["minimal"], d["suspects"][0]["counter"], d["suspects"][0]["per"]')" "([], 'load.walk_done', 'page-faults')"
status 0 "$HECATE" search -q haswell-mmu m.hct --trust leak.trust:sim --trust-zeros --json
is "search with trust finds the truth" "$(json out 'd["minimal"], d["suspects"]')" "([['tlb_pf', 'early_psc', 'merging']], [])"

status 2 "$HECATE" check -q haswell-mmu m.hct --trust leak.trust
has "which processor?" "$err" "is about several processors; write --trust .*:CPU with one of: sim, other"
status 2 "$HECATE" check -q haswell-mmu m.hct --trust leak.trust:none
has "no such processor" "$err" "knows no processor none"
status 2 "$HECATE" check -q haswell-mmu m.hct --trust nowhere.trust
has "no such file" "$err" "cannot open nowhere.trust"
echo 'cpu x { event }' >bad.trust
status 2 "$HECATE" check -q haswell-mmu m.hct --trust bad.trust
has "a file that is wrong" "$err" "bad.trust:1"
status 0 "$HECATE" check -q haswell-mmu m.hct --features $truth --trust leak.trust:sim --trust haswell
status 2 "$HECATE" check -q haswell-mmu m.hct --trust haswell --counterpoint
has "CounterPoint takes counts as they are" "$err" "counterpoint does not go with --trust"

done_testing
