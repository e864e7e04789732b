#!/bin/sh
# hecate net: the numbers of PathFinder's table 7, hand-made networks, bad input.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
nets=$HECATE_TESTS/networks

# PathFinder (Li et al., SIGCOMM 2025) section 5.2 says of its table 7:
#   649.fotonik3d_s: HWPF is 59.3 % of the requests served beyond L2 (from numbers rounded to two digits: 59.0 %). CXL
#   memory serves 8.1 times as many as the local LLC (all kinds), and 89.1 % of these are HWPF (rounded: 89.2 %).
#   602.gcc_s, snapshots 1 and 2: the requests of the core (DRd, RFO and DWr at every place) grow 5.8 times. Two other
#   figures are shares of one kind beyond L2: CXL memory serves 25.9 % of DRd (26.0 %), then 27.7 %; of RFO 1.1 %, then 69.0 %.
status 0 "$HECATE" net "$nets/table7.net" "$nets/table7.csv" --beyond l2 --json
cat >read.py <<'END2'
import json, sys
d = json.load(open(sys.argv[1]))
snapshot = {s["name"]: s for s in d["snapshots"]}
fots, one, two = (snapshot[n] for n in ("649.fotonik3d_s", "602.gcc_s-1", "602.gcc_s-2"))
def cell(s, place, kind):
    return [c for r in s["path_map"] if r["place"] == place for c in r["cells"] if c["kind"] == kind][0]
def place(s, place): return [r["together"] for r in s["path_map"] if r["place"] == place][0]
def beyond(s, stage, kind): return [k for b in s["beyond"] if b["stage"] == stage for k in b["kinds"] if k["kind"] == kind][0]
def together(s, *kinds): return sum(k["hits"] for k in s["together"] if k["kind"] in kinds)
print(eval(sys.argv[2]))
END2
of() { python3 read.py "$tmp/out" "$1"; }
is "HWPF beyond L2" "$(of '"%.3f" % beyond(fots, "l2", "HWPF")["share"]')" 0.590
is "CXL memory for each hit of the local LLC" "$(of '"%.1f" % (place(fots, "CXL memory") / place(fots, "local LLC"))')" 8.1
is "  as the network's own figure" "$(of '"%.1f" % fots["totals"][1]["value"], fots["totals"][1]["unit"]')" "('8.1', '1')"
is "HWPF's share of what CXL memory serves" "$(of '"%.3f" % (cell(fots, "CXL memory", "HWPF")["hits"] / place(fots, "CXL memory"))')" 0.892
is "  beyond the LLC there is only CXL memory" "$(of '"%.3f" % beyond(fots, "llc", "HWPF")["share"]')" 0.892
is "602.gcc_s: requests of the core" "$(of '"%.1f" % (together(two, "DRd", "RFO", "DWr") / together(one, "DRd", "RFO", "DWr"))')" 5.8
is "602.gcc_s: DRd by CXL memory" "$(of '["%.3f" % cell(s, "CXL memory", "DRd")["share"] for s in (one, two)]')" "['0.260', '0.277']"
is "602.gcc_s: RFO by CXL memory" "$(of '["%.3f" % cell(s, "CXL memory", "RFO")["share"] for s in (one, two)]')" "['0.011', '0.690']"
is "no request is lost on the way" "$(of 'sum(r["together"] for r in fots["path_map"]) == together(fots, "DRd", "RFO", "HWPF", "DWr")')" True
is "an unknown cell is not a zero" "$(of '[cell(fots, "L1D", k)["state"] for k in ("DRd", "RFO", "HWPF", "DWr")], cell(fots, "L1D", "RFO")["hits"]')" \
	"(['told', 'untold', 'absent', 'untold'], None)"
is "no counter is lacking" "$(of 'fots["lacking"], fots["scaled"], fots["extra"], fots["below_zero"]')" "([], [], [], 0)"
status 0 "$HECATE" net "$nets/table7.net" "$nets/table7.csv" --beyond l2 --observations '649*'
has "in text" "$out" '^  beyond l2 +7\.0 % +0\.3[0-9] % +59\.0 % +33\.6 % +446 M'
has "  places" "$out" '^  CXL memory +25\.0 M +1\.50 M +220 M +untold +24[67] M'

# A made-up machine of one core: its queues and stalls worked out by hand.
cat >hand.net <<'END2'
network hand "by hand";
kind ld "loads"; kind st "stores";
counter hit = "ev.hit" per core unit requests;
counter miss = "ev.miss1" + "EV.MISS2" per core unit requests;
counter dimm = "ev.dimm" per socket unit requests;
counter clk = "cycles" per core unit cycles;
counter uclk = "ev.uclk" per socket unit cycles;
counter lost = "ev.lost" per socket unit cycles;
counter code = unresolved per socket unit requests "no code is known";
stage a { module l1 "L1" per core { model cache; clock = clk; ld { hit = hit; miss = miss; delay = 5 cycles; tag = 4 cycles; }
	st with ld "not told apart"; } }
