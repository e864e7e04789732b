#!/bin/sh
# hecate metrics: the metrics that the installed perf has for three processors, and their values against Python's arithmetic
# on the same formulas (lib/metric_oracle.py).
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
# A perf whose metrics are of events that every machine has, and one of each that cannot be read.
mkdir bin
cat >bin/perf <<'P'
#!/bin/sh
case "$*" in
*version*) echo "perf version 6.1.0" ;;
*) cat <<'L'

Metrics:

  faults_per_ms
       [Page faults a millisecond]
       [page\-faults / (duration_time * 1000)]
  major_share
       [Share of major faults]
       [major\-faults / page\-faults]
  itself
       [A metric that needs itself]
       [1 + through]
  through
       [Likewise]
       [itself * 2]
  unknown_function
       [A function of tomorrow]
       [log2(page\-faults)]
L
;; esac
P
chmod +x bin/perf
real=$PATH PATH=$tmp/bin:$PATH
status 0 "$HECATE" metrics
has "what is not understood is listed with the reason" "$out" '^unknown_function +0  not understood: the function log2 is unknown$'
has "  so is what needs itself" "$out" '^itself +0  not understood: it needs itself: itself, through, itself$'
has "  and counted" "$out" '^5 metrics of .*, 3 not understood$'
status 0 "$HECATE" metrics -M faults_per_ms,major_share --json -- true
is "a command: exact counts, and seconds" "$(json out '[(x["metric"], x["low"] <= x["value"] <= x["high"], x["value"] < 1e5, x["lacks"]) for x in d["observations"][0]["values"]]')" \
	"[('faults_per_ms', True, True, None), ('major_share', True, True, None)]"
has "  the formula has the counts" "$(json out 'd["observations"][0]["values"][1]["substituted"]')" '^[0-9]+ / [1-9][0-9]*$'
status 2 "$HECATE" metrics -- true
has "a command without -M" "$err" 'metrics of a command need -M NAME; hecate metrics lists the names'
status 2 "$HECATE" metrics -M itself -- true
has "a metric that is not understood" "$err" 'itself is not understood: it needs itself'
status 0 "$HECATE" record -o m.hct -M faults_per_ms -- true
has "record -M says the value" "$err" '^faults_per_ms +[0-9.]+'
status 0 "$HECATE" metrics m.hct -M faults_per_ms
has "  the session has it, too" "$out" '^faults_per_ms +[0-9.]+'
status 0 "$HECATE" record -q -o n.hct -m linux-page-faults -M major_share -- true
status 0 "$HECATE" metrics n.hct -M major_share
has "next to the counters of a model" "$out" '^major_share +[0-9.]+'
status 0 "$HECATE" net linux-vm -M major_share -- true
has "and to those of a network" "$out" '^major_share +[0-9.]+'
status 2 "$HECATE" stack stall-sources -M major_share -- true
has "the time of tasks has no events" "$err" '^hecate: -M: the time of tasks is recorded here, and no events are counted; hecate metrics -M NAME -- CMD counts them$'
status 2 "$HECATE" record -o o.hct -M major_shares -- true
has "a misspelt metric" "$err" 'called major_shares; nearest: major_share$'
# A newer perf: metrics with thresholds and scales, in the form of perf 6.12 (tools/perf/builtin-list.c)
cat >bin/perf <<'P'
#!/bin/sh
case "$*" in
*version*) echo "perf version 6.12.0" ;;
*) cat <<'L'
[
{
	"MetricGroup": "TopdownL1;tma_L1_group",
	"MetricName": "tma_frontend_bound",
	"MetricExpr": "topdown\\-fe\\-bound / (topdown\\-fe\\-bound + topdown\\-be\\-bound) - DROPPED / tma_info_thread_slots",
	"MetricThreshold": "tma_frontend_bound > 0.15",
	"ScaleUnit": "100%",
	"BriefDescription": "front end"
},
{
	"MetricGroup": "TopdownL2;tma_L2_group;tma_frontend_bound_group",
	"MetricName": "tma_fetch_latency",
	"MetricExpr": "topdown\\-fetch\\-lat / (topdown\\-fe\\-bound + topdown\\-be\\-bound)",
	"MetricThreshold": "tma_fetch_latency > 0.1 & tma_frontend_bound > 0.15",
	"ScaleUnit": "100%",
	"BriefDescription": "latency"
},
{
	"MetricName": "tma_info_thread_slots",
	"MetricExpr": "TOPDOWN.SLOTS if has_event(TOPDOWN.SLOTS) else slots",
	"BriefDescription": "slots"
}
]
L
;; esac
P
export HECATE_CPUID=GenuineIntel-6-C1-1
for c in topdown-fe-bound:200 topdown-be-bound:800 topdown-fetch-lat:150 DROPPED:10 slots:1000; do
	echo "${c#*:},,${c%:*},1000,100.00,,"
