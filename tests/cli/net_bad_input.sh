#!/bin/sh
# hecate net, phases: counts that cannot be true, that lack, or that are there twice. Each is refused with its place, or
# left out with a sentence; none is taken silently. Flows that end in a snapshot: tests/unit/flow_lane.c and flow.c.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >n.net <<'END2'
network n; kind ld;
counter clk = "cycles" per core unit cycles;
counter hit = "hits" per core unit requests;
counter miss = "misses" per core unit requests;
counter s.clk = "cha.clk" per slice unit cycles;
counter s.hit = "cha.hit" per slice unit requests;
counter s.stall = "cha.stall" per slice unit cycles;
stage core { module l1 per core { clock = clk; ld { hit = hit; miss = miss; delay = 4 cycles; } } }
stage llc { module cha per slice { clock = s.clk; ld { hit = s.hit; delay = 40 cycles; stall = s.stall; } }
	module mean per socket { ld { hit = s.hit / owners(slice); } } }
link l1 -> cha { ld = miss; }
link l1 -> mean { ld = miss * 0; }
END2
# Two cores on socket 0, one on socket 1; three slices on socket 0, one on socket 1.
# table FILE [COLUMN COUNT]: one row, and perhaps one column more.
table()
{
	{
		printf 'time'
		for core in S0-C0 S0-C1 S1-C2; do printf ',clk@%s,hit@%s,miss@%s' $core $core $core; done
		for slice in S0-slice0 S0-slice1 S0-slice2 S1-slice0; do
			printf ',s.clk@%s,s.hit@%s,s.stall@%s' $slice $slice $slice
		done
		printf '%s\n1' "${2:+,$2}"
		printf ',1000,10,5%.0s' 1 2 3
		printf ',1000,12,50%.0s' 1 2 3 4
		printf '%s\n' "${3:+,$3}"
	} >"$1"
}
# hits FILE: known ones of cores and of slices, and what is said of owners
hits() { "$HECATE" net n.net "$1" --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
map = {r["module"]: r["cells"][0]["hits"] for r in d["snapshots"][0]["path_map"]}
print(map["l1"], map["cha"], *[w["text"] for w in d.get("warnings", []) if w["code"] == "owners"], sep="; ")'; }

table good.csv
is "a sound snapshot" "$(hits good.csv)" "30; 48"

# Owners named twice, in part, or together with their whole.
twice()
{
	table twice.csv "$2" 77
	is "$1" "$(hits twice.csv)" "$3; $4"
}
table twice.csv hit@S0-C0 77
status 2 "$HECATE" net n.net twice.csv
has "a column twice" "$err" 'twice.csv:1:[0-9]*: two columns of the header are called hit@S0-C0: column 3 and column 23; remove or rename one'
twice "an owner in two spellings" hit.socket0.core0 "30; 48" "hit@S0-C0 and hit.socket0.core0 are one counter of one owner: hit@S0-C0 is used"
twice "  with zeros" hit@S00-C0 "30; 48" "hit@S0-C0 and hit@S00-C0 are one counter of one owner: hit@S0-C0 is used"
twice "the machine beside its owners" hit "30; 48" "hit counts the whole machine and is left out, because hit@S0-C0 counts one owner of it"
twice "a socket beside its cores" hit@S0 "30; 48" "hit@S0 is left out, because hit@S0-C0 counts a part of it"
twice "a socket beside its slices" s.hit@S1 "30; 48" "s.hit@S1 is left out, because s.hit@S1-slice0 counts a part of it"
twice "a core beside its thread" hit@S0-C0-T0 "97; 48" "hit@S0-C0 is left out, because hit@S0-C0-T0 counts a part of it"
twice "an owner that has no such counter" hit@S0-slice0 "30; 48" "hit@S0-slice0 is not used, because the network counts hit for each core"
table part.csv clk@S1-C3 1000
is "a core in part" "$(hits part.csv)" "None; 48; hit has no column for 1 of 4 cores (S1-C3); miss has no column for 1 of 4 cores (S1-C3)"

# Sockets whose slices differ in number: each divides by its own.
"$HECATE" net n.net good.csv --json >out
is "slices that differ by socket" "$(json out '[r["together"] for r in d["snapshots"][0]["path_map"] if r["module"] == "mean"], len([q for q in d["snapshots"][0]["queues"] if q["module"] == "cha"])')" "([24], 4)"

# A CPU that goes offline: its counts end, those of others stay.
table off.csv
echo '2,,,,1000,10,5,1000,10,5,1000,12,50,1000,12,50,1000,12,50,1000,12,50' >>off.csv
"$HECATE" net n.net off.csv --each-row --json >out
is "a CPU taken offline" "$(json out '[[g["owner_name"] for g in s["gone"]] for s in d["snapshots"]], [s["path_map"][0]["cells"][0]["hits"] for s in d["snapshots"]]')" "([[], ['S0-C0']], [30, None])"
status 0 "$HECATE" net n.net off.csv --each-row
has "  in text" "$out" 'nothing was counted of S0-C0: taken offline\? Their counts are unknown'
has "  a sum without it is a lower bound" "$out" '^  l1 +>20 +>20$'

# Counters that this machine lacks, and a PMU without the term of a threshold.
cat >live.net <<'END2'
network live; kind ld;
counter faults = "page-faults" per task unit requests;
counter busy = "made/event=0x1,thresh=1/" per system unit cycles;
counter gone = "no-such-event" per system unit requests;
stage s { module m per task { ld { hit = faults; } } }
stage t { module n per system { ld { hit = gone; stall = busy; } } }
link m -> n { ld = faults; }
END2
made=sys/bus/event_source/devices/made
mkdir -p $made/format
echo 4242 >$made/type
echo config:0-7 >$made/format/event
status 0 env HECATE_SYSFS="$tmp/sys" "$HECATE" net live.net -- true
has "a threshold that the PMU refuses" "$err" 'not counted: busy: made/event=0x1,thresh=1/: PMU made has no term "thresh"; it has: event'
has "an event that this machine lacks" "$err" 'not counted: gone: no such event: no-such-event'
has "  what is lost with each" "$out" 'busy \(it could not be opened\): takes away n.ld.stall'
has "  the rest is reported" "$out" '^  m +[0-9]+ +[0-9]+$'

# Counts that go back, wrap, or are no numbers.
rows() { printf 'time,clk,hit,miss\n1,1000,10,5\n2,1000,%s,5\n3,1000,12,5\n' "$2" >"$1"; }
refused()
{
	rows odd.csv "$2"
	status 2 "$HECATE" net n.net odd.csv
	has "$1" "$err" "odd.csv:3:8: hit is $3"
}
refused "a count below zero" -7 'negative: -7; a row holds one interval'
refused "a difference that wrapped at 64 bits" 18446744073709551609 'beyond 64 bits'
refused "no end" inf '"inf", which is not a count'
rows wrap.csv 281474976710646
"$HECATE" net n.net wrap.csv --each-row --json >out 2>err
is "a difference that wrapped at 48 bits" "$(json out '[s["path_map"][0]["cells"][0]["hits"] for s in d["snapshots"]]')" "[10, None, 12]"
has "  is named" "$(cat err)" 'wrap.csv: 1 of the cells of hit in wrap lie just below 2\^48, .* a counter of 48 bits wrapped; left out'
rows fast.csv 99000000000000
"$HECATE" net n.net fast.csv --each-row --json >out
is "more than any clock allows: unknown, and named" "$(json out '[s["impossible"] for s in d["snapshots"]], [s["path_map"][0]["cells"][0]["hits"] for s in d["snapshots"]]')" \
	"([[], [{'counter': 'hit', 'owners': 1}], []], [10, None, 12])"
rows nan.csv NaN
"$HECATE" net n.net nan.csv --each-row --json >out 2>err
is "NaN is not zero" "$(json out '[s["path_map"][0]["cells"][0]["hits"] for s in d["snapshots"]]')" "[10, None, 12]"
has "  and reported" "$(cat err)" 'nan.csv:3: a word stands for a missing count'
printf 'time,clk,hit,miss\n1,100,10,5\n2,200,30,9\n3,300,20,12\n' >totals.csv
status 2 "$HECATE" net n.net totals.csv --totals
has "a running total that falls" "$err" 'row 3 of totals: the total of hit falls from 30 to 20'

# Snapshots of unequal length: rates are of each one's own.
printf 'time,clk,hit,miss\n1,100,10,5\n2,100,20,5\n5,300,30,5\n' >gap.csv
"$HECATE" net n.net gap.csv --each-row --json >out
is "unequal lengths" "$(json out '[(s["seconds"], s["queues"][0]["length"]) for s in d["snapshots"][1:]]')" "[(1, 0.8), (3, 0.4)]"
printf 'time,clk,hit,miss\n5,300,30,5\n1,100,10,5\n2,100,20,5\n' >back.csv
"$HECATE" net n.net back.csv --each-row --json 2>err | sed 's/"back"/"gap"/; s/back\.csv/gap.csv/g' >out2
has "out of order" "$(cat err)" 'back.csv:3: time goes back here: rows are put in the order of their times'
is "  gives the same" "$(json out2 '[(s["seconds"], s["queues"][0]["length"]) for s in d["snapshots"][1:]]')" "[(1, 0.8), (3, 0.4)]"

# Series that say nothing: constant, equal, with one row, with few numbers.
awk 'BEGIN { print "time,a,b,c,d"; for (i = 1; i <= 60; i++) { x = int(1000 + 100 * sin(i * i)); print i ",5," x "," x "," (i % 20 ? "NaN" : 7) } }' >poor.csv
"$HECATE" phases poor.csv --json >out 2>err
is "constant series and three numbers: no season, forecast or outlier" "$(json out '[(s["name"], s["season"], s["forecast"], s["outliers"]) for s in d["runs"][0]["series"] if s["name"] in "ad"]')" \
	"[('a', None, None, []), ('d', None, None, [])]"
is "two equal series move together, and with no other" "$(json out '[(p["a"], p["b"], p["r"]) for p in d["runs"][0]["pairs"]]')" "[('b', 'c', 1)]"
done_testing
