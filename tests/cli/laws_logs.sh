#!/bin/sh
# One law, judged on each form of perf's output: exact, scaled up, means of runs, per CPU, intervals, other locales.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# judge STATES WHAT FILE [OPTION...]: the states of all observations, "broken/strained/holds"
judge() {
	want=$1 what=$2
	shift 2
	"$HECATE" laws "$@" --json -q >j 2>err
	is "$what: broken/strained/hold" "$(json j '"/".join(str(sum(t[k] for t in d["tally"])) for k in ("broken", "strained", "holds"))')" "$want"
}
# table SHARE SHARE [SPREAD SPREAD]: perf's table for people. 1 168 − 1 000 = 168 million loads too many
table() {
	printf '\n Performance counter stats for %s%s:\n\n' "'gups'" "${3:+ (10 runs)}"
	printf '     1,000,000,000      dTLB-loads                  %s  %s\n' "${3:+( +-  $3% )}" "${1:+($1%)}"
	printf '     1,168,000,000      dTLB-load-misses          #  116.80%% of all dTLB cache accesses  %s  %s\n' "${4:+( +-  $4% )}" "${2:+($2%)}"
	printf '\n       5.000000000 seconds time elapsed\n\n'
}
# csv SHARE SHARE [PREFIX]: perf stat -x,
csv() {
	echo "${3}1000000000,,dTLB-loads,5000000000,$1,,"
	echo "${3}1168000000,,dTLB-load-misses,5000000000,$2,116.80,of all dTLB cache accesses"
}

# --- totals: 5 s allow 2 · (1 + 1000 · 5) counts; what was scaled up is at least what was counted, and has no upper limit
csv 100.00 100.00 >exact.csv
judge 1/0/0 "exact" exact.csv
is "  off by 168 000 000 − 10 002" "$(json j 'd["observations"][0]["findings"][0]["least"]')" 167989998
sed s/1168000000/1000010002/ exact.csv >within.csv
judge 0/0/1 "  the most that the tolerance allows" within.csv
sed s/1168000000/1000010003/ exact.csv >beyond.csv
judge 1/0/0 "  and 1 more" beyond.csv
csv 66.67 66.65 >scaled.csv
judge 0/1/0 "both scaled up" scaled.csv
csv 99.99 100.00 >nearly.csv
judge 0/1/0 "loads scaled up from nearly all of the time" nearly.csv
csv 100.00 85.00 >left.csv
judge 0/1/0 "misses scaled up, 992.8 million counted" left.csv
csv 100.00 86.00 >more.csv
judge 1/0/0 "misses scaled up, 1 004.5 million counted" more.csv
# the share is printed with two decimals: at least (0.86 − 0.00005) · 1 168 000 000 were counted
is "  off by what was counted, less 10 002" "$(json j 'round(d["observations"][0]["findings"][0]["least"])')" \
	"$(awk 'BEGIN { printf "%.0f", 0.85995 * 1168000000 - 1000000000 - 10002 }')"
sed 's/1168000000/<not counted>/; s/5000000000,100.00,116.*/0,0.00,,/' exact.csv >starved.csv
judge 0/0/0 "no count of the misses" starved.csv
sed 's/1168000000/<not supported>/; s/5000000000,100.00,116.*/0,100.00,,/' exact.csv >unsupported.csv
judge 0/0/0 "no such event" unsupported.csv

# --- the same in other words
sed 's/,/;/g; s/66\.6/66,6/; s/116\.80/116,80/' scaled.csv >comma.csv
judge 0/1/0 "perf stat -x\\; with decimal commas" comma.csv
table "" "" >table.txt
judge 1/0/0 "perf's table" table.txt
table 66.67 66.65 >table-scaled.txt
judge 0/1/0 "  scaled up" table-scaled.txt
sed 's/1,168,/1.168./; s/\([0-9]\),\([0-9]\{3\}\),\([0-9]\{3\}\)/\1.\2.\3/g; s/,000,000/.000.000/; s/66\.6/66,6/g; s/116\.80/116,80/; s/5\.0/5,0/' \
	table-scaled.txt >table-de.txt
judge 0/1/0 "  of Germany" table-de.txt
for share in 100.00 66.67; do
	awk -F, -v p=$share '{ printf "{\"counter-value\" : \"%s.000000\", \"unit\" : \"\", \"event\" : \"%s\", \"event-runtime\" : %s, \"pcnt-running\" : %s, \"metric-value\" : \"0.0\", \"metric-unit\" : \"(null)\"}\n", $1, $3, $4, p }' \
		exact.csv >j$share.json
	judge "$([ $share = 100.00 ] && echo 1/0 || echo 0/1)/0" "perf stat -j, $share %" j$share.json
done
sed 's/dTLB-loads/&:u/; s/dTLB-load-misses/&:u/' exact.csv >user.csv
judge 1/0/0 "both of the user's side" user.csv
sed 's/dTLB-loads/&:u/' exact.csv >mixed.csv
judge 0/0/0 "one of the user's side" mixed.csv

