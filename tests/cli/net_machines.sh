#!/bin/sh
# Networks of machines that nobody here has: AMD's Zen, NVIDIA's Grace, Arm's Neoverse. The logs are made.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

for net in zen2 zen3 zen4 grace neoverse; do
	status 0 "$HECATE" net $net --check --json
	is "$net: nothing is unresolved" "$(json out 'd["unresolved"]')" 0
done

# A quiet socket of Zen 2, as perf stat prints it.
cat >zen2.txt <<'END'

 Performance counter stats for 'system wide':

         1,000,000      ls_dc_accesses
            37,600      ls_mab_alloc.loads
            12,000      ls_mab_alloc.stores
            40,000      ls_refills_from_sys.ls_mabresp_lcl_l2
             6,000      ls_refills_from_sys.ls_mabresp_lcl_cache
             3,000      ls_refills_from_sys.ls_mabresp_lcl_dram
               500      ls_refills_from_sys.ls_mabresp_rmt_cache
               100      ls_refills_from_sys.ls_mabresp_rmt_dram
             7,000      l2_pf_hit_l2
             2,000      l2_pf_miss_l2_hit_l3
             1,000      l2_pf_miss_l2_l3
            20,000      l3_lookup_state.all_l3_req_typs
             5,000      l3_comb_clstr_state.request_miss
           150,000      xi_sys_fill_latency
             4,800      xi_ccx_sdp_req1.all_l3_miss_req_typs

       1.001 seconds time elapsed

END
status 0 "$HECATE" net zen2 zen2.txt --json
is "zen2: all loads and stores are on the map once" \
	"$(json out '[k["hits"] for k in d["snapshots"][0]["together"] if k["kind"] == "demand"]')" "[1000000]"
is "zen2: an L3 miss takes 500 cycles" \
	"$(json out '[t["value"] for t in d["snapshots"][0]["totals"] if "L3 miss" in t["text"]]')" "[500]"
is "zen2: prefetches of software are not known, not zero" \
	"$(json out '[k["hits"] for k in d["snapshots"][0]["together"] if k["kind"] == "SWPF"]')" "[None]"
sed 's/ 5,000/50,000/' zen2.txt >broken.txt
status 0 "$HECATE" net zen2 broken.txt
has "zen2: more misses than lookups of L3 break a law" "$out" 'what misses L3 was looked up there'

# Two sockets of Grace: each has a PMU of its own.
cat >grace.csv <<'END'
name,nvidia_scf_pmu_0/cycles/,nvidia_scf_pmu_0/cmem_rd_access/,nvidia_scf_pmu_0/cmem_rd_outstanding/,nvidia_scf_pmu_1/cycles/,nvidia_scf_pmu_1/cmem_rd_access/,nvidia_scf_pmu_1/cmem_rd_outstanding/
x,1000000,2000,600000,1000000,1000,300000
END
status 0 "$HECATE" net grace grace.csv --json
is "grace: reads of memory wait 300 cycles of the fabric" \
	"$(json out '[q["wait"] for q in d["snapshots"][0]["queues"] if q["module"] == "CMEM"]')" "[300]"
done_testing
