#!/bin/sh
# hecate net --tables: what SQL reads of the record tables is what hecate net --json reports, to the last digit.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
python3 -c 'import sqlite3' 2>"$tmp/none" || { skip 'records' 'python3 has no sqlite3'; done_testing; exit; }

# Two cores of a socket each, a home with slices, and two memories: several owners, several destinations, own stalls,
# limits, times not empty, unknown kinds.
cat >made.net <<'END2'
network made "by hand";
kind ld "loads"; kind st "stores"; kind pf "prefetches" background;
counter hit = "hit" per core unit requests;
counter m.a = "m.a" per core unit requests;
counter m.b = "m.b" per core unit requests;
counter s.a = "s.a" per core unit requests;
counter p.b = "p.b" per core unit requests;
counter clk = "clk" per core unit cycles;
counter lim = "lim" per core unit cycles;
counter served = "served" per socket unit requests;
counter wait = "wait" per socket unit requests*cycles;
counter uclk = "uclk" per socket unit cycles;
counter busy = "busy" per socket unit cycles;
counter lost.a = "lost.a" per socket unit cycles;
counter lost.b = "lost.b" per socket unit cycles;
counter moved = "moved" per socket unit bytes;
counter code = unresolved per socket unit requests "no code is known";
stage one { module l1 "L1" per core { model cache; clock = clk;
	ld { hit = hit; miss = m.a + m.b; delay = 5 cycles; tag = 4 cycles; stall = lim; limit = lim; }
	st { hit = hit; miss = s.a; }
	pf { miss = p.b; } } }
stage two {
	module near "near" per socket { clock = uclk;
		ld { hit "open page" = served; hit "closed page" = m.a; delay = wait / served; stall = lost.a; occupancy = wait; busy = busy; }
		st { hit = s.a; stall = lost.b; bytes = moved; } pf { hit = code; } }
	module far "far" per socket { clock = uclk;
		ld { hit = m.b; delay = 3 * wait / served; stall = lost.b; } st with ld "not told apart"; pf { hit = p.b; busy = busy; } } }
link l1 -> near { ld = m.a; st = s.a; }
link l1 -> far { ld = m.b; pf = p.b; }
total "misses" = m.a + m.b;
law "misses": l1.ld.miss <= l1.ld.hit;
END2
cat >make.py <<'END2'
import json, random, sys
net, seed, rows, owners, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
r = random.Random(seed)
columns = []
for c in json.load(open(net))["counters"]:
    if c["unresolved"] or r.random() < .05: continue
    at = {"core": ["S0-C0", "S0-C1", "S1-C2"], "socket": ["S0", "S1"]}.get(c["per"]) if owners == "owners" else None
    columns += [c["name"] + "@" + o for o in at] if at else [c["name"]]
time = 0
with open(out, "w") as f:
    print("observation,time," + ",".join(columns), file=f)
    for i in range(rows):
        time += r.choice([1, 1, 1, .5, 2.25])
        def cell(): return "" if r.random() < .01 else 0 if r.random() < .1 else int(10 ** r.uniform(0, 10))
        print("o%d,%r," % (i * 3 // rows, time), *["%s%s" % ("," * (k > 0), cell()) for k in range(len(columns))], sep="", file=f)
END2
cat >same.py <<'END2'
import collections, json, sqlite3, sys
db = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
d = json.load(open(sys.argv[2]))
wrong, values = [], 0
def same(what, sql, report):
    global values
    values += 1
    if sql != report: wrong.append((what, sql, report))
for s in d["snapshots"]:
    key = (s["name"], s["row"] - 1)
    def rows(sql): return db.execute(sql + " AND observation=? AND row=?", key).fetchall()
    same("seconds", db.execute("SELECT seconds FROM record_snapshot s JOIN observation o ON o.id=observation WHERE name=? AND row=?", key).fetchall(), [(s["seconds"],)])
    places = {(m, p, k): h for m, p, k, h in rows("SELECT module, place, kind, hits FROM path WHERE tid IS NULL")}
    for p in s["path_map"]:
        for c in p["cells"]:
            same((key, p["place"], c["kind"]), places.get((p["module"], p["place"], c["kind"])), c["hits"])
    queues, told = collections.defaultdict(list), collections.defaultdict(list)
    for m, k, *q in rows("SELECT module, kind, length, arrivals, wait, occupied FROM vertex v WHERE length IS NOT NULL AND "
        "(owner<>'' OR NOT EXISTS (SELECT 1 FROM record_thing t WHERE t.what='vertex' AND t.module=v.module AND t.kind=v.kind AND t.owner<>''))"):
        queues[m, k].append(q)
    for q in s["queues"]:
        if q["length"] is not None: told[q["module"], q["kind"]].append([q["length"], q["arrivals"], q["wait"], q["occupied"]])
    order = lambda lists: {k: sorted(map(repr, v)) for k, v in lists.items()}
    same((key, "queues"), order({k: [[float(x) if x is not None else None for x in q] for q in v] for k, v in queues.items()}),
        order({k: [[float(x) if x is not None else None for x in q] for q in v] for k, v in told.items()}))
    stalls = {(t, m, k): v for t, m, k, *v in rows("SELECT destination, module, kind, stall, own, hidden, kept, stuck FROM stall WHERE owner='' AND (stall>0 OR hidden>0)")}
    for t in s["stalls"]:
        for c in t["components"]:
            same((key, t["destination"], c["module"], c["kind"]), stalls.pop((t["destination"], c["module"], c["kind"]), None),
                [c["stall"], c["own"], c["hidden"], c["kept"], c["stuck"]])
    same((key, "stalls"), stalls, {})
n, = db.execute("SELECT count(*) FROM record_snapshot").fetchone()
same("snapshots", n, len(d["snapshots"]))
for w in wrong[:5]: print(w)
print("%d snapshots, %s" % (n, "equal" if not wrong and values > 10 * n else "%d of %d values differ" % (len(wrong), values)))
END2
# compare NETWORK ROWS SEED OWNERS
compare() {
	"$HECATE" net "$1" --check --json >check.json
	python3 make.py check.json "$3" "$2" "$4" data.csv
	rm -f f.hecate && "$HECATE" import -q -o f.hecate -m "$1" data.csv 2>"$tmp/none" || echo "not imported"
	"$HECATE" net f.hecate --each-row --json --tables -q >report.json 2>err || cat err
	python3 same.py f.hecate report.json
}
for seed in 1 2 3 4; do
	is "seed $seed: several owners" "$(compare made.net 100 $seed owners)" "100 snapshots, equal"
	is "  without owners" "$(compare made.net 50 $seed none)" "50 snapshots, equal"
	is "  spr-cxl" "$(compare spr-cxl 60 $seed none)" "60 snapshots, equal"
	is "  linux-vm" "$(compare linux-vm 50 $seed none)" "50 snapshots, equal"
done
done_testing
