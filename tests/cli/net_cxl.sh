#!/bin/sh
# hecate net on servers with CXL memory: a consistent snapshot made by hand, published medians of a Sapphire Rapids, and
# measured curves of latency under load.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# --- a snapshot in which all counters agree --------------------------------------------------------------------------

# Requests by kind and place, with the time that each is in the table of requests. All counters of tables 1 to 4 follow
# from these, from a few cycles that a core stalls, and from one clock of 2e9 cycles for all.
cat >made.py <<'END2'
import math, sys
CLK, SLICES, CHANNELS = 2 * 10**9, 32, 8
table = {  # kind: {place: (requests, cycles each)}
    "drd": {"hit": (10_000_000, 70), "local_ddr": (8_000_000, 260), "remote_ddr": (1_000_000, 400), "cxl": (12_000_000, 480), "cache": (500_000, 300)},
    "drd_pref": {"hit": (5_000_000, 70), "local_ddr": (7_000_000, 260), "remote_ddr": (400_000, 400), "cxl": (15_000_000, 480), "cache": (100_000, 300)},
    "rfo": {"hit": (3_000_000, 80), "local_ddr": (2_000_000, 270), "remote_ddr": (200_000, 410), "cxl": (3_000_000, 490), "cache": (50_000, 310)},
    "rfo_pref": {"hit": (1_000_000, 80), "local_ddr": (900_000, 270), "remote_ddr": (60_000, 410), "cxl": (1_100_000, 490), "cache": (40_000, 310)},
    "llcprefdata": {"hit": (200_000, 60), "local_ddr": (300_000, 250), "cxl": (500_000, 470)},
    "llcprefrfo": {"hit": (100_000, 60), "local_ddr": (90_000, 250), "cxl": (80_000, 470)},
}
REMOTE, MISS = ("remote_ddr", "cache"), ("local_ddr", "remote_ddr", "cxl", "cache")
PLACES = {"": ("hit",) + MISS, "hit": ("hit",), "miss": MISS, "miss_ddr": ("local_ddr", "remote_ddr"), "miss_local": ("local_ddr", "cxl"),
    "miss_local_ddr": ("local_ddr",), "miss_remote": REMOTE, "miss_remote_ddr": ("remote_ddr",), "miss_cxl": ("cxl",)}
def n(kinds, places): return sum(table[k].get(p, (0, 0))[0] for k in kinds for p in places)
def t(kinds, places): return sum(a * b for k in kinds for p in places for a, b in [table[k].get(p, (0, 0))])
c = {}
def entry(name, kinds, places):
    c["unc_cha_tor_inserts." + name] = n(kinds, places)
    c["unc_cha_tor_occupancy." + name] = t(kinds, places)
    if "llcpref" not in name:  # slices that are not empty: rises with the occupancy, and never beyond the clock
        c["unc_cha_tor_threshold1." + name] = round(SLICES * CLK * (1 - math.exp(-t(kinds, places) / (SLICES * CLK))))
for kind in table:
    for what, places in PLACES.items():
        head, _, tail = what.partition("_")
        if kind.startswith("llcpref") and what not in ("hit", "miss", "miss_local_ddr", "miss_cxl"): continue
        if kind.startswith("rfo") and tail.endswith("ddr"): continue
        entry("ia_" + "_".join(x for x in (head, kind, tail) if x), [kind], places)
for what in ("", "hit", "miss", "miss_cxl"): entry("_".join(x for x in ("ia", what) if x), list(table), PLACES[what])
L2PREF, HWPF = ("drd_pref", "rfo_pref"), ("drd_pref", "rfo_pref", "llcprefdata", "llcprefrfo")
ocr = {"demand_data_rd": ("drd", 1), "demand_rfo": ("rfo", 1), "hwpf_l1d": ("drd_pref", .2), "hwpf_l2_drd": ("drd_pref", .8), "hwpf_l2_rfo": ("rfo_pref", 1)}
for name, (kind, part) in ocr.items():
    of = lambda places: round(n([kind], places) * part)
    c.update({f"ocr.{name}.any_response": of(PLACES[""]), f"ocr.{name}.l3_hit": of(("hit",)), f"ocr.{name}.l3_miss": of(MISS),
        f"ocr.{name}.local_dram": of(("local_ddr",)), f"ocr.{name}.snc_dram": 0, f"ocr.{name}.snc_cache": 0,
        f"ocr.{name}.remote_cache": of(("cache",)), f"ocr.{name}.remote_dram": of(("remote_ddr",))})
