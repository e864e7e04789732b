#!/bin/sh
# What must not be believed: names in doubt, units that do not meet, tables that were cut, numbers at the edge of what
# a counter or a double holds, tables without counts, databases that are locked or damaged. Each has its exact message;
# cli/csv_habits, cli/damaged, cli/names and cli/session test the readers behind them at length.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >m.udd <<'U'
model m "at most two instructions in a cycle";
counter cycles = "cycles"; counter instructions = "instructions";
path c { count cycles; choose { case Z: case N: count instructions * 2; } }
U
sed 's/"cycles"/"a", "b"/' m.udd >sum.udd
# judges NAME MODEL VERDICT MESSAGE TEXT: the verdict on exact totals of `perf stat -x,`, and a line of standard error
judges() {
	# shellcheck disable=SC2059
	printf "$5" >d.csv
	"$HECATE" check "$2" d.csv --exact --json >json.out 2>json.err
	is "$1" "$(json json.out 'd["observations"][0]["verdict"]' 2>/dev/null)" "$3"
	[ "$3" ] || is "  no verdict, and no output" "$(cat json.out)" ""
	"$HECATE" check "$2" d.csv --exact >text.out 2>text.err
	[ -z "$4" ] || is "  $4" "$(grep -cFx "hecate: $4" text.err)" 1
}
row() {
	for cell; do
		printf '%s,%s,%s,1000,100.00,,\\n' "${cell#*=}" "$unit" "${cell%%=*}"
	done
}
unit=
letters='u (user mode), k (kernel mode), h (hypervisor), I (not while idle), G (guests), H (host), and of how it is measured p P S D W e b R X'
judges "one event in two modes: each its own counter" m.udd undecided \
	"not counted alike, so that no constraint relates them: cycles:uk (every mode) and instructions:u (user mode)" \
	"$(row cycles:u=1000 cycles:uk=2000 instructions:u=3000)"
judges "two lists of modifiers" m.udd feasible "cycles:u:k has two lists of modifiers, which are read as one, :uk" \
	"$(row cycles:u:k=2000 instructions=3000)"
judges "a letter that is no modifier" m.udd feasible \
	"cycles is not in the data; column cycles:z is not it: the letters after its colon are no modifiers; those are $letters" \
	"$(row cycles:z=2000 instructions=3000)"
judges "  among others" m.udd feasible \
	"cycles is not in the data; column cycles:uq is not it: the letters after its colon are no modifiers; those are $letters" \
	"$(row cycles:uq=2000 instructions=3000)"
judges "a unit that nobody knows" m.udd undecided \
	"not counted alike, so that no constraint relates them: cycles (furlong) and instructions (plain counts)" \
	"12.5,furlong,cycles,1000,100.00,,\n3000,,instructions,1000,100.00,,\n"
judges "MiB and counts in one sum" sum.udd feasible \
	"the columns of cycles cannot be added up: a (MiB) and b (plain counts)" \
	"12.5,MiB,a,1000,100.00,,\n3000,,b,1000,100.00,,\n3000,,instructions,1000,100.00,,\n"
judges "two names of one event" m.udd feasible \
	"columns cycles and cpu-cycles are two names of one event: cycles is used" \
	"$(row cycles=1000 cpu-cycles=7 instructions=1500)"

# A table that was cut in the middle of a group: the group's other counters stand, and nothing relates them.
judges "a table that was cut in a group" m.udd feasible \
	"d.csv:4: the last line is incomplete and is left out: is the file still being written?" \
	" Performance counter stats for './a':\n\n  1,000  cycles\n  2,345   instructions"
is "  and its end is missing" "$(grep -c 'd.csv:1: this table has no "seconds time elapsed"' text.err)" 1
is "  the constraint is not tested" "$(grep -c 'not tested: instructions ≤ 2 cycles' text.out)" 1
judges "intervals that were cut in a group" m.udd feasible \
	"d.csv:4: the last line is incomplete and is left out: is the file still being written?" \
	"     1.000123,1000,,cycles,1000,100.00,,\n     1.000123,1500,,instructions,1000,100.00,,\n     2.000123,1000,,cycles,1000,100.00,,\n     2.000123,9500,,instr"

# Numbers: 2^48 - 1 is a count if the others are as large, and 2^53 + 1 is not 2^53.
judges "2^48 - 1 among small counts" m.udd feasible \
	"d.csv: 1 of the cells of cycles in d lie just below 2^48, and all others are small: a counter of 48 bits wrapped; left out" \
	"cycles,instructions\n281474976710655,1\n100,100\n101,100\n"
judges "2^53 + 1 against 2^53" m.udd infeasible "" "cycles,instructions\n4503599627370496,9007199254740993\n"
is "  off by 1" "$(sed -n 's/.*off by *//p' text.out)" "+1"
is "  in full" "$(sed -n '/certificate/{n;s/^ *//;p;}' text.out)" \
	"9 007 199 254 740 992 - 9 007 199 254 740 993 = -1, not >= 0"
