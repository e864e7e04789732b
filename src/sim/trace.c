#include "sim/trace.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/trace/input.h"
#include "sim/trace/lackey.h"

#define OTHER_MAX 65535u

struct sim_trace {
	struct sim_input *in;
	struct sim_lackey lines;
	uint64_t other;       /* instructions since the last access that are not yet in a µop */
	bool fetched;         /* the last record was an instruction; an access that follows belongs to it */
	bool failed;
	struct sim_uop store; /* store of a modification whose load has been returned */
	bool owes;
	struct err e;
};

struct sim_trace *
sim_trace_new(int fd)
{
	struct sim_trace *t = mem_new(sizeof *t);

	t->in = sim_input_new(fd);
	return t;
}

void
sim_trace_free(struct sim_trace *t)
{
	if (!t)
		return;
	sim_input_free(t->in);
	free(t);
}

static size_t
fail(struct sim_trace *t, struct err *e)
{
	t->failed = true;
	if (e)
		*e = t->e;
	return SIZE_MAX;
}

/* Counts an instruction until its access comes. False when the count is full: a SIM_FETCH must be returned first. */
static bool
count_instruction(struct sim_trace *t)
{
	t->other += t->fetched;
	t->fetched = true;
	return t->other < OTHER_MAX;
}

static struct sim_uop
flush_others(struct sim_trace *t)
{
	/* this instruction, and as many as were counted before it */
	struct sim_uop u = {.kind = SIM_FETCH, .other = (uint16_t)(t->other - 1), .size = 1};

	t->other = 0;
	return u;
}

static struct sim_uop
access_of(struct sim_trace *trace, const struct sim_lackey_record *record)
{
	struct sim_uop u = {.at = record->at, .size = record->size, .kind = record->what == 'S' ? SIM_STORE : SIM_LOAD,
		.other = (uint16_t)trace->other};

	trace->other = 0;
	trace->fetched = false;
	if (record->what == 'M') {
		trace->store = u;
		trace->store.kind = SIM_STORE;
		trace->store.other = 0;
		trace->owes = true;
	}
	return u;
}

/* Returns the instructions that no access followed, once, at the end. */
static size_t
trace_finish(struct sim_trace *trace, struct sim_uop *out, struct err *e)
{
	trace->other += trace->fetched;
	trace->fetched = false;
	if (!trace->lines.records) {
		err_set(&trace->e, "the trace has no record");
		err_hint(&trace->e,
			"make one: valgrind --tool=lackey --trace-mem=yes --log-fd=9 PROGRAM 9>&1 >/dev/null");
		return fail(trace, e);
	}
	if (!trace->other)
		return 0;
	*out = flush_others(trace);
	return 1;
}

/* Takes one record. Returns true when *out is set. */
static bool
take_access(struct sim_trace *t, const struct sim_lackey_record *r, struct sim_uop *out)
{
	if (r->what != 'I')
		*out = access_of(t, r);
	else if (!count_instruction(t))
		*out = flush_others(t);
	else
		return false;
	return true;
}

size_t
sim_trace_fill(struct sim_trace *trace, struct sim_uop *out, size_t n, struct err *e)
{
	size_t k = 0;

	while (k < n && !trace->failed) {
		struct sim_lackey_record r;
		int got;

		if (trace->owes) {
			out[k++] = trace->store;
			trace->owes = false;
			continue;
		}
		got = sim_lackey_next(&trace->lines, trace->in, &r, &trace->e);
		if (got > 0)
			k += take_access(trace, &r, &out[k]);
		else if (got < 0)
			trace->failed = true;
		else if (k) /* the caller already has µops, so this does not block */
			return k;
		else if (trace->in->ended)
			return trace_finish(trace, out, e);
		else if (!sim_input_more(trace->in, &trace->e) && !trace->in->ended)
			trace->failed = true;
	}
	return k ? k : fail(trace, e);
}
