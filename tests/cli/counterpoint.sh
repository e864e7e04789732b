#!/bin/sh
# --counterpoint: verdicts made as CounterPoint makes them, how the output says so, and options that do not go with it.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
says='^judged as CounterPoint does: 30 complete samples or more, the 99 % box along the principal axes of their covariance, and 2 millionths of the largest count on top$'

cat >two.udd <<'X'
model two; counter a; counter b; feature more;
path p { count a; choose { case Y: count b; case N: event n; } } path q when more { count b; }
X
# b exceeds a by more than independent rows allow. In `slow` rows are correlated: hecate notices that, CounterPoint does
# not.
python3 -c '
import random
random.seed(9)
print("observation,a,b")
for name, keep, rows in ("slow", 0.97, 60), ("fast", 0, 30), ("short", 0, 29), ("kept", 0, 40):
	x = 0
	for _ in range(rows):
		x = keep * x + random.gauss(0, 100)
		print("%s,%d,%d" % (name, 100000, 100000 + (-9000 if name == "kept" else 700) + x))' >two.csv

status 1 "$HECATE" check two.udd two.csv --counterpoint
has "text says how the verdict is made" "$out" "$says"
has "what decides" "$out" '99 % confidence, box decides'
has "correlated noise is not considered" "$out" 'infeasible +slow +60 samples$'
has "fewer than 30 samples" "$out" 'undecided +short'
has "  the reason" "$out" 'fewer than 30 of its samples have every counter, and CounterPoint needs 30'
is "no warnings that CounterPoint does not have" "$err" ""
status 1 "$HECATE" check two.udd two.csv --counterpoint --json
is "settings in JSON" "$(json out 'd["counterpoint"], d["region"], d["confidence"]')" "(True, 'box', 0.99)"
is "verdicts" "$(json out '[(o["name"], o["verdict"]) for o in d["observations"]]')" \
	"[('slow', 'infeasible'), ('fast', 'infeasible'), ('short', 'undecided'), ('kept', 'feasible')]"
is "the box alone" "$(json out '[(o["box"], o["ellipsoid"], o["independent"], o["distance2"], o["p"]) for o in d["observations"]][1]')" \
	"('infeasible', 'undecided', 'undecided', None, None)"
is "certificates" "$(json out '[(o["certificate"]["text"], o["certificate"]["verified"]) for o in d["observations"] if o["certificate"]]')" \
	"[('b <= a', True), ('b <= a', True)]"
status 1 "$HECATE" check two.udd two.csv --json
is "without it" "$(json out 'd["counterpoint"], d["region"], [o["verdict"] for o in d["observations"]]')" \
	"(False, 'cone', ['feasible', 'infeasible', 'infeasible', 'feasible'])"
status 2 "$HECATE" check two.udd two.csv --counterpoint --observations short

status 0 "$HECATE" search two.udd two.csv --counterpoint
has "search says so" "$out" "$says"
status 0 "$HECATE" search two.udd two.csv --counterpoint --json
is "search in JSON" "$(json out 'd["counterpoint"], d["region"], d["required"]')" "(True, 'box', ['more'])"
status 0 "$HECATE" compare two.udd none more two.csv --counterpoint
has "compare says so" "$out" "$says"
has "which observations distinguish" "$out" 'observations that tell them apart: 2 of 4'
status 0 "$HECATE" compare two.udd none more two.csv --counterpoint --json
is "compare in JSON" "$(json out 'd["counterpoint"], [o["name"] for o in d["observations"] if o["tells"]]')" "(True, ['slow', 'fast'])"
status 0 "$HECATE" compare two.udd none more
is "compare without data has no verdict to make" "$(printf '%s\n' "$out" | grep -c 'judged as')" 0
printf 'model one; counter a; path p { count a; event n; }\n' >one.udd
status 0 "$HECATE" locate one.udd b two.csv --counterpoint
has "locate says so" "$out" "$says"
status 0 "$HECATE" locate one.udd b two.csv --counterpoint --json
is "locate in JSON" "$(json out 'd["counterpoint"]')" True

# Totals of COUNTER_GROUPS that the data do not have are computed as sums of their parts.
printf 'COUNTER_GROUPS { all : x, y; }\nFLOW { incr all; switch W { X => incr x; Y => incr y; }; done; }\n' >sums.fdl
python3 -c '
print("observation,x,y")
for k in range(30):
	print("o,%d,%d" % (1000 + k % 7, 2000 - k % 5))' >sums.csv
status 0 "$HECATE" check sums.fdl sums.csv --counterpoint --json
is "derived counters are used" "$(json out 'sorted(d["counters"]), d["missing"], d["observations"][0]["verdict"]')" "(['all', 'x', 'y'], [], 'feasible')"

refused() {
	why=$1; shift
	status 2 "$HECATE" check two.udd two.csv --counterpoint "$@"
	has "  with the reason" "$err" "^hecate: --counterpoint does not go with $1: $why; leave one of the two out"
}
refused 'its box decides' --region box
refused 'its box is at 0.99' --confidence 0.95
refused 'it judges each observation by itself' --family-wise
refused 'to it every row is a sample' --exact
refused 'it takes an observation whole' --split-phases
refused 'its box holds at one look alone' --peek
refused 'it uses no stated errors' --runs 5
refused 'it has its own, 2e-6 of the largest count' --tolerance 0
refused 'it takes rows to be independent in any case' --independent-rows
status 2 "$HECATE" search two.udd --counterpoint --watch -a
has "search --watch" "$err" '--counterpoint does not go with --watch'
status 1 "$HECATE" check two.udd two.csv --counterpoint --confidence 0.99
status 2 "$HECATE" two.udd two.csv --counterpoint
has "the explorer does not take the option" "$err" 'the explorer does not take --counterpoint'
done_testing
