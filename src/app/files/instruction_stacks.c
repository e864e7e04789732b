#include "app/files/instruction_stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files/simulation.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/sim/account/instructions.h"
#include "collect/sim/pipe_run.h"

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
text_of(const struct sim_op *o)
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
	bool stores = o->kind == SIM_OP_STORE, loads = o->kind == SIM_OP_LOAD;
	struct str out = {0}, from = {0};

	str_add(&out, o->branch ? branch[o->branch] : word[o->kind]);
	if (stores)
		add_sources(&from, o, 2, 3);
	else if (o->dst != SIM_NO_REGISTER)
		add_register(&from, o->dst);
	if (from.n)
		str_addf(&out, " %s", str_text(&from));
	str_free(&from);
	add_sources(&from, o, 0, stores ? 2 : 3);
	if (stores || loads)
		str_addf(&out, " %s [%s]", stores ? "→" : "←", str_text(&from));
	else if (from.n)
		str_addf(&out, "%s%s", o->dst != SIM_NO_REGISTER ? " ← " : " ", str_text(&from));
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
	struct instruction_stacks *s = mem_new(sizeof *s);

	s->n_parts = SIM_N_PARTS;
	s->name = mem_copy(name, sizeof name);
	s->part = mem_new_array(s->n_parts, sizeof *s->part);
	return s;
}

static struct instruction_stacks *
take(const struct sim_instructions *t)
{
	struct instruction_stacks *s = instruction_stacks_empty();
	const struct sim_instruction *from = sim_instructions_all(t, &s->n);
	uint64_t sum[SIM_N_PARTS] = {0};

	s->item = mem_new_array(s->n, sizeof *s->item);
	for (size_t i = 0; i < s->n; i++) {
		struct instruction_stack *to = &s->item[i];
		uint64_t units = 0;

		*to = (struct instruction_stack){.address = from[i].op.pc, .text = text_of(&from[i].op),
			.uops = from[i].uops, .part = mem_new_array(s->n_parts, sizeof *to->part)};
		for (size_t k = 0; k < s->n_parts; k++) {
			to->part[k] = (double)from[i].units[k] / SIM_CYCLE_UNITS;
			units += from[i].units[k];
			sum[k] += from[i].units[k];
		}
		to->cycles = (double)units / SIM_CYCLE_UNITS;
		s->uops += to->uops;
	}
	for (size_t k = 0; k < s->n_parts; k++)
		s->part[k] = (double)sum[k] / SIM_CYCLE_UNITS;
	qsort(s->item, s->n, sizeof *s->item, most_cycles_first);
	return s;
}

struct work {
	struct simulation how;
	int trace; /* descriptor; −1: none */
	bool (*stop)(void *);
	void *ctx;
	bool cut, failed;
};

/* Runs up to n µops. Returns false when there are no more; w->failed and *e when the trace cannot be read. */
static bool
run(struct work *w, struct sim_pipe_run *r, uint64_t n, struct err *e)
{
	for (uint64_t done = 0; done < n;) {
		size_t got;

		w->cut = w->stop && w->stop(w->ctx);
		if (w->cut)
			return false;
		got = n - done < INSTRUCTION_STACKS_STEP ? (size_t)(n - done) : INSTRUCTION_STACKS_STEP;
		got = sim_pipe_run_step(r, got, e);
		w->failed = got == SIZE_MAX;
		if (got == 0 || w->failed)
			return false;
		done += got;
	}
	return true;
}

/* Opens FORMAT:FILE, FILE or -. NULL and *e on failure. */
static struct sim_stream *
open_trace(struct work *w, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':');
	char *word = colon ? mem_strn(text, (size_t)(colon - text)) : NULL;
	enum sim_trace_format format;
	bool named = word && sim_trace_format_find(word, &format);
	const char *path = named ? colon + 1 : text;

	free(word);
	w->trace = str_eq(path, "-") ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (w->trace < 0) {
		err_set(e, "cannot open %s: %s", path, strerror(errno));
		err_hint(e, "--trace takes FILE, - or FORMAT:FILE, and FORMAT is champsim, cbp or lackey");
		return NULL;
	}
	return named ? sim_op_trace_new(w->trace, format) : sim_op_trace_open(w->trace, e);
}

static struct sim_stream *
open_stream(struct work *w, const char *trace, struct err *e)
{
	if (!w->how.machine->pipe.there) {
		err_set(e, "%s has no pipeline, so it has no cycles of instructions", w->how.name);
		err_hint(e, "for instance: hecate stack --by instruction sim:core:mcf-like");
		return NULL;
	}
	return trace ? open_trace(w, trace, e) : sim_program_new(w->how.workload, w->how.seed, e);
}

/* Simulates the stream, which it takes over, and returns the stacks; NULL and *e on failure. */
static struct instruction_stacks *
simulate(struct work *w, struct sim_stream *stream, struct err *e)
{
	const struct simulation *how = &w->how;
	struct sim_pipe_run *r = sim_pipe_run_new(how->machine, how->plants, how->perfect, stream, false);
	struct sim_instructions *t = sim_instructions_new();
	struct instruction_stacks *s = NULL;
	uint64_t most = (how->samples ? how->samples : SIM_SAMPLES) * how->accesses, before = 0;

	if (w->trace >= 0 || run(w, r, how->warm_up, e)) {
		before = sim_pipe_run_counts(r)[SIM_CYCLES];
		sim_pipe_attribute(sim_pipe_run_pipe(r), t);
		if (!run(w, r, w->trace >= 0 ? UINT64_MAX : most, e) && !w->failed && !w->cut)
			sim_pipe_run_drain(r);
	}
	if (!w->failed) {
		s = take(t);
		s->cycles = sim_pipe_run_counts(r)[SIM_CYCLES] - before;
		s->cut = w->cut;
	}
	sim_instructions_free(t);
	sim_pipe_run_free(r);
	return s;
}

struct instruction_stacks *
instruction_stacks_new(
	const char *simulation, const char *trace, bool (*stop)(void *), void *ctx, struct err *e)
{
	struct work w = {.trace = -1, .stop = stop, .ctx = ctx};
	struct sim_stream *stream = simulation_parse(simulation, &w.how, e) ? open_stream(&w, trace, e) : NULL;
	struct instruction_stacks *s = stream ? simulate(&w, stream, e) : NULL;

	if (s) {
		s->machine = mem_str(w.how.machine->name);
		s->program = trace ? mem_str("trace") : mem_str(w.how.workload);
		s->title = trace ? mem_str(trace) : simulation_short_text(&w.how);
	}
	if (w.trace > STDIN_FILENO)
		close(w.trace);
	simulation_free(&w.how);
	return s;
}

void
instruction_stacks_free(struct instruction_stacks *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		free(s->item[i].text);
		free(s->item[i].part);
	}
	free(s->item);
	free(s->name);
	free(s->machine);
	free(s->program);
	free(s->title);
	free(s->part);
	free(s);
}