WRITTEN, TO_DDR, TO_CXL = 12_000_000, 4_000_000, 6_000_000
c.update({f"unc_cha_tor_inserts.ia_wb{k}": v for k, v in (("eftoe", 100_000), ("eftoi", 200_000), ("mtoe", 300_000), ("mtoi", 11_000_000), ("stoi", 400_000))})
c["unc_cha_tor_occupancy.ia_wbmtoi"] = 11_000_000 * 90
c["ocr.modified_write.any_response"] = WRITTEN
# the core: L2's misses are what the table of requests has
drd, rfo = n(["drd"], PLACES[""]), n(["rfo"], PLACES[""])
l2_hit, l2_rfo_hit, pf_hit, pf_miss = 30_000_000, 9_000_000, 20_000_000, n(L2PREF, PLACES[""])
l1_miss = l2_hit + drd
c.update({"mem_load_retired.l1_hit": 700_000_000, "mem_load_retired.fb_hit": 40_000_000, "mem_load_retired.l1_miss": l1_miss,
    "mem_load_retired.l2_hit": l2_hit, "mem_load_retired.l2_miss": drd, "mem_load_retired.l3_hit": n(["drd"], ["hit"]), "mem_load_retired.l3_miss": n(["drd"], MISS),
    "mem_load_l3_hit_retired.xsnp_none": 9_000_000, "mem_load_l3_hit_retired.xsnp_miss": 500_000, "mem_load_l3_hit_retired.xsnp_no_fwd": 300_000,
    "mem_load_l3_hit_retired.xsnp_fwd": 200_000, "mem_load_l3_miss_retired.local_dram": 8_000_000, "mem_load_l3_miss_retired.remote_dram": 1_000_000,
    "mem_load_l3_miss_retired.remote_fwd": 300_000, "mem_load_l3_miss_retired.remote_hitm": 200_000,
    "mem_inst_retired.all_stores": 300_000_000, "mem_store_retired.l2_hit": 20_000_000, "mem_trans_retired.store_sample": 1000, "l1d.replacement": 95_000_000,
    "l2_rqsts.demand_data_rd_hit": l2_hit, "l2_rqsts.demand_data_rd_miss": drd, "l2_rqsts.all_demand_data_rd": l2_hit + drd,
    "l2_rqsts.rfo_hit": l2_rfo_hit, "l2_rqsts.rfo_miss": rfo, "l2_rqsts.all_rfo": l2_rfo_hit + rfo, "l2_rqsts.swpf_hit": 0, "l2_rqsts.swpf_miss": 0,
    "l2_rqsts.all_demand_references": l2_hit + drd + l2_rfo_hit + rfo + 1_000_000, "l2_rqsts.all_demand_miss": drd + rfo + 10_000,
    "l2_rqsts.all_hwpf": pf_hit + pf_miss, "l2_rqsts.hwpf_miss": pf_miss, "l2_rqsts.miss": drd + rfo + pf_miss + 10_000,
    "l2_rqsts.references": l2_hit + drd + l2_rfo_hit + rfo + 1_000_000 + pf_hit + pf_miss,
    "offcore_requests.demand_data_rd": drd, "offcore_requests.data_rd": drd + n(["drd_pref"], PLACES[""]),
    "offcore_requests.all_requests": drd + rfo + pf_miss + WRITTEN,
    "offcore_requests_outstanding.demand_data_rd": t(["drd"], PLACES[""]) + 20 * drd, "offcore_requests_outstanding.data_rd": t(["drd", "drd_pref"], PLACES[""]) + 20 * (drd + pf_miss),
    "offcore_requests_outstanding.cycles_with_demand_data_rd": 1_300_000_000, "offcore_requests_outstanding.cycles_with_data_rd": 1_500_000_000,
    "offcore_requests_outstanding.cycles_with_demand_rfo": 500_000_000, "offcore_requests_outstanding.l3_miss_demand_data_rd": t(["drd"], MISS),
    "longest_lat_cache.miss": n(["drd", "rfo"], MISS), "longest_lat_cache.reference": drd + rfo,
    "cycle_activity.cycles_l1d_miss": 1_500_000_000, "cycle_activity.cycles_l2_miss": 1_300_000_000, "cpu_clk_unhalted.thread": CLK, "cpu_clk_unhalted.ref_tsc": CLK, "tsc": CLK,
    "memory_activity.stalls_l1d_miss": 1_000_000_000, "memory_activity.stalls_l2_miss": 850_000_000, "cycle_activity.stalls_l3_miss": 700_000_000,
    "l1d_pend_miss.fb_full": 50_000_000, "l1d_pend_miss.pending": 15_000_000_000, "exe_activity.bound_on_stores": 120_000_000, "resource_stalls.sb": 200_000_000})
