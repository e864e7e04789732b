#!/bin/sh
# HECATE_EVENTS: metrics of a copy of intel/perfmon in both of its forms, processors with two kinds of cores, and Arm's
# tables for the PMUs of a big.LITTLE machine. The files are made; names, keys and places are those of the two projects.
. "$HECATE_TESTS/lib/tap.sh"

cd "$tmp" || exit 1
mkdir bin spr adl arm
printf '#!/bin/sh\nexit 1\n' >bin/perf
chmod +x bin/perf
export PATH="$tmp/bin:$PATH" XDG_CACHE_HOME="$tmp/home" HECATE_SYSFS="$tmp/sys" HECATE_EVENTS="$tmp" COLUMNS=200
cat >mapfile.csv <<'END'
Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
GenuineIntel-6-8F,V1,/spr/core.json,core,,,
GenuineIntel-6-8F,V1,/spr/metrics.json,metrics,,,
GenuineIntel-6-8F,V1,/spr/perf.json,metrics,,,
GenuineIntel-6-97,V1,/adl/atom.json,hybridcore,0x20,0x000001,Atom
GenuineIntel-6-97,V1,/adl/core.json,hybridcore,0x40,0x000001,Core
GenuineIntel-6-97,V1,/adl/metrics.json,metrics,0x40,0x000001,Core
GenuineIntel-6-97,V1,/adl/perf.json,metrics,,,
END
core='{"Events": [{"EventCode": "0x3C", "UMask": "0x00", "EventName": "MADE.CYCLES", "Counter": "0,1"},
 {"EventCode": "0xC0", "UMask": "0x00", "EventName": "MADE.WORK", "Counter": "0,1"}]}'
echo "$core" | tee spr/core.json adl/core.json >adl/atom.json
cat >spr/metrics.json <<'END'
{"Header": {"Version": "1"}, "Metrics": [
 {"MetricName": "made_cpi", "LegacyName": "metric_CPI", "Level": 1, "BriefDescription": "Cycles per work",
  "UnitOfMeasure": "per instruction", "MetricGroup": "MadeGroup", "Category": "x",
  "Events": [{"Name": "MADE.CYCLES", "Alias": "a"}, {"Name": "MADE.WORK", "Alias": "b"}], "Constants": [],
  "Formula": "a / b", "Threshold": {"ThresholdMetrics": [{"Alias": "a", "Value": "metric_CPI"}], "Formula": "a > 2"}},
 {"MetricName": "made_share", "LegacyName": "metric_S", "UnitOfMeasure": "percent", "MetricGroup": "",
  "Category": "MadeCategory",
  "Events": [{"Name": "MADE.CYCLES:c1:e1", "Alias": "a"}, {"Name": "MADE.WORK:SUP", "Alias": "a_b"},
             {"Name": "MADE.WORK:retire_latency", "Alias": "c"}],
  "Constants": [{"Name": "HYPERTHREADING_ON", "Alias": "smt_on"}, {"Name": "20", "Alias": "weight"}],
  "Formula": "100 * ( a if smt_on else a_b ) / ( weight * c )"},
 {"MetricName": "made_new", "LegacyName": "metric_N", "UnitOfMeasure": "", "MetricGroup": "",
  "Events": [{"Name": "MADE.WORK", "Alias": "a"}], "Constants": [{"Name": "system.sockets[0]", "Alias": "b"}],
  "Formula": "a == b"},
 {"MetricName": "made_most", "LegacyName": "metric_M", "MetricGroup": "", "Constants": [],
  "Events": [{"Name": "MADE.WORK", "Alias": "a"}, {"Name": "MADE.CYCLES", "Alias": "b"}],
  "Formula": "100 * ( a <= b ) + 10 * ( a >= b ) + ( a >= a )"}]}
END
echo '[{"MetricName": "made_plain", "MetricExpr": "100 * MADE.WORK / MADE.CYCLES", "ScaleUnit": "1%"}]' >spr/perf.json

export HECATE_CPUID=GenuineIntel-6-8F-4
status 0 "$HECATE" metrics made_cpi
has "a formula's letters are its events" "$out" 'formula: MADE.CYCLES / MADE.WORK'
has "  those of a threshold are metrics" "$out" 'threshold: made_cpi > 2'
has "  its unit, group and source" "$(echo $out)" 'unit: per instruction groups: MadeGroup .*source: HECATE_EVENTS'
status 0 "$HECATE" metrics made_share --json
is "letters of an event, a constant, a number" "$(json "$tmp/out" 'd["metrics"][0]["formula"]')" \
	'100 * ( cpu@MADE.CYCLES\,cmask\=1\,edge\=1@ if #smt_on else MADE.WORK:k ) / ( 20 * MADE.WORK:R )'