stage b { module d "DIMM" per socket { clock = uclk; ld { hit = dimm; delay = 305 cycles; stall = lost; } st { hit = code; } } }
link l1 -> d { ld = miss; }
total "misses" = miss;
law "what misses is served": miss = dimm;
law "less misses than hits": l1.ld.miss <= l1.ld.hit;
END2
cat >hand.csv <<'END2'
observation,time,ev.hit,ev.miss1,ev.miss2,ev.dimm,cycles:u,ev.uclk,ev.lost,other
one,0.5,1000,60,40,90,20000,9000,700,1
one,1.0,3000,140,60,180,20000,9000,1100,1
END2
status 0 "$HECATE" net hand.net hand.csv --json
is "rows are added up, columns found by their events" "$(json "$tmp/out" '[[c["hits"] for c in r["cells"]] for r in d["snapshots"][0]["path_map"]]')" "[[4000, None], [270, None]]"
is "the kind that it is counted with" "$(json "$tmp/out" 'd["snapshots"][0]["path_map"][0]["cells"][1]')" "{'kind': 'st', 'state': 'with', 'hits': None, 'with': 'ld'}"
is "two intervals with the mean step" "$(json "$tmp/out" 'd["snapshots"][0]["intervals"], d["snapshots"][0]["seconds"], d["snapshots"][0]["rows"]')" "(2, 1, 2)"
# 270/18000 requests a cycle, 300 cycles longer than before: 4.5; 4000/40000 × 5 + 300/40000 × 4 = 0.53
is "queues" "$(json "$tmp/out" '[(q["module"], q["kind"], round(q["length"], 9), q["before"]) for q in d["snapshots"][0]["queues"]]')" "[('d', 'ld', 4.5, 5), ('l1', 'ld', 0.53, 0)]"
is "culprit" "$(json "$tmp/out" 'd["snapshots"][0]["culprit"]["module"], round(d["snapshots"][0]["culprit"]["margin"], 6)')" "('d', 8.490566)"
is "stalls" "$(json "$tmp/out" '[(c["module"], round(c["stall"]), round(c["stall_ns"]), c["own"], [f["module"] for f in c["from"]]) for c in d["snapshots"][0]["stalls"][0]["components"]]')" \
	"[('d', 1800, 100000000, 1800, ['d']), ('l1', 4000, 100000000, None, ['d'])]" # 1800 / 18000 of a second, at 18 and 40 kHz
is "figures and laws" "$(json "$tmp/out" 'd["snapshots"][0]["totals"][0]["value"], [(l["left"], l["relation"], l["right"], l["holds"]) for l in d["snapshots"][0]["laws"]]')" \
	"(300, [(300, '=', 270, False), (300, '<=', 4000, True)])"
is "a lacking counter, and what it makes unknown" "$(json "$tmp/out" 'd["snapshots"][0]["lacking"]')" "[{'counter': 'code', 'why': 'unresolved', 'takes': ['d.st.hit']}]"
is "columns that the network does not know" "$(json "$tmp/out" 'd["snapshots"][0]["extra"]')" "['other']"
status 0 "$HECATE" net hand.net hand.csv
has "a broken law, both sides" "$out" 'what misses is served: 300 is not = 270'
has "  and how many hold" "$out" '1 of 2 laws hold'
has "the culprit in text" "$out" 'culprit: ld at DIMM, 8\.49 times the next'
has "data without cores are taken as one core, and a note says so" "$out" 'the data name no cores'
has "unknown columns are reported" "$err" 'does not know other'
has "  and counters of the user side only" "$err" 'counted in one mode only: clk \(user mode\)'
status 0 "$HECATE" net hand.net hand.csv --each-row --json
is "each row" "$(json "$tmp/out" '[(s["row"], s["rows"], s["seconds"], s["path_map"][0]["together"]) for s in d["snapshots"]]')" "[(1, 1, 0.5, 1000), (2, 1, 0.5, 3000)]"
status 0 "$HECATE" net hand.net hand.csv hand.csv --json -o two.json
is "two files" "$(json two.json 'len(d["snapshots"])')" 2

# A missing counter makes unknown what uses it, and no more. One that was counted in half of the intervals is scaled up,
# with a note.
printf 'time,ev.hit,ev.miss1,cycles,ev.miss2\n1,10,4,100,\n2,20,,100,\n3,30,8,100,\n4,20,,100,\n' >some.csv
status 0 "$HECATE" net hand.net some.csv --json
is "an event of two is empty: the counter is not known" "$(json "$tmp/out" '[(l["counter"], l["why"]) for l in d["snapshots"][0]["lacking"]][:2]')" "[('miss', 'its column is empty'), ('dimm', 'not in the data')]"
is "hits are known, the queue is not" "$(json "$tmp/out" 'd["snapshots"][0]["path_map"][0]["cells"][0]["hits"], [q["length"] for q in d["snapshots"][0]["queues"]], d["snapshots"][0]["culprit"]')" "(80, [None, None], None)"
is "a law with an unknown side is undecided" "$(json "$tmp/out" '[l["holds"] for l in d["snapshots"][0]["laws"]]')" "[None, None]"
sed 's/,$/,1/' some.csv >half.csv
status 0 "$HECATE" net hand.net half.csv --json
is "scaled up" "$(json "$tmp/out" 'd["snapshots"][0]["totals"][0]["value"], d["snapshots"][0]["scaled"]')" "(28, [{'counter': 'miss', 'counted': 2}])"
status 0 "$HECATE" net hand.net half.csv -v
has "  with a note" "$out" '1 counter was not counted in every interval'
has "-v names the lacking counters" "$out" '^  dimm \(not in the data\): takes away d\.ld\.hit, law what misses is served'

