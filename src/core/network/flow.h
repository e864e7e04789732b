/* Flows: what one task does from one core to one destination, from what cores' counters say when tasks come and go.
 *
 * PathFinder (Li et al., SIGCOMM 2025, section 4.2): a flow is a core and a memory that it reaches; a task has a new
 * one when it gets to another core or first touches another destination; a snapshot is closed at the end of an interval
 * and when the task is preempted. Counters that do not tell the destination (all hits inside the core are mingled,
 * section 4.3) belong to a flow of the task on the core without one. So each count belongs to one flow, and all flows
 * together have what was counted.
 *
 * The input is a stream of events, one core's in order of time. Nothing is guessed: what nobody who is followed did,
 * what was counted while several tasks came and went unread, and what more flows did than are kept apart, are flows of
 * their own. */
#ifndef CORE_NETWORK_FLOW_H
#define CORE_NETWORK_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

#define FLOW_NOWHERE ((size_t)-1) /* no destination, no core */

/* The first flows of all. */
enum flow_special {
	FLOW_UNFOLLOWED, /* no task that is followed ran */
	FLOW_MIXED,      /* several tasks ran between two reads, or it is not known who */
	FLOW_OTHERS,     /* flows beyond the number that is kept */
	FLOW_SPECIALS
};

/* Why a snapshot was closed. */
enum flow_close { FLOW_AT_INTERVAL, FLOW_AT_SWITCH, FLOW_AT_MIGRATION, FLOW_AT_EXIT, FLOW_AT_LOSS };
const char *flow_close_name(enum flow_close); /* "interval", "switch" … */

struct flow {
	uint64_t number;          /* never used again */
	/* the same for all flows of one task; another one when its number is another task's, or all its flows were
	 * folded */
	uint64_t life;
	int32_t task;             /* 0: a special one */
	size_t core, destination; /* FLOW_NOWHERE: of all cores; not told */
	uint64_t since_ns, until_ns; /* first and last moment that it was seen */
	uint64_t ran_ns;          /* on the core; told of flows without destination only */
	uint64_t snapshots;       /* that were closed */
	bool over;                /* the task went to another core (it may come back) or ended */
	bool ended;               /* the task ended */
	const uint64_t *count;    /* n_counters: increments */
	/* n_counters: snapshots in which it is not known how much the counter rose; of a destination that has no flow
	 * yet: told of the flow without one */
	const uint64_t *lost;
};

/* One closed: increments between two reads. */
struct flow_snapshot {
	const struct flow *flow;
	uint64_t from_ns, to_ns;
	enum flow_close why;
	const uint64_t *count;      /* n_counters; of other destinations' counters 0 */
	const unsigned char *known; /* n_counters */
};

struct flow_counter {
	unsigned width;     /* bits: rise.h */
	size_t destination; /* all that it counts ends there; FLOW_NOWHERE: it does not tell */
	bool weighs;        /* requests: shares of destinations are those of these */
};

struct flow_spec {
	size_t n_cores, n_destinations;
	const struct flow_counter *counter; /* the caller's, must outlive the flows */
	size_t n_counters;
	/* flows that are kept apart, the special ones among them; more than FLOW_SPECIALS */
	size_t most;
	void (*closed)(void *ctx, const struct flow_snapshot *); /* may be NULL */
	void *ctx;
};

enum flow_kind {
	FLOW_IN,      /* `task` is put on `core`; 0: nobody who is followed */
	FLOW_MIGRATE, /* `task` leaves `core` for another, where it will be put later */
	FLOW_EXIT,    /* `task` ends, on `core` */
	FLOW_READ,    /* counters of `core` are read at the end of an interval */
	/* who runs on `core` from now on is not known: counts and time up to the next one are FLOW_MIXED's */
	FLOW_GAP,
	FLOW_OFFLINE, /* `core` is no more: what it counted since the last read is not known */
};

struct flow_event {
	enum flow_kind kind;
	uint64_t ns;
	size_t core;
	int32_t task;                 /* above 0, or 0 */
	const uint64_t *count;        /* n_counters running totals of the core at this moment; NULL: not read */
	const unsigned char *counted; /* n_counters; NULL: all */
};

/* Records that fit no other. */
struct flow_trouble {
	uint64_t backwards; /* counters that went back */
	uint64_t wrapped;   /* … that began again at 0: no trouble if they are read often enough */
	uint64_t broken;    /* a task was put on a core while it was on another */
	uint64_t folded;    /* flows that went into FLOW_OTHERS */
};

struct flows;

struct flows *flows_new(const struct flow_spec *);
void flows_free(struct flows *);

/* False, with nothing changed, for an event that is out of order on its core, of a core that is not there, of a task
 * below 0, or a read without counts. The first counts of a core are where it begins. */
bool flows_take(struct flows *, const struct flow_event *, struct err *);

size_t flows_n(const struct flows *);
const struct flow *flows_at(const struct flows *, size_t); /* the special ones first; valid until the next event */
const struct flow_spec *flows_spec(const struct flows *);
const struct flow_trouble *flows_trouble(const struct flows *);
/* The flow of a task that lives, on a core, to a destination; NULL. */
const struct flow *flows_find(const struct flows *, int32_t task, size_t core, size_t destination);
/* Of the requests that the task sent from the core to destinations, those of this flow; NAN: none, or some are not
 * known, or it has no destination. */
double flows_share(const struct flows *, const struct flow *);

#endif
