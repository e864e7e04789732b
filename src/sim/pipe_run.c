#include "sim/pipe_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parallel.h"

#define BATCH 4096u
#define REFERENCES_MAX 16
#define WORTH_THREADS 1024u /* µops of a step that take longer than to start threads */

/* Everything that can be perfect. */
#define ALL_PERFECT \
	(1u << SIM_PART_BRANCH | 1u << SIM_PART_L1I | 1u << SIM_PART_L2I | 1u << SIM_PART_L3I | 1u << SIM_PART_ITLB | \
	1u << SIM_PART_L1D | 1u << SIM_PART_L2D | 1u << SIM_PART_L3D | 1u << SIM_PART_DTLB)

/* The orders in which structures become real. The first two steps are common. */
static const enum sim_part order[2][9] = {
	{SIM_PART_L1D, SIM_PART_BRANCH, SIM_PART_L1I, SIM_PART_L2I, SIM_PART_L3I, SIM_PART_ITLB, SIM_PART_L2D,
		SIM_PART_L3D, SIM_PART_DTLB},
	{SIM_PART_L1D, SIM_PART_BRANCH, SIM_PART_L2D, SIM_PART_L3D, SIM_PART_DTLB, SIM_PART_L1I, SIM_PART_L2I,
		SIM_PART_L3I, SIM_PART_ITLB},
};

struct sim_pipe_run {
	struct sim_stream *stream;
	struct sim_pipe *pipe;
	struct sim_pipe *reference[REFERENCES_MAX];
	sim_perfect perfect[REFERENCES_MAX];
	unsigned n_references;
	unsigned step[2][10];   /* runs of each order, from all perfect on; the last one, n_references, is `pipe` */
	bool exists[SIM_N_PARTS]; /* the machine has such a structure */
	uint64_t count[SIM_N_COUNTS];
	bool spread;
	size_t n_ops;             /* of the present step */
	struct sim_op op[BATCH];
};

/* Returns the number of the reference run with these perfect structures, perhaps a new one. */
static unsigned
reference_of(struct sim_pipe_run *r, const struct sim_machine *m, sim_plants plants, sim_perfect perfect)
{
	unsigned i = 0;

	while (i < r->n_references && r->perfect[i] != perfect)
		i++;
	if (i == r->n_references) {
		r->perfect[i] = perfect;
		r->reference[r->n_references++] = sim_pipe_new(m, plants, perfect);
	}
	return i;
}

static void
make_references(struct sim_pipe_run *run, const struct sim_machine *machine, sim_plants plants, sim_perfect own)
{
	for (int k = 0; k < 2; k++) {
		sim_perfect perfect = ALL_PERFECT;

		run->step[k][0] = reference_of(run, machine, plants, perfect);
		for (int i = 0; i < 9; i++) {
			enum sim_part part = order[k][i];

			if (run->exists[part] && !(own >> part & 1))
				perfect &= ~(1u << part);
			run->step[k][i + 1] = i < 8 ? reference_of(run, machine, plants, perfect) : UINT32_MAX;
		}
	}
}

struct sim_pipe_run *
sim_pipe_run_new(const struct sim_machine *machine, sim_plants plants, sim_perfect perfect, struct sim_stream *stream,
	bool references)
{
	struct sim_pipe_run *run = mem_new(sizeof *run);

	run->stream = stream;
	run->pipe = sim_pipe_new(machine, plants, perfect);
	for (int i = 0; i < (int)SIM_N_PARTS; i++)
		run->exists[i] = true;
	run->exists[SIM_PART_ITLB] = machine->pipe.itlb.entries != 0;
	run->exists[SIM_PART_L3I] = run->exists[SIM_PART_L3D] = machine->l3.bytes != 0;
	if (references)
		make_references(run, machine, plants, perfect);
	return run;
}

void
sim_pipe_run_free(struct sim_pipe_run *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->n_references; i++)
		sim_pipe_free(r->reference[i]);
	sim_pipe_free(r->pipe);
	sim_stream_free(r->stream);
	free(r);
}

void
sim_pipe_run_spread(struct sim_pipe_run *r)
{
	r->spread = true;
}

/* Takes the µops of the present step through the run itself (0) or a reference run. */
static void
step_one(void *ctx, size_t i)
{
	struct sim_pipe_run *r = ctx;

	sim_pipe_run(i ? r->reference[i - 1] : r->pipe, r->op, r->n_ops);
}

size_t
sim_pipe_run_step(struct sim_pipe_run *r, size_t n, struct err *e)
{
	size_t got = sim_stream_fill(r->stream, r->op, n < BATCH ? n : BATCH, e);

	if (got == 0 || got == SIZE_MAX)
		return got;
	r->n_ops = got;
	if (r->spread && got >= WORTH_THREADS)
		parallel_each(&(struct parallel){.each = step_one, .ctx = r}, 1u + r->n_references);
	else
		for (size_t i = 0; i < 1u + r->n_references; i++)
			step_one(r, i);
	return got;
}

void
sim_pipe_run_drain(struct sim_pipe_run *r)
{
	sim_pipe_drain(r->pipe);
	for (unsigned i = 0; i < r->n_references; i++)
		sim_pipe_drain(r->reference[i]);
}

static uint64_t
cycles_of(const struct sim_pipe_run *r, unsigned reference)
{
	return sim_pipe_counts(reference < r->n_references ? r->reference[reference] : r->pipe)[SIM_CYCLES];
}

/* Fills in the components by the reference runs. A component that is below zero so far stays as it was: running totals
 * do not fall. */
static void
count_references(struct sim_pipe_run *r)
{
	static const enum sim_event base[2] = {SIM_REFERENCE_BASE, SIM_INVERSE_BASE};

	for (int k = 0; k < 2; k++) {
		r->count[base[k]] = cycles_of(r, r->step[k][0]);
		for (int i = 0; i < 9; i++) {
			uint64_t before = cycles_of(r, r->step[k][i]), after = cycles_of(r, r->step[k][i + 1]),
				*part = &r->count[(int)base[k] + (int)order[k][i]];

			if (after > before && after - before > *part)
				*part = after - before;
		}
	}
}

const uint64_t *
sim_pipe_run_counts(struct sim_pipe_run *r)
{
	memcpy(r->count, sim_pipe_counts(r->pipe), (size_t)SIM_REFERENCE_BASE * sizeof *r->count);
	if (r->n_references)
		count_references(r);
	return r->count;
}

struct sim_pipe *
sim_pipe_run_pipe(const struct sim_pipe_run *r)
{
	return r->pipe;
}