# beyond the last level
ddr, cxl = n(list(table), ["local_ddr"]), n(list(table), ["cxl"])
for p, half in (("pch0", .5), ("pch1", .5)):
    rd, wr = round(ddr * half), round(TO_DDR * half)
    c.update({f"unc_m_rpq_inserts.{p}": rd, f"unc_m_wpq_inserts.{p}": wr, f"unc_m_rpq_occupancy_{p}": 40 * rd, f"unc_m_wpq_occupancy_{p}": 90 * wr,
        f"unc_m_rpq_cycles_ne.{p}": 300_000_000 * CHANNELS, f"unc_m_wpq_cycles_ne.{p}": 100_000_000 * CHANNELS,
        f"unc_m_cas_count.rd.{p}": rd, f"unc_m_cas_count.wr.{p}": wr, f"unc_m_cas_count.all.{p}": rd + wr})
c.update({"unc_m_cas_count.rd": ddr, "unc_m_cas_count.wr": TO_DDR, "unc_m_clockticks": CLK * CHANNELS, "unc_cha_clockticks": CLK * SLICES, "unc_m2p_clockticks": CLK,
    "unc_m2p_rxc_cycles_ne.all": 600_000_000, "unc_m2p_rxc_inserts.all": cxl + TO_CXL, "unc_cxlcm_clockticks": CLK,
    "unc_cxlcm_rxc_pack_buf_full.mem_req": 100_000_000, "unc_cxlcm_rxc_pack_buf_full.mem_data": 30_000_000,
    "unc_cxlcm_rxc_pack_buf_ne.mem_req": 400_000_000, "unc_cxlcm_rxc_pack_buf_ne.mem_data": 300_000_000,
    "unc_cxlcm_rxc_pack_buf_inserts.mem_req": TO_CXL, "unc_cxlcm_rxc_pack_buf_inserts.mem_data": cxl,
    "unc_cxlcm_txc_pack_buf_inserts.mem_req": cxl, "unc_cxlcm_txc_pack_buf_inserts.mem_data": TO_CXL})
if len(sys.argv) > 1: exec("c[%r] = %s" % tuple(sys.argv[1:3]))
print("time," + ",".join(c)); print("1," + ",".join(str(v) for v in c.values()))
END2
cat >read.py <<'END2'
import json, sys
s = json.load(open(sys.argv[1]))["snapshots"][0]
place = {r["place"]: {c["kind"]: c["hits"] for c in r["cells"]} for r in s["path_map"]}
cxl = {(c["module"], c["kind"]): c for d in s["stalls"] if d["destination"] == "CXL" for c in d["components"]}
own = {}
for d in s["stalls"]:
    for x in d["components"]:
        if x["own"] is not None: own[x["module"], x["kind"]] = own.get((x["module"], x["kind"]), 0) + x["own"]
