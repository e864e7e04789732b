/* One row per counter; what is read is a sum over kinds and places, or one event. Masks have bit 1 << value. */
#include "sim/server/counters.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/server/run.h"
#include "sim/server/station.h"
#include "sim/server/tor.h"

#define OFFCORE (BIT(OCR_KINDS) - 1)

static const char *
server_kind_name(enum server_kind k)
{
	static const char *const name[] = {"DRd", "RFO", "HWPF", "HWPF-RFO", "DWr"};

	return name[k];
}

static const char *
server_place_name(enum server_place p)
{
	static const char *const name[] = {"L1D", "L2", "LLC", "peer", "far-cache", "DDR", "far", "CXL"};

	return name[p];
}

static const char *
server_stage_name(enum server_stage s)
{
	static const char *const name[] = {"L1D", "L2", "CHA", "controller", "memory"};

	return name[s];
}

static const char *
server_queue_name(enum server_queue q)
{
	static const char *const name[] = {"L1D", "LFB", "L2", "CHA", "DDR", "far", "CXL"};

	return name[q];
}

/* --- the counters ------------------------------------------------------------------------------------------------ */

enum how {
	HOW_EVENT,   /* a: enum core_event; b: another one that is taken off, or CORE_EVENTS */
	HOW_L2,      /* a: kinds of requests to L2, b: 1 misses only */
	HOW_OCR,     /* a: kinds, b: places */
	HOW_CLOCK,   /* of the scope's module; a: enum clock */
	HOW_WRITTEN, /* lines that L2 gave to the LLC; a: 0 changed, 1 unchanged, 2 occupancy of the changed */
	HOW_CHANNEL, /* a: enum queue_sum, b: pseudo channel of 2, or both, + 4 for writes */
	HOW_CAS,     /* a: 1 reads, 2 writes, 3 both; b as above */
	HOW_INGRESS, /* a: 0 inserts, 1 not empty */
	HOW_PORT,    /* a: enum queue_sum, b: 4 for writes */
	HOW_NONE,    /* never happens here */
	/* counters of tables above */
	HOW_TOR_INSERTS,
	HOW_TOR_OCCUPANCY,
	HOW_TOR_NOT_EMPTY, /* a: row */
	HOW_STALL,
	HOW_WAIT,
	HOW_REQUESTS, /* a: kind, b: place, c: stage */
	HOW_HELD,     /* a: kind, b: enum server_queue */
	HOW_BLOCKED,
};
enum clock { CLOCK_UNCORE, CLOCK_MEMORY, CLOCK_CXL };
enum queue_sum { QUEUE_INSERTS, QUEUE_OCCUPANCY, QUEUE_NOT_EMPTY, QUEUE_FULL };
#define BOTH 2u
#define WRITES 4u

struct counter_row {
	const char *name;
	enum scope per;
	enum how how;
	unsigned a, b, c;
};