judges "  and 2^53 + 2" m.udd feasible "" "cycles,instructions\n4503599627370497,9007199254740993\n"
judges "-0" m.udd undecided "" "cycles,instructions\n-0,0\n"
is "  is 0" "$(grep -c "every counter reads 0: none of the model's events happened" text.out)" 1
judges "1e300" m.udd "" \
	"d.csv:2:1: cycles is beyond 64 bits: 1e300; counts must be below 2^63, counting all digits after the decimal point" \
	"cycles,instructions\n1e300,0\n"
judges "  of perf" m.udd "" \
	"d.csv:1: cycles is beyond 64 bits: 1e300; counts must be below 2^63, counting all digits after the decimal point: this counter was misread; remove its lines" \
	"1e300,,cycles,1000,100.00,,\n"

# Tables with next to nothing, and with far too much.
judges "one column" m.udd feasible "not in the data, so projected away: instructions; of 0 equalities and 2 inequalities, 0 and 1 can still be tested" \
	"cycles\n1000\n"
judges "blanks" m.udd "" \
	"d.csv:1:1: column 1 has no name; the first line names the counters; is there a comma too many?" "   \n \n"
judges "only percentages" m.udd undecided \
	"d.csv:1: derived metrics are not counts, so these take part only where a model names them: a %, b %" \
	"a %%,b %%\n1,2\n3,4\n"
rm -f d.hct
status 2 "$HECATE" import -o d.hct d.csv
is "  there is nothing to import" "$err" "hecate: d.csv:1: no column holds counts: these are derived metrics: a %, b %; give the raw counts; or, if a column does hold counts, name it with --counts"
python3 -c 'print(",".join("c%d" % i for i in range(10000))); [print(",".join("%d" % (7 + k + i % 5) for i in range(10000))) for k in range(3)]' >wide.csv
sed 's/"cycles"/"c7"/; s/"instructions"/"c9999"/' m.udd >wide.udd
"$HECATE" check wide.udd wide.csv --exact --json >wide.json 2>wide.err
is "10 000 columns" "$(json wide.json '[o["verdict"] for o in d["observations"]]')" "['feasible']"
python3 - >two.csv <<'P'
print(",".join("c%d" % i for i in range(40)))
for r in range(2):
    print(",".join(str(1000 + 7 * i + 900 * r * (i % 3)) for i in range(40)))
P
{
	echo 'model two;'
	for i in $(seq 0 39); do echo "counter c$i;"; done
	echo 'path p { count c0; choose {'
	for i in $(seq 1 39); do echo "case K$i: count c$i;"; done
	echo '} }'
} >two.udd
status 2 "$HECATE" check two.udd two.csv
has "2 rows of 40 counters" "$err" 'two: 2 samples are few for 40 counters: .*Fewer than 8 cannot show slow noise, so they refute nothing unless --independent-rows'
has "  are undecided" "$out" '\? undecided +two'

awk 'BEGIN { for (i = 0; i < 70000; i++) printf "c%d,", i; print "a" }' >columns.csv
status 2 "$HECATE" check m.udd columns.csv
has "a header of 70 001 columns" "$err" 'the header has more than 65536 columns; no machine has so many counters'

# A model that includes a pipe, which nobody fills.
mkfifo pipe
echo 'model m; include "pipe"; path p { done; }' >pipe.udd
status 2 timeout 60 "$HECATE" constraints pipe.udd
has "a pipe that is included" "$err" 'pipe is no regular file; include a file with a model'

# Files of other tools and databases.
status 2 "$HECATE" import -o d.hct "$HECATE_TESTS/data/tools/likwid_nan.csv"
is "likwid's table with nan throughout" "${err#*likwid_nan.csv: }" 'no table of this output of likwid-perfctr holds a count; its raw tables ("Event,Counter,…") are needed. If they are there, likwid could not use the counters: it prints nan or - for these'
printf 'a,b\n5,5\n6,5\n7,6\n7,7\n6,8\n' >falls.csv
status 2 "$HECATE" check m.udd falls.csv --totals
is "totals that fall" "$err" "hecate: falls.csv: row 5 of falls: the total of a falls from 7 to 6; --totals is for running totals, which cannot fall: without it each row is an increment"
printf 'a,b\n5,5\n6,5\n' >s.csv
"$HECATE" import -q -o s.hct s.csv
head -c 5000 s.hct >cut.hct
status 2 "$HECATE" check m.udd cut.hct
is "a damaged session file" "$err" "hecate: cut.hct is damaged: database disk image is malformed; to save what is readable: sqlite3 cut.hct .recover | sqlite3 NEW"
cat >lock.py <<'P'
import sqlite3, subprocess, sys
c = sqlite3.connect("s.hct", isolation_level=None)
c.execute("PRAGMA locking_mode=EXCLUSIVE")
c.execute("BEGIN EXCLUSIVE")
r = subprocess.run([sys.argv[1], "check", "m.udd", "s.hct"], capture_output=True, text=True)
print(r.returncode, r.stdout + r.stderr, end="")
P
is "a session file that another program holds" "$(python3 lock.py "$HECATE")" \
	"2 hecate: s.hct is in use by another program; wait until that program is done; fuser s.hct shows which it is"
done_testing
