/* A simulated server: sockets with cores, caches, memory and CXL memory, as described by a data file (.server).
 * docs/simulated-server.md documents the language. Latencies are those that a core sees on an idle server, for a load
 * that misses all caches, and peaks are of reads (Li et al., SIGCOMM 2025, section 2.3). */
#ifndef SIM_SERVER_SERVER_H
#define SIM_SERVER_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/features.h"

struct arena;
struct diags;
struct server;

#define SERVER_FILE_MAX ((size_t)1 << 20)
#define SERVER_POINTS_MAX 16 /* points of a curve */

/* X(id, word, text): features that can be switched on. */
#define SERVER_FEATURES(X) \
	X(L1_PREFETCH, "l1_prefetch", "L1D fetches the next line of an ascending stream") \
	X(L2_PREFETCH, "l2_prefetch", "L2 fetches lines of an ascending stream ahead of the core") \
	X(PROMOTION, "promotion", "pages of CXL memory that are used often move to local memory, and idle ones back") \
	X(BALANCE, "balance", "promotion turns round while local memory is slower than CXL memory for demand reads") \
	X(ADVISED, "advised", "balance goes by the kind of request that misses the LLC most, not by demand reads")

enum server_feature {
#define X(id, word, text) SERVER_##id,
	SERVER_FEATURES(X)
#undef X
		SERVER_N_FEATURES
};
const char *server_feature_name(enum server_feature);
const char *server_feature_text(enum server_feature);
/* Those of a server, as users write them (sim/features.h): any may be switched on. */
struct sim_features server_features(const struct server *);

struct server_cache {
	unsigned kib, ways, cycles; /* cycles of the core from the request to the data; unused for the LLC */
};

/* Extra latency by utilisation, which both ascend. */
struct server_curve {
	double use[SERVER_POINTS_MAX], ns[SERVER_POINTS_MAX];
	size_t n;
};

enum server_memory_kind { SERVER_LOCAL, SERVER_REMOTE, SERVER_CXL, SERVER_MEMORIES };
const char *server_memory_name(enum server_memory_kind);

struct server_memory {
	bool there;
	double ns, gb_per_s; /* idle latency; peak of all channels, or of the link, or of one port */
	unsigned queue;      /* entries: of a channel, of the link, of the device's packing buffer */
	struct server_curve curve;
};

struct server {
	const char *name, *text;
	unsigned sockets, cores, slices, channels,
		ports; /* cores, slices and channels of a socket; CXL devices of S0 */
	unsigned core_mhz, uncore_mhz, memory_mhz, cxl_mhz;
	unsigned window, fill_buffers, store_buffer, l2_queue; /* entries */
	struct server_cache l1, l2, llc;                       /* llc: of a slice */
	unsigned l1_tag, l2_tag; /* cycles of the core until a miss is known, each level by itself */
	unsigned mesh_ns, llc_ns, ctl_ns, link_ns, snoop_ns;
	unsigned ahead;                     /* lines that the prefetcher of L2 is ahead */
	unsigned promote_us, promote_pages; /* at most so many pages move in so many µs */
	uint32_t has;                       /* set of features: bit 1 << enum server_feature */
	struct server_memory memory[SERVER_MEMORIES];
	struct arena *arena; /* owner of the texts */
};

/* Parses a .server file. Takes ownership of neither text. NULL if there are errors in the diagnostics. */
struct server *server_parse(const char *path, const char *text, size_t n, struct diags *);
void server_free(struct server *);

/* What the way to this memory costs without the memory itself: what its latency must exceed. */
double server_way_ns(const struct server *, enum server_memory_kind);

#endif
