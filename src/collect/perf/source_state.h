/* The source of perf_event_open(2), in three files: source_perf.c runs it, source_open.c opens descriptors,
 * source_read.c reads them. */
#ifndef COLLECT_PERF_SOURCE_STATE_H
#define COLLECT_PERF_SOURCE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "collect/perf/filter.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/places.h"
#include "collect/perf/known_events.h"
#include "collect/perf/world.h"
#include "collect/process/child.h"
#include "collect/source.h"

struct keeper;
struct turns;
struct turns_room;

#define SOURCE_SOFTWARE 16 /* kinds of software events (enum perf_sw_ids), and some to come */

struct source_keep {
	struct keeper *keeper;
	struct filter_constants constants;
	struct perf_world world;
	uint64_t world_ns; /* when it was read; 0: not yet */
	int software[SOURCE_SOFTWARE]; /* an event of each kind that was asked for; -1: none */
};

/* An event at one of its places, and its reading at the last row. */
struct event_slot {
	size_t place;
	int fd;       /* -1: the place has ended */
	bool grouped; /* read through the leader of its place */
	size_t at;    /* index of its reading */
	struct perf_reading last;
};

/* One event of a counter. */
struct counter_event {
	size_t counter;
	struct event_code code;
	struct event_slot *slot;
	size_t n, cap;
};

/* The meaning of a name, looked up once for all counters that use it. */
struct known_event {
	bool good;
	struct event_code code;
	struct source_status status; /* if not `good`: why */
};

struct source {
	struct perf_world world;
	struct known_events tables;    /* of events, while names are looked up */
	struct source_keep *keep;
	bool own_keep;
	struct child *child;           /* the command; NULL: a target */
	bool held;                     /* `child` belongs to the caller */
	struct source_target target;   /* used if there is no `child` */
	int *id;                       /* ids of the target; owned */
	struct places places;
	struct source_status *status;
	size_t n_counters;
	struct counter_event *event;
	size_t n_events, cap;
	/* Readings are numbered place by place, those of place k from first[k] on, in the order of opening. */
	struct { size_t event, slot; } *reading;
	size_t *first, n_readings;
	struct names names;            /* names of events */
	struct known_event *known;     /* by number in `names` */
	size_t known_cap;
	unsigned interval_ms;
	bool lose_cpus, by_hand;
	bool row_asked;                /* a row that tick() asked for is due */
	bool groups;                   /* events that are never multiplexed are read together at each place */
	enum rotation_how rotation;
	bool rotation_given;
	struct source_constraints constraints;
	size_t *number;                /* n_counters: their numbers in the constraints */
	const struct turns_room *room; /* room for turns; NULL: the PMU's */
	struct turns *turns;           /* turns of events that need more counters than the PMU has; NULL: none */
	/* the timer; an epoll of it and of the descriptors that show the end; -1: none */
	int ticker, watch;
	int *ends;                     /* pidfds of the target; -1: none, or ended */
	bool ends_known;                /* all of them have a pidfd, so ticks need not check */
	uint64_t started_ns, stopped_ns;
	uint64_t row_ns;               /* end of the last row; 0: none */
	/* not even the dummy event can be opened, so all counters are refused */
	bool refused;
	bool started, ended, last_row_taken, stop_asked;
	size_t strangers;              /* see struct source_end */
	double tasks;
	uint64_t count_tasks_at_ns;    /* time of the next scan of all processes, which is expensive */
	struct child_end end;
};

/* Opens every event of every counter at every place. Returns false and sets *e when nothing can be counted or
 * descriptors run out. */
bool perf_open_all(struct source *, const struct source_spec *, struct err *e);
bool perf_open_target(
	struct source *, const struct source_spec *, struct err *e); /* the same, after finding the target's places */
void perf_close_events(struct source *);

/* Read totals and rows: see struct source_ops. */
bool perf_read_totals(struct source *, int64_t *count, unsigned char *counted, struct err *e);
enum source_news perf_take_row(struct source *, struct source_row *, struct err *e);

#endif
