/* Measurements of overflows, shared by the file that measures and those that print. */
#ifndef WORK_TRUST_OVERFLOW_RESULT_H
#define WORK_TRUST_OVERFLOW_RESULT_H

#include "collect/overflow.h"
#include "core/obs/source_data.h"
#include "work/trust/overflow.h"

#define OVERFLOW_PERIODS 3
#define OVERFLOW_LEVELS 4 /* perf_event_attr.precise_ip 0 … 3 */

/* Rows of an event's table: a level of precision and a period. */
struct overflow_row {
	unsigned precise;
	struct overflow_skid skid;
};

struct overflow_event {
	char *name;             /* as asked for */
	bool measured;
	bool user_only;         /* the kernel side was left out, though the name does not say so */
	bool has_levels;
	bool counts_stops;      /* stopping the command raises the count */
	bool is_clock;          /* the count goes on between instructions */
	bool instructions;      /* the event should count what single steps count */
	struct source_status why; /* why it was not measured */
	uint64_t total;         /* count of a run without overflows */
	bool whole;             /* that run came to its end */
	struct overflow_row *row;
	size_t n_rows;
};

/* A run to an exact count. */
struct overflow_try {
	struct overflow_arrival a;
	uint64_t margin;
	unsigned late;          /* earlier attempts, whose margin was too small */
	char *last, *here;      /* places of the last instruction and of the next one; "": unknown */
	struct overflow_position position;
};

struct trust_overflow {
	char *test, *shown;     /* base name of the command; the same for a terminal */
	struct overflow_event *event;
	size_t n_events;
	uint64_t stop_at;
	struct overflow_try *run;
	size_t n_runs;
	/* a run whose overflow is set at the count itself, if the event has no skid; its outcome is EXACT */
	bool has_direct;
	struct overflow_try direct;
	uint64_t words;         /* registers that were equal in all runs, as bits; 0: different addresses */
	bool searched;          /* positions were looked for */
	bool steps;             /* instructions can be executed one by one here */
	bool fixed_addresses;
	int cpu;                /* -1: not pinned */
	uint64_t threads, processes; /* threads and processes that a run of the command started */
	int signal;             /* signal by which the command died; 0: none */
	bool cut;               /* a signal to hecate ended the measurement */
	bool slow;              /* some run took longer than `seconds` */
	double seconds;         /* longest time permitted for a run */
};

#endif
