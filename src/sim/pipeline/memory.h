/* Caches of a simulated pipeline: first levels for instructions and data, and the lower levels, which both share. They
 * hold tags and the times at which lines arrive. The machine says how lines are replaced.
 *
 * Requests come in the order of time. A line in flight is in its cache with a later time of arrival; a request for it
 * waits, and is not a miss. */
#ifndef SIM_PIPELINE_MEMORY_H
#define SIM_PIPELINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/account/account.h"
#include "sim/machine.h"

/* A line: its number + 1 (0: none) and the level that sent it, and when it arrives. */
struct pipe_line { uint64_t tag, arrives; };

struct pipe_cache {
	struct pipe_line *line; /* sets of ways, the most recently used first; for SIM_FIFO: the latest arrival */
	uint64_t mask;          /* sets − 1 */
	unsigned ways, shift;   /* shift: bits of an address inside a line */
	enum sim_replacement replacement;
	uint64_t random;        /* state of the generator for SIM_RANDOM */
};

enum pipe_level { PIPE_L1, PIPE_L2, PIPE_L3, PIPE_MEMORY };

struct pipe_memory {
	struct pipe_cache l1i, l1d, l2, l3;
	uint64_t latency[4];      /* by enum pipe_level, from a request to the first level for data */
	uint64_t *buffer;         /* time at which each fill buffer is free */
	unsigned buffers, next;
	bool has_l3;
	uint32_t perfect;         /* sim_perfect */
	uint64_t *count;          /* SIM_N_COUNTS totals */
};

void pipe_memory_init(struct pipe_memory *, const struct sim_machine *, uint32_t perfect, uint64_t *count);
void pipe_memory_free(struct pipe_memory *);

struct pipe_answer {
	uint64_t ready;       /* time at which the data are there */
	enum pipe_level by;   /* level that sends them; for a line in flight, the level it comes from */
	enum pipe_level found; /* level that has the line, perhaps in flight */
	bool missed;          /* this request missed; false for a line in flight */
};

/* Requests data at a physical address. A demand that misses takes a fill buffer; others (walkers, prefetches) do
 * not. */
struct pipe_answer pipe_memory_data(struct pipe_memory *, uint64_t address, uint64_t time, bool demand);
/* The two halves of such a request, for machines whose caches are looked up at fetch. The first is the lookup in
 * program order, whose `ready` means nothing. The second returns, when the access is executed, the time at which its
 * data are there; `by` is from the lookup. */
struct pipe_answer pipe_memory_look(struct pipe_memory *, uint64_t address, uint64_t now);
struct pipe_answer pipe_memory_use(struct pipe_memory *, uint64_t address, enum pipe_level by, uint64_t time);
/* The same for a prefetch, which counts as such. */
struct pipe_answer pipe_memory_prefetch(struct pipe_memory *, uint64_t address, uint64_t time);
/* Requests an instruction's line. A hit is ready at `time`. */
struct pipe_answer pipe_memory_fetch(struct pipe_memory *, uint64_t address, uint64_t time);

/* Returns the component of a stack that waits for this level: of instructions, or of data. */
enum sim_part pipe_memory_part(const struct pipe_memory *, enum pipe_level by, bool data);

#endif
