/* A machine as a multi-stage network that requests pass through: the parsed and checked contents of a .net file
 * (docs/network-language.md). The model is PathFinder's (Li et al., SIGCOMM 2025, sections 4.1 to 4.5).
 *
 *     struct network ── stage ── module ── cell: one kind of request at one module
 *                    │                       ├ hit: expressions of requests served here, one per place
 *                    │                       └ field: expressions of misses, delays, stalls …
 *                    ├─ link: from a module to one of a later stage, a load per kind
 *                    └─ counter, constant, total, law
 *
 * A module with a scope `per` stands for one module on each owner of that scope: on each core, slice, socket … */
#ifndef CORE_NETWORK_NETWORK_H
#define CORE_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counters/counters.h"
#include "core/counters/scope.h"
#include "text/aexpr.h"

struct diags;
struct str;

#define NETWORK_FILE_MAX ((size_t)1 << 20)
#define NETWORK_KINDS_MAX 8
#define NETWORK_COUNTERS_MAX 4096 /* counters and constants together */
#define NETWORK_MODULES_MAX 1024
#define NETWORK_LINKS_MAX 8192
#define NET_NO_PAIRS SIZE_MAX
#define NETWORK_QOS_MAX 32        /* per module */
#define NETWORK_ELAPSED "elapsed" /* name of the snapshot's length in ns in expressions */
/* Names of calibrated constants (core/tasktime/fault_cost.h): the exception of a page fault, its handler, both. */
#define NET_FAULT_EXCEPTION "fault-exception"
#define NET_FAULT_SERVICE "fault-service"
#define NET_FAULT_TOUCH "fault"
#define NETWORK_TIMES_MAX 4096    /* upper limit of `times` */

/* Form of Little's law for a module's queue (PathFinder, algorithm 1). */
enum net_model { NET_QUEUE, NET_CACHE, NET_HOME };

/* Quantities of one kind of request at one module, besides hits. */
enum net_field {
	NET_MISS, NET_DELAY, NET_TAG, NET_MISS_DELAY, NET_STALL, NET_LIMIT, NET_OCCUPANCY, NET_BUSY, NET_BYTES,
	NET_FIELDS
};
const char *net_field_name(enum net_field); /* "miss delay" */
/* Returns true if the value of a whole is the sum of the values of its parts. Delays do not add up. */
bool net_field_adds(enum net_field);

struct net_kind {
	const char *name, *text;
	bool background; /* no program waits for these requests, so their queues are never named as the culprit */
};

struct net_hit {
	const char *place;      /* "local LLC"; by default the module's text */
	struct aexpr *e;
};

enum net_cell_state { NET_CELL_ABSENT, NET_CELL_REPORTED, NET_CELL_UNREPORTED, NET_CELL_WITH };

/* One kind of request at one module. */
struct net_cell {
	enum net_cell_state state;
	const char *why;        /* reason for state UNREPORTED or WITH */
	size_t with;            /* for state WITH: the kind together with which this kind is counted */
	struct net_hit *hit;
	size_t n_hits;
	struct aexpr *field[NET_FIELDS]; /* NULL: not reported */
	bool ingress;                    /* requests of the kind begin here */
	const char *ingress_text;
	uint32_t at, len;
};

/* Load class of a device, in the terms of CXL's QoS telemetry for memory (CXL specification 3.1, section 3.3.4). */
enum net_load { NET_LIGHT, NET_OPTIMAL, NET_MODERATE, NET_SEVERE, NET_LOADS };
const char *net_load_name(enum net_load); /* "moderate overload" */

/* One sign of a module's load: a value, and the thresholds at which it means the next heavier class. */
struct net_qos {
	const char *text, *source;  /* source of the thresholds; "" if not stated */
	struct aexpr *e;
	/* thresholds, of numbers and constants; NULL: the sign never reports that class. Unused for NET_LIGHT. */
	struct aexpr *from[NET_LOADS];
	double at_least[NET_LOADS]; /* values of the thresholds, rising; NAN where there is none */
	uint32_t at, len;
};

struct net_module {
	const char *name, *text;
	size_t stage;
	enum scope per;         /* one module for each owner of this scope; SCOPE_SYSTEM: one */
	uint32_t times;         /* number of equal modules on each owner that this one stands for */
	enum net_model model;
	struct aexpr *clock;    /* clock of the module's rates; NULL: the length of the snapshot */
	struct aexpr *frequency; /* of its clock, in cycles/ns; NULL, or not known: the clock runs all the time */
	struct net_cell *cell;  /* n_kinds */
	struct net_qos *qos;    /* signs of the module's load */
	size_t n_qos;
	uint32_t at, len;
};

