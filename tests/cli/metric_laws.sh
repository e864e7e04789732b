#!/bin/sh
# Laws between metrics: shares, levels of a tree, laws of a file that name metrics; on exact and on scaled counts, in
# metrics, check and stack; and the bounds of a tree's nodes in JSON.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

mkdir -p bin vendor/HSX laws
cat >bin/perf <<'END'
#!/bin/sh
[ "$1" = list ] && [ "$2" = --json ] || exit 1
cat <<'LIST'
[{"MetricName": "miss_share", "MetricGroup": "Made", "MetricExpr": "MADE.MISSES / MADE.LOADS", "ScaleUnit": "100%"},
{"MetricName": "tma_one", "MetricGroup": "TopdownL1", "MetricExpr": "ONE / SLOTS", "ScaleUnit": "100%"},
{"MetricName": "tma_two", "MetricGroup": "TopdownL1", "MetricExpr": "1 - tma_one", "ScaleUnit": "100%"},
{"MetricName": "tma_one_a", "MetricGroup": "TopdownL2;tma_one_group", "MetricExpr": "ONE_A / SLOTS", "ScaleUnit": "100%"},
{"MetricName": "tma_one_b", "MetricGroup": "TopdownL2;tma_one_group", "MetricExpr": "ONE_B / SLOTS", "ScaleUnit": "100%"},
{"MetricName": "per_load", "MetricExpr": "MADE.WORK / MADE.LOADS"}]
LIST
END
chmod +x bin/perf
printf 'Family-model,Version,Filename,EventType\nGenuineIntel-6-3F,V1,/HSX/core.json,core\n' >vendor/mapfile.csv
cat >vendor/HSX/core.json <<'END'
{"Header": {}, "Events": [
 {"EventCode": "0x12", "UMask": "0x1", "EventName": "MADE.MISSES", "Counter": "0,1,2,3", "Errata": "HSM99"},
 {"EventCode": "0x13", "UMask": "0x1", "EventName": "MADE.LOADS", "Counter": "0,1,2,3"},
 {"EventCode": "0x14", "UMask": "0x1", "EventName": "MADE.WORK", "Counter": "0,1,2,3"}]}
END
PATH="$tmp/bin:$PATH" HECATE_EVENTS="$tmp/vendor" XDG_CACHE_HOME="$tmp/home" HECATE_CPUID=GenuineIntel-6-3F-2
export HECATE_EVENTS XDG_CACHE_HOME HECATE_CPUID
cat >counts.csv <<'END'
observation,MADE.MISSES,MADE.LOADS,MADE.WORK,ONE,SLOTS,ONE_A,ONE_B
good,10000,40000,90000,30000,100000,20000,10000
share,90000,40000,90000,30000,100000,20000,10000
level,10000,40000,90000,30000,100000,20000,25000
all,10000,40000,90000,130000,100000,100000,30000
END
laws() { json "$1" "[sorted((l['relation'], l['state'], l['blame']) for l in o['laws']) for o in d['observations'] if o['name'] == '$2'][0]"; }
share="[('miss_share <= 100', 'broken', 'MADE.MISSES (erratum HSM99), or MADE.LOADS')]"

status 0 "$HECATE" metrics counts.csv -M miss_share
has "a metric above 100 % names the law" "$out" 'broken +a share lies in 0 \.\.\. 100 %: miss_share .* 100; off by [0-9.]+ at least'
has "  the event, and its erratum" "$out" 'to blame: MADE.MISSES \(erratum HSM99\), or MADE.LOADS, or the formula'
status 0 "$HECATE" metrics counts.csv --json
mv out j
document j
is "no law is broken where none should be" "$(laws j good)" "[]"
is "a share" "$(laws j share)" "$share"
is "a level" "$(laws j level)" "[('tma_one_a + tma_one_b = tma_one', 'broken', 'ONE, or SLOTS, or ONE_B, or ONE_A')]"
is "a level whose sum is kept, of which each is too large" "$(json j '[sorted(l["relation"] for l in o["laws"]) for o in d["observations"] if o["name"] == "all"]')" \
	"[['0 <= tma_two', 'tma_one <= 100']]"