# own stalls of all destinations, and of requests that are served on the way
whole = dict(own)
for x in s.get("elsewhere", []): whole[x["module"], x["kind"]] = whole.get((x["module"], x["kind"]), 0) + x["stall"]
total = {t["text"]: t["value"] for t in s["totals"]}
print(eval(sys.argv[2]))
END2
of() { python3 read.py "$tmp/out" "$1"; }
python3 made.py >made.csv
for net in spr-cxl emr-cxl; do
	status 0 "$HECATE" net $net made.csv --json
	is "$net: all laws hold in a consistent snapshot" "$(of '[(l["text"], l["left"], l["right"]) for l in s["laws"] if l["holds"] is not True], len(s["laws"]) > 100, s["below_zero"]')" "([], True, 0)"
	is "  and all counters with an event are in it" "$(of 'sorted(l["counter"] for l in s["lacking"] if l["why"] != "unresolved"), s["extra"]')" "([], [])"
	is "  each hop of loads has its share of CXL memory's stalls" "$(of '[m for m in ("CXL", "M2PCIe", "CHA", "LLC", "L2", "L1D") if cxl[m, "DRd"]["own"] > 0]')" \
		"['CXL', 'M2PCIe', 'CHA', 'LLC', 'L2', 'L1D']"
	is "  in the core they add up to its stalls on L1D misses" "$(of '"elsewhere" not in s or [round(whole[m, "DRd"]) for m in ("L1D", "LFB", "L2", "LLC")] == [100 * 10**6, 50 * 10**6, 150 * 10**6, 700 * 10**6]')" True
	is "  and of stores" "$(of '[m for m in ("CXL", "M2PCIe", "SB") if cxl[m, "DWr"]["own"] > 0]')" "['CXL', 'M2PCIe', 'SB']"
	is "  the core keeps them all" "$(of '{f["module"] for f in cxl["core", "DRd"]["from"] if f["stall"] > 0} >= {"CXL", "M2PCIe", "CHA", "LLC", "L2", "L1D"}')" True
	is "  a buffer is full for reads, another for writes" "$(of '[round(sum(v for (m, k), v in own.items() if m == "CXL" and (k == "DWr") == w)) for w in (False, True)]')" "[100000000, 30000000]"
	is "  M2PCIe: 600 M cycles, divided by what each kind sends" "$(of 'round(sum(v for (m, k), v in own.items() if m == "M2PCIe")), round(own["M2PCIe", "DWr"])')" "(600000000, $((600000000 * 6000 / 37680)))"
	is "  writes: to DDR, to CXL memory, and kept" "$(of '[place[p]["DWr"] for p in ("local DDR", "CXL memory", "uncore, place not told")]')" "[4000000, 6000000, 2000000]"
	is "  L3's prefetches are hardware prefetches" "$(of '[place[p]["HWPF"] for p in ("local LLC", "local DDR", "CXL memory")]')" "[6300000, 8290000, 16680000]"
done
# What is known for the socket, and for no core of it; only of what was counted.
status 0 "$HECATE" net spr-cxl -q made.csv
is "the report says what no core's count shows" "$(printf '%s\n' "$out" | sed -n '/^known as a whole, unknown for the core$/,/^$/p' | sed 1d)" \
	"  CHA, known for the socket: HWPF, DWr
  DDR, known for the socket: DRd, RFO, HWPF, DWr
  far, known for the socket: DRd, HWPF
  CXL, known for the socket: DRd, RFO, HWPF, DWr"
printf 'mem_load_retired.l1_hit,mem_load_retired.l1_miss,time\n90,10,1\n' >core.csv
is "  and nothing of modules that were not counted" "$("$HECATE" net spr-cxl -q --exact core.csv | grep -c 'unknown for the core')" 0
# A core that sleeps half of the time: its unhalted cycles are half of the others', its frequency is not. What it loses is
# converted by the frequency; without the reference clock, by its cycles.
python3 made.py cpu_clk_unhalted.thread 1000000000 >asleep.csv
sed 's/,[^,]*ref_tsc,tsc,/,unknown.a,unknown.b,/' asleep.csv >plain.csv
sed "2s/,1000000000,2000000000,2000000000,/,1000000000,1000000000,2000000000,/" asleep.csv >halted.csv
at_core() { "$HECATE" net spr-cxl --exact -q "$1" --json >"$tmp/out" && of '[round(cxl["core", "DRd"][k]) for k in ("stall", "stall_ns")]'; }
is "stalls of a core that sleeps: as of one that is awake" "$(at_core halted.csv)" "$(at_core made.csv)"
is "  in time" "$(at_core halted.csv)" "[611583294, 305791647]"
is "  by its cycles alone they would take twice as long" "$(at_core plain.csv)" "[616279831, 616279831]"
# A law breaks where a counter does not fit.
python3 made.py unc_cxlcm_txc_pack_buf_inserts.mem_req 20000000 >off.csv
status 0 "$HECATE" net spr-cxl off.csv
has "a count of the port that does not fit breaks its laws" "$out" 'reads of CXL memory are the requests packed: 31680000 is not = 20000000 within 10 %'

