#!/bin/sh
# hecate probe --on import:FILE: curves of other programs. All curves here are made.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# A queue of 24 entries, as robsize prints a curve.
awk 'BEGIN { print "ICOUNT,MIN,AVG,MAX"; for (i = 4; i <= 60; i++) { y = i <= 24 ? 100 : 250; y += i % 3; print i "," y - 1 "," y "," y + 2 } }' >queue.csv
status 0 "$HECATE" probe --on import:queue.csv --json
printf '%s' "$out" >queue.json
is "one knee" "$(json queue.json '[(k["kind"], k["x"], k["low"], k["high"]) for k in d["knees"]]')" "[('jump', 24, 24, 25)]"
is "  its levels" "$(json queue.json '[round(d["knees"][0][k], -1) for k in ("before", "after")]')" '[100.0, 250.0]'
is "  names of axes" "$(json queue.json '(d["x"], d["y"], d["points"])')" "('ICOUNT', 'AVG', 57)"
status 0 "$HECATE" probe --on import:queue.csv
has "as text" "$out" 'jump at 24 \(24 to 25\): from 10.* to 25.*; up to 24 fit'
has "from standard input" "$("$HECATE" probe --on import:- <queue.csv)" '^stdin: 57 points.*'

# Curves that are not steps.
awk 'BEGIN { print "x,mean"; for (i = 1; i <= 40; i++) print i "," 7 }' >flat.csv
awk 'BEGIN { print "x,mean"; for (i = 1; i <= 40; i++) print i "," (i < 12 || i > 30 ? 50 : 90) }' >bump.csv
awk 'BEGIN { print "x,y"; for (i = 1; i <= 40; i++) print i "," (i < 20 ? i / 4 : 5) }' >bend.csv
for curve in flat:0 bump:2 bend:1; do
	"$HECATE" probe --on import:"${curve%:*}.csv" --json >a.json
	is "knees of ${curve%:*}" "$(json a.json 'len(d["knees"])')" "${curve#*:}"
done
has "none is said" "$("$HECATE" probe --on import:flat.csv)" 'no knee: one trend explains the curve'
is "the bend is found" "$(json a.json '19 <= d["knees"][0]["x"] <= 21')" True
printf 'x,min,mean,max\n1,1,1,1\n2,1,1,1\n3,9,9,9\n' >three.csv
has "three points" "$("$HECATE" probe --on import:three.csv)" 'too few points to tell a knee from noise: 8 are needed'

has "a fall says no more than that" "$("$HECATE" probe --on import:bump.csv)" 'jump at 30 \(30 to 31\): from 90 down to 50$'

# Cells may be separated by semicolons, as some spreadsheets do, or by tabs, as robsize without --csv.
for sign in ';' '\t'; do
	tr , "$sign" <queue.csv | sed 's/$/\r/' >other.csv
	has "cells between '$sign'" "$("$HECATE" probe --on import:other.csv)" 'jump at 24 \(24 to 25\)'
done

