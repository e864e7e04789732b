/* What a simulated server counts, and what is true besides. Times are in ticks. */
#ifndef SIM_SERVER_COUNTS_H
#define SIM_SERVER_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of requests; writes are lines that leave a cache with changes. */
enum server_kind { SERVER_DRD, SERVER_RFO, SERVER_DRD_PREF, SERVER_RFO_PREF, SERVER_WRITE, SERVER_KINDS };
/* Who served a request: a cache of the core, the LLC, another core of the socket, the other socket's cache, memory. */
enum server_place {
	PLACE_L1,
	PLACE_L2,
	PLACE_LLC,
	PLACE_PEER,
	PLACE_FAR_CACHE,
	PLACE_DDR,
	PLACE_FAR,
	PLACE_CXL,
	SERVER_PLACES
};
/* Where a request is. The way back counts for the last place. */
enum server_stage { STAGE_L1, STAGE_L2, STAGE_CHA, STAGE_CONTROLLER, STAGE_MEMORY, SERVER_STAGES };

/* What holds requests, one after the other. L1D holds loads until it answers or knows that it cannot, LFB those that
 * find their line under way, L2 also what waits for a place in its queue. CHA is the table of requests; the last three
 * hold what the CHA passes on, until the data are back there. */
enum server_queue { HELD_L1D, HELD_LFB, HELD_L2, HELD_CHA, HELD_DDR, HELD_FAR, HELD_CXL, SERVER_QUEUES };

/* Events of a core. */
enum core_event {
	CORE_L1_HIT,
	CORE_L1_MISS,
	CORE_FB_HIT,
	CORE_L2_HIT,
	CORE_L2_MISS,
	CORE_L3_HIT,
	CORE_L3_MISS,
	CORE_STORES,
	CORE_STORE_L2_HIT,
	CORE_REPLACEMENT,
	CORE_DRD,
	CORE_DRD_HIT,
	CORE_RFO,
	CORE_RFO_HIT,
	CORE_HWPF,
	CORE_HWPF_MISS,
	CORE_WRITEBACK,
	CORE_XSNP_FWD,
	CORE_XSNP_NONE,
	CORE_LOCAL_DRAM,
	CORE_REMOTE_DRAM,
	CORE_REMOTE_FWD,
	CORE_REMOTE_HITM,
	CORE_LOADS,
	CORE_L3_CXL,
	CORE_SOURCES,
	/* times */
	CORE_UNHALTED = CORE_SOURCES,
	CORE_STALL_L1,
	CORE_STALL_L2,
	CORE_STALL_L3,
	CORE_CYCLES_L1,
	CORE_CYCLES_L2,
	CORE_SB_FULL,
	CORE_BOUND_ON_STORES,
	CORE_FB_FULL,
	CORE_L1_PENDING,
	CORE_DATA_RD,
	CORE_DATA_RD_CYCLES,
	CORE_DEMAND_RD,
	CORE_DEMAND_RD_CYCLES,
	CORE_DEMAND_RFO_CYCLES,
	CORE_L3_MISS_DEMAND_RD,
	CORE_EVENTS
};

/* Requests that left the core, as the events OCR name them. */
enum ocr_kind { OCR_DEMAND_DATA_RD, OCR_DEMAND_RFO, OCR_HWPF_L1D, OCR_HWPF_L2_DRD, OCR_HWPF_L2_RFO, OCR_KINDS };

struct server_core_counts {
	uint64_t event[CORE_EVENTS];
	uint64_t ocr[OCR_KINDS][SERVER_PLACES];
	/* the truth: ticks of requests in each stage, and ticks in which the core could not go on because of one */
	uint64_t requests[SERVER_KINDS][SERVER_PLACES];
	uint64_t waited[SERVER_KINDS][SERVER_PLACES][SERVER_STAGES];
	uint64_t stalled[SERVER_KINDS][SERVER_PLACES][SERVER_STAGES];
	uint64_t held[SERVER_KINDS][SERVER_QUEUES]; /* requests × ticks */
	uint64_t blocked; /* all of the time in which it could not go on */
};

/* Rows of the table of requests: a set of kinds and a set of places, each a mask. */
#define TOR_ROWS 34
struct server_slice_counts {
	uint64_t inserts[SERVER_KINDS][SERVER_PLACES], occupancy[SERVER_KINDS][SERVER_PLACES];
	uint64_t not_empty[TOR_ROWS], covered[TOR_ROWS];
	uint64_t clean_out; /* lines without changes that L2 gave to the LLC */
};

#endif
