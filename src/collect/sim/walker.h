/* When page-table walkers are busy, and which requests wait for them or are served: the MSHRs of the second-level TLB.
 *
 * µops are not simulated in the order of their times: a pointer's walk may be booked far in the future, and the next µop's request is earlier. So a walker has a list of times at which it is
 * busy, and a request in flight an interval: only who asks within it meets it. */
#ifndef COLLECT_SIM_WALKER_H
#define COLLECT_SIM_WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_MOST_WALKERS 16
#define SIM_MOST_MSHRS 256
#define SIM_BUSY 32 /* intervals that a walker remembers; those that touch are one */

struct sim_walker {
	uint64_t from[SIM_BUSY], to[SIM_BUSY]; /* in order of time, apart from each other */
	unsigned n;
};

struct sim_walkers {
	struct sim_walker walker[SIM_MOST_WALKERS];
	unsigned n;
	uint64_t least; /* a gap between walks that is shorter is not used */
};

/* The earliest time, not before `time`, at which a walker is free. Nobody will ask for a time before `now` any more. */
uint64_t sim_walkers_free(struct sim_walkers *, uint64_t time, uint64_t now, struct sim_walker **which);
void sim_walker_take(struct sim_walker *, uint64_t from, uint64_t to);

#define SIM_MSHR_SETS 64
#define SIM_MSHR_WAYS 4

struct sim_mshrs {
	struct {
		uint64_t page[SIM_MSHR_WAYS], from[SIM_MSHR_WAYS], to[SIM_MSHR_WAYS];
		unsigned next;           /* is replaced */
	} set[SIM_MSHR_SETS];            /* requests, hashed by page */
	uint64_t end[SIM_MOST_MSHRS];    /* of the last n requests: a new one takes the place of the first */
	unsigned n, next;
	uint64_t last;                   /* the latest end of all */
};

static inline size_t
sim_mshr_set(uint64_t page)
{
	return (size_t)((page ^ page >> 6 ^ page >> 12) & (SIM_MSHR_SETS - 1));
}

/* When the request for that 4 KB page that is in flight at `time` ends; 0: there is none. */
static inline uint64_t
sim_mshrs_find(const struct sim_mshrs *m, uint64_t page, uint64_t time)
{
	size_t s = sim_mshr_set(page);

	if (time >= m->last)
		return 0;
	for (unsigned w = 0; w < SIM_MSHR_WAYS; w++)
		if (m->set[s].page[w] == page && m->set[s].from[w] <= time && time < m->set[s].to[w])
			return m->set[s].to[w];
	return 0;
}

/* From when on there is room for one more. */
static inline uint64_t
sim_mshrs_room(const struct sim_mshrs *m)
{
	return m->end[m->next];
}

void sim_mshrs_take(struct sim_mshrs *, uint64_t page, uint64_t from, uint64_t to);

#endif
