#include "sim/trace/op_trace.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/trace/input.h"
#include "sim/trace/reader.h"

/* bytes from which the format is guessed: 16 records of ChampSim, or some lines */
#define KIND_BYTES ((size_t)262)
#define GUESS_BYTES ((size_t)1024)

struct op_trace {
	struct sim_stream stream;
	struct sim_input *in;
	struct sim_op_reader *reader;
	size_t pending, at;     /* number of an instruction's µops still to be returned; index of the next */
	bool guessed;           /* the trace begins like one of the format `guess`, and of no other */
	enum sim_trace_format guess;
	bool failed;
	struct err e;
	struct sim_op op[SIM_CRACK_MAX];
};

static const struct sim_op_reader_ops *const op_readers[SIM_N_TRACE_FORMATS] = {
	[SIM_CHAMPSIM] = &sim_champsim_reader, [SIM_CBP] = &sim_cbp_reader, [SIM_LACKEY] = &sim_lackey_reader,
};

const char *
sim_trace_format_name(enum sim_trace_format f)
{
	return op_readers[f]->name;
}

bool
sim_trace_format_find(const char *name, enum sim_trace_format *f)
{
	for (int i = 0; i < SIM_N_TRACE_FORMATS; i++)
		if (str_eq(name, op_readers[i]->name)) {
			*f = (enum sim_trace_format)i;
			return true;
		}
	return false;
}

bool
sim_trace_format_guess(const void *bytes, size_t n, enum sim_trace_format *f)
{
	size_t found = 0;

	for (int i = 0; i < SIM_N_TRACE_FORMATS; i++)
		if (op_readers[i]->fits(bytes, n)) {
			*f = (enum sim_trace_format)i;
			found++;
		}
	return found == 1;
}

/* Reports what the file is instead of a trace, if its first bytes show it. */
static bool
say_kind(const struct sim_input *in, struct err *e)
{
	const char *program, *kind = sim_input_kind(in->at, in->n, &program);

	if (!kind)
		return false;
	err_set(e, "this is no trace: its first bytes are those of %s", kind);
	if (program)
		err_hint(e, "uncompress it into a pipe: %s FILE | hecate sim --trace FORMAT:- …", program);
	else
		err_hint(e, "give a trace of ChampSim, CBP or lackey");
	return true;
}

/* Adds which format the trace seems to have, if it is invalid from the start in the named format. */
static void
say_format(struct op_trace *t)
{
	if (t->guessed && t->guess != t->reader->facts.format && t->in->offset < GUESS_BYTES)
		err_hint(&t->e, "it looks like a trace of the format %s, not %s", sim_trace_format_name(t->guess),
			t->reader->ops->name);
}

static size_t
trace_fail(struct op_trace *t, struct err *e)
{
	t->failed = true;
	if (e)
		*e = t->e;
	return SIZE_MAX;
}

/* Takes an instruction. Returns the number of its µops; 0: more bytes are needed, or the trace has ended; −1: t->e. */
static int
take_instruction(struct op_trace *trace, struct sim_op *out)
{
	bool first = trace->in->offset == 0;
	int n;

	if (first && trace->in->n < KIND_BYTES && !trace->in->ended) /* these bytes show whether it is something else */
		return 0;
	if (first && say_kind(trace->in, &trace->e))
		return -1;
	if (first)
		trace->guessed = sim_trace_format_guess(
			trace->in->at, trace->in->n < GUESS_BYTES ? trace->in->n : GUESS_BYTES, &trace->guess);
	n = trace->reader->ops->take(trace->reader, trace->in, out, &trace->e);
	if (n < 0)
		say_format(trace);
	if (n == 0 && trace->in->ended && !trace->reader->facts.instructions) {
		err_set(&trace->e, trace->in->offset ? "the trace has no instruction" : "the trace is empty");
		err_hint(&trace->e, "make one: hecate trace -o FILE -- CMD");
		return -1;
	}
	return n;
}

static size_t
op_trace_fill(struct sim_stream *stream, struct sim_op *out, size_t n, struct err *e)
{
	struct op_trace *trace = (struct op_trace *)stream;
	size_t k = 0;

	while (k < n && !trace->failed) {
		bool direct = n - k >= SIM_CRACK_MAX;
		int took;

		if (trace->pending) {
			out[k++] = trace->op[trace->at++];
			trace->pending--;
			continue;
		}
		took = take_instruction(trace, direct ? out + k : trace->op);
		if (took > 0 && direct) {
			k += (size_t)took;
		} else if (took > 0) {
			trace->pending = (size_t)took;
			trace->at = 0;
		} else if (took < 0) {
			trace->failed = true;
		} else if (k || trace->in->ended) { /* the µops so far are returned instead of waiting for input */
			return k;
		} else if (!sim_input_more(trace->in, &trace->e) && !trace->in->ended) {
			trace->failed = true;
		}
	}
	return k ? k : trace_fail(trace, e);
}

static void
op_trace_free(struct sim_stream *s)
{
	struct op_trace *t = (struct op_trace *)s;

	if (t->reader)
		t->reader->ops->free(t->reader);
	sim_input_free(t->in);
	free(t);
}

static struct op_trace *
op_trace_of(struct sim_input *in)
{
	struct op_trace *t = mem_new(sizeof *t);

	t->stream = (struct sim_stream){op_trace_fill, op_trace_free};
	t->in = in;
	return t;
}

static struct sim_stream *
read_as(struct op_trace *t, enum sim_trace_format f)
{
	t->reader = op_readers[f]->new();
	t->reader->ops = op_readers[f];
	t->reader->facts.format = f;
	return &t->stream;
}

struct sim_stream *
sim_op_trace_new(int fd, enum sim_trace_format f)
{
	return read_as(op_trace_of(sim_input_new(fd)), f);
}

struct sim_stream *
sim_op_trace_from(sim_trace_read *read_from, void *ctx, enum sim_trace_format f)
{
	return read_as(op_trace_of(sim_input_from(read_from, ctx)), f);
}

struct sim_stream *
sim_op_trace_open(int fd, struct err *e)
{
	struct op_trace *trace = op_trace_of(sim_input_new(fd));
	enum sim_trace_format f;

	while (trace->in->n < GUESS_BYTES && sim_input_more(trace->in, e))
		;
	if (trace->in->n < GUESS_BYTES && !trace->in->ended) {
		op_trace_free(&trace->stream);
		return NULL;
	}
	if (sim_trace_format_guess(trace->in->at, trace->in->n < GUESS_BYTES ? trace->in->n : GUESS_BYTES, &f))
		return read_as(trace, f);
	if (!trace->in->n) {
		err_set(e, "the trace is empty");
		err_hint(e, "make one: hecate trace -o FILE -- CMD");
	} else if (!say_kind(trace->in, e)) {
		err_set(e, "no format of traces begins like this: it must be one of champsim, cbp and lackey");
		err_hint(e, "name the format, for instance champsim:FILE, to see which record is broken");
	}
	op_trace_free(&trace->stream);
	return NULL;
}

struct sim_trace_facts
sim_op_trace_facts(const struct sim_stream *s)
{
	const struct op_trace *t = (const struct op_trace *)s;
	struct sim_trace_facts f = t->reader->facts;

	f.bytes = t->in->offset;
	return f;
}
