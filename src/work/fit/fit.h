/* Do events fit on the counters of a PMU at once? Asked before anything is counted.
 *
 * On this machine the kernel answers: it refuses a group that its PMU can never hold (collect/perf/turns.h). For
 * another processor the lists of events say which counters each event can use (event/table.h, core/fit/holders.h). */
#ifndef WORK_FIT_FIT_H
#define WORK_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/doctor/health.h"

struct counter_list;
struct err;
struct event_filter;
struct event_table;
struct set_constraints;
struct str;

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
	bool idle;       /* COUNTED, PINNED: it opens, but got no counter when it was tried alone */
	char *why;       /* REFUSED: why; COUNTED by a guess: which; NULL: nothing to say */
	char *remedy;    /* NULL: none */
	char *counters;  /* the counters that can hold it, as its source writes them; NULL: not known */
};

/* Constraints of models between the counters that events are for, and the counter of each name. */
struct fit_related {
	const struct set_constraints *constraints; /* units: counters */
	const size_t *counter;
	bool run; /* a run opens the events: each as often as it is named */
};

/* A constraint between events that take turns. */
struct fit_constraint {
	char *text;
	size_t set;      /* the first set that has all its events; n_sets: none */
};

struct fit {
	struct fit_event *event;
	size_t n;
	char *cpu;              /* the processor that was asked about; NULL: this machine */
	/* sets of events that fit, n_sets × n; one set: all fit. A pinned event is in all of them */
	unsigned char *has;
	size_t n_sets;
	struct fit_constraint *constraint;
	size_t n_constraints;
	size_t counted;         /* events that need a counter */
	size_t room;            /* counters of the first set's kinds of events in all, itself included */
	size_t held;            /* of these, counters that other users of the PMU had when it was tried */
	bool watchdog;          /* the NMI watchdog holds a counter */
	bool smt;               /* the cores' threads share counters (only of this machine) */
	bool once;              /* an event that is named again was left out */
	size_t squeezed;        /* REFUSED because pinned events leave no counter */
	size_t twice;           /* names of events that were given before */
};

/* Asks about named events, of a processor by the table of its events; NULL: of this machine, by the kernel. `once`:
 * names that are given again are left out. Returns NULL and sets *e if nothing can be said. */
struct fit *fit_new(const char *const *name, size_t n, const struct event_table *, bool once, struct err *e);
void fit_free(struct fit *);

/* The same, `once` unless related->run. Where events take turns, the sets follow the constraints (core/fit/sets.h). */
struct fit *fit_new_related(const char *const *name, size_t n, const struct event_table *, const struct fit_related *,
	struct err *e);

/* Asks the kernel about the events that a run of these counters opens. A run opens an event of two counters twice, so
 * it is asked about twice. `asked`: for each counter, whether it is wanted; NULL: all. In fit_counters.c. */
struct fit *fit_of_counters(const struct counter_list *, const bool *asked, struct err *e);
/* These events, NULL-terminated; free with str_split_free(). Of a counter with several choices they are those of the
 * first one that can be counted here. */
char **fit_counter_events(const struct counter_list *, const bool *asked);

/* --- does it count? In fit_try.c --- */

/* What an event did when it was opened for 10 ms (event_try() in collect/perf/open.h). */
struct fit_tried {
	char *name, *event; /* as listed, and as it was opened */
	bool opens;
	enum health health; /* if it opens */
	unsigned long long count;
	char *why, *remedy; /* if it does not */
};

struct fit_trial {
	struct fit_tried *tried;
	size_t n, cap;
};

/* Lists what may be tried on this machine: the rows of its table that fit, perf's words that have all words of the
 * filter, and those words that are themselves names of events, such as r12. Without a filter: all of the cores. */
void fit_try_list(const struct event_table *, const struct event_filter *, struct fit_trial *);
/* Tries them, and keeps what became of them (machine_note_health()). */
void fit_try(struct fit_trial *);
void fit_trial_free(struct fit_trial *);

/* --- words, in fit_words.c --- */

/* Do events take turns, with each other or with other users, or is one there twice? Or does one get no counter, or is
 * never counted for a command? `cpus`: whole CPUs are watched. */
bool fit_is_tight(const struct fit *, bool cpus);
/* "4 events fit at once: 4 of 5 counters" */
void fit_write_sets(const struct fit *, struct str *out);
/* Lines on what holds counters, and on events that were given again. */
void fit_write_holders(const struct fit *, struct str *out);
/* The same, and what is not counted, as one line of its own: "6 of 8 counters" */
void fit_write_brief(const struct fit *, bool cpus, struct str *out);

/* Is an event in a set? */
static inline bool
fit_in_set(const struct fit *fit, size_t set, size_t event)
{
	return fit->has[set * fit->n + event];
}

#endif
