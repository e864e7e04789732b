#include "work/files/instruction_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/account/instructions.h"
#include "sim/pipe_run.h"
#include "work/files/simulation.h"
#include "work/files/trace_file.h"

static void
add_register(struct str *out, uint8_t r)
{
	if (r >= SIM_FIRST_FP)
		str_addf(out, "f%u", r - SIM_FIRST_FP);
	else
		str_addf(out, "r%u", r);
}

/* Writes the registers that a µop reads, from `first` up to before `end`. */
static void
add_sources(struct str *out, const struct sim_op *o, int first, int end)
{
	for (int i = first, n = 0; i < end; i++)
		if (o->src[i] != SIM_NO_REGISTER) {
			str_add(out, n++ ? ", " : "");
			add_register(out, o->src[i]);
		}
}

/* Returns what an instruction does, as far as the simulated core knows. The caller frees it. */
static char *
instruction_stacks_text_of(const struct sim_op *op)
{
	static const char *const word[] = {
#define X(id, name) [SIM_OP_##id] = name,
		SIM_OPS(X)
#undef X
	};
	static const char *const branch[SIM_N_BRANCHES] = {
		[SIM_CONDITIONAL] = "branch if", [SIM_JUMP] = "jump", [SIM_INDIRECT] = "jump to", [SIM_CALL] = "call",
		[SIM_INDIRECT_CALL] = "call of", [SIM_RETURN] = "return",
	};
	bool stores = op->kind == SIM_OP_STORE, loads = op->kind == SIM_OP_LOAD;
	struct str out = {0}, from = {0};

	str_add(&out, op->branch ? branch[op->branch] : word[op->kind]);
	if (stores)
		add_sources(&from, op, 2, 3);
	else if (op->dst != SIM_NO_REGISTER)
		add_register(&from, op->dst);
	if (from.n)
		str_addf(&out, " %s", str_text(&from));
	str_free(&from);
	add_sources(&from, op, 0, stores ? 2 : 3);
	if ((stores || loads) && from.n) /* a trace may lack the registers */
		str_addf(&out, " %s [%s]", stores ? "→" : "←", str_text(&from));
	else if (from.n)
		str_addf(&out, "%s%s", op->dst != SIM_NO_REGISTER ? " ← " : " ", str_text(&from));
	str_free(&from);
	return str_take(&out);
}