# What is odd is put right, and said; what is wrong is refused, with its place.
{ head -n 20 queue.csv; echo '200,nan,nan,nan'; tail -n +21 queue.csv; echo 30,101,251,252; } >odd.csv
status 0 "$HECATE" probe --on import:odd.csv
has "no number" "$err" 'odd.csv: 1 row without a number left out, the first in line 21'
has "twice, and out of order" "$err" '1 rows? ha(s|ve) an x that another row has'
has "  the knee stays" "$out" 'jump at 24 '
printf 'x,min,mean,max\n1,1,2,3\n2,4,2,3\n3,3,2,1\n' >odd.csv
status 0 "$HECATE" probe --on import:odd.csv
has "min and max change places" "$err" 'odd.csv: 2 rows have a mean outside of min and max, the first in line 3'
bad() {
	printf "$2" >bad.csv
	status 2 "$HECATE" probe --on import:bad.csv
	has "$1" "$err" "$3"
}
bad "no header" '1,2\n2,3\n' 'bad.csv:1:.*the table has no header; write a first line such as x,min,mean,max'
bad "no number in a cell" 'x,mean\n1,2\n2,abc\n' 'bad.csv:3:3: not a number: abc'
bad "a row that is cut off" 'x,min,mean,max\n1,2,3,4\n2,3\n' 'bad.csv:3:.*the row has 2 cells, and the header 4'
bad "no values" 'x,colour,shape\n1,2,3\n' 'bad.csv:1:.*no column for the measured values'
bad "two columns for one" 'x,mean,avg\n1,2,3\n' 'bad.csv:1:8: the table has two columns for the same: avg'
bad "a number beyond what can be squared" 'x,mean\n1,2\n2,1e200\n' 'bad.csv:3:3: too large a number: 1e200'
bad "an empty file" '' 'bad.csv: no curve: the file is empty'
status 2 "$HECATE" probe --on import:none.csv
has "no such file" "$err" 'cannot open none.csv: No such file or directory; check the path'

# Probes on a simulated core.
status 0 "$HECATE" probe --list
has "probes are listed" "$out" '^load_queue +entries of the load queue$'
status 0 "$HECATE" probe load_queue l1_latency --on sim:core --set 'load_queue 24'
has "a capacity" "$out" '^load_queue +24 entries \(24 to 25\) +entries of the load queue$'
has "a latency" "$out" '^l1_latency +2 cycles \(2 to 2\) '
status 0 "$HECATE" probe mul_latency --on sim:core --json
printf '%s' "$out" >probes.json
is "as JSON" "$(json probes.json '[(r["probe"], r["value"], len(r["knees"])) for r in d["results"]], d["cut"]')" "([('mul_latency', 3, 0)], False)"
# A study of many curves, which has a probe's place.
has "the study is listed" "$("$HECATE" probe --list)" '^rob_compression +compression of the reorder buffer, in three stages$'
status 0 "$HECATE" probe rob_compression --on sim:core --set 'rob 96'
has "the study names its entries" "$out" 'The reorder buffer has 96 entries and is not compressed'
has "  and what else is full" "$out" '^  st +64  store queue: 64 entries$'
status 0 "$HECATE" probe rob_compression --on sim:core:rob_compression --set 'rob 64' --json
printf '%s' "$out" >study.json
is "the study as JSON" "$(json study.json 'd["entries"], d["compressed"], len(d["combinations"]), [c["instruction"] for c in d["conditions"] if c["shares"]], d["per_entry"]')" "(64, True, 41, ['add', 'fadd', 'nop'], 4)"
status 2 "$HECATE" probe rob_compression rob --on sim:core
has "a study runs alone" "$err" 'rob_compression is a study of many curves, and runs alone; name the probes in a command of their own'
status 2 "$HECATE" probe no-such --on sim:core
has "no such probe" "$err" "none of the installed probes has that name; known: .*load_queue"
status 2 "$HECATE" probe rob --on sim:haswell
has "no pipeline" "$err" 'the machine haswell has no pipeline, so no probe can run on it; use one that has, such as core'
status 2 "$HECATE" probe rob --on sim:core --set 'rob 0'
has "a bad change" "$err" 'the entries of the reorder buffer: a whole number from 1'
status 0 "$HECATE" probe rob --on import:queue.csv
has "a curve and its probe" "$out" '^rob +26 entries \(26 to 27\)'
printf 'probe own "mine" { slope 4 .. 40 step 2; fill add chained; }' >own.probe
has "a file of one's own" "$("$HECATE" probe ./own.probe --on sim:core)" '^own +1 '
printf 'probe own "mine" { slope 4 .. 40 step 2; fill ad; }' >own.probe
status 2 "$HECATE" probe ./own.probe --on sim:core
has "  with an error" "$err" 'own.probe:1:47: nop, add, .* expected'

