#!/bin/sh
# hecate export --line-protocol and --prometheus: what the session holds comes back through decoders that follow the two
# formats' descriptions, whatever its names contain; promtool accepts the one that is Prometheus'.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >e.net <<'END2'
network e "e"; kind rd "reads";
counter hit = "hit" per core unit requests;
counter miss = "miss" per core unit requests;
counter clk = "cycles" per core unit cycles;
counter lost = "lost" per socket unit cycles;
stage a { module l1 "L1" per core { clock = clk; rd { hit = hit; miss = miss; delay = 5 cycles; } } }
stage b { module mem "DRAM" per socket { clock = 1000 cycles; rd { hit = miss; delay = 105 cycles; stall = lost; } } }
link l1 -> mem;
END2
python3 - <<'END2'
import csv
w = csv.writer(open("e.csv", "w"))
w.writerow(["observation", "time", "hit@S0-C0", "hit@S0-C1", "miss@S0-C0", "miss@S0-C1", "cycles@S0-C0", "cycles@S0-C1", "lost@S0", "other, \"x\"=\\y"])
for name in ("plain", 'com,ma eq=ual "quote" back\\slash', "ends in \\"):
    for i in range(3):
        w.writerow([name, 0.5 * (i + 1), 1000 + i, 2**62 // 4 + i, 100, 200, 10000, 10000, 900, 7 + i])
END2
cat >read.py <<'END2'
"""Decoders of both formats, and what the session file's own document says."""
import json, re, sys

def line(text):
    """One line of line protocol: measurement, tags, fields, time."""
    def until(stops, i, escapes):
        out = ""
        while i < len(text) and text[i] not in stops:
            if text[i] == "\\" and i + 1 < len(text) and text[i + 1] in escapes:
                i += 1
            out += text[i]
            i += 1
        return out, i
    name, i = until(", ", 0, ", ")
    tags, fields = {}, {}
    while text[i] == ",":
        key, i = until("=", i + 1, ",= ")
        tags[key], i = until(", ", i + 1, ",= ")
        assert tags[key]
    while i < len(text) and (text[i] == "," or not fields):
        key, i = until("=", i + 1, ",= ")
        value, i = until(", ", i + 1, "")
        fields[key] = int(value[:-1]) if value.endswith("i") else float(value)
    return name, tags, fields, int(text[i + 1:])

SAMPLE = re.compile(r'([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
def samples(path):
    seen, last, out = set(), None, []
    for text in open(path):
        text = text[:-1]
        if text.startswith("# TYPE "):
            last = text.split()[2]
            assert last not in seen
            seen.add(last)
        if text.startswith("#"):
            continue
        name, labels, value = SAMPLE.match(text).groups()
        assert name == last
        pairs = LABEL.findall(labels)
        assert ",".join('%s="%s"' % p for p in pairs) == labels
        out.append((name, {k: re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), v) for k, v in pairs}, value))
    assert len({(n, tuple(sorted(l.items()))) for n, l, v in out}) == len(out)
    return out

lines = [line(t[:-1]) for t in open("out.line")] if len(sys.argv) > 1 else []
prom = samples("out.prom")
document = json.load(open("out.json"))
print(eval(sys.argv[-1]))
END2
of() { python3 read.py with "$1"; }

status 0 "$HECATE" import -q -m ./e.net -o e.hct e.csv
python3 - <<'END2'
import sqlite3
d = sqlite3.connect("e.hct")
d.execute("INSERT INTO verdict VALUES (1, '[\"A\",\"B\"]', 'plain', 0.99, 'cone', 'infeasible', 'infeasible', 812.5, 45.5, 0.0001, NULL, NULL)")
d.execute("INSERT INTO verdict VALUES (1, '[]', 'plain', 0.99, 'cone', 'undecided', 'undecided', NULL, NULL, NULL, NULL, 'x\ny')")
d.execute("UPDATE observation SET started = '2026-01-31T12:00:00Z' WHERE name = 'plain'")
d.commit()
END2
status 0 "$HECATE" export e.hct --line-protocol -o out.line
has "times without a day are said to count from 1970" "$err" 'no time of day is known for 2 of 3 observations'
status 0 "$HECATE" export e.hct --prometheus -o out.prom
status 0 "$HECATE" export e.hct --json -o out.json
cat >counts.py <<'END2'
import json
exec(open("read.py").read().split("lines = ")[0])
lines, prom, document = [line(t[:-1]) for t in open("out.line")], samples("out.prom"), json.load(open("out.json"))
def shown(name): return name.rstrip("\\")  # a tag cannot end in a backslash
want, sums = {}, {}
for o in document["observations"]:
    for i, row in enumerate(o["rows"]):
        for column, count in zip(document["counters"], row["counts"]):
            want[shown(o["name"]), column, i] = int(count)
            sums[o["name"], column] = sums.get((o["name"], column), 0) + int(count)
got = {}
for name, tags, fields, ns in lines:
    if name == "hecate_event":
        i = round((ns - (1769860800 * 10**9 if tags["observation"] == "plain" else 0)) / 5e8) - 1
        assert (tags["observation"], tags["event"], i) not in got
        got[tags["observation"], tags["event"], i] = fields["counts"]
print(got == want, len(got))
print({(l["observation"], l["event"]): int(v) for n, l, v in prom if n == "hecate_event_counts_total"} == sums, len(sums))
END2
is "every count comes back, to the last digit" "$(python3 counts.py 2>&1)" "True 72
True 24"
is "a day's time in nanoseconds" "$(of '[l[3] for l in lines if l[1]["observation"] == "plain" and l[0] == "hecate_snapshot"]')" "[1769860800500000000, 1769860801000000000, 1769860801500000000]"
is "owners are labels" "$(of 'sorted({l[1].get("owner") for l in lines if l[0] == "hecate_event"}, key=str)')" "[None, 'S0', 'S0-C0', 'S0-C1']"
status 0 "$HECATE" net e.net e.hct --each-row --json -o net.json
is "snapshots are those of hecate net" "$(of '(lambda n: sorted(round(q["length"], 9) for s in n for q in s["queues"] if q["length"] is not None) == sorted(round(l[2]["queue"], 9) for l in lines if l[0] == "hecate_vertex" and "queue" in l[2]))(json.load(open("net.json"))["snapshots"])')" True
is "  stalls as well" "$(of '(lambda n: sorted(round(o["stall"], 6) for s in n for d in s["stalls"] for c in d["components"] for o in c["owners"]) == sorted(round(l[2]["cycles"], 6) for l in lines if l[0] == "hecate_stall"))(json.load(open("net.json"))["snapshots"])')" True
is "  and the loads of links" "$(of 'sum(l[2]["load"] for l in lines if l[0] == "hecate_edge")')" 2700.0
is "verdicts" "$(of '[(l[1]["features"], l[1]["verdict"], l[2]) for l in lines if l[0] == "hecate_verdict"]')" \
	"[('[\"A\",\"B\"]', 'infeasible', {'refuted': 1.0, 'p': 0.0001, 'distance2': 812.5}), ('[]', 'undecided', {'refuted': 0.0})]"
is "  in Prometheus' text" "$(of '[(l["features"], v) for n, l, v in prom if n == "hecate_verdict_refuted"]')" "[('[\"A\",\"B\"]', '1'), ('[]', '0')]"
is "Prometheus' text has no times" "$(grep -v '^#' out.prom | grep -cvE '\} [^ ]+$')" 0
if command -v promtool >/dev/null 2>&1; then
	is "promtool check metrics" "$(promtool check metrics <out.prom 2>&1)" ""
else
	skip "promtool check metrics" "promtool is not installed"
fi
status 0 "$HECATE" import -q -o bare.hct e.csv
status 0 "$HECATE" export bare.hct --line-protocol
with_network=$(printf '%s\n' "$out" | grep -c hecate_vertex)
is "a file without a network has counts alone" "$with_network" 0
status 2 "$HECATE" export e.hct --prometheus --csv
has "one format" "$err" 'exclude each other'
status 2 "$HECATE" export e.csv --prometheus
done_testing