is "laws are counted" "$(json j '[o["laws_judged"] for o in d["observations"]]')" "[12, 12, 12, 12]"

# laws of a file, of a metric and an event, next to the shipped ones
cp "$HECATE_MODELS"/models/laws/*.laws laws/ 2>/dev/null
cat >laws/own.laws <<'END'
laws own "own";
law "work is at least loads": 1 <= per_load, source "made";
law "misses are less than a metric says": MADE.MISSES <= 0.5 per_load, source "made";
END
sed -i 's/0\.5 per_load/0.5 * per_load/' laws/own.laws
status 0 env HECATE_MODELS="$tmp" "$HECATE" metrics counts.csv -M per_load --json
is "a law of a file names a metric, and one an event and a metric" "$(laws out good)" \
	"[('MADE.MISSES <= 0.5 * per_load', 'broken', 'MADE.MISSES (erratum HSM99), or MADE.WORK, or MADE.LOADS')]"

# scaled counts: strained, or broken if not even twice the rate in the rest of the time explains it
printf '\n Performance counter stats for x:\n\n' >scaled.txt
printf '%s\n' '     1,000,000,000      MADE.LOADS                (66.67%)' '     1,168,000,000      MADE.MISSES          (66.65%)' >>scaled.txt
printf '\n       5.000000000 seconds time elapsed\n' >>scaled.txt
status 0 "$HECATE" metrics scaled.txt -M miss_share --json
is "116.8 %, scaled, is strained" "$(json out '[(l["state"], l["off"], l["blame"]) for o in d["observations"] for l in o["laws"]]')" \
	"[('strained', None, None)]"
sed 's/ *([0-9.%]*)//' scaled.txt >whole.txt
status 0 "$HECATE" metrics whole.txt -M miss_share --json
is "  the same of all the time is broken" "$(json out '[l["state"] for o in d["observations"] for l in o["laws"]]')" "['broken']"

# the other commands
cat >walks.udd <<'END'
model walks "loads may miss";
counter loads = "MADE.LOADS" "loads";
counter misses = "MADE.MISSES" "of them";
path hit { count loads; }
path miss { count loads; count misses; }
END
status 1 "$HECATE" check ./walks.udd counts.csv --exact -M miss_share
has "check -M names them" "$out" 'broken +a share lies in 0 \.\.\. 100 %: miss_share'
status 1 "$HECATE" check ./walks.udd counts.csv --exact -M miss_share --json
document out
is "  JSON" "$(json out '[o["name"] for o in d["metrics"] for l in o["laws"]]')" "['share']"
status 0 "$HECATE" stack TopdownL2 counts.csv -q -M miss_share --json
document out
is "stack -M has the values" "$(json out '[o["values"][0]["value"] for o in d["metrics"]]')" "[25, 225, 25, 25]"
is "  a tree's nodes have bounds" "$(json out 'all(p["share_low"] <= p["raw_share"] <= p["share_high"] and p["widest"] is None for o in d["observations"] for b in o["bars"] for p in b["parts"] if p["raw_share"] is not None)')" True
printf '%s\n' 30000,,ONE,500,50.00,, 100000,,SLOTS,1000,100.00,, 20000,,ONE_A,1000,100.00,, 10000,,ONE_B,1000,100.00,, >part.csv
status 0 "$HECATE" stack TopdownL2 part.csv -q --json
is "  with what widens them" "$(json out '[(round(p["share_low"], 3), round(p["share_high"], 3), p["widest"]) for o in d["observations"] for b in o["bars"] for p in b["parts"] if p["name"] == "tma_one"]')" "[(0.15, 0.45, 'ONE')]"
status 0 "$HECATE" net linux-vm -M miss_share --json -- true
document out
is "net -M, too" "$(json out '[(o["name"], o["values"][0]["value"]) for o in d["metrics"]]')" "[('true', None)]"
status 2 "$HECATE" net linux-vm counts.csv -M miss_share
has "  of what it counts alone" "$err" 'hecate metrics -M NAME DATA prints them'
done_testing