done >new.csv
status 0 "$HECATE" metrics new.csv
has "scale, unit and threshold" "$out" '^tma_fetch_latency +15 +% +above its threshold$'
has "  has_event() of what was not counted" "$out" '^tma_frontend_bound +19 +% +above its threshold$'
status 0 "$HECATE" stack TopdownL2 new.csv
has "perf's limits are those of the tree" "$out" '^ \* tma_frontend_bound +19\.0 +15 '
has "  of each level" "$out" '^ \*   tma_fetch_latency +15\.0 +10 '
status 0 "$HECATE" metrics new.csv -M tma_fetch_latency --json
is "  in JSON" "$(json out '[(round(x["value"], 9), x["above_threshold"]) for x in d["observations"][0]["values"]]')" "[(15.0, True)]"
unset HECATE_CPUID
PATH=$real
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
	has "  through other metrics" "$out" '^tma_core_bound +0\.25  0 \.\.\. 0\.6591 +widest: topdown-be-bound$'
	has "  and why there is none" "$out" '^BpTkBranch +BR_INST_RETIRED\.ALL_BRANCHES has no count$'
	status 0 "$HECATE" metrics $spr stat.csv -M IPC --json
	is "the formula with counts" "$(json out '[x["substituted"] for x in d["observations"][0]["values"]]')" "['5000000 / 2000000']"
	status 0 "$HECATE" metrics $spr stat.csv -M IPC --verbose
	has "  also below the row" "$out" '^  counted: 5000000 / 2000000$'
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
	has "  and one that is not" "$out" '^Slots_Utilization +#smt_on is not known \(-D smt_on=N states it\)$'
}
# perf's top-down groups as a tree: the nodes have the values of the metrics
export HECATE_CPUID=GenuineIntel-6-8F-4
status 0 "$HECATE" stack TopdownL6 --check
has "all levels" "$out" '^ +. +tma_fp_vector = '
status 0 "$HECATE" stack TopdownL2 stat.csv -q
has "a tree of a processor" "$out" '^   tma_backend_bound +40\.0 '
has "  its second level" "$out" '^     tma_core_bound +25\.0 '
has "  and what is not counted" "$out" '^     tma_heavy_operations +\? +not counted: topdown-heavy-ops'
status 0 "$HECATE" stack topdown stat.csv -q -v
has "nodes of any tree have the bounds of the same metric" "$out" '^ +between 0 and 65\.9 %; widest: topdown-be-bound$'
HECATE_CPUID=GenuineIntel-6-3F-2
status 0 "$HECATE" stack TopdownL1 --check
has "constants of a machine that is not known are said to be taken" "$out" '^ +smt_on +1 1: #smt_on, taken to be so'
HECATE_CPUID=AuthenticAMD-25-11-1
status 2 "$HECATE" stack TopdownL1 stat.csv
has "a processor without such metrics" "$err" 'no metric of this processor is in the group TopdownL1'
sed 's/,,topdown-be-bound,/,,topdown-other-bound,/; s/,,TOPDOWN.SLOTS,/,,SLOTS_OF_OLD,/' stat.csv >other.csv
status 2 "$HECATE" stack topdown other.csv
has "data that no tree fits" "$err" 'topdown-[a-z]+ fits best, but the data lack a counter of its root'
unset HECATE_CPUID
# every processor of x86 for which perf 6.1 has metrics (tools/perf/pmu-events/arch/x86/mapfile.csv)
all=0 lost=0
for cpu in 6-2A-7 6-2D-7 6-3A-9 6-3E-4 6-3C-3 6-3D-4 6-4F-1 6-56-3 6-5E-3 6-55-4 6-55-7 6-7E-5 6-6A-6 6-8C-1 6-97-2; do
	"$HECATE" metrics --cpu GenuineIntel-$cpu >list
	all=$((all + $(sed -n '1s/ .*//p' list))) lost=$((lost + $(grep -c 'not understood: ' list)))
done
echo "# $all metrics of 15 processors, $lost not understood"
is "the formulas of other processors are understood" "$((all > 1500)) $lost" "1 0"

vectors=$(rounds 60 1000)
for cpu in GenuineIntel-6-8F-4 GenuineIntel-6-3F-2 AuthenticAMD-25-11-1; do
	out=$(py "$HECATE_TESTS/lib/metric_oracle.py" "$HECATE" "$tmp" "$cpu" $vectors 2 2000 2>&1)
	is "$cpu: values and bounds are those of Python's arithmetic" "$? $(printf '%s\n' "$out" | grep -v '^# ')" "0 "
	printf '%s\n' "$out" | grep '^# '
done
done_testing