static int
most_cycles_first(const void *a, const void *b)
{
	const struct instruction_stack *x = a, *y = b;

	if (x->cycles < y->cycles || x->cycles > y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return (x->address > y->address) - (x->address < y->address);
}

struct instruction_stacks *
instruction_stacks_empty(void)
{
	static const char *const name[] = {
#define X(id, name, text) [SIM_PART_##id] = name,
		SIM_PARTS(X)
#undef X
	};
	struct instruction_stacks *stacks = mem_new(sizeof *stacks);

	stacks->n_parts = SIM_N_PARTS;
	stacks->name = mem_copy(name, sizeof name);
	stacks->part = mem_new_array(stacks->n_parts, sizeof *stacks->part);
	return stacks;
}

static struct instruction_stacks *
instruction_stacks_take(const struct sim_instructions *instructions)
{
	struct instruction_stacks *stacks = instruction_stacks_empty();
	const struct sim_instruction *from = sim_instructions_all(instructions, &stacks->n);
	uint64_t sum[SIM_N_PARTS] = {0};

	stacks->item = mem_new_array(stacks->n, sizeof *stacks->item);
	for (size_t i = 0; i < stacks->n; i++) {
		struct instruction_stack *to = &stacks->item[i];
		uint64_t units = 0;

		*to = (struct instruction_stack){.address = from[i].op.pc,
			.text = instruction_stacks_text_of(&from[i].op),
			.uops = from[i].uops,
			.part = mem_new_array(stacks->n_parts, sizeof *to->part)};
		for (size_t k = 0; k < stacks->n_parts; k++) {
			to->part[k] = (double)from[i].units[k] / SIM_CYCLE_UNITS;
			units += from[i].units[k];
			sum[k] += from[i].units[k];
		}
		to->cycles = (double)units / SIM_CYCLE_UNITS;
		stacks->uops += to->uops;
	}
	for (size_t k = 0; k < stacks->n_parts; k++)
		stacks->part[k] = (double)sum[k] / SIM_CYCLE_UNITS;
	qsort(stacks->item, stacks->n, sizeof *stacks->item, most_cycles_first);
	return stacks;
}

struct work {
	struct simulation how;
	char *from; /* the trace; NULL: it is a program */
	struct trace_file trace;
	bool (*stop)(void *);
	void *ctx;
	bool cut, failed;
};

/* Runs up to n µops. Returns false when there are no more; w->failed and *e when the trace cannot be read. */
static bool
instruction_stacks_run(struct work *work, struct sim_pipe_run *run, uint64_t n, struct err *e)
{
	for (uint64_t done = 0; done < n;) {
		size_t got;

		work->cut = work->stop && work->stop(work->ctx);
		if (work->cut)
			return false;
		got = n - done < INSTRUCTION_STACKS_STEP ? (size_t)(n - done) : INSTRUCTION_STACKS_STEP;
		got = sim_pipe_run_step(run, got, e);
		work->failed = got == SIZE_MAX;
		if (got == 0 || work->failed)
			return false;
		done += got;
	}
	return true;
}

/* Parses the simulation and opens its program or trace. NULL and *e on failure. */
static struct sim_stream *
open_stream(struct work *work, const char *simulation, struct err *e)
{
	if (!simulation_parse(simulation, &work->how, e))
		return NULL;
	if (!work->how.machine->pipe.there) {
		err_set(e, "%s has no pipeline, so it has no cycles of instructions", work->how.name);
		err_hint(e, "for instance: hecate stack --by instruction sim:core:mcf-like");
		return NULL;
	}
	if (!work->from)
		return sim_program_new(work->how.workload, work->how.seed, e);
	if (!trace_file_open(work->from, &work->trace, e))
		return NULL;
	return work->trace.format < 0 ? sim_op_trace_open(work->trace.fd, e)
				   : sim_op_trace_new(work->trace.fd, (enum sim_trace_format)work->trace.format);
}

/* Simulates the stream, which it takes over, and returns the stacks; NULL and *e on failure. */
static struct instruction_stacks *
instruction_stacks_simulate(struct work *work, struct sim_stream *stream, struct err *e)
{
	const struct simulation *how = &work->how;
	struct sim_pipe_run *run = sim_pipe_run_new(how->machine, how->plants, how->perfect, stream, false);
	struct sim_instructions *instructions = sim_instructions_new();
	struct instruction_stacks *stacks = NULL;
	uint64_t most = (how->samples ? how->samples : SIM_SAMPLES) * how->accesses, before = 0;

	if (work->trace.fd >= 0 || instruction_stacks_run(work, run, how->warm_up, e)) {
		before = sim_pipe_run_counts(run)[SIM_CYCLES];
		sim_pipe_attribute(sim_pipe_run_pipe(run), instructions);
		if (!instruction_stacks_run(work, run, work->trace.fd >= 0 ? UINT64_MAX : most, e) && !work->failed &&
			!work->cut)
			sim_pipe_run_drain(run);
	}
	if (!work->failed) {
		stacks = instruction_stacks_take(instructions);
		stacks->cycles = sim_pipe_run_counts(run)[SIM_CYCLES] - before;
		stacks->cut = work->cut;
	}
	sim_instructions_free(instructions);
	sim_pipe_run_free(run);
	return stacks;
}

/* Opens what is simulated. NULL and *e on failure; call work_free() in either case. */
static struct sim_stream *
work_begin(struct work *work, const char *simulation, const char *trace, struct err *e)
{
	char *without = NULL, *named = NULL;
	bool in_text = trace_file_split(simulation, &without, &named);
	struct sim_stream *stream = NULL;

	work->trace.fd = -1;
	work->from = trace ? mem_str(trace) : named ? mem_str(named) : NULL;
	if (in_text && !work->from) {
		err_set(e, "%s names no file: its trace came through a pipe", simulation);
		err_hint(e, "hecate stack --by instruction sim:core --trace FILE");
	} else {
		stream = open_stream(work, in_text ? without : simulation, e);
	}
	free(without);
	free(named);
	return stream;
}

static void
work_free(struct work *w)
{
	trace_file_close(&w->trace);
	simulation_free(&w->how);
	free(w->from);
}

bool
instruction_stacks_can(const char *simulation, struct err *e)
{
	struct work w = {0};
	struct sim_stream *stream = work_begin(&w, simulation, NULL, e);
	bool can = stream != NULL;

	sim_stream_free(stream);
	work_free(&w);
	return can;
}

struct instruction_stacks *
instruction_stacks_new(
	const char *simulation, const char *trace, bool (*stop)(void *), void *ctx, struct err *e)
{
	struct work w = {.stop = stop, .ctx = ctx};
	struct sim_stream *stream = work_begin(&w, simulation, trace, e);
	struct instruction_stacks *stacks = stream ? instruction_stacks_simulate(&w, stream, e) : NULL;

	if (stacks) {
		stacks->machine = mem_str(w.how.machine->name);
		stacks->program = w.from ? mem_str("trace") : mem_str(w.how.workload);
		stacks->title = w.from ? mem_str(w.from) : simulation_short_text(&w.how);
	}
	work_free(&w);
	return stacks;
}

void
instruction_stacks_free(struct instruction_stacks *stacks)
{
	if (!stacks)
		return;
	for (size_t i = 0; i < stacks->n; i++) {
		free(stacks->item[i].text);
		free(stacks->item[i].part);
	}
	free(stacks->item);
	free(stacks->name);
	free(stacks->machine);
	free(stacks->program);
	free(stacks->title);
	free(stacks->part);
	free(stacks);
}
