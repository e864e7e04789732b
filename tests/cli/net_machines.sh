#!/bin/sh
# The networks of AMD and Arm machines: their events are those of public lists, and logs as perf writes them.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1
list=$HECATE_TESTS/data/perfmon/linux-networks.tsv

for net in zen2 zen grace neoverse; do
	status 0 "$HECATE" net $net --check --json
	is "$net: all counters have events, which are in a public list" "$(python3 - "$list" "$tmp/out" $net <<'END2'
import json, sys
names = {f[1] for f in (l.rstrip("\n").split("\t") for l in open(sys.argv[1]) if l[0] != "#") if f[0] == sys.argv[3]}
d = json.load(open(sys.argv[2]))
print(sorted({e for c in d["counters"] for e in c["events"] + sum(c["alternatives"], [])} ^ names), d["unresolved"])
END2
)" "[] 0"
done

# perf stat -x, on a Zen 2, made by hand.
cat >zen2.csv <<'END2'
5000000,,cycles,100,100.00,,
1000000,,all_dc_accesses,100,100.00,,
60000,,ls_mab_alloc.loads,100,100.00,,
40000,,ls_mab_alloc.stores,100,100.00,,
70000,,ls_refills_from_sys.ls_mabresp_lcl_l2,100,100.00,,
20000,,ls_refills_from_sys.ls_mabresp_lcl_cache,100,100.00,,
8000,,ls_refills_from_sys.ls_mabresp_lcl_dram,100,100.00,,
500,,ls_refills_from_sys.ls_mabresp_rmt_cache,100,100.00,,
1500,,ls_refills_from_sys.ls_mabresp_rmt_dram,100,100.00,,
9000,,l2_pf_hit_l2,100,100.00,,
4000,,l2_pf_miss_l2_hit_l3,100,100.00,,
3000,,l2_pf_miss_l2_l3,100,100.00,,
100000,,xi_sys_fill_latency,100,100.00,,
5000,,xi_ccx_sdp_req1.all_l3_miss_req_typs,100,100.00,,
250000,,de_dis_dispatch_token_stalls1.store_queue_token_stall,100,100.00,,
END2
cat >read.py <<'END2'
import json, sys
s = json.load(open(sys.argv[1]))["snapshots"][0]
place = {r["place"]: {c["kind"]: c["hits"] for c in r["cells"]} for r in s["path_map"]}
total = {t["text"]: t["value"] for t in s["totals"]}
queue = {(q["module"], q["kind"]): q for q in s["queues"]}
print(eval(sys.argv[2]))
END2
of() { python3 read.py "$tmp/out" "$1"; }
status 0 "$HECATE" net zen2 zen2.csv --json
is "zen2: where loads and stores were served" "$(of '[place[p]["Dem"] for p in ("L1D", "L2", "caches of this die", "complexes of other dies", "memory of this die", "memory of other dies")]')" \
	"[900000, 70000, 20000, 500, 8000, 1500]"
is "  what L2 prefetched" "$(of '[place[p]["L2PF"] for p in ("L2", "caches of this die", "beyond L3, place not told")]')" "[9000, 4000, 3000]"
is "  L3 counts sixteenths of cycles" "$(of 'total["mean time of a miss of L3, in cycles of a core"], total["part of the time that dispatch waits for the store queue"]')" "(320, 0.05)"
is "  its law holds" "$(of '[l["holds"] for l in s["laws"] if "demand" in l["text"]]')" "[True]"

# Zen 3 and Zen 4 name the same events differently.
printf 'time,ls_dmnd_fills_from_sys.%s,ls_dmnd_fills_from_sys.%s,ls_dmnd_fills_from_sys.%s\n1,7,5,3\n' lcl_l2 int_cache mem_io_local >zen3.csv
printf 'time,ls_dmnd_fills_from_sys.%s,ls_dmnd_fills_from_sys.%s,ls_dmnd_fills_from_sys.%s\n1,7,5,3\n' local_l2 local_ccx dram_io_near >zen4.csv
for log in zen3 zen4; do
	status 0 "$HECATE" net zen $log.csv --json
	is "$log: the names of that generation" "$(of '[place[p]["Dem"] for p in ("L2", "L3 and other L2 of this complex", "memory of this node")]')" "[7, 5, 3]"
done

# perf stat -x, on a Grace, made by hand: one box for each socket.
cat >grace.csv <<'END2'
4000000,,CPU_CYCLES,100,100.00,,
900000,,L1D_CACHE_RD,100,100.00,,
100000,,L1D_CACHE_REFILL_RD,100,100.00,,
1000000,,STALL_BACKEND_MEM,100,100.00,,
2000000,,nvidia_scf_pmu_0/cycles/,100,100.00,,
10000,,nvidia_scf_pmu_0/cmem_rd_access/,100,100.00,,
6000000,,nvidia_scf_pmu_0/cmem_rd_outstanding/,100,100.00,,
20000,,nvidia_scf_pmu_0/cmem_rd_data/,100,100.00,,
3000,,nvidia_scf_pmu_0/cmem_wb_access/,100,100.00,,
1000,,nvidia_scf_pmu_0/cmem_wr_access/,100,100.00,,
256000,,nvidia_scf_pmu_0/cmem_wr_total_bytes/,100,100.00,,
END2
status 0 "$HECATE" net grace grace.csv --json
is "grace: reads and writes of memory, and L1D" "$(of 'place["L1D"]["rd"], place["memory of this socket"]["rd"], place["memory of this socket"]["wb"]')" "(800000, 10000, 4000)"
# 10000 / 2e6 reads a cycle, 600 cycles each; the fabric's own count of waiting reads is the same
is "  the queue at memory, found in two ways" "$(of 'queue["cmem", "rd"]["length"], queue["cmem", "rd"]["occupied"]')" "(3, 3)"
is "  beats of 32 bytes" "$(of 'total["bytes read from memory of this socket"], total["bytes written to memory of this socket"]')" "(640000, 256000)"
is "  cycles that wait for memory" "$(of 'total["part of the time that the back end waits for memory"]')" 0.25

done_testing
