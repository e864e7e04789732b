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
print("%d snapshots, %s" % (n, "equal" if not wrong and values > 5 * n else "%d of %d values differ" % (len(wrong), values)))
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
# More rows than are kept in memory; and the comparison finds one bit that is wrong.
is "1200 snapshots that are read piece by piece" "$(compare spr-cxl 1200 9 none)" "1200 snapshots, equal"
python3 - f.hecate <<'END2'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE vertex_record SET length=length*(1+3e-16) WHERE (snapshot, thing)=(SELECT snapshot, thing FROM vertex_record WHERE length>1 LIMIT 1)")
db.commit()
END2
has "a wrong bit is found" "$(python3 same.py f.hecate report.json | tail -n 1)" '^1200 snapshots, 1 of [0-9]+ values differ$'

# The queries of docs/session-file.md, against the same worked out from what went into the file: two tasks on two CPUs.
cat >pages.net <<'END2'
network pages "by hand"; kind read "reads"; kind write "writes";
counter cached = "cached" per core unit requests; counter touched = "touched" per core unit requests;
stage a { module task per core { read { miss = cached; } write { miss = touched; } } }
stage b { module pagecache { read { hit "page cache" = cached; } } module memory { write { hit "memory" = touched; } } }
link task -> pagecache { read = cached; } link task -> memory { write = touched; }
END2
awk -v dir="$tmp" '/^```sql$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > (dir "/" n ".sql") }' "$HECATE_TESTS/../docs/session-file.md"
is "the page has queries" "$(ls "$tmp" | grep -c 'sql$')" 3
cat >queries.py <<'END2'
import math, os, random, sqlite3, statistics, subprocess, sys
r = random.Random(7)
rows = [dict(time=t + 1, **{"%s%d%d" % (w, p, c): r.randrange(10 ** 7, 10 ** 7 + 1000) for w in "ct" for p in (1, 2) for c in (0, 1)}) for t in range(60)]
with open("flows.csv", "w") as f:
    print("observation,time,cached,touched,flow:snapshots,flow:ran,flow:count:cached,flow:count:touched", file=f)
    for x in rows: print("run,%d,%d,%d,,,," % (x["time"], sum(x["c%d%d" % (p, c)] for p in (1, 2) for c in (0, 1)), sum(x["t%d%d" % (p, c)] for p in (1, 2) for c in (0, 1))), file=f)
    for p in (1, 2):
        for c in (0, 1):
            for x in rows: print("t-471%d CPU %d,%d,,,1,500000000,," % (p, c, x["time"]), file=f)
            for x in rows: print("t-471%d CPU %d → pagecache,%d,,,1,,%d," % (p, c, x["time"], x["c%d%d" % (p, c)]), file=f)
            for x in rows: print("t-471%d CPU %d → memory,%d,,,1,,,%d" % (p, c, x["time"], x["t%d%d" % (p, c)]), file=f)
hecate = sys.argv[1]
subprocess.run([hecate, "import", "-q", "-o", "q.hecate", "-m", "pages.net", "flows.csv"], check=True)
subprocess.run([hecate, "net", "q.hecate", "--tables", "-q"], check=True, stdout=subprocess.DEVNULL)
db = sqlite3.connect("q.hecate")
def ask(n): return db.execute(open("%d.sql" % n).read()).fetchall()
one = [x["c10"] + x["c11"] for x in rows]
other = [x["t20"] + x["t21"] for x in rows]
each = [x["c1%d" % c] for x in rows for c in (0, 1)]
n, low, high, mean = ask(1)[0]
print(n == 120, low == min(each), high == max(each), math.isclose(mean, statistics.fmean(each), rel_tol=1e-14))
moving = ask(2)
print(len(moving) == 60, all(math.isclose(m[2], statistics.fmean(one[max(0, i - 9):i + 1]), rel_tol=1e-14) for i, m in enumerate(moving)))
def oracle(a, b):
    ma, mb = statistics.fmean(a), statistics.fmean(b)
    return math.fsum((x - ma) * (y - mb) for x, y in zip(a, b)) / math.sqrt(math.fsum((x - ma) ** 2 for x in a) * math.fsum((y - mb) ** 2 for y in b))