# Rows out of order are sorted, with a warning; a count below zero is refused.
printf 'time,ev.hit,ev.miss1,ev.miss2\n2,20,1,1\n1,10,1,1\n' >back.csv
status 0 "$HECATE" net hand.net back.csv --each-row --json
is "rows out of order" "$(json "$tmp/out" '[(s["path_map"][0]["cells"][0]["hits"], s["seconds"]) for s in d["snapshots"]]')" "[(10, 1), (20, 1)]"
has "  are reported" "$err" 'back.csv:3: time goes back here: rows are put in the order of their times'
is "no owner is gone, no count is wrong" "$(json "$tmp/out" '[(s["gone"], s["wrong"]) for s in d["snapshots"]]')" "[([], []), ([], [])]"
printf 'time,ev.hit,ev.miss1,ev.miss2\n1,10,1,1\n2,-20,1,1\n' >minus.csv
status 2 "$HECATE" net hand.net minus.csv
has "a count below zero is reported with its place" "$err" 'minus.csv:3:3: ev.hit is negative: -20'

# A difference of counters that are not read at the same time may be below zero.
cat >below.net <<'END2'
network below; kind r;
counter a per_ = "x" per system unit requests;
END2
sed 's/ per_ / /' below.net >below2.net
cat >>below2.net <<'END2'
counter b = "b" per system unit requests;
stage s { module m { r { hit = a - b; miss = b; } } }
stage t { module n { r { hit = b; } } }
link m -> n;
END2
printf 'a,b\n1,3\n' >below.csv
status 0 "$HECATE" net below2.net below.csv
has "below zero is reported, and shown as 0" "$out" '1 value came out below zero'
status 0 "$HECATE" net below2.net below.csv --json
is "  in JSON" "$(json "$tmp/out" 'd["snapshots"][0]["below_zero"], d["snapshots"][0]["path_map"][0]["together"]')" "(1, 0)"

# Unknown is not zero: sums and shares say so.
printf 'ev.hit,ev.dimm\n30,10\n' >part.csv
status 0 "$HECATE" net hand.net part.csv
has "the sum of the known parts" "$out" '^  together +40 +\? +>40'
has "the share among the known parts" "$out" '^  beyond a +~100\.0 % +\? +>10'
has "used counters come first" "$out" 'not known here: 5 of 7, 5 of them used'

# Sessions and perf stat are data too.
status 0 "$HECATE" import -q -o hand.session hand.csv
status 0 "$HECATE" net hand.net hand.session --json
is "a session file" "$(json "$tmp/out" 'd["snapshots"][0]["path_map"][0]["cells"][0]["hits"]')" 4000
printf '80,,ev.hit,1000,100.00,,\n5,,ev.miss1,1000,100.00,,\n3,,EV.miss2,1000,100.00,,\n' >perf.csv
status 0 "$HECATE" net hand.net perf.csv --json
is "perf stat" "$(json "$tmp/out" 'd["snapshots"][0]["path_map"][0]["together"], d["snapshots"][0]["totals"][0]["value"], d["snapshots"][0]["seconds"]')" "(80, 8, None)"

# The network alone.
status 0 "$HECATE" net "$nets/small.net" --check
has "counters" "$out" '9 counters: 8 resolved, 1 unresolved'
has "unresolved counters, with the reason" "$out" 'llc_far: no code in public lists'
has "stages" "$out" '  llc: llc per socket times 8'
has "places that are not separated" "$out" 'write at l2, with read: this cache counts both together'
status 0 "$HECATE" net "$nets/small.net" --check --json
is "as JSON" "$(json "$tmp/out" 'd["schema"], d["resolved"], d["unresolved"], [s["name"] for s in d["stages"]]')" "('hecate.net/1', 8, 1, ['core', 'llc', 'memory'])"

