/* A machine as a multi-stage network that requests flow through: what a .net file says, parsed and checked
 * (docs/network-language.md).
 *
 * Source of the view: PathFinder (Li et al., SIGCOMM 2025), sections 4.1 to 4.5. */
#ifndef CORE_NETWORK_NETWORK_H
#define CORE_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lang/aexpr.h"
#include "core/lang/counters.h"
#include "core/lang/scope.h"

struct diags;

#define NETWORK_FILE_MAX ((size_t)1 << 20)
#define NETWORK_KINDS_MAX 8
#define NETWORK_COUNTERS_MAX 4096 /* and constants */
#define NETWORK_MODULES_MAX 1024
#define NETWORK_LINKS_MAX 8192
#define NETWORK_QOS_MAX 32  /* of a module */
#define NETWORK_ELAPSED "elapsed" /* in expressions: the length of the snapshot, ns */
#define NETWORK_TIMES_MAX 4096 /* equal modules */

/* Which form of Little's law gives the queue (PathFinder, algorithm 1). */
enum net_model { NET_QUEUE, NET_CACHE, NET_HOME };

/* What is told of a module and a kind, besides where requests are served. */
enum net_field {
	NET_MISS, NET_DELAY, NET_TAG, NET_MISS_DELAY, NET_STALL, NET_LIMIT, NET_OCCUPANCY, NET_BUSY, NET_BYTES,
	NET_FIELDS
};
const char *net_field_name(enum net_field); /* "miss delay" */
/* Do the values of parts add up to that of the whole? Delays do not. */
bool net_field_adds(enum net_field);

struct net_kind {
	const char *name, *text;
	bool background; /* nobody waits for these requests: no queue of theirs is the culprit */
};

struct net_hit {
	const char *place;      /* "local LLC"; the module's text where none was given */
	struct aexpr *e;
};

enum net_cell_state { NET_CELL_ABSENT, NET_CELL_REPORTED, NET_CELL_UNREPORTED, NET_CELL_WITH };

/* One module and one kind. */
struct net_cell {
	enum net_cell_state state;
	const char *why;        /* UNTOLD, WITH */
	size_t with;            /* WITH: the kind that they are counted together with */
	struct net_hit *hit;
	size_t n_hits;
	struct aexpr *field[NET_FIELDS]; /* NULL: not told */
	bool ingress;           /* requests of the kind begin here */
	const char *ingress_text;
	uint32_t at, len;
};

/* How loaded a device is, as CXL's QoS telemetry for memory says it (CXL specification 3.1, section 3.3.4). */
enum net_load { NET_LIGHT, NET_OPTIMAL, NET_MODERATE, NET_SEVERE, NET_LOADS };
const char *net_load_name(enum net_load); /* "moderate overload" */

/* One thing that a module's load is told by: a value, and from where on it means which load. */
struct net_qos {
	const char *text, *source;  /* source of the thresholds; "" */
	struct aexpr *e;
	/* thresholds, made of numbers and constants; NULL: never that load. None for NET_LIGHT */
	struct aexpr *from[NET_LOADS];
	double at_least[NET_LOADS]; /* their values, rising; NAN */
	uint32_t at, len;
};

struct net_module {
	const char *name, *text;
	size_t stage;
	enum scope per;     /* one for each; SCOPE_SYSTEM: one */
	uint32_t times;         /* … and so many of each */
	enum net_model model;
	struct aexpr *clock;    /* NULL: the time of the snapshot */
	struct net_cell *cell;  /* n_kinds */
	struct net_qos *qos;    /* what its load is told by */
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
	struct aexpr **load;    /* n_kinds; NULL: what `from` misses, if this is its only link */
	uint32_t at, len;
};

struct net_total {
	const char *text;
	struct aexpr *e;
};

struct net_law {
	const char *text;
	struct aexpr *left, *right;
	bool equal;             /* else left ≤ right */
};

struct network {
	const char *name, *text;
	const char *stack;      /* the stack that is looked at beside it where none is named; NULL */
	struct net_kind *kind;
	size_t n_kinds;
	struct counter_item *counter;
	size_t n_counters;
	struct constant_item *constant;
	size_t n_constants;
	struct net_stage *stage;
	size_t n_stages;
	struct net_module *module;  /* stage by stage */
	size_t n_modules;
	struct net_link *link;
	size_t n_links;
	struct net_total *total;
	size_t n_totals;
	struct net_law *law;
	size_t n_laws;
	/* Values by number, as struct aexpr.index has them: counters, constants, then for each module, kind by kind,
	 * the hits of all places together and the fields; the last is the length of the snapshot, `elapsed`. Those of
	 * modules that expressions of others use stand in `order`, each behind what it uses. */
	size_t n_values;
	size_t *order, n_order;
	struct arena *arena;
};

/* What a number from n_counters + n_constants on stands for; `field` is NET_FIELDS for the hits. */
struct net_value {
	size_t module, kind;
	enum net_field field;
};
struct net_value net_value(const struct network *, size_t value);
static inline size_t
net_value_of_elapsed(const struct network *n)
{
	return n->n_values - 1;
}

size_t net_value_of_hits(const struct network *, size_t module, size_t kind);
size_t net_value_of(const struct network *, size_t module, size_t kind, enum net_field);

/* Takes name and text (heap). NULL after diagnostics; warnings may stand there beside a network. Diagnostics keep no
 * reference to the text. */
struct network *network_parse(char *name, char *text, size_t n, struct diags *);
void network_free(struct network *);

/* Call f with the name of each thing whose expression names the counter: "L2.DRd.hit", "L2.DRd.miss delay", "the clock
 * of L2", "L2 -> LLC, DRd", "total …", "law …". Each once; what is made of these in turn is not named. */
void net_each_use(const struct network *, size_t counter, void (*f)(void *ctx, const char *what), void *ctx);

#endif
