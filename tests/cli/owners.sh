#!/bin/sh
# Counts of parts of a machine as owners of one snapshot: every form of perf stat -A and --per-…, names of columns, and
# what is wrong with them.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >o.net <<'END2'
network o "owners"; kind rd "reads";
counter hit = "ev.hit" per core unit requests;
counter miss = "ev.miss" per core unit requests;
counter clk = "cycles" per core unit cycles;
counter cha = "UNC_CHA_TOR_INSERTS.IA" per slice unit requests;
counter cas = "UNC_M_CAS_COUNT.RD" per channel unit requests;
counter lost = "ev.lost" per socket unit cycles;
stage a { module l1 "L1" per core { model cache; clock = clk; rd { hit = hit; miss = miss; delay = 5 cycles; tag = 4 cycles; } } }
stage b { module llc "LLC" per socket { rd { miss = cha; } } }
stage c { module d "DRAM" per socket { clock = 1000 cycles; rd { hit = cas; delay = 105 cycles; stall = lost; } } }
link l1 -> llc;
link llc -> d;
END2
cat >read.py <<'END2'
import json, sys
d = json.load(open(sys.argv[1]))
s = d["snapshots"]
def hits(i): return [[c["hits"] for c in r["cells"]][0] for r in s[i]["path_map"]]
def owners(i, module): return [(q["owner_name"], round(q["arrivals"] * 1000) if module == "d" else q["arrivals"]) for q in sorted(s[i]["queues"], key=lambda q: q["owner"]) if q["module"] == module]
print(eval(sys.argv[2]))
END2
of() { python3 read.py "$tmp/out" "$1"; }