# The networks of machines: PathFinder's tables 1 to 4, each counter and what perfmon has of it (tests/data/pathfinder).
list=$HECATE_TESTS/data/pathfinder
cat >list.py <<'END2'
import json, re, sys
cpu, column = sys.argv[1], {"spr": 3, "emr": 4}[sys.argv[1]]
rows = [l.rstrip("\n").split("\t") for l in open(sys.argv[2] + "/counters.tsv") if l[0] != "#"]
events = [l.rstrip("\n").split("\t") for l in open(sys.argv[2] + "/events.tsv") if l[0] != "#"]
codes = {f[1]: [int(x, 16) for x in (f[3].split(",")[0], f[4], f[5])] for f in events if f[0] in (cpu, cpu + "*")}
d = json.load(open(sys.argv[3]))
have = {c["name"]: c for c in d["counters"]}
tables = [r for r in rows if r[0] != "0"]
paper = [r for r in tables if r[2] not in ("mem_trans_retired.load_latency", "mem_trans_retired.store_sample")]
def of(name): return have[name]["events"] + sum(have[name]["alternatives"], [])
def state(name): return "no" if have[name]["unresolved"] is not None else "linux" if of(name)[0].startswith("msr/") else "raw" if "/" in of(name)[0] else "yes"
wrong = [r[2] for r in rows if r[2] not in have or state(r[2]) != r[column]]
used = {e for c in have for e in of(c) if "/" not in e}
named = {f[1] for f in events if f[0] == cpu}
# Each raw event again, from the codes of the named events whose bits it has.
def cha(event, of_name, wide="", narrow=""):
    code, umask, ext = codes[of_name]
    return "uncore_cha/event=0x%x,umask=0x%x/" % (event, (ext ^ ((codes[wide][2] ^ codes[narrow][2]) if narrow else 0)) << 8 | umask)
def thresh(e): return e[:-1] + ",thresh=1/"
response = {"any_response": ["ANY_RESPONSE"], "l3_hit": ["L3_HIT"], "l3_miss": ["L3_MISS"], "local_dram": ["LOCAL_DRAM"], "snc_dram": ["SNC_DRAM"],
    "snc_cache": ["SNC_CACHE.HITM", "SNC_CACHE.HIT_WITH_FWD"], "remote_dram": ["REMOTE_DRAM"],
    "remote_cache": ["REMOTE_CACHE.SNOOP_HITM", "REMOTE_CACHE.SNOOP_HIT_WITH_FWD"]}
reads = 0x4477
l2 = codes["OCR.HWPF_L2.ANY_RESPONSE"][2] & reads
asks = {"demand_rfo": codes["OCR.DEMAND_RFO.L3_HIT"][2] & reads, "hwpf_l1d": codes["OCR.HWPF_L1D.ANY_RESPONSE"][2] & reads,
    "hwpf_l2_rfo": codes["OCR.RFO_TO_CORE.L3_HIT_M"][2] & l2, "hwpf_l2_drd": l2 & -l2}
def again(name):
    box, sub = name.split(".", 1) if "." in name else (name, "")
    if box == "unc_cha_tor_threshold1":
        return [thresh(e if "/" in e else cha(0x36, e)) for e in of("unc_cha_tor_occupancy." + sub)]
    if box.startswith("unc_cha_tor_") and sub == "ia_miss_cxl":
        event = 0x35 if "inserts" in box else 0x36
        code, umask, ext = codes["UNC_CHA_TOR_INSERTS.IA_MISS_CXL_ACC_LOCAL"]
        device = codes["UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"][2] >> 28
        return ["uncore_cha/event=0x%x,umask=0x%x/" % (event, (ext & 0xFFFFFFF | device << 28) << 8 | umask)]
    if box.startswith("unc_cha_tor_"):
        upper = box.upper() + "."
        return [cha(0x35 if "inserts" in box else 0x36, upper + "IA_MISS_" + sub.split("_")[2].upper(), upper + "IA_MISS_DRD", upper + "IA_MISS_DRD_LOCAL_DDR")]
    if box == "ocr":
        ask, answer = sub.split(".")
        return ["cpu/event=0x2a,umask=0x1,offcore_rsp=0x%x/" % (codes["OCR.HWPF_L2.ANY_RESPONSE" if r == "ANY_RESPONSE" else "OCR.READS_TO_CORE." + r][2]
            & ~reads | asks[ask]) for r in response[answer]]
    if box == "unc_m_cas_count":
        whole, other = codes["UNC_M_CAS_COUNT." + sub[:2].upper()][1], codes["UNC_M_CAS_COUNT.PCH%d" % (sub[-1] == "0")][1]
        return ["uncore_imc/event=0x5,umask=0x%x/" % (whole & ~other)]
    queue = codes[box.upper().replace("CYCLES_NE", "OCCUPANCY") + "_" + sub.upper()]
    return ["uncore_imc/event=0x%x,umask=0x%x,thresh=1/" % (queue[0], queue[1])]
raw = [n for n in have if state(n) == "raw"]
other = [n for n in raw if again(n) != of(n)]
if sys.argv[4:]: print(len(raw), other)
else: print(len(paper), len(tables), *[sum(r[column] == s for r in tables) for s in ("yes", "raw", "no")], len(rows) == len(have), wrong,
    sorted(used - named), sorted(named - used))
