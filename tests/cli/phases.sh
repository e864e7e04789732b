#!/bin/sh
# hecate phases on a made run: two flows and a load, a planted change, a season, an outlier, and data that show nothing.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# 400 rows of 1 s: `misses` rises by a tenth from row 201 to 300; `wave` has a season of 20 rows; `same` is `misses`
# again; row 351 of `wave` is far off.
awk 'BEGIN {
	s = 42
	print "time,misses,wave,same,instructions,flat"
	for (i = 1; i <= 400; i++) {
		s = (s * 16807) % 2147483647; a = s / 2147483647 - 0.5
		s = (s * 16807) % 2147483647; b = s / 2147483647 - 0.5
		s = (s * 16807) % 2147483647; c = s / 2147483647 - 0.5
		m = int(100000 * (1 + 0.02 * a) * (i > 200 && i <= 300 ? 1.1 : 1))
		printf "%d,%d,%d,%d,%d,7\n", i, m, int(50000 * (1 + 0.02 * b + 0.05 * sin(i * 2 * 3.14159265358979 / 20)) * (i == 351 ? 1.5 : 1)), m, int(1000000 * (1 + 0.02 * c))
	}
}' >run.csv


status 0 "$HECATE" phases run.csv
has "three windows in two phases" "$out" '5 series, 400 rows of 1\.0 s; 3 windows in 2 phases'
has "the change up, in its row" "$out" '^ +2 +200 s +100  B .*misses +×1\.'
has "and back to the first phase" "$out" '^ +3 +300 s +100  A '
has "the season" "$out" '^wave .* 20 s '
has "equal series" "$out" '^misses +same +1\.000 .* equal but for scale'
has "the outlier" "$out" '350 s +wave '
has "the pairs tried; the constant is in none" "$out" 'of 6 pairs tried'

status 0 "$HECATE" phases run.csv --json
printf '%s\n' "$out" >run.json
is "windows" "$(json run.json '[(w["row"], w["rows"], w["phase"]) for w in d["runs"][0]["windows"]]')" "[(1, 200, 1), (201, 100, 2), (301, 100, 1)]"
is "the interval of the ratio holds 1.1" "$(json run.json '[s["low"] < 1.1 < s["high"] and s["high"] / s["low"] < 1.02 for s in d["runs"][0]["compared"]["series"] if s["name"] == "misses"]')" "[True]"
is "only what changed" "$(json run.json 'sorted(s["name"] for s in d["runs"][0]["compared"]["series"] if s["changed"])')" "['misses', 'same']"
is "a forecast of a period" "$(json run.json '[(len(s["forecast"]["rows"]), s["forecast"]["error"] < s["forecast"]["error_of_last_value"]) for s in d["runs"][0]["series"] if s["name"] == "wave"]')" "[(20, True)]"
is "one outlier" "$(json run.json '[(s["name"], o["row"]) for s in d["runs"][0]["series"] for o in s["outliers"]]')" "[('wave', 351)]"
is "only the equal series move together" "$(json run.json '[(p["a"], p["b"], p["r"]) for p in d["runs"][0]["pairs"]]')" "[('misses', 'same', 1)]"

status 0 "$HECATE" phases run.csv --series '1000 * misses / instructions' --windows 1,2
has "a computed series, windows by number" "$out" 'Window 2 against window 1: 1 of 1 series differ'
has "its name" "$out" '^1000 \* misses / instructions '
status 0 "$HECATE" phases run.csv --ascii -v
is "in ASCII" "$(printf '%s' "$out" | LC_ALL=C tr -d '\n -~' | wc -c | tr -d ' ')" 0

status 2 "$HECATE" phases run.csv --series 'mises / instructions'
has "a counter that the data lack" "$err" "'mises' is not known here; nearest: misses"
status 2 "$HECATE" phases run.csv --series 'misses misses'
status 2 "$HECATE" phases run.csv --scenario llc-locality
has "a scenario without its counters" "$err" 'no counters for the scenario llc-locality; it needs, for instance'
status 2 "$HECATE" phases run.csv --scenario locality
status 2 "$HECATE" phases run.csv --windows 1,9
has "a window that does not exist" "$err" 'has 3 windows; without --windows'
status 2 "$HECATE" phases run.csv --windows 2
status 2 "$HECATE" phases run.csv --observations none
has "no observation" "$err" 'does --observations match'
status 2 "$HECATE" phases

