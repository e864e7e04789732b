/* Models × files of data, judged by several processes: those of this machine, and with mpirun those of others.
 *
 *     rank 0   which cells are known, who has which ──▶ its crew of processes
 *     rank k   passes cells on to a crew of its own, and answers back
 *
 * Rank 0 gives each process the next cell when it is done with one, if possible of the same model, whose cones it has.
 * Who judges a cell does not change its answer. If a process dies, its cells are given to others. If a rank dies, Open
 * MPI 4 ends them all; what `take` kept is then there for the next sweep. */
#ifndef WORK_SWEEP_SWEEP_H
#define WORK_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/sweep/crew.h"

struct ranks;

struct sweep_how {
	size_t n_models, n_data;
	const char *const *data; /* paths; cell m · n_data + d is file d on model m */
	sweep_judge *judge;
	size_t jobs;         /* processes of each rank, at least 1 */
	struct ranks *ranks; /* NULL: this process alone */
	uint64_t question;   /* checksum of the models and options, which must be the same on all ranks */
	const char *cannot;  /* why this rank cannot take part; NULL: it can */
	/* called regularly; false ends the sweep */
	bool (*go_on)(void *ctx, size_t known, size_t of, size_t processes);
	void (*take)(void *ctx, size_t cell); /* a cell became known, and is in its place */
	void (*say)(void *ctx, const char *sentence);
	void *ctx; /* of all four functions */
};

/* What a sweep took. */
struct sweep_cost {
	size_t cells, processes, ranks; /* judged; that judged them; on which they ran */
	double judging, busiest;        /* s of processor time of all processes, and of the one that took most */
	double giving; /* s of processor time of rank 0 itself: what does not become less with more ranks */
};

/* Fills the cells that are not known, and sets them known. On ranks other than 0 it judges for rank 0, and fills none.
 * False: go_on() ended it, or *e: no process was left. */
bool sweep_run(const struct sweep_how *, struct sweep_cell *, bool *known, struct sweep_cost *, struct err *e);

#endif
