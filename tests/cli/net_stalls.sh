#!/bin/sh
# hecate net: how stalls are divided and passed back: weights, clocks, loads of pairs; what it says where one is lacking.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# Two cores, a slice for each, and two memories. Slice 0 loses 1000 cycles of 1 GHz to them; the cores run at 2 GHz.
cat >two.net <<'END2'
network two "two cores";
kind ld "loads";
counter sent = "core.sent" per core unit requests;
counter pair = "core.pair" per core -> slice unit requests;
counter near = "slice.near" per slice unit requests;
counter far  = "slice.far"  per slice unit requests;
counter lost = "slice.lost" per slice unit cycles;
counter held = "slice.held" per slice unit requests*cycles;
counter clk  = "core.clk"   per core unit cycles;
counter uclk = "slice.clk"  per slice unit cycles;
stage a { module core per core { clock = clk; ld { miss = sent; } } }
stage b { module cha per slice { clock = uclk; ld { stall = lost; } } }
stage c {
	module ddr { clock = uclk / owners(slice);
		ld { hit = near; delay = 200 cycles; occupancy = held; } }
	module cxl { clock = uclk / owners(slice);
		ld { hit = far; delay = 800 cycles; } }
}
link core -> cha { pairs ld = pair; }
link cha -> ddr { ld = near; }
link cha -> cxl { ld = far; }
END2
head=time
row=1
add() { head="$head,$1"; row="$row,$2"; }
write() { printf '%s\n%s\n%s\n' "$head" "$row" "2${row#1}" >"$1"; } # intervals of 1 s
for i in 0 1; do
	add core.sent@S0-C$i 100
	add core.clk@S0-C$i 2000000000
	add slice.near@S0-slice$i 50
	add slice.far@S0-slice$i 50
	add slice.clk@S0-slice$i 1000000000
	add slice.held@S0-slice$i 10000
done
add slice.lost@S0-slice0 1000
add slice.lost@S0-slice1 0
write without.csv
add core.pair@S0-C0:S0-slice0 100
add core.pair@S0-C0:S0-slice1 0
add core.pair@S0-C1:S0-slice0 0
add core.pair@S0-C1:S0-slice1 100
write pairs.csv

of_core='[(d["destination"], [(round(c["stall"]), round(c["stall_ns"])) for c in d["components"] if c["module"] == "core"]) for d in d["snapshots"][0]["stalls"]]'
status 0 "$HECATE" net two.net pairs.csv --each-row --json
is "by requests x delay, in cycles of the core and in ns" "$(json "$tmp/out" "$of_core")" \
	"[('ddr', [(400, 200)]), ('cxl', [(1600, 800)])]"
is "the rule is named" "$(json "$tmp/out" 'd["snapshots"][0]["weight"]')" delay
is "nothing is lacking" "$(json "$tmp/out" '[d["snapshots"][0][k] for k in ("unconverted", "spread", "pairs_off", "impossible", "elsewhere")]')" "[[], [], [], [], []]"
status 0 "$HECATE" net two.net pairs.csv --each-row --json --weight requests
is "by requests alone" "$(json "$tmp/out" "$of_core")" "[('ddr', [(1000, 500)]), ('cxl', [(1000, 500)])]"
is "  and named" "$(json "$tmp/out" 'd["snapshots"][0]["weight"]')" requests
status 0 "$HECATE" net two.net pairs.csv --each-row
has "in text, with time" "$out" 'ld +at core +1.600 \(800 ns\)'
has "  and the rule" "$out" 'own stalls divided by requests x delay'
has "two lengths of a queue" "$out" 'by its occupancy 0\.00002'
status 0 "$HECATE" net two.net without.csv --each-row --each-row
has "without pairs the product rule is named" "$out" 'no counter of pairs, so each sender is taken to use all receivers alike: core -> cha'
status 0 "$HECATE" net two.net without.csv --each-row --each-row --json
is "  in the document" "$(json "$tmp/out" 'd["snapshots"][0]["spread"], [l["counter"] for l in d["snapshots"][0]["lacking"]]')" "([{'from': 'core', 'to': 'cha'}], ['pair'])"

# pairs that do not add up, an impossible count, a clock that is not known, two lengths that differ
sed '2s/,100,0,0,100$/,90,0,10,100/' pairs.csv >off.csv
status 0 "$HECATE" net two.net off.csv --each-row --each-row --json
is "pairs that do not add up" "$(json "$tmp/out" '[(p["from"], p["to"], p["owner"], p["kind"], p["sum"], p["load"]) for p in d["snapshots"][0]["pairs_off"]]')" \
	"[('core', 'cha', 0, 'ld', 90, 100), ('core', 'cha', 1, 'ld', 110, 100)]"
status 0 "$HECATE" net two.net off.csv --each-row --each-row
has "  in text" "$out" 'pairs of core 0 -> cha, ld, add up to 90, but it sent 100'
sed '2s/^1,100,/1,100000000000000,/' pairs.csv >wrapped.csv
status 0 "$HECATE" net two.net wrapped.csv --each-row --each-row
has "a count that no clock allows" "$out" 'more than any clock allows, and therefore unknown: sent'
status 0 "$HECATE" net two.net wrapped.csv --each-row --each-row --json
is "  in the document" "$(json "$tmp/out" 'd["snapshots"][0]["impossible"]')" "[{'counter': 'sent', 'owners': 1}]"
sed 's/clock = uclk; ld/ld/' two.net >noclock.net
status 0 "$HECATE" net noclock.net pairs.csv --each-row
has "a module with stalls in cycles and no clock" "$out" 'cycles not converted, because a clock is not known: core -> cha'
sed '2s/,10000,/,900000000,/g' pairs.csv >long.csv
sed 's/200 cycles/2000000 cycles/' two.net >long.net
status 0 "$HECATE" net long.net long.csv --each-row --each-row
has "two lengths that differ" "$out" 'by its occupancy 1.8, more than a factor of 2 apart'
status 0 "$HECATE" net long.net long.csv --each-row --each-row --json
is "  in the document" "$(json "$tmp/out" '[q["apart"] for q in d["snapshots"][0]["queues"] if q["module"] == "ddr"]')" "[True]"
is "  and the wait in ns" "$(json "$tmp/out" '[q["wait_ns"] for q in d["snapshots"][0]["queues"] if q["module"] == "ddr"]')" "[2000000]"

# bad input
sed 's/pairs ld = pair/pairs ld = sent/' two.net >bad.net
status 2 "$HECATE" net bad.net --check
has "a counter that does not count pairs" "$err" "'sent' does not count pairs of the owners at both ends"
has "  and how one does" "$err" 'per core -> slice unit requests'
sed 's/ld { miss = sent/ld { miss = pair/' two.net >bad.net
status 2 "$HECATE" net bad.net --check
has "a counter of pairs elsewhere" "$err" "'pair' is not known here.*it is counted per pair of owners"
sed 's/pairs ld = pair/pairs ld = pears/' two.net >bad.net
status 2 "$HECATE" net bad.net --check
has "no such counter" "$err" "'pears' is no counter"
sed 's/pairs ld = pair/pairs ld = pair; pairs ld = pair/' two.net >bad.net
status 2 "$HECATE" net bad.net --check
has "pairs given twice" "$err" "the pairs of 'ld' are given already"
sed 's/module core per core {/& frequency = 3 cycles;/' two.net >bad.net
status 2 "$HECATE" net bad.net --check
has "a frequency in other units" "$err" 'a frequency must be in cycles/ns, not in cycles'
status 2 "$HECATE" net two.net pairs.csv --each-row --weight loads
has "no such rule" "$err" 'delay'
done_testing