END2
status 0 "$HECATE" net spr-cxl --check --json
is "spr-cxl: 232 counters of the paper, 234 with two sampled ones: 159 named, 67 raw, 8 unresolved" "$(python3 list.py spr "$list" "$tmp/out")" \
	"232 234 159 67 8 True [] [] []"
is "  raw events have the bits of named ones" "$(python3 list.py spr "$list" "$tmp/out" raw)" "71 []"
is "  the printed events are those that are counted" "$("$HECATE" net spr-cxl --check | sed -n 's/^\([0-9]* counters.*\)/\1/p')" "263 counters: 255 resolved, 8 unresolved"
status 0 "$HECATE" net emr-cxl --check --json
is "emr-cxl" "$(python3 list.py emr "$list" "$tmp/out")" "232 234 157 69 8 True [] [] []"
is "  raw events have the bits of named ones" "$(python3 list.py emr "$list" "$tmp/out" raw)" "73 []"
is "  the printed events are those that are counted" "$("$HECATE" net emr-cxl --check | sed -n 's/^\([0-9]* counters.*\)/\1/p')" "263 counters: 255 resolved, 8 unresolved"
is "  writes to memory are known for the socket, unknown for a core" "$("$HECATE" net emr-cxl --check | sed -n '/^known as a whole/,/^$/p' | grep DWr)" \
	"  CHA, known for the socket: HWPF, DWr
  DDR, known for the socket: DRd, RFO, HWPF, DWr
  CXL, known for the socket: DRd, RFO, HWPF, DWr"
is "  as JSON" "$(json "$tmp/out" '[(m["name"], c["kind"], c["known_per"]) for s in d["stages"] for m in s["modules"] for c in m["cells"] if (m["name"], c["kind"]) in (("L2", "DRd"), ("CHA", "DRd"), ("CHA", "HWPF"), ("DDR", "DWr"), ("far", "DWr"))]')" \
	"[('L2', 'DRd', 'core'), ('CHA', 'DRd', 'core'), ('CHA', 'HWPF', 'socket'), ('DDR', 'DWr', 'socket'), ('far', 'DWr', None)]"
is "  with the whole reason" "$("$HECATE" net emr-cxl --check | sed -n '/^unresolved/,$p' | grep -c ': ')" 8

page=$(tr '\n' ' ' <"$TOP_SRCDIR/docs/network-language.md")
has "the page of the language has these numbers" "$page" 'have 234 counters\. Of these, .* name 159 for Sapphire Rapids and 157 for Emerald Rapids\. Another 67 and 69 have no name, .* The last 8 are `unresolved` in both'

status 0 "$HECATE" net haswell --check --json
is "haswell: every event has a code" "$(python3 - "$list" "$tmp/out" <<'END2'
import json, sys
codes = {f[1] for f in (l.split("\t") for l in open(sys.argv[1] + "/events.tsv") if l[0] != "#") if f[0] == "hsw"}
d = json.load(open(sys.argv[2]))
print(sorted({e for c in d["counters"] for e in c["events"]} ^ codes), d["unresolved"], len(d["counters"]))
END2
)" "[] 0 26"
cat >generic.csv <<'END2'
1000,,L1-dcache-loads,9,100.00,,
100,,L1-dcache-load-misses,9,100.00,,
60,,LLC-loads:u,9,100.00,,
20,,LLC-load-misses,9,100.00,,
15,,node-loads,9,100.00,,
5,,node-load-misses,9,100.00,,
<not supported>,,LLC-stores,0,100.00,,
40,,cpu-cycles,9,100.00,,
END2
status 0 "$HECATE" net generic generic.csv --json
is "generic: the names that perf uses" "$(json "$tmp/out" '[(r["place"], r["cells"][0]["hits"]) for r in d["snapshots"][0]["path_map"] if r["cells"][0]["state"] == "told"]')" \
	"[('L1D', 900), ('between L1D and LLC', 40), ('LLC', 40), ('memory of this node', 10), ('memory of other nodes', 5)]"
is "generic: counters of the user side only are reported" "$(json "$tmp/out" 'd["snapshots"][0]["user_only"]')" "['llc.loads']"
is "generic: an event that this machine does not have" "$(json "$tmp/out" '[l["why"] for l in d["snapshots"][0]["lacking"] if l["counter"] == "llc.stores"]')" "['it could not be opened']"
has "generic: both names that perf has for cycles" "$(json "$tmp/out" '[l["counter"] for l in d["snapshots"][0]["lacking"]]')" "^\['l1.stores', "

