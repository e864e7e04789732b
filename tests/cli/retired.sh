#!/bin/sh
# The retirement model against real processors: exact events are refuted on each, the paper's letters repair them, and
# each letter is needed (tests/data/determinism/README). A tolerance of 500 is 50 for each of the ten runs.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
runs=$HECATE_TESTS/data/determinism/x86-retired.csv

check() {
	"$HECATE" check -q x86-retired "$runs" --exact --tolerance 500 --json "$@" >out 2>err
	out=$(cat out)
}

check
is "exact events are refuted on every machine" "$(json out 'sorted(x["name"] for x in d["observations"] if x["verdict"] == "feasible")')" "['broadwell.conditionals', 'core2.stores']"
is "  by certificates" "$(json out 'all(x["certificate"]["verified"] for x in d["observations"] if x["verdict"] == "infeasible")')" True
check --variant paper_hp
is "h and p repair instructions, except where D is" "$(json out 'sorted(x["name"] for x in d["observations"] if x["verdict"] == "feasible")')" \
	"['broadwell.branches', 'broadwell.conditionals', 'broadwell.instructions', 'core2.instructions', 'core2.stores', 'fam10h.branches', 'nehalem.branches', 'nehalem.instructions']"
for cpu in nehalem core2 fam10h sandybridge:broadwell; do
	variant=${cpu%:*} machine=${cpu#*:}
	check --variant "$variant" --observations "$machine.*"
	is "the letters of $variant repair all events of $machine" "$(json out 'd["infeasible"]')" 0
done
# Only what is needed stays: instructions lost none of h and p, stores need what cpuid and fences add.
while read -r variant feature event; do
	check --variant "$variant" --without "$feature" --observations "${event}"
	is "$variant without $feature: $event" "$(json out '[x["verdict"] for x in d["observations"]]')" "['infeasible']"
done <<'X'
nehalem opcode_0f nehalem.conditionals
nehalem serial_stores nehalem.stores
nehalem missed_loads nehalem.loads
core2 leak_conditionals core2.conditionals
core2 double_branch core2.branches
core2 more_loads core2.loads
fam10h double_count fam10h.instructions
sandybridge memory_uops broadwell.stores
X
check --features leak_interrupt --observations '*.instructions'
is "without p none is repaired" "$(json out 'd["infeasible"]')" 4
check --features leak_fault --observations '*.instructions'
is "nor without h" "$(json out 'd["infeasible"]')" 4
check --variant core2 --features leak_stores --observations core2.stores
is "Core 2's stores do not leak" "$(json out 'd["infeasible"]')" 1

# The same by correction: what the paper's table says of events makes the model of exact events survive.
cat >hp.trust <<'X'
cpu nehalem { event "instructions" { verdict correctable; letters "hp"; adds 1 per interrupts; adds 1 per page-faults; source "table 6"; } }
X
mean=$(awk -F, '$1 == "nehalem.instructions" { n++; sum += $8 + $9 } END { printf "%.0f", sum / n }' "$runs")
check --trust hp.trust --observations nehalem.instructions
is "corrected by what was counted" "$(json out '[(x["counter"], round(x["subtracted"]), x["widened"]) for x in d["observations"][0]["trust"]], d["observations"][0]["verdict"], d["observations"][0]["without_trust"]')" \
	"([('instructions', $mean, 0)], 'feasible', 'infeasible')"
check --trust nehalem --observations 'nehalem.[ib]*'
is "by the installed table, with E and F, which were not counted" "$(json out '[(x["verdict"], x["without_trust"], x["trust"][0]["widened"] < 2e5) for x in d["observations"]]')" \
	"[('feasible', 'infeasible', True), ('feasible', 'infeasible', True)]"
done_testing