# --- perf stat --per-core, by -x, -j and its table, two intervals of two sockets with one core, two slices, one channel
python3 - <<'END2'
import json
rows = []
for t, f in ((0.5, 1), (1.0, 2)):
    for core, n in (("S0-D0-C0", 100), ("S0-D0-C1", 200), ("S1-D0-C0", 400)):
        rows += [(t, core, 2, f * n, "ev.hit"), (t, core, 2, f * n // 10, "ev.miss"), (t, core, 2, 1000, "cycles")]
    for core, box, n in (("S0-D0-C0", 0, 1), ("S0-D0-C0", 1, 2), ("S1-D0-C0", 0, 4), ("S1-D0-C0", 1, 8)):
        rows += [(t, core, 1, f * n, "unc_cha_tor_inserts.ia [uncore_cha_%d]" % box)]
    for core, n in (("S0-D0-C0", 16), ("S1-D0-C0", 32)):
        rows += [(t, core, 1, f * n, "unc_m_cas_count.rd [uncore_imc_0]"), (t, core, 1, f * n, "ev.lost")]
with open("csv", "w") as o:
    for t, core, parts, n, e in rows:
        print("%16.9f,%s,%d,%d,,%s,%d,100.00,," % (t, core, parts, n, e, parts * 500000000), file=o)
with open("json", "w") as o:
    for t, core, parts, n, e in rows:
        print(json.dumps({"interval": t, "core": core, "aggregate-number": parts, "counter-value": "%d.000000" % n,
            "unit": "", "event": e, "event-runtime": 500000000, "pcnt-running": 100.00}), file=o)
with open("table", "w") as o:
    print("#           time core            cpus             counts unit events", file=o)
    for t, core, parts, n, e in rows:
        print("%16.9f %-12s %4d %18d      %s" % (t, core, parts, n, e), file=o)
END2
for form in csv json table; do
	status 0 "$HECATE" net o.net $form --each-row --json
	is "$form: a snapshot for each interval, with its length" "$(of '[(x["name"], x["seconds"]) for x in s]')" "[('$form', 0.5), ('$form', 0.5)]"
	is "$form: sums over all owners" "$(of 'hits(0), hits(1)')" "([700, 48], [1400, 96])"
	is "$form: each core has its count" "$(of 'owners(1, "l1")')" "[('S0-C0', 0.2), ('S0-C1', 0.4), ('S1-C0', 0.8)]"
	is "$form: uncore counts go to their socket" "$(of 'owners(0, "d")')" "[('S0', 16), ('S1', 32)]"
	is "$form: nothing is odd" "$(of 'd["warnings"], [x["gone"] for x in s], [x["extra"] for x in s]')" "([], [[], []], [[], []])"
	status 0 "$HECATE" import -q -o $form.hct $form
	cp out of.json
	status 0 "$HECATE" net o.net $form --each-row --json -o plain.json
	status 0 "$HECATE" net o.net $form.hct --each-row --json -o session.json
	is "$form: a session file gives the same" "$(python3 - <<'END2'
import json
a, b = (json.load(open(f))["snapshots"] for f in ("plain.json", "session.json"))
for x in a + b: x["source"] = ""
print(a == b)
END2
)" True
done
status 0 "$HECATE" net o.net csv
has "owners are counted" "$out" 'owners named in the data: 3 cores, 4 slices, 2 channels, 2 sockets'
has "the queue's owner has a name" "$out" 'at DRAM S1 '
has "so has the culprit" "$out" 'culprit: rd at DRAM S1'
has "so has the greatest part of a stall" "$out" 'at DRAM .* 144 \(.*ms\), 144 its own; 67 % at S1'
document "$tmp/plain.json"

# --- other aggregates
sed -n 's/S0-D0-C0,2/CPU0/p; s/S0-D0-C1,2/CPU1/p; s/S0-D0-C0,1/CPU0/p' csv >cpus
status 0 "$HECATE" net o.net cpus --each-row --json
is "-A: a CPU is a core" "$(of 'owners(0, "l1")')" "[('CPU0', 0.1), ('CPU1', 0.2)]"
is "  the uncore is the machine's" "$(of 'hits(0)')" "[300, 16]"
awk -F, -v OFS=, '/S.-D0-C0,2|lost|imc/ { sub(/-C0/, "", $2); print }' csv >dies
status 0 "$HECATE" net o.net dies --each-row --json
is "--per-die: a socket stands for its cores" "$(of 'owners(0, "l1")')" "[('S0', 0.1), ('S1', 0.4)]"
sed 's/-D0//' dies >sockets
status 0 "$HECATE" net o.net sockets --each-row --json
is "--per-socket likewise" "$(of 'owners(0, "l1"), hits(1)')" "([('S0', 0.1), ('S1', 0.4)], [1000, 96])"
sed 's/S\([01]\),/N\1,/' sockets >nodes
status 0 "$HECATE" net o.net nodes --each-row --json
is "--per-node likewise" "$(of 'owners(0, "l1")')" "[('N0', 0.1), ('N1', 0.4)]"
sed 's/S1-D0/S0-D1/' dies >two_dies
status 0 "$HECATE" net o.net two_dies --each-row --json
is "two dies of a socket add up" "$(of 'hits(0), owners(0, "d")')" "([500, 48], [('S0', 48)])"

# --- a total: the length is the time elapsed, whatever the CPU time of the threads
for cpus in 0.3 7.2; do
	printf '\n Performance counter stats for "x":\n\n      1,000      ev.hit\n      100      ev.miss\n\n       0.500000000 seconds time elapsed\n\n       %s00000000 seconds user\n       0.000000000 seconds sys\n\n' $cpus >total
	status 0 "$HECATE" net o.net total --json
	is "a total with $cpus s of CPU time lasted 0.5 s" "$(of 's[0]["seconds"]')" 0.5
done
sed -n '/^ *0\.5/s/^ *0\.500000000,//p' csv >cores
status 0 "$HECATE" net o.net cores --json
is "counters of whole CPUs ran as long as the row: 2 CPUs, 0.5 s together" "$(of 's[0]["seconds"]')" 0.5
printf '1000,,ev.hit,123,100.00,,\n2000000000,ns,duration_time,2000000000,100.00,,\n' >dt
status 0 "$HECATE" net o.net dt --json
is "duration_time" "$(of 's[0]["seconds"]')" 2
sed -n '/^ *1\.0/s/1\.0/91.0/p; /^ *0\.5/s/0\.5/90.5/p' csv | sort -s -n -t, -k1,1 >tail_of
status 0 "$HECATE" net o.net tail_of --each-row --json
is "the end of a file: its first interval is like the others" "$(of '[x["seconds"] for x in s]')" "[0.5, 0.5]"

# --- columns of a table
cat >wide.csv <<'END2'
time,ev.hit.core0,ev.hit.core1,ev.miss@C0,ev.miss@C1,UNC_CHA_TOR_INSERTS.IA.cha0,UNC_CHA_TOR_INSERTS.IA.cha1,UNC_M_CAS_COUNT.RD.ch2,cycles.core0,cycles.core1,EV.LOST
1,100,200,10,20,1,2,30,1000,1000,7
2,100,200,10,20,1,2,30,1000,1000,7
END2
status 0 "$HECATE" net o.net wide.csv --json
is "columns EVENT.core0, .cha1, .ch2 and NAME@C0" "$(of 'hits(0), owners(0, "l1"), d["warnings"]')" "([600, 60], [('C0', 0.1), ('C1', 0.2)], [])"
printf 'time,ev.hit.socket0.core3,ev.hit.socket1.core3\n1,1,2\n2,1,2\n' >nested.csv
status 0 "$HECATE" net o.net nested.csv --json
is "two words" "$(of '[q["owner_name"] for q in s[0]["queues"] if q["module"] == "l1"]')" "['S0-C3', 'S1-C3']"

# --- bad input
sed '/ 1\.0.*S0-D0-C1/d' csv >offline
status 0 "$HECATE" net o.net offline --each-row --json
is "a CPU that is taken offline is gone, not 0" "$(of 's[1]["gone"], hits(1)')" "([{'per': 'core', 'owner': 1, 'owner_name': 'S0-C1'}], [None, 96])"
status 0 "$HECATE" net o.net offline --each-row
has "  by its name" "$out" 'nothing was counted of .*S0-C1: taken offline'
printf 'time,ev.hit,ev.hit@S0-C0,ev.hit@S0-C1\n1,50,10,20\n2,50,10,20\n' >both.csv
status 0 "$HECATE" net o.net both.csv --json
is "m next to m@owner is not added" "$(of 'hits(0)[0]')" 60
is "  nor dropped silently" "$(of '[w["text"] for w in d["warnings"]]')" "['ev.hit counts the whole machine and is left out, because ev.hit@S0-C0 counts one owner of it']"
status 0 "$HECATE" net o.net both.csv
has "  nor in text" "$err" 'both.csv: ev.hit counts the whole machine and is left out'
printf 'time,ev.hit@C0,ev.hit.core0,ev.hit@C1\n1,10,11,20\n2,10,11,20\n' >twice.csv
status 0 "$HECATE" net o.net twice.csv --json
is "one owner named twice" "$(of 'hits(0)[0], [w["text"] for w in d["warnings"]]')" "(60, ['ev.hit@C0 and ev.hit.core0 are one counter of one owner: ev.hit@C0 is used'])"
printf 'time,ev.hit@C0,ev.hit@C1,ev.miss@C0\n1,10,20,1\n2,10,20,1\n' >part.csv
status 0 "$HECATE" net o.net part.csv --json
is "owners named in part" "$(of '[w["text"] for w in d["warnings"]]')" "['miss has no column for 1 of 2 cores (C1)']"
printf 'time,ev.lost@S0,ev.lost@S1,UNC_CHA_TOR_INSERTS.IA@S0-slice0,UNC_CHA_TOR_INSERTS.IA@S0-slice1,UNC_CHA_TOR_INSERTS.IA@S1-slice0\n1,1,2,10,20,40\n2,1,2,10,20,40\n' >slices.csv
status 0 "$HECATE" net o.net slices.csv --json
is "sockets with unequal numbers of slices" "$(of 'd["warnings"]')" "[]"
printf 'time,ev.lost@S0,ev.lost@S1,ev.hit@CPU0\n1,1,2,10\n2,1,2,10\n' >lost.csv
status 0 "$HECATE" net o.net lost.csv --json
is "an owner without its socket" "$(of '[w["text"] for w in d["warnings"]]')" "['no socket is named for 1 core (CPU0): taken as parts of S0']"

# --- --by
for by in core kind destination; do
	status 0 "$HECATE" net o.net csv --by $by --json
	document "$tmp/out"
	is "--by $by: all stalls once" "$(of 'abs(sum(b["stall"] for b in s[0]["by"]) / s[0]["stalls"][0]["components"][-1]["stall_ns"] - 1) < 1e-9 and all(b["in_ns"] for b in s[0]["by"]), all(abs(sum(p["stall"] for p in b["parts"]) - b["stall"]) < 1e-6 for b in s[0]["by"])')" "(True, True)"
done
status 0 "$HECATE" net o.net csv --by core
has "cores, most stalls first" "$out" '^by core: requests'
printf 'network f; kind r; counter a = "a" per system unit requests; stage x { module m { r { hit = a; } } } stage y { module n { r { hit = a; } } } link m -> n;' >flat.net
printf 'a\n1\n2\n' >a.csv
status 2 "$HECATE" net flat.net a.csv --by core
has "a network without cores" "$err" 'the network has no module of a core'
done_testing
