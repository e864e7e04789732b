#!/bin/sh
# hecate net A B --compare: ratios of two recordings, their intervals, and what is refused.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >c.net <<'END2'
network c "c"; kind rd "reads";
counter hit = "hit" per core unit requests;
counter miss = "miss" per core unit requests;
counter clk = "cycles" per core unit cycles;
counter lost = "lost" per socket unit cycles;
stage a { module l1 "L1" per core { clock = clk; rd { hit = hit; miss = miss; delay = 5 cycles; } } }
stage b { module mem "DRAM" per core { clock = clk; rd { hit = miss; delay = 105 cycles; stall = lost; } } }
link l1 -> mem;
total "misses" = miss;
END2
sed -i 's/module mem "DRAM" per core/module mem "DRAM" per socket/' c.net
# A: 60 rows of 1 s. B: 80 rows of 0.5 s, in each of which as much is counted as in one of A, but half as many misses
# again; counts go up and down so that intervals have a width.
python3 - <<'END2'
for name, rows, step, f in (("a", 60, 1, 1), ("b", 80, 0.5, 1.5)):
    with open(name + ".csv", "w") as o:
        print("time,hit@S0-C0,hit@S0-C1,miss@S0-C0,miss@S0-C1,cycles@S0-C0,cycles@S0-C1,lost@S0", file=o)
        for i in range(rows):
            d = (i * 7919) % 13 - 6
            print((i + 1) * step, 1000 + d, 3000 - d, int(f * (200 + d)), int(f * 400), 10000, 10000, int(f * 900), sep=",", file=o)
END2
cat >read.py <<'END2'
import json, sys
d = json.load(open(sys.argv[1]))
c = d["comparison"]
def one(what, name): return [r for r in c["ratios"] if r["what"] == what and r["name"] == name][0]
print(eval(sys.argv[2]))
END2
of() { python3 read.py "$tmp/out" "$1"; }
status 0 "$HECATE" net c.net a.csv b.csv --compare --json
document "$tmp/out"
is "sides" "$(of '[(s["name"], s["rows"], s["seconds"]) for s in c["sides"]]')" "[('a', 60, 60), ('b', 80, 40)]"
# the test's own sums
python3 - >want <<'END2'
import csv
def total(f, *columns): return sum(int(r[c]) for r in csv.DictReader(open(f)) for c in columns)
for columns in (("hit@S0-C0", "hit@S0-C1"), ("miss@S0-C0", "miss@S0-C1"), ("lost@S0",)):
    a, b = total("a.csv", *columns), total("b.csv", *columns)
    print(a, b, "%.9f" % (b / a), "%.9f" % ((b / 40) / (a / 60)))
END2
of '"\n".join("%d %d %.9f %.9f" % (r["a"], r["b"], r["in_all"], r["ratio"]) for r in (one("counter", n) for n in ("hit", "miss", "lost")))' >got
is "counters: sums, their ratio, and that of rates" "$(cat got)" "$(cat want)"
is "a component's requests are its counter's" "$(of 'one("requests", "mem")["ratio"] == one("counter", "miss")["ratio"]')" True
is "stalls" "$(of '"%.6f" % one("stalls", "mem")["ratio"]')" 3.000000
is "a delay is compared as it is" "$(of 'one("delay", "mem")["ratio"], one("delay", "mem")["adds"]')" "(1, False)"
is "a queue by its length" "$(of '"%.3f" % one("queue", "mem")["ratio"]')" 1.500
is "a figure that is an amount adds" "$(of '"%.3f" % one("figure", "misses")["ratio"], one("figure", "misses")["adds"]')" "('2.999', True)"
is "intervals hold the ratio, and not another" "$(of 'all(r["low"] - 1e-9 <= r["ratio"] <= r["high"] + 1e-9 for r in c["ratios"]), one("counter", "miss")["low"] > 2.9, one("counter", "miss")["high"] < 3.1, one("counter", "miss")["low"] < one("counter", "miss")["high"]')" "(True, True, True, True)"
status 0 "$HECATE" net c.net a.csv b.csv --compare
has "text" "$out" '^  requests of rd at DRAM +35.+995 +71.+967 +1\.999 +2\.999 +2\.985 .+ 3\.013'
has "  equal ones are marked" "$out" 'delay of rd at DRAM .* may be equal'
status 0 "$HECATE" net c.net a.csv a.csv --compare --json
is "a recording against itself: every ratio is 1, and no interval excludes it" "$(of '{r["ratio"] for r in c["ratios"]} == {1} and all(r["low"] <= 1 <= r["high"] for r in c["ratios"])')" True
head -4 a.csv >short.csv
status 0 "$HECATE" net c.net short.csv b.csv --compare
has "few rows give no interval" "$out" 'no intervals: they need 40 rows of both'
cut -d, -f2- b.csv >timeless.csv
status 0 "$HECATE" net c.net a.csv timeless.csv --compare --json
is "without times: means over the rows" "$(of '"%.3f" % one("counter", "hit")["ratio"], c["sides"][1]["seconds"]')" "('1.000', None)"
sed 's/time,/observation,time,/; 2,$s/^/x,/' a.csv >both.csv
sed '1d; s/^/y,/' a.csv >>both.csv
status 0 "$HECATE" net c.net both.csv --compare --json
is "two observations of one file" "$(of '[s["name"] for s in c["sides"]]')" "['x', 'y']"
status 0 "$HECATE" net c.net both.csv a.csv --observations '[xa]' --compare --json
is "chosen by name" "$(of '[s["name"] for s in c["sides"]]')" "['x', 'a']"

status 2 "$HECATE" net c.net both.csv a.csv --compare
has "three observations" "$err" 'compares two observations, but there are 3: x, y, a; --observations GLOB chooses'
status 2 "$HECATE" net c.net a.csv --compare
has "one" "$err" 'but there is 1: a'
status 2 "$HECATE" net c.net a.csv a.csv a.csv --compare
has "three files" "$err" 'takes two files, but there are 3'
printf 'other\n1\n2\n' >other.csv
status 2 "$HECATE" net c.net a.csv other.csv --compare
has "no common counter" "$err" 'a and other have no counter of the network in common'
sed 's/^network c/network d/' c.net >d.net
status 0 "$HECATE" import -q -m ./c.net -o a.hct a.csv
status 0 "$HECATE" import -q -m ./d.net -o b.hct b.csv
status 2 "$HECATE" net c.net a.hct b.hct --compare
has "recorded with different networks" "$err" 'a.hct was recorded with the network c, b.hct with d'
status 2 "$HECATE" net c.net --compare -- true
has "something to count" "$err" 'takes recordings, but there is something to count'
done_testing