pairs, pearson = ask(3)[0]
print(pairs == 60, math.isclose(pearson, oracle(one, other), rel_tol=1e-9))
print(db.execute("SELECT count(*), sum(closed), round(total(ran), 9) FROM flow WHERE destination=''").fetchall(), db.execute("SELECT sum(requests) FROM flow WHERE destination='pagecache'").fetchone()[0] == sum(x["c%d%d" % (p, c)] for x in rows for p in (1, 2) for c in (0, 1)))
print(db.execute("SELECT max(available), min(available), max(peak)=max(rate) FROM edge_bandwidth WHERE receiver='memory'").fetchone()[1:])
END2
is "the queries of section 4.6" "$(python3 queries.py "$HECATE" 2>&1)" "True True True True
True True
True True
[(240, 240.0, 120.0)] True
(0.0, 1)"

# Observations that count parts of one machine are joined: the records are of the first.
python3 -c 'import random; r = random.Random(3); [print("%d.000,CPU%d,%d,,%s,1000,100.00,," % (t, c, r.randrange(1000), e)) for t in range(1, 21) for c in range(3) for e in ("cached", "touched")]' >cpus.csv
"$HECATE" import -q -o cpus.hecate -m pages.net cpus.csv
"$HECATE" net cpus.hecate --each-row --json --tables -q >cpus.json
python3 -c 'import sqlite3; d = sqlite3.connect("cpus.hecate"); print(d.execute("SELECT DISTINCT o.name FROM record_snapshot JOIN observation o ON o.id=observation").fetchall()); d.execute("UPDATE observation SET name=? WHERE id=1", ["cpus"]); d.commit()' >cpus.first
is "counts of three CPUs are one machine" "$(cat cpus.first), $(python3 same.py cpus.hecate cpus.json)" "[('cpus:CPU0',)], 20 snapshots, equal"

# Made twice, they are the same; records of another network replace them.
rows() { python3 -c 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); print([db.execute("SELECT * FROM %s ORDER BY 1,2,3,4,5,6,7,8,9,10" % v).fetchall() for v in sys.argv[2].split()])' "$@"; }
views="edge vertex stall flow path"
rows q.hecate "$views" >once
status 0 "$HECATE" net q.hecate --tables -q
rows q.hecate "$views" >twice
check "made again, they are the same" cmp once twice
sed 's/network pages/network others/' pages.net >others.net
status 0 "$HECATE" net others.net q.hecate --tables
has "how many" "$err" 'q.hecate: records of 60 snapshots'
is "one network at a time" "$(python3 -c 'import sqlite3; print(*sqlite3.connect("q.hecate").execute("SELECT value, (SELECT count(*) FROM record_snapshot) FROM value WHERE key=?", ["records"]).fetchone())')" "others 60"

# While hecate record writes: the same rows as from the samples afterwards.
cat >faults.net <<'END2'
network faults "page faults"; kind rd "reads";
counter minor = "minor-faults:u" per task unit requests; counter major = "major-faults:u" per task unit requests;
stage a { module memory { rd { hit = minor; miss = major; } } } stage b { module disk { rd { hit = major; delay = 1000 ns; } } }
link memory -> disk { rd = major; }
END2
status 0 "$HECATE" record --tables -q -o live.hecate -m faults.net -I 10 -- sh -c 'for i in 1 2 3 4 5 6 7 8; do /bin/true; sleep 0.02; done'
rows live.hecate "$views" >live
"$HECATE" net live.hecate --tables -q >"$tmp/none"
rows live.hecate "$views" >after
check "the rows of a live recording" cmp live after
is "  one for each interval" "$(python3 -c 'import sqlite3; print(*sqlite3.connect("live.hecate").execute("SELECT (SELECT count(*) FROM sample)=(SELECT count(*) FROM record_snapshot), (SELECT count(*)>5 FROM sample)").fetchone())')" "1 1"

# What cannot be filled.
status 2 "$HECATE" net pages.net flows.csv --tables
has "data that are no session" "$err" "flows.csv is not a session file.*hecate import -o"
status 2 "$HECATE" net spr-cxl q.hecate --tables
status 2 "$HECATE" net faults.net --tables -- true
has "what is counted now" "$err" 'is in no session file; hecate record --tables'
status 2 "$HECATE" record --tables -o x.hecate -m linux-page-faults -- true
has "a model has no records" "$err" '^hecate: --tables: only a network'
done_testing