# A made-up recording of such a machine, with the places of table 7 for 649.fotonik3d_s. Destinations agree with counts.
cat >spr.py <<'END2'
import csv, sys
v = {r["observation"]: r for r in csv.DictReader(open(sys.argv[1]))}["649.fotonik3d_s"]
v = {k: int(x) for k, x in v.items() if k != "observation"}
t = "unc_cha_tor_inserts.ia_"
data = {
    "mem_load_retired.l1_hit": v["drd.l1d"], "mem_load_retired.fb_hit": v["drd.lfb"], "mem_load_retired.l1_miss": v["drd.l2"] + 35000000,
    "mem_inst_retired.all_stores": v["dwr.sb"], "mem_store_retired.l2_hit": v["dwr.l2"],
    "l2_rqsts.demand_data_rd_hit": v["drd.l2"], "l2_rqsts.demand_data_rd_miss": 35000000, "l2_rqsts.rfo_hit": v["rfo.l2"], "l2_rqsts.rfo_miss": 1600000,
    "l2_rqsts.all_hwpf": v["hwpf.l2"] + 263000000, "l2_rqsts.hwpf_miss": 263000000, "l2_rqsts.swpf_hit": 0, "l2_rqsts.swpf_miss": 0,
    "ocr.demand_data_rd.l3_hit": v["drd.local"], "ocr.demand_rfo.l3_hit": v["rfo.local"],
    "ocr.demand_data_rd.snc_cache.hitm": v["drd.snc"] // 4, "ocr.demand_data_rd.snc_cache.hit_with_fwd": v["drd.snc"] - v["drd.snc"] // 4,
    "ocr.demand_rfo.snc_cache.hitm": 6000, "ocr.demand_rfo.snc_cache.hit_with_fwd": 100,
    "ocr.demand_data_rd.remote_cache.snoop_hitm": 3385, "ocr.demand_data_rd.remote_cache.snoop_hit_with_fwd": 10000,
    t + "hit_drd_pref": v["hwpf.local"] - 1000, t + "hit_rfo_pref": 1000, t + "miss_drd_pref": 235000000, t + "miss_rfo_pref": 3000000,
    t + "miss_drd_cxl_acc": v["drd.cxl"], t + "miss_rfo_cxl_acc": v["rfo.cxl"], t + "miss_drd_pref_cxl_acc": v["hwpf.cxl"] - 2000000,
    t + "miss_rfo_pref_cxl_acc": 2000000, t + "drd": 40000000, t + "hit_drd": 6000000, t + "miss_drd": 26000000,
    t + "wbeftoe": 1000000, t + "wbeftoi": 2000000, t + "wbmtoe": 3000000, t + "wbmtoi": 140000000, t + "wbstoi": 4000000,
    "ocr.modified_write.any_response": v["dwr.uncore"],
    "unc_cha_clockticks": 10**11, "cpu_clk_unhalted.thread": 10**10, "memory_activity.stalls_l1d_miss": 6 * 10**9, "memory_activity.stalls_l2_miss": 5 * 10**9,
    "cycle_activity.stalls_l3_miss": 4 * 10**9, "unc_cxlcm_rxc_pack_buf_full.mem_req": 10**9, "unc_cxlcm_clockticks": 4 * 10**9,
    "unc_cha_tor_occupancy.ia_miss_drd_cxl_acc": v["drd.cxl"] * 900, "unc_cha_tor_occupancy.ia_miss_drd_pref_cxl_acc": (v["hwpf.cxl"] - 2000000) * 900,
    "unc_cha_tor_occupancy.ia_miss_rfo_pref_cxl_acc": 2000000 * 900, "unc_cha_tor_occupancy.ia_miss_rfo_cxl_acc": v["rfo.cxl"] * 900,
    "unc_cha_tor_occupancy.ia_hit_drd": 6000000 * 80, "unc_cha_tor_occupancy.ia_hit_drd_pref": (v["hwpf.local"] - 1000) * 80,
    "unc_cha_tor_occupancy.ia_hit_rfo_pref": 1000 * 80, "unc_cha_tor_occupancy.ia_miss_drd_pref": 10**11, "unc_cha_tor_occupancy.ia_miss_rfo_pref": 10**9,
    "unc_cha_tor_inserts.ia_hit_rfo": 75000, "unc_cha_tor_occupancy.ia_hit_rfo": 75000 * 80,
}
for event, count in data.items(): print("%d,,%s,1000000,100.00,," % (count, event))
END2
python3 spr.py "$nets/table7.csv" >spr.csv
status 0 "$HECATE" net spr-cxl spr.csv --beyond l2 --json
cat >spr_read.py <<'END2'
import json, sys
s = json.load(open(sys.argv[1]))["snapshots"][0]
place = {r["place"]: {c["kind"]: c for c in r["cells"]} for r in s["path_map"]}
print(eval(sys.argv[2]))
END2
of() { python3 spr_read.py "$tmp/out" "$1"; }
is "spr-cxl: places" "$(of '[place[p][k]["hits"] for p, k in (("SB", "DWr"), ("L1D", "DRd"), ("LFB", "DRd"), ("L2", "HWPF"), ("local LLC", "HWPF"), ("SNC LLC", "DRd"), ("remote LLC", "DRd"), ("CXL memory", "HWPF"), ("uncore, place not told", "DWr"))]')" \
	"[780000000, 4700000000, 310000000, 180000000, 25000000, 940000, 13385, 220000000, 150000000]"
