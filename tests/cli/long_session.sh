#!/bin/sh
# Session files of long runs, read by blocks: their report, and what happens if they are damaged. And files with several
# stacks.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
sql() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])' "$1" "$2"; }
cat >small.stack <<'X'
stack small "a small one" per thread;
counter c = "cycles" per thread unit cycles; counter a = "EVENT_A" per thread unit cycles; counter b = "EVENT_B" per thread unit cycles;
whole all = c; part first key "f" = a; part second key "s" = b; rest base key "B";
X
sed 's/stack small "a small one"/stack other "another"/; s/part second key "s" = b; //; s/counter b = .*;$//' small.stack >other.stack
cat >n.net <<'X'
network n; kind read; counter l2 = "L2" per core unit requests; counter mem = "MEM" per socket unit requests; counter gone = "X1" per core unit requests; counter clk = "CLK" per core unit cycles;
stage a { module L2 per core { clock = clk; read { hit = l2; miss = gone; delay = 10 cycles; } } }
stage b { module M per socket { read { hit = mem; } } } link L2 -> M;
X
# 20 columns x 30000 rows are more cells than are kept in memory at once. A simple generator makes them.
python3 -c '
names = ["cycles", "EVENT_A", "EVENT_B", "L2", "MEM", "CLK"] + ["X%d" % i for i in range(14)]
print("observation,time," + ",".join(names))
for r in range(30000):
	v = [1000 + r % 97, 300 + r % 13, 200 + r % 7, 500 + r % 31, 40 + r % 5, 10000 + r % 3] + [r * i % 1009 for i in range(14)]
	print("run,%d," % (r + 1) + ",".join(map(str, v)))' >long.csv
status 0 "$HECATE" import -q -o long.hct -m n.net long.csv

status 0 "$HECATE" export long.hct --csv
check "export gives what was imported" cmp out long.csv
status 0 "$HECATE" export long.hct --csv -o exported.csv
check "  also with -o" cmp exported.csv long.csv
status 0 "$HECATE" export long.hct --json
is "  and as JSON" "$(json out 'len(d["observations"][0]["rows"]), d["observations"][0]["rows"][29999]["counts"][:6]')" "(30000, [1026, 308, 204, 522, 44, 10002])"
for command in "net n.net DATA --json" "net n.net DATA --each-row --json" "stack small.stack,other.stack DATA --json"; do
	"$HECATE" $(echo "$command" | sed 's/DATA/long.csv/') >near.json 2>near.err
	status 0 "$HECATE" $(echo "$command" | sed 's/DATA/long.hct/')
	check "the same as from the CSV, which is read into memory: $command" sh -c 'sed "s/\"source\": \".*\"/\"source\"/" near.json >a; sed "s/\"source\": \".*\"/\"source\"/" out >b; cmp a b'
done
"$HECATE" report n.net long.csv >near.md
status 0 "$HECATE" report n.net long.hct
check "the same report as from the CSV" sh -c 'for f in near.md out; do sed "/^| written at/d; /^| source of the data/d; s/long\.[a-z]*/long/g" $f >$f.cmp; done; cmp near.md.cmp out.cmp'

# Rows in the middle that cannot be read: each subcommand reports it, and none leaves half a result.
cp long.hct bad.hct; sql bad.hct "UPDATE sample SET cells=x'ff00' WHERE row=15000"
for command in "export bad.hct --csv" "export bad.hct --json" "net bad.hct" "net bad.hct --each-row" "stack small.stack bad.hct" "report small.stack bad.hct"; do
	status 2 "$HECATE" $command
	has "rows that cannot be read are reported: $command" "$err" 'bad.hct (has changed since|is damaged)'
	status 2 "$HECATE" $command -o half
	is "  and no file is left" "$(echo half*)" "half*"
done
cp long.hct bad.hct; sql bad.hct "DELETE FROM sample WHERE row=15000"
status 2 "$HECATE" net bad.hct
has "a missing row" "$err" 'bad.hct is damaged'
size=$(stat -c %s long.hct)
for part in 2 3 10; do
	head -c $((size * (part - 1) / part)) long.hct >bad.hct
	for command in "export bad.hct" "net bad.hct" "stack small.stack bad.hct" "report bad.hct"; do
		status 2 "$HECATE" $command
		has "a truncated file: $command" "$err" 'bad.hct.* damaged'
	done
done

# Several stacks in a file: all are reported, in the order in which the file has them.
head -200 long.csv >short.csv
for text in n.net other.stack; do "$HECATE" import -q -o two.hct -m $text short.csv; done
"$HECATE" import -q -o two.hct -m small.stack short.csv
status 0 "$HECATE" report two.hct
printf '%s\n' "$out" >two.md
has "the network in it" "$out" '^\| network \| n \|$'
is "both stacks" "$(grep '^| stack |' two.md | tr '\n' ' ')" "| stack | small | | stack | other | "
is "an account by each stack" "$(grep '^## Where the time goes' two.md | tr '\n' '/')" "## Where the time goes, by small/## Where the time goes, by other/"
status 0 "$HECATE" report small.stack,other.stack short.csv
is "  and by those of the command line" "$(printf '%s\n' "$out" | grep '^## Where' | tr '\n' '/')" "## Where the time goes, by small/## Where the time goes, by other/"
has "the title names them" "$out" '^# small, other: 199 snapshots$'
status 0 "$HECATE" report small.stack short.csv
has "names are optional with such a file" "$out" '^## Where the time goes$'
check "shares by each are those of hecate stack" python3 -c '
import json, re, subprocess, sys
d = json.loads(subprocess.run([sys.argv[1], "stack", "two.hct", "--json"], capture_output=True, text=True).stdout); t = open("two.md").read()
bars = d["observations"][0]["bars"]
assert [b["stack"] for b in bars] == ["small", "other"], bars
for b in bars:
	line = [l for l in t.split("## Where the time goes, by " + b["stack"])[1].split("### The whole run")[1].split("\n") if l.startswith("| run ")][0]
	got = line.strip("| ").split(" | ")[2:]; want = [p["share"] for p in b["parts"] if p["parent"] is None and p["name"] != "(not accounted for)"]
	assert len(got) >= len(want) > 1 and all(abs(float(g) - 100 * w) <= 0.051 for g, w in zip(got, want)), (got, want)' "$HECATE"
mkdir pictures
status 0 "$HECATE" report two.hct -q -o pictures
check "pictures of it" test -s pictures/n-report-stalls.svg
"$HECATE" import -q -o two.hct -m stall-sources short.csv; "$HECATE" import -q -o two.hct -m small.stack short.csv
status 0 "$HECATE" report two.hct
has "a stack of the time of tasks is left out, with the way to see it" "$err" 'two.hct: left out the stack stall_sources, which cannot be shown next to small: hecate .*stall-sources.stack two.hct opens it'
sql two.hct "UPDATE model_file SET text='stack broken' WHERE model=2"
status 2 "$HECATE" report two.hct
has "a stack that does not parse is reported" "$err" 'other.stack:1:'
done_testing