# Two flows with the same times are one run; a third with others is its own.
awk 'BEGIN { s = 7; print "observation,time,requests"
	for (i = 1; i <= 120; i++) { s = (s * 16807) % 2147483647; a[i] = s / 2147483647
		print "a," i "," int(1000 + 500 * a[i]) }
	for (i = 1; i <= 120; i++) print "b," i "," int(9000 - 900 * a[i])
	for (i = 1; i <= 50; i++) print "c," i * 3 ",100" }' >flows.csv
status 0 "$HECATE" phases flows.csv --scenario orthogonality --json
printf '%s\n' "$out" >flows.json
is "two runs" "$(json flows.json '[(r["name"], [s["name"] for s in r["series"]]) for r in d["runs"]]')" "[('a and 1 more', ['a requests', 'b requests']), ('c', ['requests'])]"
is "flows that take turns" "$(json flows.json '[(p["a"], p["b"], p["high"] < -0.9) for p in d["runs"][0]["pairs"]]')" "[('a requests', 'b requests', True)]"

# A network adds its queues and stalls: by Little's law 20 arrivals in 100 cycles that wait 300 queue up to 60.
cat >two.net <<'NET'
network two "two modules";
kind ld "loads";
counter served = "served" per socket unit requests;
counter missed = "missed" per socket unit requests;
counter clk = "clk" per socket unit cycles;
counter lost = "lost" per socket unit cycles;
stage a { module l1 "L1" per socket { clock = clk; ld { hit = served; miss = missed; delay = 5 cycles; } } }
stage b { module d "DIMM" per socket { clock = clk; ld { hit = missed; delay = 305 cycles; stall = lost; } } }
link l1 -> d { ld = missed; }
NET
awk 'BEGIN { print "time,served,missed,clk,lost"; for (i = 1; i <= 60; i++) print i ",1000," (i <= 30 ? 20 : 40) ",100," (i <= 30 ? 50 : 80) }' >two.csv
status 0 "$HECATE" phases two.csv --network two.net --json
printf '%s\n' "$out" >two.json
is "queues and stalls of modules" "$(json two.json '[(s["name"], s["least"], s["most"]) for s in d["runs"][0]["series"] if s["name"][:2] in ("l1", "d ")]')" \
	"[('l1 ld queue', 50, 50), ('d ld queue', 60, 120), ('l1 stalls', 50, 80), ('d stalls', 50, 80)]"
is "change with the counters" "$(json two.json '[(w["row"], w["phase"]) for w in d["runs"][0]["windows"]]')" "[(1, 1), (31, 2)]"
status 2 "$HECATE" phases two.csv --network nothing.net

# The ten programs' format, and a scenario that it has the counters for.
printf 'time,read_mb_s,write_mb_s,cycles,instructions,llc_misses\n' >ten.csv
awk 'BEGIN { for (i = 1; i <= 60; i++) print i ".001," 50000 + i % 7 * 10 "." i % 10 "," 12000 + i % 5 ",13984193260,6818797992," (i <= 30 ? 414212544 : 204212544) + i % 3 * 1000 }' >>ten.csv
status 0 "$HECATE" phases ten.csv --scenario llc-locality
has "what the scenario asks" "$out" 'is the last-level cache reused alike over time\?'
has "its two windows" "$out" '^ +2 +30\.001 s +30  B .*LLC misses per 1000 instructions +×0\.49'

# Data that show nothing.
printf 'a,b\n1,2\n' >one.csv
status 0 "$HECATE" phases one.csv
has "one row" "$out" '2 series, 1 row; 1 window in 1 phase'
awk 'BEGIN { print "time,a,b,c"; for (i = 1; i <= 30; i++) print i ",5," (i % 2 ? "" : 3) ",NaN" }' >poor.csv
status 0 "$HECATE" phases poor.csv --json
printf '%s\n' "$out" >poor.json
is "constant, half missing, never counted" "$(json poor.json '[(s["name"], s["known"], s["forecast"], s["season"]) for s in d["runs"][0]["series"]]')" "[('a', 30, None, None), ('b', 15, None, None)]"
awk 'BEGIN { print "time,a"; for (i = 1; i <= 40; i++) print i "," int(1000 + 100 * sin(i / 20)) }' >long.csv
status 0 "$HECATE" phases long.csv --json
printf '%s\n' "$out" >long.json
is "a season longer than the rows" "$(json long.json '[s["season"] for s in d["runs"][0]["series"]]')" "[None]"
printf 'a,b\n' >none.csv
status 2 "$HECATE" phases none.csv
done_testing
