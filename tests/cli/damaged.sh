#!/bin/sh
# Damaged data that show it: appended to themselves, wrapped counters, running totals. No verdict rests on them.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# The model is wrong (b = 2a), so that any verdict on whole rows is a refutation of what the rows say.
cat >m.udd <<'M'
model m; counter a = "a"; counter b = "b"; path c { count a; count b; }
M
"${HECATE_PYTHON:-python3}" - <<'P'
import random
random.seed(5)
rows = [(random.randint(900, 1100) * 1000, random.randint(1900, 2100) * 1000) for _ in range(40)]
times = [0.1 * (i + 1) for i in range(40)]
def write(name, rows, times=None):
    with open(name, "w") as f:
        f.write("time,a,b\n" if times else "a,b\n")
        for i, r in enumerate(rows):
            f.write(("%g," % times[i] if times else "") + "%d,%d\n" % r)
def totals(rows, start=(0, 0)):
    out = []
    for r in rows:
        start = (start[0] + r[0], start[1] + r[1])
        out.append(start)
    return out
write("plain.csv", rows)
write("twice.csv", rows + rows)
write("three.csv", rows * 3)
write("timed.csv", rows + rows, times + times)
text = open("plain.csv").read()
open("header.csv", "w").write(text + text)
write("totals.csv", totals(rows), times)
write("raw.csv", totals(rows, (10**12, 10**12)), times)
write("few.csv", totals([(1000 + i % 3, 2000 + i % 2) for i in range(12)]))
write("falls.csv", totals(rows)[:20] + [(1, 2)] + totals(rows)[20:])
write("ramp.csv", [(10**6 + 3000 * i + random.randint(0, 2000), 10**6 + 4000 * i + random.randint(0, 2000)) for i in range(20)])
write("wrap.csv", rows[:5] + [(281474976710600, 3)] + rows[5:20])
write("large.csv", [(281474976710600 - i % 3, 3) for i in range(10)])
write("steady.csv", [(1000, 1000)] * 20)
P
# hasnt NAME TEXT PATTERN
hasnt() {
	is "$1" "$(printf '%s\n' "$2" | grep -cE -- "$3")" 0
}
samples() {
	json "$tmp/out" 'd["observations"][0]["samples"]'
}
status 1 "$HECATE" check m.udd plain.csv --json
is "rows that stand once" "$(samples)" 40
for f in twice three timed header; do
	"$HECATE" check m.udd "$f.csv" --json >"$tmp/out" 2>"$tmp/err"
	is "$f: each row is counted once" "$(samples), $(json "$tmp/out" 'len(d["observations"]), sum("appended to itself" in w["text"] for w in d["warnings"])')" "40, (1, 1)"
	rm -f h.hct
	status 0 "$HECATE" import -o h.hct "$f.csv"
	has "  said at import, too" "$err" 'appended to itself'
done
"$HECATE" check m.udd steady.csv --json >"$tmp/out" 2>"$tmp/err"
is "equal rows of a steady program are rows" "$(samples)" 20

for f in totals raw few; do
	status 2 "$HECATE" check m.udd "$f.csv"
	has "$f: running totals are undecided" "$out" 'every column only rises.*--totals'
	rm -f h.hct
	status 0 "$HECATE" import -o h.hct "$f.csv"
	has "  said at import" "$err" "every column of $f only rises"
	status 2 "$HECATE" check m.udd h.hct
	has "  undecided from a session file" "$out" 'every column only rises'
done
status 1 "$HECATE" check m.udd totals.csv --totals --json
is "--totals takes differences" "$(samples)" 39
rm -f h.hct
status 0 "$HECATE" import -o h.hct totals.csv --totals
status 1 "$HECATE" check m.udd h.hct --json
is "  at import, too" "$(samples)" 39
"$HECATE" check m.udd totals.csv --increments >"$tmp/out" 2>&1
hasnt "--increments: they are increments" "$(cat "$tmp/out")" 'every column only rises'
"$HECATE" check m.udd ramp.csv >"$tmp/out" 2>&1
hasnt "a slow drift is no running total" "$(cat "$tmp/out")" 'every column only rises'
status 2 "$HECATE" check m.udd falls.csv --totals
has "totals that fall" "$err" 'falls.csv: row 21 of falls: the total of a falls from [0-9]* to 1;'
rm -f h.hct
status 2 "$HECATE" import -o h.hct falls.csv --totals
is "  nothing is imported" "$([ -e h.hct ] && "$HECATE" export h.hct 2>/dev/null | grep -c falls)" ""

"$HECATE" check m.udd wrap.csv >"$tmp/out" 2>"$tmp/err"
has "a wrapped counter" "$(cat "$tmp/err")" 'wrap.csv: 1 of the cells of a in wrap lie just below 2\^48'
"$HECATE" check m.udd large.csv >"$tmp/out" 2>"$tmp/err"
hasnt "large counts are no wraps" "$(cat "$tmp/err")" 'wrapped'
done_testing