is "  it is understood" "$(json "$tmp/out" 'd["metrics"][0]["problem"]')" None
is "  in percent, with its category" "$(json "$tmp/out" '[d["metrics"][0][k] for k in ("unit", "groups")]')" "['%', 'MadeCategory']"
status 0 "$HECATE" metrics made_new
has "what perf's language has no word for is named" "$out" "not understood: '=' where"
status 0 "$HECATE" metrics made_plain
has "perf's own form of a metric" "$out" 'formula: 100 \* MADE.WORK / MADE.CYCLES'
printf 'observation,MADE.WORK,MADE.CYCLES\nx,10,40\n' >x.csv
status 0 "$HECATE" metrics -M made_cpi,made_plain,made_most x.csv
has "both have values in data" "$(echo $out)" 'made_cpi 4 per instruction above its threshold .*made_plain 25 %'
has "perfmon's <= and >=" "$(echo $out)" 'made_most 101 '
head -c 300 spr/metrics.json >cut && cp cut spr/metrics.json
status 0 "$HECATE" metrics made_plain # a file that is cut leaves the others

# two kinds of cores
sed 's/made_cpi/hybrid/' >adl/metrics.json <<'END'
{"Metrics": [{"MetricName": "made_cpi", "LegacyName": "m", "Formula": "a / b", "MetricGroup": "TopdownL1",
 "Events": [{"Name": "MADE.CYCLES", "Alias": "a"}, {"Name": "MADE.WORK", "Alias": "b"}], "Constants": []}]}
END
cat >adl/perf.json <<'END'
[{"MetricName": "hybrid", "MetricExpr": "part / cpu_atom@MADE.WORK@", "Unit": "cpu_atom", "MetricGroup": "TopdownL1"},
 {"MetricName": "part", "MetricExpr": "cpu_atom@MADE.CYCLES@ * 3"},
 {"MetricName": "part", "MetricExpr": "cpu_core@MADE.CYCLES@ * 5"}]
END
export HECATE_CPUID=GenuineIntel-6-97-2
status 0 "$HECATE" events made.work --json
is "events of two kinds of cores" "$(json "$tmp/out" 'sorted(e["pmu"] for e in d["events"])')" "['cpu_atom', 'cpu_core']"
status 0 "$HECATE" fit --cpu $HECATE_CPUID cpu_core/MADE.WORK/ cpu_core/MADE.CYCLES/ cpu_atom/MADE.WORK/ cpu_atom/MADE.CYCLES/
has "  they do not compete for counters" "$out" '^4 events fit at once: 4 of 4 counters'
status 1 "$HECATE" fit --cpu $HECATE_CPUID made.work made.cycles cycles cpu_atom/MADE.WORK/
status 2 "$HECATE" metrics -M hybrid x.csv
has "a metric of both is asked back" "$err" 'hybrid is a metric of PMU cpu_atom and of PMU cpu_core'
has "  what to write" "$err" 'write cpu_atom/hybrid/ or cpu_core/hybrid/'
status 0 "$HECATE" metrics part --json
is "both are kept, by the kind that their formula names" \
	"$(json "$tmp/out" '[(m["name"], m["pmu"]) for m in d["metrics"]]')" \
	"[('cpu_atom/part/', 'cpu_atom'), ('cpu_core/part/', 'cpu_core')]"
printf 'observation,cpu_atom/MADE.WORK/,cpu_atom/MADE.CYCLES/,cpu_core/MADE.CYCLES/\nx,10,40,1000\n' >y.csv
status 0 "$HECATE" metrics -M cpu_atom/hybrid/ y.csv
has "a metric in a formula is the one of the same cores" "$out" 'cpu_atom/hybrid/ +12'
status 2 "$HECATE" stack TopdownL1
has "a tree of both is asked back" "$err" 'write cpu_atom/TopdownL1/ or cpu_core/TopdownL1/'
status 0 "$HECATE" stack cpu_core/TopdownL1/ x.csv
has "  one of them" "$out" 'hybrid'

# Arm: a machine with two PMUs, each of other cores
for core in "armv8_cortex_a55 0-3 0xd05" "armv8_cortex_a76 4-7 0xd0b"; do
	set -- $core
	pmu="$tmp/sys/bus/event_source/devices/$1"
	mkdir -p "$pmu/format" "$tmp/sys/devices/system/cpu/cpu${2%-*}/regs/identification"
	echo 8 >"$pmu/type"
	echo "$2" >"$pmu/cpus"
	echo config:0-15 >"$pmu/format/event"
	printf '0x00000000411f%s0\n' "${3#0x}" >"$tmp/sys/devices/system/cpu/cpu${2%-*}/regs/identification/midr_el1"
done
echo '{"cpuid": "0x41d05", "cpu": "A55", "events": [{"code": 8, "name": "INST_RETIRED"}]}' >arm/a55.json
echo '{"cpuid": "0x41d0b", "cpu": "A76", "events": [{"code": 8, "name": "INST_RETIRED"}, {"code": 20, "name": "L1I_CACHE"}]}' >arm/a76.json
export HECATE_EVENTS="$tmp/arm" HECATE_CPUID=0x00000000411fd050
status 0 "$HECATE" events inst_retired --json
is "Arm's events belong to the PMU of their cores" "$(json "$tmp/out" 'sorted(e["pmu"] for e in d["events"])')" \
	"['armv8_cortex_a55', 'armv8_cortex_a76']"
status 0 "$HECATE" events l1i_cache
has "  also where only one kind has them" "$out" 'armv8_cortex_a76/event=0x14/'

done_testing