struct net_stage {
	const char *name, *text;
	size_t first, n;        /* modules */
	uint32_t at, len;
};

struct net_link {
	size_t from, to;        /* modules */
	/* n_kinds: requests of each kind on the link; NULL: the misses of `from`, whose only link this is */
	struct aexpr **load;
	/* n_kinds: the counter of requests of each kind per pair of owners of `from` and `to`; NET_NO_PAIRS: none */
	size_t *pairs;
	uint32_t at, len;
};

struct net_total {
	const char *text;
	struct aexpr *e;
};

struct net_law {
	const char *text;
	struct aexpr *left, *right;
	bool equal;             /* true: left = right; false: left ≤ right */
	double within;          /* by which part of the larger side the law may be off, 0 … 1 */
};

struct network {
	const char *name, *text;
	const char *stack;      /* stack shown next to the network if the user names none; NULL: none */
	struct net_kind *kind;
	size_t n_kinds;
	struct counter_item *counter;
	size_t n_counters;
	struct constant_item *constant;
	size_t n_constants;
	struct net_stage *stage;
	size_t n_stages;
	struct net_module *module; /* sorted by stage */
	size_t n_modules;
	struct net_link *link;
	size_t n_links;
	struct net_total *total;
	size_t n_totals;
	struct net_law *law;
	size_t n_laws;
	/* Values by number, as in struct aexpr.index: counters, constants, then for each module and kind the hits of
	 * all places together and the fields; then `elapsed`, the length of the snapshot; then the number of owners of
	 * each scope. `order` lists the values that expressions of other modules use, each after the values on which it
	 * depends. */
	size_t n_values;
	size_t *order, n_order;
	struct arena *arena;
};

/* Meaning of a value of a module and kind; `field` is NET_FIELDS for hits. */
struct net_value {
	size_t module, kind;
	enum net_field field;
};
struct net_value net_value(const struct network *, size_t value);
static inline size_t
net_value_of_elapsed(const struct network *n)
{
	return n->n_values - 1 - SCOPES;
}
/* Returns the value `owners(SCOPE)` in expressions. */
static inline size_t
net_value_of_owners(const struct network *n, enum scope s)
{
	return n->n_values - SCOPES + (size_t)s;
}
/* Returns true for a value that net_value() explains. */
static inline bool
net_value_is_of_cell(const struct network *n, size_t value)
{
	return value >= n->n_counters + n->n_constants && value < net_value_of_elapsed(n);
}

bool network_is_calibrated(const struct network *); /* has it constants that are measured on the machine? */

size_t net_value_of_hits(const struct network *, size_t module, size_t kind);
size_t net_value_of(const struct network *, size_t module, size_t kind, enum net_field);

/* A module's name for people. */
const char *network_module_text(const struct network *, size_t module);

/* Returns true if the link has a load of the kind: by its own expression, or because it is the only link of a module
 * that reports misses of the kind. */
bool net_load_given(const struct network *, size_t link, size_t kind);
/* Returns for what the hits of a kind at a module are known: SCOPE_CORE if cores, threads or tasks count all of them,
 * else the module's own scope. */
enum scope net_known_per(const struct network *, size_t module, size_t kind);
/* The same for a field. A queue is known per core if its hits and its delay are. */
enum scope net_field_known_per(const struct network *, size_t module, size_t kind, enum net_field);
enum scope net_queue_known_per(const struct network *, size_t module, size_t kind);
/* Has the network modules of cores, so that it matters whether a count is known for a core? */
bool net_has_cores(const struct network *);
/* Appends the kinds whose hits are known for the module's owner and for no core: "HWPF, DWr". Returns how many; 0 also
 * for a network without cores. */
size_t net_add_unknown_for_core(const struct network *, size_t module, struct str *out);

/* Parse and check a .net file. Takes ownership of name and text (heap). Returns NULL if there are errors in the
 * diagnostics. There may be warnings even if a network is returned. Diagnostics keep no reference to the text. */
struct network *network_parse(char *name, char *text, size_t n, struct diags *);
void network_free(struct network *);

/* Call f with the name of each expression that uses the counter directly: "L2.DRd.hit", "L2.DRd.miss delay", "the clock
 * of L2", "L2 -> LLC, DRd", "total …", "law …". Each name comes once. These expressions are lost if the counter cannot
 * be counted. */
void net_each_use(const struct network *, size_t counter, void (*f)(void *ctx, const char *what), void *ctx);

#endif