# Probes check each other: the load queue is full where the probe of the reorder buffer has its knee. By itself nothing
# is known of that.
status 0 "$HECATE" probe rob load_queue int_registers --on sim:core --set 'rob 328; load_queue 33'
has "a lower bound" "$out" '^rob +≥ 188 entries  +entries of the reorder buffer$'
has "  and what hides it" "$out" '^ +or more: what load_queue measures may be full then, too$'
has "  what hides is exact" "$out" '^load_queue +33 entries \(33 to 34\)'
has "  and what such a bound hides" "$out" '^ +or more: what rob measures may be full then, too$'
status 0 "$HECATE" probe rob load_queue --on sim:core --set 'rob 328; load_queue 33' --json
printf '%s' "$out" >truth.json
is "  as JSON" "$(json truth.json '[(r["value"], r["low"], r["high"], r["at_least"], r["hidden_by"]) for r in d["results"]]')" \
	"[(188, 188, None, True, 'load_queue'), (33, 33, 34, False, None)]"
status 0 "$HECATE" probe rob --on sim:core --set 'rob 328; load_queue 33'
has "  by itself" "$out" '^rob +188 entries \(188 to 190\)'
sed 's/^rob 128/rob 300/; s/^\(load\|store\)_queue 64/\1_queue 100/' "$TOP_SRCDIR/models/machines/core.machine" >big.machine
status 0 "$HECATE" calibrate sim:./big.machine truth.json rob
has "  more agrees with it" "$out" 'nothing to calibrate'
status 0 "$HECATE" calibrate sim:core truth.json rob
has "  less does not" "$out" 'rob: 128, fits with 188'
status 0 "$HECATE" probe move_latency --on sim:kmh
has "a part of a whole number" "$out" '^ +not a whole number: something else limits, too$'
status 0 "$HECATE" probe rob --on sim:core --set 'width 1; rob 328'
has "a bend" "$out" '^ +or more: the curve bends there'

# Ctrl-C within a probe that takes for ever: what was measured is printed, and that it is a part.
printf 'probe long "x" { level 1 64M .. 1048576M doubling; footprint; }' >long.probe
status 0 python3 "$HECATE_TESTS/lib/stop.py" 0 "$HECATE" probe ./long.probe --on sim:core --json
has "an interrupted probe" "$err" 'stopped after [0-9]+ points?: the answer is that of a part of the curve'
is "  in the document, too" "$(json out 'd["cut"], len(d["results"][0]["notes"])')" "(True, 1)"

# Curves are recorded in a session file: measured ones, and one that was read. Measured again, they are replaced.
status 0 "$HECATE" probe load_queue mul_latency --on sim:core -o curves.hec
has "what is found is printed, too" "$out" '^load_queue +64 entries'
status 0 "$HECATE" probe load_queue --on sim:core --set 'load_queue 24' -o curves.hec
status 0 "$HECATE" probe --on import:queue.csv -o curves.hec
is "curves of the file" "$(sqlite3 curves.hec 'SELECT name, whole FROM curve' | tr '\n' ' ')" \
	"load_queue on sim:core|1 load_queue on sim:core load_queue 24|1 mul_latency on sim:core|1 queue.csv on import|1 "
is "  their points" "$(sqlite3 curves.hec "SELECT count(*), min(x), max(mean) FROM curve_point WHERE curve LIKE 'queue%'")" "57|4.0|252.0"
before=$(sqlite3 curves.hec 'SELECT count(*) FROM curve_point')
status 0 "$HECATE" probe mul_latency --on sim:core -o curves.hec
is "  the same number after measuring again" "$(sqlite3 curves.hec 'SELECT count(*) FROM curve_point')" "$before"
status 0 "$HECATE" probe mul_latency --on sim:core -o said.txt
has "another file gets what would be printed" "$(cat said.txt)" '^mul_latency +3 cycles'
status 2 "$HECATE" probe mul_latency --on sim:core -o dir/none.hec
has "a folder that is not there" "$err" 'none.hec'
done_testing
