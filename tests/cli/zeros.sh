#!/bin/sh
# Counters that read 0 throughout. A 0 that may be a counter which nobody counted refutes nothing; what the 0 would
# refute is said, and --trust-zeros believes it.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# Each load hits or misses, each miss is walked, and each walk reads once.
cat >walks.udd <<'X'
model walks "loads, misses, walks";
counter loads; counter hits; counter walks; counter reads; counter giant;
path load { count loads; choose {
	case Hit: count hits;
	case Miss: count walks; count reads; choose { case Small: case Giant: count giant; }
} }
X
verdicts() { json out '[o["verdict"] for o in d["observations"]]'; }
# rows N WALKS READS GIANT: N rows, which differ a little
rows() {
	echo 'loads,hits,walks,reads,giant'
	python3 - "$@" <<'X'
import random, sys
n, walks, reads, giant = map(int, sys.argv[1:])
r = random.Random(7)
for i in range(n):
    m = 3000 + r.randrange(-200, 200)
    print(10000 + r.randrange(-50, 50) + m, 10000 + r.randrange(-50, 50), m * walks, m * reads, m * giant, sep=",")
X
}

# A dead counter, of rows and of an exact total.
rows 40 0 1 0 >dead.csv
status 0 "$HECATE" check walks.udd dead.csv --json
is "a dead counter refutes nothing" "$(verdicts)" "['feasible']"
is "  it is listed, with another 0" "$(json out 'd["dead"]')" "['walks', 'giant']"
is "  what its 0 would do" "$(json out '[o["with_zeros"] for o in d["observations"]]')" "['infeasible']"
has "  in a warning" "$(json out '[w["text"] for w in d["observations"][0]["warnings"] if w["code"] == "zero-suspect"][0]')" 'walks, giant read 0 throughout.*--trust-zeros'
status 0 "$HECATE" check walks.udd dead.csv
has "  in the verdict" "$out" 'left out +walks, giant: 0 throughout, perhaps not counted; if 0 is right, it is infeasible \(--trust-zeros\)'
status 1 "$HECATE" check walks.udd dead.csv --trust-zeros --json
is "zeros that are counts" "$(verdicts), $(json out 'd["dead"], d["observations"][0]["with_zeros"]')" "['infeasible'], ([], None)"
printf 'loads,hits,walks,reads,giant\n13000,10000,0,3000,0\n' >total.csv
status 0 "$HECATE" check walks.udd total.csv --exact --json
is "a dead counter of an exact total" "$(verdicts), $(json out 'd["dead"]')" "['feasible'], ['walks', 'giant']"
status 1 "$HECATE" check walks.udd total.csv --exact --trust-zeros
"$HECATE" import -q -o total.hct total.csv
status 0 "$HECATE" check walks.udd total.hct --exact
status 0 "$HECATE" check walks.udd dead.csv --flow
status 0 "$HECATE" search walks.udd dead.csv --json
is "a search" "$(json out 'len(d["minimal"])')" 1
status 0 "$HECATE" search walks.udd dead.csv --trust-zeros --json
is "  that believes zeros" "$(json out 'd["minimal"]')" "[]"

# What is refuted without the 0 stays refuted, and a 0 that does not matter stays in the verdict.
rows 40 1 2 0 >wrong.csv
status 1 "$HECATE" check walks.udd wrong.csv --json
is "a wrong model" "$(verdicts), $(json out 'd["dead"], d["observations"][0]["with_zeros"]')" "['infeasible'], ([], None)"
rows 40 1 1 0 >right.csv
status 0 "$HECATE" check walks.udd right.csv --json
is "a 0 that does not matter" "$(verdicts), $(json out 'd["dead"], d["observations"][0]["with_zeros"]')" "['feasible'], ([], None)"
# A counter that rose once was counted.
printf 'observation,loads,hits,walks,reads,giant\na,13000,10000,0,3000,0\nb,13000,10000,3000,3000,0\n' >alive.csv
status 1 "$HECATE" check walks.udd alive.csv --exact --json
is "a counter that rose in another observation" "$(verdicts)" "['infeasible', 'feasible']"

# A draft has no part in zeros that nobody vouches for, and the place of an event is judged without them.
sed 's/^\([0-9]*\),/\1+2000,/' dead.csv | awk -F, -v OFS=, 'NR > 1 { split($1, n, "+"); $1 = n[1] + n[2] } { print }' >both.csv
status 0 "$HECATE" search walks.udd both.csv --draft drafted.udd --json
is "a signature for what is refuted without zeros" "$(json out '[x["coef"] for x in d["proposals"]["signatures"]]')" "[{'loads': 1}]"
status 0 "$HECATE" check drafted.udd both.csv --variant drafts
status 0 "$HECATE" search walks.udd both.csv --trust-zeros --draft believed.udd --json
has "  that believes zeros" "$(json out '[x["coef"] for x in d["proposals"]["signatures"]]')" "'reads'"
sed 's/counter hits; //; s/count hits;//' walks.udd >nohits.udd
status 0 "$HECATE" locate nohits.udd hits dead.csv --json
is "a place, judged without them" "$(json out '[c["rule"] for c in d["candidates"] if c["survives"] and c["terms"] == 1], d["left_out"]')" "(['loads = reads + hits'], [])"
status 2 "$HECATE" locate nohits.udd hits dead.csv --trust-zeros
has "  zeros that are counts refute the model" "$err" 'every observation that has .hits. refutes the model'
sed 's/counter walks; //; s/count walks; //' walks.udd >nowalks.udd
status 2 "$HECATE" locate nowalks.udd walks dead.csv
has "an event that reads 0 shows no place" "$err" "'walks' reads 0 throughout: perhaps it was not counted.*--trust-zeros"
status 0 "$HECATE" locate nowalks.udd walks dead.csv --trust-zeros

# Zeros that are counts: of a machine that hardly ran, of software events, and of sources that leave zeros out.
printf 'loads,hits,walks,reads,giant\n13,10,0,3,0\n' >few.csv
status 1 "$HECATE" check walks.udd few.csv --exact
cat >faults.udd <<'X'
model faults; counter f = "page-faults"; counter m = "minor-faults"; path p { count f; count m; }
X
printf '5000,,page-faults,1000000,100.00,,\n0,,minor-faults,1000000,100.00,,\n' >faults.csv
status 1 "$HECATE" check faults.udd faults.csv --exact
cat >events.udd <<'X'
model events; counter f = "instructions"; counter m = "L1-dcache-loads"; path p { count f; count m; }
X
sed 's/page-faults/instructions/; s/minor-faults/L1-dcache-loads/' faults.csv >events.csv
status 0 "$HECATE" check events.udd events.csv --exact --json
is "the same counts of hardware events" "$(verdicts), $(json out 'd["dead"]')" "['feasible'], ['m']"
sed 's/f = "instructions"; counter m = "L1-dcache-loads"/f = "sched:sched_switch"; counter m = "vmstat:pgfault"/' events.udd >kernel.udd
printf '5000,,sched:sched_switch,1000000,100.00,,\n0,,vmstat:pgfault,1000000,100.00,,\n' >kernel.csv
status 1 "$HECATE" check kernel.udd kernel.csv --exact
status 2 "$HECATE" check walks.udd dead.csv --trust-zeros --counterpoint
has "CounterPoint takes zeros as they are" "$err" 'counterpoint does not go with --trust-zeros'
done_testing