# --- a Sapphire Rapids (8462Y+) with CXL memory ------------------------------------------------------------------------

# Published medians of 30 runs (jaewan/DutyFree 154c209, Apache-2.0, results/mechanism_decomp): cycles in which no fill
# buffer is free, and the mean time in the table of requests of a million demand reads. The log has no clock of any
# unit, and names requests to CXL memory CXL_ACC_LOCAL.
server() { # FILE FB_FULL DDR [CXL]
	t=UNC_CHA_TOR
	printf 'time,l1d_pend_miss.fb_full,%s_INSERTS.IA_MISS_DRD_LOCAL_DDR,%s_OCCUPANCY.IA_MISS_DRD_LOCAL_DDR' $t $t
	[ -z "$3" ] || printf ',%s_INSERTS.IA_MISS_DRD_CXL_ACC_LOCAL,%s_OCCUPANCY.IA_MISS_DRD_CXL_ACC_LOCAL' $t $t
	printf '\n1,%s,1000000,%s' "$1" "$2"
	[ -z "$3" ] || printf ',1000000,%s' "$3"
	printf '\n'
}
server 37943000 263200000 >quiet1.csv
server 145699990 300500000 468800000 >loaded1.csv
server 43115657 261300000 >quiet16.csv
server 504091370 343200000 481200000 >loaded16.csv
ddr='"%.1f" % total["mean time of a demand read in the table of requests, from local DDR"]'
cxl='total["mean time of a demand read in the table of requests, from CXL memory"]'
full='round(own["LFB", "DRd"])'
for of in quiet1:263.2:None:37943000 loaded1:300.5:468.8:145699990 quiet16:261.3:None:43115657 loaded16:343.2:481.2:504091370; do
	file=${of%%:*}
	status 0 "$HECATE" net spr-cxl "$file.csv" --json
	is "$file: delays at local DDR and CXL memory, cycles without a fill buffer" "$(of "':'.join([$ddr, str($cxl), str($full)])")" "${of#*:}"
done
grown() { python3 -c "print('%.1f' % ($2 / $1))"; }
own() { "$HECATE" net spr-cxl "$1" --json 2>/dev/null >"$tmp/out" && of "$full"; }
is "the fill buffers' own stalls grow 3.8 times on one core" "$(grown "$(own quiet1.csv)" "$(own loaded1.csv)")" 3.8
is "  and 11.7 times on 16" "$(grown "$(own quiet16.csv)" "$(own loaded16.csv)")" 11.7
status 0 "$HECATE" net spr-cxl loaded1.csv
has "a wait is shown without a clock" "$out" '^  DRd +at CXL memory +not known = \? x 468\.8 cycles$'
# 15 cycles to the CHA, then as counted
is "  as counted, and the way to the CHA" "$("$HECATE" net spr-cxl loaded1.csv --json 2>/dev/null >"$tmp/out" && of '[(q["module"], q["kind"], q["length"], round(q["wait"] + q["before"], 6)) for q in s["queues"] if q["wait"] is not None and q["module"] in ("DDR", "CXL")]')" \
	"[('DDR', 'DRd', None, 315.5), ('CXL', 'DRd', None, 483.8)]"
