/* Processes of this machine that judge the cells of a sweep, one cell at a time each. If one dies, only its cells are
 * lost, and another takes its place. */
#ifndef WORK_SWEEP_CREW_H
#define WORK_SWEEP_CREW_H

#include <stdbool.h>
#include <stddef.h>

#include "work/sweep/sweep_cell.h"

struct crew;
struct err;
struct wire;

/* Judges cell number `cell`, in a process of its own, which has a copy of the memory of the one that made the crew. */
typedef void sweep_judge(void *ctx, size_t cell, struct sweep_cell *out);

/* Starts n processes. NULL and *e: none could be started. */
struct crew *crew_new(size_t n, sweep_judge *, void *ctx, struct err *e);
void crew_free(struct crew *);

/* Gives a cell to process `seat`, which takes one after the other. */
void crew_give(struct crew *, size_t seat, size_t cell);
/* Waits for news at most so many milliseconds. NULL is allowed. */
void crew_wait(const struct crew *, int ms);

/* `died` NULL: the process at `seat` answered `cell`. *message has the processor time that this took, a double in
 * seconds, and the answer as sweep_cell_shape sends it, until the next call. Otherwise the process died while it judged
 * `cell`, and all that was given to it is lost. A new process takes its place; `lost`: none could be started, and the
 * seat stays empty. */
struct crew_news {
	size_t seat, cell;
	struct wire *message;
	char *died; /* owned */
	bool lost;
};
/* Takes the next news, without waiting. False: there are none. */
bool crew_next(struct crew *, struct crew_news *);

#endif