is "spr-cxl: without a name in perfmon a count is unknown" "$(of '[place[p][k]["hits"] for p, k in (("SNC LLC", "HWPF"), ("remote LLC", "RFO"))], sorted({l["why"] for l in s["lacking"]})')" \
	"([None, None], ['not in the data', 'unresolved'])"
is "spr-cxl: shares among the known parts" "$(of '[(k["share"], "%.3f" % k["share_known"]) for b in s["beyond"] if b["stage"] == "llc" for k in b["kinds"] if k["kind"] == "HWPF"]')" \
	"[(None, '0.892')]"
# 220e6 / (1e11 / 32 slices) × (15 + 900 - (15 + 80)) = 57.728. The delay of the controllers is unknown, so the previous
# one is that of the LLC.
is "spr-cxl: the culprit, and its queue" "$(of 's["culprit"]["kind"], s["culprit"]["module"], round(s["queues"][0]["length"], 6), s["queues"][0]["before"]')" "('HWPF', 'CXL', 57.728, 95)"
# The buffer of requests is full for 1e9 cycles of the link, 4e9 long, while a slice counts 1e11 / 32: 781 M of its cycles.
# 25 of 246.5 M requests to CXL memory are demand reads.
is "spr-cxl: stalls of CXL memory go back to the core" "$(of '[(c["module"], round(c["stall"] / 1e6)) for c in [d for d in s["stalls"] if d["destination"] == "CXL"][0]["components"] if c["kind"] == "DRd" and c["module"] in ("CXL", "M2PCIe", "CHA")]')" \
	"[('CXL', 79), ('M2PCIe', 79), ('CHA', 79)]"
is "spr-cxl: without their counters, own stalls are not known" "$(of '[c["module"] for c in [d for d in s["stalls"] if d["destination"] == "CXL"][0]["components"] if c["kind"] == "DRd" and c["own"] is None]')" \
	"['M2PCIe', 'CHA', 'core']"

# The load of CXL memory: its buffer of requests is full for a quarter of the time. Without that count the load is
# unknown, and a weaker sign bounds it.
is "spr-cxl: load" "$(of '[(q["module"], q["load"], q["at_least"], q["at_most"], [s["tells"] for s in q["signs"]]) for q in s["qos"]]')" \
	"[('CXL', 'severe overload', 'severe overload', 'severe overload', ['severe overload', None, None, None])]"
is "  with its thresholds" "$(of '[(s["value"], s["optimal"], s["moderate"], s["severe"]) for s in s["qos"][0]["signs"]][:1]')" "[(0.25, None, 0.1, 0.25)]"
status 0 "$HECATE" net spr-cxl spr.csv
has "  in text" "$out" '^  CXL memory: severe overload$'
has "  stalls passed back are not shown as a measured zero" "$out" '^ +DRd +at M2PCIe +79\.2 M, passed back to it; no counter counts its own$'
has "  stalls that arise there are reported" "$out" '^ +DRd +at CXL memory +79\.2 M, 79\.2 M its own$'
has "  with the reason" "$out" '^    buffer of requests full, part of the time: 0\.25 \(moderate overload from 0\.1, severe overload from 0\.25\)$'
grep -v pack_buf_full spr.csv >light.csv
printf '3000000000,,unc_cxlcm_rxc_pack_buf_ne.mem_req,1,100.00,,\n' >>light.csv
status 0 "$HECATE" net spr-cxl light.csv
has "  unknown, and its bounds" "$out" '^  CXL memory: unknown, from optimal load to severe overload$'
status 0 "$HECATE" net emr-cxl --check
has "  the sign that decides" "$out" '^  CXL: buffer of requests full, part of the time, moderate overload from 0\.1, severe overload from 0\.25: '

# Names: networks/ in each folder, then models/networks/.
mkdir -p house/networks house/models/networks
cp hand.net house/networks/mine.net
cp "$nets/small.net" house/models/networks/mine.net
cp "$nets/small.net" house/models/networks/other.net
HECATE_MODELS=$tmp/house
status 0 "$HECATE" net mine --check
has "networks/ stands before models/networks/" "$out" '^network hand'
status 0 "$HECATE" net other --check
has "models/networks/ is searched too" "$out" '^network small'
status 2 "$HECATE" net mines hand.csv
has "a name in both is one network" "$err" 'nearest: mine'
HECATE_MODELS=$TOP_SRCDIR
status 0 "$HECATE" net hand.net hand.csv --ascii -q
is "--ascii" "$(LC_ALL=C printf '%s' "$out" | LC_ALL=C grep -c '[^ -~]')" 0