# Both names, of two sockets: the first one counts.
printf 'time,UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC_LOCAL,UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC\n1,7,9\n' >both.csv
status 0 "$HECATE" net spr-cxl both.csv --json
is "of alternatives the first that the data have counts" "$(of 'place["CXL memory"]["DRd"]')" 9
# A million pages of CXL memory are read once, one line in ten on demand.
printf 'time,%s\n1,6400000,57000000,0,600000\n' "$(for k in DRD DRD_PREF RFO RFO_PREF; do printf 'UNC_CHA_TOR_INSERTS.IA_MISS_%s_CXL_ACC_LOCAL,' $k; done | sed 's/,$//')" >stream.csv
status 0 "$HECATE" net spr-cxl stream.csv --json
is "a stream from CXL memory has its lines on the map, most as prefetches" "$(of 'sum(place["CXL memory"][k] for k in ("DRd", "RFO", "HWPF")) == 64 * 10**6, place["CXL memory"]["HWPF"] / 64e6')" "(True, 0.9)"

# --- latency under load -------------------------------------------------------------------------------------------------

# Four points of a Sapphire Rapids 8480+ (bsc-mem/Mess-Results 16ab1d6, AVX-512 traffic): counts of the memory controllers
# in 0.1 s beside a pointer chase. HECATE_MEMORY_CURVES names a table of all points in the same columns.
cat >points.csv <<'END2'
load_share,pause,seconds,cas_rd,cas_wr,chase_accesses,chase_r2012,chase_seconds
100,2000,0.1,46877043,104440,3072000,2880059,0.365300965
100,50,0.1,352943308,101423,3072000,2890885,0.600572214
100,0,0.1,372141524,116788,3072000,2902160,0.860293513
0,0,0.1,110823913,164299956,3072000,2909933,1.258301968
END2
cat >curves.py <<'END2'
import csv, json, subprocess, sys
rows = list(csv.DictReader(open(sys.argv[1])))
with open("curve.csv", "w") as f:
    f.write("observation,window,cas_rd,cas_wr,chase_accesses,chase_walks,chase_ns\n")
    for i, r in enumerate(rows):
        f.write("p%d,%d,%s,%s,%s,%s,%d\n" % (i, round(float(r["seconds"]) * 1e9), r["cas_rd"], r["cas_wr"], r["chase_accesses"], r["chase_r2012"], round(float(r["chase_seconds"]) * 1e9)))
d = json.loads(subprocess.run([sys.argv[2], "net", sys.argv[3], "curve.csv", "--json", "-q"], check=True, stdout=subprocess.PIPE).stdout)
wrong, walks, told = 0, [], []
for i, (r, s) in enumerate(zip(rows, d["snapshots"])):
    ns, n, window = round(float(r["chase_seconds"]) * 1e9), int(r["chase_accesses"]), round(float(r["seconds"]) * 1e9)
    rate, latency = (int(r["cas_rd"]) + int(r["cas_wr"])) * 64 / window, ns / n
    total = {t["text"]: t["value"] for t in s["totals"]}
    queue = {q["kind"]: q["length"] for q in s["queues"]}
    wrong += total["bandwidth, GB/s"] != rate or total["loaded latency"] != latency or queue["rd"] != int(r["cas_rd"]) / window * latency or queue["wr"] != int(r["cas_wr"]) / window * latency
    walks.append(total["part of the accesses of the chase that walk the page table"])
    told.append("%.1f ns at %.1f GB/s" % (latency, rate))
print(len(d["snapshots"]) == len(rows), wrong, "%.2f" % (sum(walks) / len(walks)), told[:4])
END2
is "bandwidth, loaded latency and its queues, to the last digit" "$(python3 curves.py points.csv "$HECATE" "$HECATE_TESTS/networks/chase.net")" \
	"True 0 0.94 ['118.9 ns at 30.1 GB/s', '195.5 ns at 225.9 GB/s', '280.0 ns at 238.2 GB/s', '409.6 ns at 176.1 GB/s']"
if [ -n "${HECATE_MEMORY_CURVES-}" ]; then
	is "  for all points of $HECATE_MEMORY_CURVES" "$(python3 curves.py "$HECATE_MEMORY_CURVES" "$HECATE" "$HECATE_TESTS/networks/chase.net" | cut -d' ' -f1,2)" "True 0"
else
	skip "  for all points" "no curves: HECATE_MEMORY_CURVES names them"
fi

done_testing
