/* An out-of-order core, simulated cycle by cycle: it fetches, predicts, dispatches, issues, executes and commits µops,
 * and keeps exact counts of what happens, and of where each method of accounting says that the cycles go.
 *
 *     fetch ──► front end ──► dispatch ──► issue ──► execute ──► commit
 *       │      (front_end      (width)    (issue,     │          (commit)
 *       │       cycles)                    ports)     └─ resolves branches: squash, fetch from the right path
 *       └─ L1I, ITLB, branch prediction
 *
 * In each cycle the stages run from the last to the first, so that what one stage frees is free for the one before it
 * in the same cycle, and no µop passes two stages in a cycle.
 *
 * The right path comes from outside. After a mispredicted branch the pipeline fetches from the code that it has seen
 * so far (seen_code.h), because neither a trace nor a program has the wrong path. */
#ifndef SIM_PIPELINE_PIPE_H
#define SIM_PIPELINE_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/account/account.h"
#include "sim/event.h"
#include "sim/machine.h"
#include "sim/op.h"

struct sim_instructions;
struct sim_pipe;

/* A set of perfect structures, by what they would cost: bit 1 << enum sim_part. BRANCH: all branches are predicted;
 * L1I, L1D: the first level always hits; L2I, L2D, L3I, L3D: an access that misses the level above always hits this
 * level; ITLB, DTLB: addresses are translated at once. */
typedef uint32_t sim_perfect;

/* Makes a core with empty caches. The machine has a pipeline, and must outlive the core. */
struct sim_pipe *sim_pipe_new(const struct sim_machine *, sim_plants, sim_perfect);
void sim_pipe_free(struct sim_pipe *);

/* Takes the next µops of the right path. When it returns, most of them were fetched; those in flight and some that wait
 * to be fetched go on with the next call. */
void sim_pipe_run(struct sim_pipe *, const struct sim_op *, size_t n);
/* Runs until all µops that were given have committed. */
void sim_pipe_drain(struct sim_pipe *);
/* Limits the cycles that are simulated from now on; a series of cycles that are alike costs one. When they are spent,
 * the core stands still, and sim_pipe_run() and sim_pipe_drain() return at once. */
void sim_pipe_bound(struct sim_pipe *, uint64_t cycles);
bool sim_pipe_is_spent(const struct sim_pipe *);
/* Returns SIM_N_COUNTS running totals, current after sim_pipe_run() and sim_pipe_drain(). */
const uint64_t *sim_pipe_counts(const struct sim_pipe *);

/* One cycle, or several that are alike, for diagrams and tests. */
struct sim_pipe_cycle {
	uint64_t at;     /* first cycle */
	struct sim_signals signals;
	unsigned dispatched, issued;    /* µops of the right path */
	unsigned rob, wrong;            /* µops between dispatch and commit; how many of these are of a wrong path */
	unsigned far_begun, far_ended;  /* loads of the right path served by memory: issued; with data that arrived */
	bool mispredicted;              /* a mispredicted branch was dispatched */
	bool resolved;                  /* a mispredicted branch was resolved */
};
/* Has `watch` called after each cycle from now on; NULL: no longer. */
void sim_pipe_watch(struct sim_pipe *, void (*watch)(void *ctx, const struct sim_pipe_cycle *), void *ctx);

/* From now on also charges each cycle to instructions, as account/instructions.h says. Changes no count. */
void sim_pipe_attribute(struct sim_pipe *, struct sim_instructions *);

#endif
