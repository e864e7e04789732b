#!/bin/sh
# hecate metrics: the metrics that the installed perf has for three processors, and their values against Python's arithmetic
# on the same formulas (lib/metric_oracle.py).
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
if ! command -v perf >/dev/null; then
	skip "metrics" "perf is not installed"
	done_testing
	exit
fi
spr="--cpu GenuineIntel-6-8F-4"
cat >stat.csv <<'C'
5000000,,INST_RETIRED.ANY,1000,100.00,,
2000000,,CPU_CLK_UNHALTED.THREAD,1000,50.00,,
300,,BR_INST_RETIRED.NEAR_TAKEN,1000,100.00,,
100,,topdown-retiring,1000,40.00,,
200,,topdown-fe-bound,1000,40.00,,
300,,topdown-bad-spec,1000,40.00,,
400,,topdown-be-bound,1000,40.00,,
150,,topdown-mem-bound,1000,40.00,,
6000000,,TOPDOWN.SLOTS,1000,100.00,,
C
# shellcheck disable=SC2086
{
	status 0 "$HECATE" metrics $spr
	has "a list" "$out" '^[0-9]{3} metrics of GenuineIntel-6-8F-4$'
	has "  with each metric's number of events" "$out" '^tma_memory_bound +6  This metric represents fraction of slots the Memory'
	status 0 "$HECATE" metrics $spr "SLOTS memory bottleneck"
	has "words in any place" "$out" '^tma_memory_bound$'
	status 0 "$HECATE" metrics $spr stat.csv -M IPC,tma_core_bound,BpTkBranch
	has "a value with bounds: half of the time unseen" "$out" '^IPC +2\.5  1\.667 \.\.\. 5 +widest: CPU_CLK_UNHALTED\.THREAD$'
	has "  through other metrics" "$out" '^tma_core_bound +0\.25  0 \.\.\. 0\.[0-9]+ +widest: topdown-be-bound$'
	has "  and why there is none" "$out" '^BpTkBranch +BR_INST_RETIRED\.ALL_BRANCHES has no count$'
	status 0 "$HECATE" metrics $spr stat.csv -M IPC --json
	is "the formula with counts" "$(json out '[x["substituted"] for x in d["observations"][0]["values"]]')" "['5000000 / 2000000']"
	status 0 "$HECATE" metrics $spr -M TopdownL1
	has "a group" "$out" '^4 metrics of'
	status 2 "$HECATE" metrics $spr -M tma_core_bond
	has "a name that is misspelt" "$err" 'no metric and no group of metrics is called tma_core_bond; nearest: tma_core_bound'
	status 2 "$HECATE" metrics $spr nothing-like-this
	has "a pattern that nothing fits" "$err" 'no metric fits the pattern; hecate metrics lists all'
	status 2 "$HECATE" metrics $spr stat.csv -D moons=2
	has "a constant that nothing needs" "$err" '-D moons=2: states no constant of these metrics; they have: .*smt_on=N'
	status 0 "$HECATE" metrics $spr stat.csv -M Slots_Utilization -D smt_on=0
	has "a constant that is stated" "$out" '^Slots_Utilization +1 *$'
	status 0 "$HECATE" metrics $spr stat.csv -M Slots_Utilization
	has "  and one that is not" "$out" '^Slots_Utilization +#smt_on is not known$'
}
# perf's top-down groups as a tree: the nodes have the values of the metrics
export HECATE_CPUID=GenuineIntel-6-8F-4
status 0 "$HECATE" stack TopdownL6 --check
has "all levels" "$out" '^ +. +tma_fp_vector = '
status 0 "$HECATE" stack TopdownL2 stat.csv -q
has "a tree of a processor" "$out" '^   tma_backend_bound +40\.0 '
has "  its second level" "$out" '^     tma_core_bound +25\.0 '
has "  and what is not counted" "$out" '^     tma_heavy_operations +\? +not counted: topdown-heavy-ops'
HECATE_CPUID=GenuineIntel-6-3F-2
status 0 "$HECATE" stack TopdownL1 --check
has "constants of a machine that is not known are said to be taken" "$out" '^ +_smt_on +1 1: #smt_on, taken to be so'
HECATE_CPUID=AuthenticAMD-25-11-1
status 2 "$HECATE" stack TopdownL1 stat.csv
has "a processor without such metrics" "$err" 'no metric of this processor is in the group TopdownL1'
sed 's/,,topdown-be-bound,/,,topdown-other-bound,/; s/,,TOPDOWN.SLOTS,/,,SLOTS_OF_OLD,/' stat.csv >other.csv
status 2 "$HECATE" stack topdown other.csv
has "data that no tree fits" "$err" 'topdown-[a-z]+ fits best, but the data lack a counter of its root'
unset HECATE_CPUID
vectors=150
[ -n "$HECATE_SLOW" ] && vectors=1000
for cpu in GenuineIntel-6-8F-4 GenuineIntel-6-3F-2 AuthenticAMD-25-11-1; do
	out=$(py "$HECATE_TESTS/lib/metric_oracle.py" "$HECATE" "$tmp" "$cpu" $vectors 2 2000 2>&1)
	is "$cpu: values and bounds are those of Python's arithmetic" "$? $(printf '%s\n' "$out" | grep -v '^# ')" "0 "
	printf '%s\n' "$out" | grep '^# '
done
done_testing
