#!/bin/sh
# Imports that are interrupted, by kill -9, by Ctrl-C, by a pipe that stops; and progress on a terminal.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
seq 1 200000 | awk 'BEGIN { print "time,a,b,c" } { print $1 ".5," 3 * $1 "," 1000000007 - $1 "," $1 % 97 }' >data.csv
"$HECATE" import -q -o whole.hct data.csv
"$HECATE" export whole.hct | cut -d, -f2- >whole.csv
rows_of() { python3 -c 'import sqlite3, sys; print(sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute("SELECT count(*) FROM sample").fetchone()[0])' "$1" 2>/dev/null || echo 0; }
has_rows() { [ "$(rows_of "$2")" -ge "$1" ]; }
# until_rows ROWS FILE: waits until the file has that many rows
until_rows() {
	eventually has_rows "$1" "$2"
}
same() { "$HECATE" export "$1" | cut -d, -f2- >got.csv && cmp -s got.csv whole.csv; }

# A background job of sh ignores Ctrl-C, and its children inherit that.
cat >heeding.py <<'P'
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
P

has_ended() { ! kill -0 $pid 2>/dev/null || grep -q '^State:.Z' /proc/$pid/status 2>/dev/null; }
# Ends the import. The shell waits for the whole pipe, so its writer is ended afterwards.
interrupt() {
	kill -INT $pid
	eventually has_ended
	: >hold
	wait $pid
}

# kill -9 while a pipe has stopped; then the same command with all of the data.
mkfifo hold
(head -n 70001 data.csv; cat hold) | "$HECATE" import -q -o killed.hct - &
pid=$!
until_rows 70000 killed.hct
is "rows are in the file while the pipe stops" "$(rows_of killed.hct)" 70000
kill -9 $pid
: >hold
wait $pid 2>/dev/null
cat data.csv | "$HECATE" import -o killed.hct - 2>err
has "it continues, and says so" "$(cat err)" 'stdin: 70000 rows are already in the file; the import continues after them'
has "what was added" "$(cat err)" 'killed.hct: 1 observation was added, 130000 rows'
check "no row lost, no row doubled" same killed.hct
"$HECATE" export killed.hct --json -o killed.json
is "one observation without a note" "$(json killed.json '[o["name"] for o in d["observations"]], d["notes"]')" "(['stdin'], [])"

# Ctrl-C keeps the rows that came, and verdicts use them.
(head -n 50001 data.csv; cat hold) | python3 heeding.py "$HECATE" import -o stopped.hct - 2>err &
pid=$!
until_rows 50000 stopped.hct
interrupt
is "Ctrl-C: exit status" $? 2
has "  with a message" "$(cat err)" 'hecate: the import of stdin was interrupted; 50000 rows are in stopped.hct; the same command continues from there'
printf 'model m; counter a; counter b; path p { count b; choose { case A: count a; case B: } }\n' >m.udd
"$HECATE" check m.udd stopped.hct >out 2>err
has "a verdict on it says so" "$(cat err)" 'the import of stdin is incomplete: 50000 of its rows are in the file'
cat data.csv | "$HECATE" import -q -o stopped.hct -
check "  and the import continues" same stopped.hct

# A pipe that ends in the middle of a line.
head -c 1000003 data.csv | "$HECATE" import -o cut.hct - 2>err
has "an end in the middle of a line" "$(cat err)" 'ends in the middle of a line, which was left out'
"$HECATE" export cut.hct --json -o cut.json
has "which line, and how many rows were taken" "$(json cut.json 'd["notes"]')" 'stdin:[0-9]+: the last line is incomplete and is left out, and the [0-9]+ rows before it are taken'
cat data.csv | "$HECATE" import -q -o cut.hct -
check "  continues when the whole line comes" same cut.hct
"$HECATE" export cut.hct --json -o cut.json
is "  without any note" "$(json cut.json 'd["notes"]')" "[]"

# A live source begins anew: its data are others, and none of the first ones is lost.
printf '1.000100001,5,,page-faults,100,100.00,,\n2.000100001,6,,page-faults,100,100.00,,\n' >first
printf '1.000100777,7,,page-faults,100,100.00,,\n2.000100777,8,,page-faults,100,100.00,,\n' >second
(cat first; cat hold) | python3 heeding.py "$HECATE" import -q -o live.hct - 2>/dev/null &
pid=$!
until_rows 1 live.hct
interrupt
cat second | "$HECATE" import -o live.hct - 2>err
has "other data" "$(cat err)" 'these are not the data'
"$HECATE" export live.hct --json -o live.json
is "both are in the file" "$(json live.json '[(o["name"], len(o["rows"])) for o in d["observations"]]')" "[('stdin', 1), ('stdin#2', 2)]"

# check: Ctrl-C ends a pipe, and what came gets a verdict; a message says what hecate waits for.
(head -n 1001 data.csv; cat hold) | python3 heeding.py "$HECATE" check m.udd - --json >out.json 2>err &
pid=$!
eventually grep -q 'no data from standard input' err
has "what hecate waits for" "$(cat err)" 'no data from standard input for 2 s, although a program still holds it open; Ctrl-C continues with the data so far'
interrupt
is "verdict on what came" "$(json out.json '[o["samples"] for o in d["observations"]], [w["text"] for w in d["warnings"] if w["code"] == "import"]')" \
	"([1000], ['stdin: stopped by Ctrl-C: only what had arrived by then is used'])"

# On a terminal it shows progress; elsewhere, and with -q, it shows nothing.
terminal() { python3 -c 'import pty, sys; pty.spawn(["sh", "-c", sys.argv[1]])' "$1" </dev/null | tr '\r' '\n'; }
slow='(head -n 90001 data.csv; sleep 1; sed -n 90002,150001p data.csv; sleep 1; tail -n +150002 data.csv)'
terminal "$slow | '$HECATE' import -q -o p2.hct -" >quiet &
sh -c "$slow | '$HECATE' import -o p3.hct - 2>err" &
shown=$(terminal "$slow | '$HECATE' import -o p1.hct -")
wait
has "on a terminal: progress" "$shown" 'hecate: stdin [0-9]+ MB, [0-9 ]+ rows, [0-9]+ MB/s'
has "  and the end" "$shown" '1 observation was added, 200000 rows'
is "on a terminal, with -q" "$(cat quiet)" ""
is "not on a terminal" "$(cat err)" "hecate: p3.hct: 1 observation was added, 200000 rows"
done_testing
