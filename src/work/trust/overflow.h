/* How late the overflows of a counter stop a command, and whether it can be stopped at an exact count: for layers that
 * may not include collect's headers. collect/overflow.h explains the method. */
#ifndef WORK_TRUST_OVERFLOW_H
#define WORK_TRUST_OVERFLOW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct json_writer;
struct str;

struct trust_overflow;

struct trust_overflow_options {
	char *const *argv;
	const char *const *event;  /* names; n_events 0: instructions, branches, page-faults, task-clock */
	size_t n_events;
	uint64_t stop_at;          /* count of the only event at which to stop; 0: only skid is measured */
	unsigned runs;             /* number of runs, with stop_at */
	const sigset_t *during;    /* mask under which to wait for signals */
	bool (*interrupted)(void);
	double seconds;            /* longest run; 0: no limit */
	/* called before each run; may be NULL */
	void (*progress)(void *ctx, const char *what, unsigned run, unsigned of);
	void *ctx;
};

#define TRUST_OVERFLOW_MOST ((uint64_t)1 << 62) /* no count is larger than a kernel's period */

/* Runs the command. The result also names events that cannot overflow. Returns NULL and sets *e if the command cannot
 * be run, traced or judged, or if the event to stop at cannot overflow. */
struct trust_overflow *trust_overflow_new(const struct trust_overflow_options *, struct err *e);
void trust_overflow_free(struct trust_overflow *);
void trust_overflow_text(const struct trust_overflow *, struct str *out);
void trust_overflow_json(const struct trust_overflow *, struct json_writer *); /* the whole document */
/* True if an event was measured, or with stop_at if a run stopped there; also if a signal came before that. */
bool trust_overflow_any(const struct trust_overflow *);

#endif
