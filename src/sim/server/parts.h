/* The parts of a running server. Private to sim/server. A request's life:
 *
 *     issue ─ L1D ─ L2 ─┬─ hit ──────────────────────────────────────────────── back
 *                       └─ CHA ─┬─ LLC hit, another core's cache ────────────── back
 *                               ├─ memory controller ─ DDR ──────────────────── back
 *                               ├─ link ─ the other socket's controller ─ DDR ─ back
 *                               └─ M2PCIe ─ CXL device ──────────────────────── back
 *
 * Times are in ticks, a quarter of a core's cycle. */
#ifndef SIM_SERVER_PARTS_H
#define SIM_SERVER_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/server/counts.h"
#include "sim/server/load.h"
#include "sim/server/server.h"
#include "sim/server/station.h"
#include "sim/server/tags.h"
#include "sim/server/tor.h"
#include "sim/server/wheel.h"

#define TICKS_PER_CYCLE 4u
#define OUTSTANDING_MAX 160 /* requests of a core under way: fill buffers and L2's queue together */
#define WINDOW_MAX 1024
#define PAGES_OF_PREFETCHER 16

enum phase { PHASE_L2, PHASE_CHA, PHASE_LINK, PHASE_DONE };

struct request {
	uint64_t line;
	uint64_t time[SERVER_STAGES + 1]; /* when each stage begins; the last one is the end */
	uint32_t core, slice, next;       /* next: in the queue of L2, or in the list of free requests */
	uint32_t found;                   /* loads that found it in a fill buffer */
	uint64_t found_at;                /* sum of the times when they did */
	uint32_t loads, stores;           /* first entry of the window, of the store buffer, that waits for it */
	enum server_kind kind;
	enum server_place place;
	enum phase phase;
	bool in_l1;  /* has a fill buffer, and fills L1D */
	bool load;   /* a demand load waits for it */
	bool missed; /* a load found it in no fill buffer, and retires as a miss of L1D */
	bool dirty;  /* the line comes with changes that memory lacks */
	bool offcore, queued, l2_miss, l3_miss;
	bool of_l1; /* L1D's prefetcher sent it */
};

struct window_entry {
	uint64_t index; /* of the instruction */
	uint32_t next;  /* the next entry that waits for the same request */
	bool done;
};

struct store_entry {
	uint64_t line;
	uint32_t next;
	bool done;
};

enum block { BLOCK_NONE, BLOCK_WINDOW, BLOCK_CHAIN, BLOCK_FILL, BLOCK_STORE };

struct prefetch_page {
	uint64_t page;
	uint32_t last, run, ahead;
};

/* What a core has under way. */
struct core_flight {
	uint64_t line[OUTSTANDING_MAX];
	uint32_t request[OUTSTANDING_MAX];
	size_t n;
	uint8_t filter[256];                  /* lines under way by hash */
	unsigned fill, l2;                    /* fill buffers and places of L2's queue in use */
	uint32_t first_waiting, last_waiting; /* for a place in L2's queue */
};

/* Entries first … first + n − 1 of each ring are in use. */
struct core_rings {
	struct window_entry window[WINDOW_MAX];
	size_t window_first, window_n;
	struct store_entry *store;
	size_t store_first, store_n, store_begun;
};

/* Numbers of a core's requests of certain kinds that are under way. */
struct core_under_way {
	unsigned load_l1, load_l2, load_l3, demand_l3, data_read, demand_read, demand_rfo;
};

struct core {
	struct load_stream stream;
	const struct load_program *program; /* NULL: the core does nothing */
	unsigned socket;
	struct tags l1, l2;
	struct core_flight flight;
	struct core_rings ring;
	struct core_under_way way;
	struct prefetch_page page[PAGES_OF_PREFETCHER];
	struct load_access access; /* the next one */
	bool has_access, scheduled, running;
	uint64_t time, index; /* when it may begin the next access; its instruction */
	uint64_t chain_ready; /* when the last load's data are there, if it hit */
	size_t chain_entry;   /* its entry in the window otherwise; SIZE_MAX: none */
	enum block block;
	uint64_t block_since, counted_to;
	struct server_core_counts counts;
};

struct slice {
	struct tags llc;
	struct server_slice_counts counts;
};

/* A pseudo channel: two queues for one server. */
struct channel {
	struct station_server server;
	struct station reads, writes;
};

struct port {
	struct station_server server;
	struct station reads, writes; /* packing buffers of requests and of data */
	uint64_t ingress_covered, ingress_not_empty, ingress_inserts;
};

struct socket {
	struct slice *slice;
	struct channel *channel; /* two per channel */
	struct station_server link_server;
	struct station link; /* to the other socket */
};

/* The pages of a program whose memory is in tiers. */
struct tiers {
	uint8_t *fast;  /* per page: is it in local memory */
	uint16_t *heat; /* per page: epoch << 8 | accesses in it */
	uint64_t pages, hand, moved;
};

/* Demand reads, reads for ownership, prefetches that a memory answered, and their ticks in the table of requests. */
enum tier_kind { TIER_DRD, TIER_RFO, TIER_HWPF, TIER_KINDS };
struct tier_seen {
	uint64_t n, ticks;
};

/* Lines of pages that were hot in this epoch, and of those that wait since the last one; promote_pages of each. */
struct promotion {
	uint64_t *hot, *waiting;
	size_t n_hot, n_waiting;
	uint64_t end, next, length; /* of the epoch; of the next promotion; ticks of an epoch */
	bool down;                  /* pages move to CXL memory in this epoch */
	size_t most;                /* pages that may move */
	struct tier_seen seen[TIER_KINDS][2]; /* until the epoch began: by kind, in local and in CXL memory */
};

struct run_latencies {
	uint64_t l1, l2, l1_tag, l2_tag, mesh, llc, ctl, snoop, cross, cxl_link, ddr, cxl;
};

struct server_run {
	const struct server *server;
	struct load load;
	struct core *core;
	struct socket *socket;
	struct port *port;
	size_t n_cores;
	struct request *request;
	size_t n_requests;
	uint32_t free;
	struct wheel *wheel; /* nodes: cores, then requests */
	struct run_latencies ticks;
	struct curve_table curve[SERVER_MEMORIES];
	struct tor_index tor;
	double ticks_per_ns;
	struct tiers tiers[LOAD_PROGRAMS_MAX];
	struct promotion promotion;
	uint64_t epoch;
	uint64_t accesses;
};

/* cores.c */
void core_run(struct server_run *, uint32_t core);
/* Counts the time since the last change, at the present values. */
void core_count(struct server_run *, struct core *);
/* The request came back. */
void core_finish(struct server_run *, uint32_t request);

/* requests.c: from L2 on. */
uint32_t request_new(struct server_run *, uint32_t core, uint64_t line, enum server_kind);
void request_free(struct server_run *, uint32_t request);
static inline void
request_wait(struct server_run *run, uint32_t request, uint64_t time, enum phase phase)
{
	run->request[request].phase = phase;
	wheel_add(run->wheel, time, (uint32_t)run->n_cores + request);
}
void request_step(struct server_run *, uint32_t request);
void request_leave_l2(struct server_run *, uint32_t request);
/* A line leaves a core's L2; flags of tags.h. */
void victim_of_l2(struct server_run *, struct core *, uint64_t tagged);

/* tiers.c */
bool tiers_is_fast(const struct server_run *, uint64_t line);
void tiers_touch(struct server_run *, unsigned socket, uint64_t line);

#endif