# --- means of 10 runs: the errors add up, and Student's t with 9 degrees of freedom is 2.93 at a level of 0.0083
table "" "" 0.50 0.50 >runs.txt
judge 1/0/0 "10 runs, 168 against 2.9 · (5 + 5.8)" runs.txt
table "" "" 3.00 3.00 >spread.txt
judge 0/1/0 "10 runs, 168 against 2.9 · (30 + 35)" spread.txt
table "" "" 0.00 0.00 >steady.txt
judge 1/0/0 "10 runs that differ by less than 0.005 %" steady.txt
table 66.67 66.65 0.01 0.01 >runs-scaled.txt
judge 0/1/0 "10 runs, scaled up: all may miss the same" runs-scaled.txt
sed 's/,5000000000/,0.50%&/' exact.csv >runs.csv
judge 0/1/0 "perf stat -r -x, does not say how many runs: 2" runs.csv
judge 1/0/0 "  --runs 10" runs.csv --runs 10

# --- several observations: CPUs, cores, appended runs
for cpu in 0 1 2; do csv 100.00 100.00 CPU$cpu, | sed "$([ $cpu = 1 ] || echo s/1168000000/900000000/)"; done >cpus.csv
judge 1/0/2 "perf stat -A" cpus.csv
{ csv 100.00 100.00 S0-D0-C0,2,; csv 66.00 66.00 S0-D0-C1,2,; } >cores.csv
judge 1/1/0 "perf stat --per-core" cores.csv
{ echo "# started on Fri Nov 20 15:33:06 2026"; echo; cat exact.csv; echo "# started on Fri Nov 20 15:35:06 2026"; echo; sed s/1000000000/1000000001/ scaled.csv; } >append.csv
judge 1/1/0 "perf stat --append" append.csv

# --- intervals of one run add up: 40 of 100 ms allow 2 · (1 + 1000 · 4), and 1 for each count that a border tears. If the
# events took turns, their mean is judged, with 1 % of noise
intervals() { # SHARE FACTOR MORE
	awk -v p="$1" -v f="$2" -v more="$3" 'BEGIN { srand(1); for (i = 1; i <= 40; i++) { l = 1e9 + int(2e8 * rand())
		m = p < 100 ? l * f * (0.99 + 0.02 * rand()) : l + (i == 7 ? more : 0)
		printf "%.9f,%d,,dTLB-loads,100000000,%s,,\n%.9f,%d,,dTLB-load-misses,100000000,%s,,\n", i / 10, l, p, i / 10, m, p } }'
}
intervals 100.00 1 8004 >I.csv
judge 0/0/1 "perf stat -I, the most that is allowed" I.csv
intervals 100.00 1 8005 >I.csv
judge 1/0/0 "  and 1 more" I.csv
intervals 66.00 1.168 >I.csv
judge 1/0/0 "perf stat -I in turns, 116.8 %" I.csv
intervals 66.00 1.004 >I.csv
judge 0/1/0 "  100.4 %" I.csv
intervals 66.00 0.9 >I.csv
judge 0/0/1 "  90 %" I.csv

# --- perf's metrics are rounded: each to half of its last digit
metrics() { printf 'tma_frontend_bound,tma_bad_speculation,tma_backend_bound,tma_retiring,ipc\n%s,1.234\n' "$1" >metrics.csv; }
metrics 25.3,10.2,30.3,34.3
judge 0/0/1 "100.1 % of four numbers with a decimal" metrics.csv
metrics 25.3,10.2,30.3,34.5
judge 1/0/0 "100.3 %" metrics.csv

# --- all logs of the tests: two that were written by hand break a law, by numbers that awk finds in them
data=$HECATE_TESTS/data
"$HECATE" laws "$data" --json -q >j
left=$(awk -F, '$2 == "CPU1" && $5 == "branches" { print $3 }' "$data/perf-stat/x_3.14_A.csv")
right=$(awk -F, '$2 == "CPU1" && $5 == "instructions" { print $3 }' "$data/perf-stat/x_3.14_A.csv")
hit=$(awk -F';' '$3 == "MEM_LOAD_RETIRED.L2_HIT" { print $1 }' "$data/topdown/spr.perf")
miss=$(awk -F';' '$3 == "MEM_LOAD_RETIRED.L1_MISS" { print $1 }' "$data/topdown/spr.perf")
is "what is broken" "$(json j '[(f["left"], f["right"]) for o in d["observations"] for f in o["findings"] if f["state"] == "broken"]')" \
	"[($left, $right), ($hit, $miss)]"
is "each state follows from the sides" "$(json j '[f["relation"] for o in d["observations"] for f in o["findings"] if
	(f["state"] == "holds") != (abs(f["left"] - f["right"]) < 1e-9 if " = " in f["relation"] else f["left"] <= f["right"])]')" "[]"
is "laws by observations" "$(json j 'all(t["broken"] + t["strained"] + t["holds"] + t["not_asked"] == len(d["observations"]) for t in d["tally"])')" True

done_testing