# Bad input.
status 2 "$HECATE" net
has "no network" "$err" 'net needs a network'
status 2 "$HECATE" net hand.net
has "no data" "$err" 'net needs data, a command after --.*--check'
status 2 "$HECATE" net hand.net hand.csv --check
has "command and data together" "$err" 'there is data: hand.csv'
status 2 "$HECATE" net hand.csv
has "data without a network" "$err" 'hand.csv is data, but no network is given'
status 2 "$HECATE" net no-such-net hand.csv
has "no such network" "$err" 'none of the installed networks has that name; known: .*spr-cxl'
status 2 "$HECATE" net spr-cx hand.csv
has "  nearest" "$err" 'nearest: spr-cxl'
status 2 "$HECATE" net hand.net nofile.csv
status 2 "$HECATE" net hand.net hand.csv --beyond c
has "no such stage" "$err" "no stage 'c'; nearest: a"
status 2 "$HECATE" net hand.net hand.csv --observations no
has "no such observation" "$err" 'no observation to report'
status 2 "$HECATE" net hand.net "$nets/table7.csv" -q
has "data of another machine" "$err" 'no column for any counter'
sed 's/hit = dimm/hit = dimn/' hand.net >typo.net
status 2 "$HECATE" net typo.net hand.csv
has "a typo has its place" "$err" '^hecate: typo.net:12:[0-9]+: .*dimn.*nearest: dimm'
has "  with a caret" "$err" '^ +\^\^\^\^$'
is "  and no document" "$out" ""
status 2 "$HECATE" net below.net below.csv
has "a syntax error has its place" "$err" 'below.net:2:11'
sed 's/^link.*/link d -> l1;/' hand.net >back.net
status 2 "$HECATE" net back.net --check
has "a link to the left" "$err" "'l1' does not come after 'd'"
sed 's/delay = 305 cycles/delay = dimm/' hand.net >unit.net
status 2 "$HECATE" net unit.net --check
has "another unit" "$err" 'delay must be in cycles or ns, not in requests'
printf '\377\000{{{ network "\n' >random.net
status 2 "$HECATE" net random.net --check

# What to try, as in the explorer: the weightiest rule, with its numbers, then the busiest disk.
run=$HECATE_TESTS/data/linux/run-cold.csv
status 0 "$HECATE" net linux-vm "$run" --ascii
has "advice with its numbers" "$out" '^  vda: 117 reads of 1\.8 MB, 16 ms each, busy 47\.6 %, 172 MB/s: read less'
has "  and the disk below it" "$out" '^  vda: 117 reads of 1\.8 MB, 16 ms each, 172 MB/s, 98\.2 % ahead of need; 413 writes'
status 0 "$HECATE" net linux-vm "$run" --json -o advised
document advised "a document with advice"
is "its rule, and the part that it is about" \
	"$(json advised '[(a["about"], round(a["weight"], 3)) for a in d["snapshots"][0]["advice"]], d["snapshots"][0]["disk"][:9]')" \
	"([('disk', 0.241)], 'vda: 117 ')"
status 0 "$HECATE" net linux-vm "$run" --each-row --json -o rows
is "a row is too short for advice" "$(json rows 'sum("advice" in s for s in d["snapshots"])')" "0"
status 0 "$HECATE" report linux-vm "$run" -o advised.md
has "the report has it" "$(cat advised.md)" '^- vda: 117 reads .*: \*\*read less'
is "another network has none" "$("$HECATE" net -q hand.net hand.csv | grep -c 'what to try')" "0"

# Which alternative of a counter was taken: recorded, counted here, and from a session file.
cat >alt.net <<'NET'
network alt "alternatives";
kind r "reads";
counter first = "cpu/event=0xff,umask=0xff/" or "minor-faults" + "major-faults" per system unit requests;
counter plain = "page-faults" per system unit requests;
stage a { module one { r { hit = 0 * first; miss = first; } } }
stage b { module two { r { hit = plain; } } }
link one -> two;
NET
taken="[('first', ['minor-faults', 'major-faults'])]"
alternatives() { json "$1" '[(a["counter"], a["events"]) for a in d["snapshots"][0]["alternatives"]]'; }
printf 'minor-faults,major-faults,page-faults\n5,2,7\n' >alt.csv
status 0 "$HECATE" net alt.net --exact alt.csv --json -o alt.json
document alt.json "a document with alternatives"
is "the alternative that data have is named" "$(alternatives alt.json)" "$taken"
has "  in text" "$("$HECATE" net -q alt.net --exact alt.csv)" '^alternatives that were counted: first by minor-faults \+ major-faults$'
printf 'first,page-faults\n5,7\n' >own.csv
status 0 "$HECATE" net alt.net --exact own.csv --json -o alt.json
is "a column of the counter's name does not say it" "$(alternatives alt.json)" "[]"
if "$HECATE" net -q alt.net -- true >/dev/null 2>&1; then
	status 0 "$HECATE" record -q -m alt.net -o alt.hecate -- true
	status 0 "$HECATE" net -q alt.net alt.hecate --json -o alt.json
	is "a session file keeps which was counted" "$(alternatives alt.json)" "$taken"
else
	skip "a session file keeps which was counted" "page faults cannot be counted here"
fi
done_testing
