/* Do events fit on the counters of a PMU at once? Asked before anything is counted.
 *
 * On this machine the kernel answers: it refuses a group that its PMU can never hold (collect/perf/turns.h). For
 * another processor the lists of events say which counters each event can use (event/table.h, core/fit/holders.h). */
#ifndef WORK_FIT_FIT_H
#define WORK_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct event_table;

#define FIT_EVENTS_MAX 256

enum fit_kind {
	FIT_COUNTED,   /* needs a counter of the core */
	FIT_PINNED,    /* needs one all the time, in every set (:D) */
	FIT_FREE,      /* needs none: counted by the kernel */
	FIT_ELSEWHERE, /* of a PMU outside the cores, with counters of its own; never counted for a command */
	FIT_REFUSED,   /* not known, or not to be counted here */
};

struct fit_event {
	char *name;
	enum fit_kind kind;
	char *why;       /* REFUSED: why; COUNTED by a guess: which; NULL: nothing to say */
	char *remedy;    /* NULL: none */
	char *counters;  /* the counters that can hold it, as its source writes them; NULL: not known */
};

struct fit {
	struct fit_event *event;
	size_t n;
	char *cpu;              /* the processor that was asked about; NULL: this machine */
	/* sets of events that fit, n_sets × n; one set: all fit. A pinned event is in all of them */
	unsigned char *has;
	size_t n_sets;
	size_t counted;         /* events that need a counter */
	size_t room;            /* counters that the first set's kind of events has in all, itself included */
	bool watchdog;          /* the NMI watchdog holds a counter */
	bool smt;               /* the cores' threads share counters (only of this machine) */
	size_t twice;           /* names that were given again */
};

/* Asks about named events, of a processor by the table of its events; NULL: of this machine, by the kernel. Returns
 * NULL and sets *e if nothing can be said. */
struct fit *fit_new(const char *const *name, size_t n, const struct event_table *, struct err *e);
void fit_free(struct fit *);

/* Is an event in a set? */
static inline bool
fit_in_set(const struct fit *fit, size_t set, size_t event)
{
	return fit->has[set * fit->n + event];
}

#endif