static const struct counter_row fixed[] = {
	{"resource_stalls.sb", SCOPE_CORE, HOW_EVENT, CORE_SB_FULL, CORE_EVENTS, 0},
	{"exe_activity.bound_on_stores", SCOPE_CORE, HOW_EVENT, CORE_BOUND_ON_STORES, CORE_EVENTS, 0},
	{"cycle_activity.cycles_l1d_miss", SCOPE_CORE, HOW_EVENT, CORE_CYCLES_L1, CORE_EVENTS, 0},
	{"memory_activity.stalls_l1d_miss", SCOPE_CORE, HOW_EVENT, CORE_STALL_L1, CORE_EVENTS, 0},
	{"l1d.replacement", SCOPE_CORE, HOW_EVENT, CORE_REPLACEMENT, CORE_EVENTS, 0},
	{"mem_load_retired.l1_hit", SCOPE_CORE, HOW_EVENT, CORE_L1_HIT, CORE_EVENTS, 0},
	{"mem_load_retired.l1_miss", SCOPE_CORE, HOW_EVENT, CORE_L1_MISS, CORE_EVENTS, 0},
	{"mem_load_retired.fb_hit", SCOPE_CORE, HOW_EVENT, CORE_FB_HIT, CORE_EVENTS, 0},
	{"l1d_pend_miss.fb_full", SCOPE_CORE, HOW_EVENT, CORE_FB_FULL, CORE_EVENTS, 0},
	{"mem_load_retired.l2_hit", SCOPE_CORE, HOW_EVENT, CORE_L2_HIT, CORE_EVENTS, 0},
	{"mem_load_retired.l2_miss", SCOPE_CORE, HOW_EVENT, CORE_L2_MISS, CORE_EVENTS, 0},
	{"mem_store_retired.l2_hit", SCOPE_CORE, HOW_EVENT, CORE_STORE_L2_HIT, CORE_EVENTS, 0},
	{"offcore_requests.all_requests", SCOPE_CORE, HOW_OCR, OFFCORE, HIT | MISS, 0},
	{"offcore_requests.data_rd", SCOPE_CORE, HOW_OCR,
		BIT(OCR_DEMAND_DATA_RD) | BIT(OCR_HWPF_L1D) | BIT(OCR_HWPF_L2_DRD), HIT | MISS, 0},
	{"l2_rqsts.all_demand_data_rd", SCOPE_CORE, HOW_EVENT, CORE_DRD, CORE_EVENTS, 0},
	{"l2_rqsts.demand_data_rd_hit", SCOPE_CORE, HOW_EVENT, CORE_DRD_HIT, CORE_EVENTS, 0},
	{"offcore_requests.demand_data_rd", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), HIT | MISS, 0},
	{"l2_rqsts.demand_data_rd_miss", SCOPE_CORE, HOW_EVENT, CORE_DRD, CORE_DRD_HIT, 0},
	{"l2_rqsts.all_rfo", SCOPE_CORE, HOW_EVENT, CORE_RFO, CORE_EVENTS, 0},
	{"l2_rqsts.rfo_hit", SCOPE_CORE, HOW_EVENT, CORE_RFO_HIT, CORE_EVENTS, 0},
	{"l2_rqsts.rfo_miss", SCOPE_CORE, HOW_EVENT, CORE_RFO, CORE_RFO_HIT, 0},
	{"l2_rqsts.swpf_hit", SCOPE_CORE, HOW_NONE, 0, 0, 0},
	{"l2_rqsts.swpf_miss", SCOPE_CORE, HOW_NONE, 0, 0, 0},
	{"memory_activity.stalls_l2_miss", SCOPE_CORE, HOW_EVENT, CORE_STALL_L2, CORE_EVENTS, 0},
	{"cycle_activity.cycles_l2_miss", SCOPE_CORE, HOW_EVENT, CORE_CYCLES_L2, CORE_EVENTS, 0},
	{"offcore_requests_outstanding.data_rd", SCOPE_CORE, HOW_EVENT, CORE_DATA_RD, CORE_EVENTS, 0},
	{"offcore_requests_outstanding.cycles_with_data_rd", SCOPE_CORE, HOW_EVENT, CORE_DATA_RD_CYCLES, CORE_EVENTS,
		0},
	{"offcore_requests_outstanding.demand_data_rd", SCOPE_CORE, HOW_EVENT, CORE_DEMAND_RD, CORE_EVENTS, 0},
	{"offcore_requests_outstanding.cycles_with_demand_data_rd", SCOPE_CORE, HOW_EVENT, CORE_DEMAND_RD_CYCLES,
		CORE_EVENTS, 0},
	{"offcore_requests_outstanding.cycles_with_demand_rfo", SCOPE_CORE, HOW_EVENT, CORE_DEMAND_RFO_CYCLES,
		CORE_EVENTS, 0},
	{"cycle_activity.stalls_l3_miss", SCOPE_CORE, HOW_EVENT, CORE_STALL_L3, CORE_EVENTS, 0},
	{"offcore_requests_outstanding.l3_miss_demand_data_rd", SCOPE_CORE, HOW_EVENT, CORE_L3_MISS_DEMAND_RD,
		CORE_EVENTS, 0},
	{"mem_load_retired.l3_hit", SCOPE_CORE, HOW_EVENT, CORE_L3_HIT, CORE_EVENTS, 0},
	{"mem_load_retired.l3_miss", SCOPE_CORE, HOW_EVENT, CORE_L3_MISS, CORE_EVENTS, 0},
	{"mem_load_l3_hit_retired.xsnp_fwd", SCOPE_CORE, HOW_EVENT, CORE_XSNP_FWD, CORE_EVENTS, 0},
	{"mem_load_l3_hit_retired.xsnp_miss", SCOPE_CORE, HOW_NONE, 0, 0, 0},
	{"mem_load_l3_hit_retired.xsnp_no_fwd", SCOPE_CORE, HOW_NONE, 0, 0, 0},
	{"mem_load_l3_hit_retired.xsnp_none", SCOPE_CORE, HOW_EVENT, CORE_XSNP_NONE, CORE_EVENTS, 0},
	{"mem_load_l3_miss_retired.local_dram", SCOPE_CORE, HOW_EVENT, CORE_LOCAL_DRAM, CORE_EVENTS, 0},
	{"mem_load_l3_miss_retired.remote_dram", SCOPE_CORE, HOW_EVENT, CORE_REMOTE_DRAM, CORE_EVENTS, 0},
	{"mem_load_l3_miss_retired.remote_fwd", SCOPE_CORE, HOW_EVENT, CORE_REMOTE_FWD, CORE_EVENTS, 0},
	{"mem_load_l3_miss_retired.remote_hitm", SCOPE_CORE, HOW_EVENT, CORE_REMOTE_HITM, CORE_EVENTS, 0},
	{"longest_lat_cache.miss", SCOPE_CORE, HOW_OCR, OFFCORE, MISS, 0},
	{"longest_lat_cache.reference", SCOPE_CORE, HOW_OCR, OFFCORE, HIT | MISS, 0},
	{"ocr.modified_write.any_response", SCOPE_CORE, HOW_EVENT, CORE_WRITEBACK, CORE_EVENTS, 0},
	{"cpu_clk_unhalted.thread", SCOPE_CORE, HOW_EVENT, CORE_UNHALTED, CORE_EVENTS, 0},
	{"mem_inst_retired.all_stores", SCOPE_CORE, HOW_EVENT, CORE_STORES, CORE_EVENTS, 0},
	{"l2_rqsts.all_hwpf", SCOPE_CORE, HOW_EVENT, CORE_HWPF, CORE_EVENTS, 0},
	{"l2_rqsts.hwpf_miss", SCOPE_CORE, HOW_EVENT, CORE_HWPF_MISS, CORE_EVENTS, 0},
	{"l1d_pend_miss.pending", SCOPE_CORE, HOW_EVENT, CORE_L1_PENDING, CORE_EVENTS, 0},
	{"l2_rqsts.references", SCOPE_CORE, HOW_L2, 7, 0, 0},
	{"l2_rqsts.miss", SCOPE_CORE, HOW_L2, 7, 1, 0},
	{"l2_rqsts.all_demand_references", SCOPE_CORE, HOW_L2, 3, 0, 0},
	{"l2_rqsts.all_demand_miss", SCOPE_CORE, HOW_L2, 3, 1, 0},
	{"ocr.demand_data_rd.any_response", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), HIT | MISS, 0},
	{"ocr.demand_data_rd.l3_hit", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), HIT, 0},
	{"ocr.demand_data_rd.l3_miss", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), MISS, 0},
	{"ocr.demand_data_rd.local_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), BIT(PLACE_DDR), 0},
	{"ocr.demand_data_rd.snc_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), 0, 0},
	{"ocr.demand_data_rd.snc_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), 0, 0},
	{"ocr.demand_data_rd.remote_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), BIT(PLACE_FAR_CACHE), 0},
	{"ocr.demand_data_rd.remote_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), BIT(PLACE_FAR), 0},
	{"ocr.demand_data_rd.cxl_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_DATA_RD), BIT(PLACE_CXL), 0},
	{"ocr.demand_rfo.any_response", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), HIT | MISS, 0},
	{"ocr.demand_rfo.l3_hit", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), HIT, 0},
	{"ocr.demand_rfo.l3_miss", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), MISS, 0},
	{"ocr.demand_rfo.local_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), BIT(PLACE_DDR), 0},
	{"ocr.demand_rfo.snc_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), 0, 0},
	{"ocr.demand_rfo.snc_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), 0, 0},
	{"ocr.demand_rfo.remote_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), BIT(PLACE_FAR_CACHE), 0},
	{"ocr.demand_rfo.remote_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), BIT(PLACE_FAR), 0},
	{"ocr.demand_rfo.cxl_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_DEMAND_RFO), BIT(PLACE_CXL), 0},
	{"ocr.hwpf_l1d.any_response", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), HIT | MISS, 0},
	{"ocr.hwpf_l1d.l3_hit", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), HIT, 0},
	{"ocr.hwpf_l1d.l3_miss", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), MISS, 0},
	{"ocr.hwpf_l1d.local_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), BIT(PLACE_DDR), 0},
	{"ocr.hwpf_l1d.snc_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), 0, 0},
	{"ocr.hwpf_l1d.snc_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), 0, 0},
	{"ocr.hwpf_l1d.remote_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), BIT(PLACE_FAR_CACHE), 0},
	{"ocr.hwpf_l1d.remote_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), BIT(PLACE_FAR), 0},
	{"ocr.hwpf_l1d.cxl_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L1D), BIT(PLACE_CXL), 0},
	{"ocr.hwpf_l2_drd.any_response", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), HIT | MISS, 0},
	{"ocr.hwpf_l2_drd.l3_hit", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), HIT, 0},
	{"ocr.hwpf_l2_drd.l3_miss", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), MISS, 0},
	{"ocr.hwpf_l2_drd.local_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), BIT(PLACE_DDR), 0},
	{"ocr.hwpf_l2_drd.snc_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), 0, 0},
	{"ocr.hwpf_l2_drd.snc_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), 0, 0},
	{"ocr.hwpf_l2_drd.remote_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), BIT(PLACE_FAR_CACHE), 0},
	{"ocr.hwpf_l2_drd.remote_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), BIT(PLACE_FAR), 0},
	{"ocr.hwpf_l2_drd.cxl_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_DRD), BIT(PLACE_CXL), 0},
	{"ocr.hwpf_l2_rfo.any_response", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), HIT | MISS, 0},
	{"ocr.hwpf_l2_rfo.l3_hit", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), HIT, 0},
	{"ocr.hwpf_l2_rfo.l3_miss", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), MISS, 0},
	{"ocr.hwpf_l2_rfo.local_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), BIT(PLACE_DDR), 0},
	{"ocr.hwpf_l2_rfo.snc_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), 0, 0},
	{"ocr.hwpf_l2_rfo.snc_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), 0, 0},
	{"ocr.hwpf_l2_rfo.remote_cache", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), BIT(PLACE_FAR_CACHE), 0},
	{"ocr.hwpf_l2_rfo.remote_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), BIT(PLACE_FAR), 0},
	{"ocr.hwpf_l2_rfo.cxl_dram", SCOPE_CORE, HOW_OCR, BIT(OCR_HWPF_L2_RFO), BIT(PLACE_CXL), 0},
	{"unc_cha_tor_inserts.ia_wbmtoi", SCOPE_SLICE, HOW_WRITTEN, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_wbeftoi", SCOPE_SLICE, HOW_WRITTEN, 1, 0, 0},
	{"unc_cha_tor_occupancy.ia_wbmtoi", SCOPE_SLICE, HOW_WRITTEN, 2, 0, 0},
	{"unc_cha_tor_inserts.ia_wbeftoe", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_wbmtoe", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_wbstoi", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	/* the LLC has no prefetcher */
	{"unc_cha_tor_inserts.ia_hit_llcprefdata", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefdata", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefdata_cxl", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefdata_local_ddr", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_hit_llcprefrfo", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefrfo", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefrfo_cxl", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_inserts.ia_miss_llcprefrfo_local_ddr", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_hit_llcprefdata", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefdata", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefdata_cxl", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefdata_local_ddr", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_hit_llcprefrfo", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefrfo", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefrfo_cxl", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_tor_occupancy.ia_miss_llcprefrfo_local_ddr", SCOPE_SLICE, HOW_NONE, 0, 0, 0},
	{"unc_cha_clockticks", SCOPE_SLICE, HOW_CLOCK, CLOCK_UNCORE, 0, 0},
	{"unc_m_clockticks", SCOPE_CHANNEL, HOW_CLOCK, CLOCK_MEMORY, 0, 0},
	{"unc_m_cas_count.rd", SCOPE_CHANNEL, HOW_CAS, 1, BOTH, 0},
	{"unc_m_cas_count.wr", SCOPE_CHANNEL, HOW_CAS, 2, BOTH, 0},
	{"unc_m_rpq_cycles_ne.pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_NOT_EMPTY, 0, 0},
	{"unc_m_rpq_inserts.pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_INSERTS, 0, 0},
	{"unc_m_rpq_occupancy_pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_OCCUPANCY, 0, 0},
	{"unc_m_wpq_cycles_ne.pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_NOT_EMPTY, 0 | WRITES, 0},
	{"unc_m_wpq_inserts.pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_INSERTS, 0 | WRITES, 0},
	{"unc_m_wpq_occupancy_pch0", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_OCCUPANCY, 0 | WRITES, 0},
	{"unc_m_cas_count.all.pch0", SCOPE_CHANNEL, HOW_CAS, 3, 0, 0},
	{"unc_m_cas_count.rd.pch0", SCOPE_CHANNEL, HOW_CAS, 1, 0, 0},
	{"unc_m_cas_count.wr.pch0", SCOPE_CHANNEL, HOW_CAS, 2, 0, 0},
	{"unc_m_rpq_cycles_ne.pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_NOT_EMPTY, 1, 0},
	{"unc_m_rpq_inserts.pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_INSERTS, 1, 0},
	{"unc_m_rpq_occupancy_pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_OCCUPANCY, 1, 0},
	{"unc_m_wpq_cycles_ne.pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_NOT_EMPTY, 1 | WRITES, 0},
	{"unc_m_wpq_inserts.pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_INSERTS, 1 | WRITES, 0},
	{"unc_m_wpq_occupancy_pch1", SCOPE_CHANNEL, HOW_CHANNEL, QUEUE_OCCUPANCY, 1 | WRITES, 0},
	{"unc_m_cas_count.all.pch1", SCOPE_CHANNEL, HOW_CAS, 3, 1, 0},
	{"unc_m_cas_count.rd.pch1", SCOPE_CHANNEL, HOW_CAS, 1, 1, 0},
	{"unc_m_cas_count.wr.pch1", SCOPE_CHANNEL, HOW_CAS, 2, 1, 0},
	{"unc_m2p_rxc_cycles_ne.all", SCOPE_SOCKET, HOW_INGRESS, 1, 0, 0},
	{"unc_m2p_rxc_inserts.all", SCOPE_SOCKET, HOW_INGRESS, 0, 0, 0},
	{"unc_m2p_txc_inserts.ak", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, WRITES, 0},
	{"unc_m2p_txc_inserts.bl", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, 0, 0},
	{"unc_m2p_clockticks", SCOPE_SOCKET, HOW_CLOCK, CLOCK_UNCORE, 0, 0},
	{"unc_cxlcm_rxc_pack_buf_inserts.mem_req", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, 0, 0},
	{"unc_cxlcm_rxc_pack_buf_inserts.mem_data", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, 0, 0},
	{"unc_cxlcm_rxc_pack_buf_full.mem_req", SCOPE_SOCKET, HOW_PORT, QUEUE_FULL, 0, 0},
	{"unc_cxlcm_rxc_pack_buf_full.mem_data", SCOPE_SOCKET, HOW_PORT, QUEUE_FULL, WRITES, 0},
	{"unc_cxlcm_rxc_pack_buf_ne.mem_req", SCOPE_SOCKET, HOW_PORT, QUEUE_NOT_EMPTY, 0, 0},
	{"unc_cxlcm_rxc_pack_buf_ne.mem_data", SCOPE_SOCKET, HOW_PORT, QUEUE_NOT_EMPTY, WRITES, 0},
	{"unc_cxlcm_txc_pack_buf_inserts.mem_req", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, 0, 0},
	{"unc_cxlcm_txc_pack_buf_inserts.mem_data", SCOPE_SOCKET, HOW_PORT, QUEUE_INSERTS, WRITES, 0},
	{"unc_cxlcm_clockticks", SCOPE_SOCKET, HOW_CLOCK, CLOCK_CXL, 0, 0},
	{SERVER_TRUTH "blocked", SCOPE_CORE, HOW_BLOCKED, 0, 0, 0},
};
#define N_FIXED (sizeof fixed / sizeof *fixed)

/* The truth has three kinds: prefetches of both kinds are one. */
#define TRUTH_KINDS 3u
#define TRUTH_PLACES (SERVER_PLACES - PLACE_L2)
#define N_TRUTH (TRUTH_KINDS * TRUTH_PLACES * SERVER_STAGES)
#define N_REQUESTS (TRUTH_KINDS * TRUTH_PLACES)
#define N_TOR (3u * TOR_ROWS)
#define N_HELD (TRUTH_KINDS * SERVER_QUEUES)
#define N_ALL (N_FIXED + N_TOR + 2 * N_TRUTH + N_REQUESTS + N_HELD)

size_t
server_counters(void)
{
	return N_ALL;
}

/* The row of a counter; only those of the fixed table have a name. */
static struct counter_row
row_of(size_t i)
{
	enum how how = HOW_STALL;
	size_t stages = SERVER_STAGES;

	if (i < N_FIXED)
		return fixed[i];
	i -= N_FIXED;
	if (i < N_TOR)
		return (struct counter_row){
			NULL, SCOPE_SLICE, (enum how)(HOW_TOR_INSERTS + i / TOR_ROWS), (unsigned)(i % TOR_ROWS), 0, 0};
	i -= N_TOR;
	if (i >= 2 * N_TRUTH + N_REQUESTS) {
		i -= 2 * N_TRUTH + N_REQUESTS;
		return (struct counter_row){
			NULL, SCOPE_CORE, HOW_HELD, (unsigned)(i / SERVER_QUEUES), (unsigned)(i % SERVER_QUEUES), 0};
	}
	if (i >= 2 * N_TRUTH) {
		how = HOW_REQUESTS;
		stages = 1;
		i -= 2 * N_TRUTH;
	} else if (i >= N_TRUTH) {
		how = HOW_WAIT;
		i -= N_TRUTH;
	}
	return (struct counter_row){NULL, SCOPE_CORE, how, (unsigned)(i / stages / TRUTH_PLACES),
		(unsigned)(PLACE_L2 + i / stages % TRUTH_PLACES), (unsigned)(i % stages)};
}

#define TOR_PREFIX "unc_cha_tor_"

void
server_counter_name(size_t counter, char name[SERVER_COUNTER_NAME])
{
	static const char *const tor_word[] = {"inserts", "occupancy", "threshold1"};
	struct counter_row r = row_of(counter);
	const char *kind, *place;

	if (r.name) {
		snprintf(name, SERVER_COUNTER_NAME, "%s", r.name);
		return;
	}
	if (r.per == SCOPE_SLICE) {
		snprintf(name, SERVER_COUNTER_NAME, TOR_PREFIX "%s.%s", tor_word[r.how - HOW_TOR_INSERTS],
			tor_row[r.a].name);
		return;
	}
	kind = server_kind_name((enum server_kind)r.a);
	place = r.how == HOW_HELD ? server_queue_name((enum server_queue)r.b)
				  : server_place_name((enum server_place)r.b);
	if (r.how == HOW_HELD)
		snprintf(name, SERVER_COUNTER_NAME, SERVER_TRUTH "queue.%s.%s", kind, place);
	else if (r.how == HOW_REQUESTS)
		snprintf(name, SERVER_COUNTER_NAME, SERVER_TRUTH "requests.%s.%s", kind, place);
	else
		snprintf(name, SERVER_COUNTER_NAME, SERVER_TRUTH "%s.%s.%s.%s", r.how == HOW_STALL ? "stall" : "wait",
			kind, place, server_stage_name((enum server_stage)r.c));
}

enum scope
server_counter_scope(size_t counter)
{
	return row_of(counter).per;
}

bool
server_counter_find(const char *name, size_t *counter)
{
	bool truth = strncasecmp(name, SERVER_TRUTH, strlen(SERVER_TRUTH)) == 0,
	     table = strncasecmp(name, TOR_PREFIX, strlen(TOR_PREFIX)) == 0;
	char own[SERVER_COUNTER_NAME];

	for (*counter = 0; *counter < N_FIXED; ++*counter)
		if (strcasecmp(fixed[*counter].name, name) == 0)
			return true;
	for (; *counter < N_ALL && (truth || table); ++*counter) {
		if (table != (*counter < N_FIXED + N_TOR))
			continue;
		server_counter_name(*counter, own);
		if (strcasecmp(own, name) == 0)
			return true;
	}
	return false;
}

/* --- owners ------------------------------------------------------------------------------------------------------ */

static size_t
per_socket(const struct server *s, enum scope scope)
{
	switch (scope) {
	case SCOPE_CORE:
		return s->cores;
	case SCOPE_SLICE:
		return s->slices;
	case SCOPE_CHANNEL:
		return s->channels;
	case SCOPE_SOCKET:
	case SCOPE_TASK:
	case SCOPE_THREAD:
	case SCOPE_DEVICE:
	case SCOPE_SYSTEM:
	case SCOPES:
		break;
	}
	return 1;
}

size_t
server_owners(const struct server *s, enum scope scope)
{
	return s->sockets * per_socket(s, scope);
}

unsigned
server_owner_socket(const struct server *s, enum scope scope, size_t owner)
{
	return (unsigned)(owner / per_socket(s, scope));
}

void
server_owner_name(const struct server *s, enum scope scope, size_t owner, char *out, size_t size)
{
	size_t n = per_socket(s, scope), i = owner % n, socket = owner / n;

	if (scope == SCOPE_CORE)
		snprintf(out, size, "S%zu-C%zu", socket, i);
	else if (scope == SCOPE_SOCKET)
		snprintf(out, size, "S%zu", socket);
	else
		snprintf(out, size, "S%zu-%s%zu", socket, scope_name(scope), i);
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static uint64_t
sum_of(const struct station_sums *s, enum queue_sum what)
{
	switch (what) {
	case QUEUE_INSERTS:
		return s->inserts;
	case QUEUE_OCCUPANCY:
		return s->occupancy;
	case QUEUE_NOT_EMPTY:
		return s->not_empty;
	case QUEUE_FULL:
		return s->full;
	}
	return 0;
}

/* Cycles of a clock in a number of ticks. */
static double
cycles(const struct server *s, unsigned mhz, double ticks)
{
	return ticks / server_run_cycle_ticks() * mhz / s->core_mhz;
}

static double
core_value(struct server_run *run, const struct counter_row *row, size_t owner)
{
	const struct server_core_counts *c = server_run_core(run, (unsigned)owner);
	double sum = 0, ticks = server_run_cycle_ticks();
	unsigned last = row->a == SERVER_DRD_PREF ? SERVER_RFO_PREF : row->a;

	switch (row->how) {
	case HOW_EVENT:
		sum = (double)(c->event[row->a] - (row->b < CORE_EVENTS ? c->event[row->b] : 0));
		return row->a < CORE_SOURCES ? sum : sum / ticks;
	case HOW_L2:
		if (row->a & 1)
			sum += (double)(c->event[CORE_DRD] - row->b * c->event[CORE_DRD_HIT]);
		if (row->a & 2)
			sum += (double)(c->event[CORE_RFO] - row->b * c->event[CORE_RFO_HIT]);
		if (row->a & 4)
			sum += (double)c->event[row->b ? CORE_HWPF_MISS : CORE_HWPF];
		return sum;
	case HOW_OCR:
		for (unsigned k = 0; k < OCR_KINDS; k++)
			for (unsigned p = 0; p < SERVER_PLACES; p++)
				if (row->a >> k & 1 && row->b >> p & 1)
					sum += (double)c->ocr[k][p];
		return sum;
	case HOW_BLOCKED:
		return (double)c->blocked / ticks;
	case HOW_HELD:
		for (unsigned k = row->a; k <= last; k++)
			sum += (double)c->held[k][row->b] / ticks;
		return sum;
	case HOW_STALL:
	case HOW_WAIT:
	case HOW_REQUESTS:
		for (unsigned k = row->a; k <= last; k++)
			sum += row->how == HOW_REQUESTS
				? (double)c->requests[k][row->b]
				: (double)(row->how == HOW_STALL ? c->stalled : c->waited)[k][row->b][row->c] / ticks;
		return sum;
	case HOW_NONE:
	case HOW_CLOCK:
	case HOW_WRITTEN:
	case HOW_CHANNEL:
	case HOW_CAS:
	case HOW_INGRESS:
	case HOW_PORT:
	case HOW_TOR_INSERTS:
	case HOW_TOR_OCCUPANCY:
	case HOW_TOR_NOT_EMPTY:
		break;
	}
	return 0;
}

static double
slice_value(const struct server_run *run, const struct server *s, const struct counter_row *row, size_t owner)
{
	const struct server_slice_counts *c = server_run_slice(
		run, (unsigned)(owner / s->slices), (unsigned)(owner % s->slices));
	const struct tor_row *t = &tor_row[row->a];
	double sum = 0;

	if (row->how == HOW_WRITTEN)
		return row->a == 0    ? (double)c->inserts[SERVER_WRITE][PLACE_LLC]
			: row->a == 1 ? (double)c->clean_out
				      : cycles(s, s->uncore_mhz, (double)c->occupancy[SERVER_WRITE][PLACE_LLC]);
	if (row->how == HOW_TOR_NOT_EMPTY)
		return cycles(s, s->uncore_mhz, (double)c->not_empty[row->a]);
	if (row->how != HOW_TOR_INSERTS && row->how != HOW_TOR_OCCUPANCY)
		return 0;
	for (unsigned k = 0; k < SERVER_KINDS; k++)
		for (unsigned p = 0; p < SERVER_PLACES; p++)
			if (t->kinds >> k & 1 && t->places >> p & 1)
				sum += (double)(row->how == HOW_TOR_INSERTS ? c->inserts : c->occupancy)[k][p];
	return row->how == HOW_TOR_INSERTS ? sum : cycles(s, s->uncore_mhz, sum);
}

static double
channel_value(const struct server_run *run, const struct server *s, const struct counter_row *row, size_t owner)
{
	unsigned socket = (unsigned)(owner / s->channels), channel = (unsigned)(owner % s->channels);
	double sum = 0;

	for (unsigned p = 0; p < 2; p++) {
		unsigned pseudo = 2 * channel + p;

		if ((row->b & 3) != BOTH && (row->b & 3) != p)
			continue;
		if (row->how == HOW_CAS) {
			if (row->a & 1)
				sum += (double)server_run_channel(run, socket, pseudo, false)->inserts;
			if (row->a & 2)
				sum += (double)server_run_channel(run, socket, pseudo, true)->inserts;
		} else if (row->how == HOW_CHANNEL) {
			double value = (double)sum_of(
				server_run_channel(run, socket, pseudo, row->b & WRITES), (enum queue_sum)row->a);

			sum += row->a == QUEUE_INSERTS ? value : cycles(s, s->memory_mhz, value);
		}
	}
	return sum;
}

static double
socket_value(const struct server_run *run, const struct server *s, const struct counter_row *row, size_t owner)
{
	double sum = 0;

	for (unsigned port = 0; port < s->ports && owner == 0; port++) {
		uint64_t inserts, not_empty;
		double value;

		if (row->how == HOW_INGRESS) {
			server_run_ingress(run, port, &inserts, &not_empty);
			sum += row->a ? cycles(s, s->uncore_mhz, (double)not_empty) : (double)inserts;
		} else if (row->how == HOW_PORT) {
			value = (double)sum_of(server_run_port(run, port, row->b & WRITES), (enum queue_sum)row->a);
			sum += row->a == QUEUE_INSERTS ? value : cycles(s, s->cxl_mhz, value);
		}
	}
	return sum;
}

/* Clock ticks of a module, summed over the CXL ports of a socket. */
static double
clock_value(const struct server_run *run, const struct server *s, const struct counter_row *row, size_t owner)
{
	unsigned mhz = row->a == CLOCK_UNCORE ? s->uncore_mhz : row->a == CLOCK_MEMORY ? s->memory_mhz : s->cxl_mhz;
	double ticks = server_run_ns(run) * mhz / 1000;

	return row->per == SCOPE_SOCKET ? (owner ? 0 : ticks * s->ports) : ticks;
}

double
server_counter_value(struct server_run *run, const struct server *s, size_t counter, size_t owner)
{
	struct counter_row row = row_of(counter);

	if (row.how == HOW_NONE)
		return 0;
	if (row.how == HOW_CLOCK)
		return clock_value(run, s, &row, owner);
	if (row.per == SCOPE_CORE)
		return core_value(run, &row, owner);
	if (row.per == SCOPE_SLICE)
		return slice_value(run, s, &row, owner);
	return row.per == SCOPE_CHANNEL ? channel_value(run, s, &row, owner) : socket_value(run, s, &row, owner);
}
