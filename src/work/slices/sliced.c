#include "work/slices/sliced.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "shape/wire.h"
#include "text/diag.h"
#include "work/files/texts.h"
#include "work/side_process.h"

/* --- slices and their clusters ----------------------------------------------------------------------------------- */

static struct stack *
sliced_load_stack(struct err *e)
{
	struct text text = {0};
	struct diags d = {0};
	struct stack *s = text_load(SLICES_STACK, TEXT_STACK, &text, e) ? text_stack(&text, &d) : NULL;

	if (!s && !*e->what)
		err_set(e, "the stack " SLICES_STACK " has errors");
	diags_free(&d);
	text_free(&text);
	return s;
}

static struct sliced *
sliced_new(const char *of, struct err *e)
{
	struct stack *stack = sliced_load_stack(e);
	struct sliced *sliced;

	if (!stack)
		return NULL;
	sliced = mem_new(sizeof *sliced);
	sliced->of = mem_str(of);
	sliced->stack = stack;
	slices_init(&sliced->slices, stack);
	return sliced;
}

void
sliced_free(struct sliced *x)
{
	if (!x)
		return;
	skp_free(x->skp);
	slices_free(&x->slices);
	stack_free(x->stack);
	free(x->of);
	free(x);
}

/* Puts them into clusters. False and *e: there are too few, or too many. */
static bool
cluster(struct sliced *x, struct err *e)
{
	if (x->slices.n > SLICED_MOST) {
		err_set(e, "%zu slices are more than the explorer puts into clusters", x->slices.n);
		return err_hint(e, "hecate slices DATA takes up to %u", SLICES_MOST);
	}
	x->skp = skp_new(&x->slices, &(struct skp_how){.eps = -1}, e);
	return x->skp != NULL;
}

struct sliced *
sliced_of_tables(const char *of, const struct obs_table *const *table, size_t n, struct err *e)
{
	struct sliced *sliced = sliced_new(of, e);
	bool good = sliced != NULL;

	for (size_t i = 0; i < n && good; i++)
		good = slices_add(&sliced->slices, table[i], NULL, e);
	if (good && sliced->slices.n == 0)
		good = err_set(e, "no row has a share of each part of the stack " SLICES_STACK);
	if (good && cluster(sliced, e))
		return sliced;
	sliced_free(sliced);
	return NULL;
}

/* --- a process that simulates ------------------------------------------------------------------------------------ */

struct slicing {
	struct side_process *process;
	char *on;
	struct sliced *got;
	size_t programs;
	struct err failed;
};

enum word { PROGRAM_DONE, SLICE, FAILED, WORDS };

/* A message: `text` is the name of a slice, or why there are none. */
struct message {
	enum word word;
	char *text;
	size_t origin, row, programs;
	double *share; /* n, of a slice */
	size_t n;
};

static void
message_wire(struct wire *w, struct message *x)
{
	x->word = (enum word)wire_word(w, (int)x->word, WORDS);
	wire_str(w, &x->text);
	wire_size(w, &x->origin);
	wire_size(w, &x->row);
	wire_size(w, &x->programs);
	wire_doubles(w, &x->share, &x->n);
}

static void
sliced_send_message(struct side_sender *s, struct message *x)
{
	struct wire w = {0};

	message_wire(&w, x);
	side_send(s, &w);
	wire_free(&w);
}

static void
tell_progress(void *sender, size_t done)
{
	sliced_send_message(sender, &(struct message){.word = PROGRAM_DONE, .programs = done});
}

static bool
sliced_is_alone(void *sender)
{
	return !side_is_awaited(sender);
}

/* The work of the process. */
static void
sliced_simulate(struct side_sender *sender, void *slicing)
{
	const struct slicing *how = slicing;
	struct slices *slices = &how->got->slices;
	struct err e = {0};
	struct obs_table *t;
	bool cut, good;
	size_t parts = slices->stack->n_parts;

	parallel_stand_back();
	t = slices_simulate(&(struct slices_simulation){.on = how->on, .ends = true,
		.progress = tell_progress, .stop = sliced_is_alone, .ctx = sender}, &cut, &e);
	good = t && slices_add(slices, t, NULL, &e);
	for (size_t i = 0; i < slices->n && good; i++)
		sliced_send_message(sender,
			&(struct message){.word = SLICE,
				.text = slices->names.name[i],
				.origin = slices->origin[i],
				.row = slices->row[i],
				.share = slices->share + i * parts,
				.n = parts});
	if (!good)
		sliced_send_message(sender, &(struct message){.word = FAILED, .text = e.what});
	obs_table_free(t);
}

struct slicing *
slicing_start(const char *on, struct err *e)
{
	struct sliced *sliced = sliced_new(on, e);
	struct slicing *slicing;

	if (!sliced)
		return NULL;
	slicing = mem_new(sizeof *slicing);
	slicing->on = mem_str(on);
	slicing->got = sliced;
	slicing->process = side_process_start("hecate-slices", sliced_simulate, slicing, e);
	if (slicing->process)
		return slicing;
	slicing_free(slicing);
	return NULL;
}

int
slicing_fd(const struct slicing *p)
{
	return side_process_fd(p->process);
}

const char *
slicing_of(const struct slicing *p)
{
	return p->on;
}

size_t
slicing_programs(const struct slicing *p)
{
	return p->programs;
}

static void
take_slice(struct slices *slices, const struct message *message)
{
	size_t parts = slices->stack->n_parts;

	mem_grow(&slices->share, &slices->cap, slices->n + 1, parts * sizeof *slices->share);
	mem_grow(&slices->origin, &slices->cap_origins, slices->n + 1, sizeof *slices->origin);
	mem_grow(&slices->row, &slices->cap_rows, slices->n + 1, sizeof *slices->row);
	for (size_t i = 0; i < parts; i++)
		slices->share[slices->n * parts + i] = message->share[i];
	slices->origin[slices->n] = message->origin;
	slices->row[slices->n++] = message->row;
	slices->n_origins = message->origin + 1;
	names_add(&slices->names, message->text, strlen(message->text));
}

/* False: the message cannot be read. */
static bool
sliced_take(void *slicing, struct wire *wire)
{
	struct slicing *p = slicing;
	struct slices *slices = &p->got->slices;
	struct message x = {0};
	bool good;

	message_wire(wire, &x);
	good = !wire->bad && (x.word == PROGRAM_DONE || x.text) && (x.word != SLICE || x.n == slices->stack->n_parts);
	if (good && x.word == PROGRAM_DONE)
		p->programs = x.programs;
	else if (good && x.word == SLICE)
		take_slice(slices, &x);
	else if (good)
		err_set(&p->failed, "%s", x.text);
	free(x.text);
	free(x.share);
	return good;
}

static enum slicing_step
sliced_end(struct slicing *slicing, char *died, struct sliced **got, struct err *e)
{
	if (died)
		err_set(e, "%s", died);
	else if (*slicing->failed.what)
		*e = slicing->failed;
	else if (cluster(slicing->got, e)) {
		*got = slicing->got;
		slicing->got = NULL;
	}
	free(died);
	return SLICING_ENDED;
}

enum slicing_step
slicing_poll(struct slicing *slicing, struct sliced **got, struct err *e)
{
	char *died;

	*got = NULL;
	switch (side_process_take(slicing->process, sliced_take, slicing, &died)) {
	case SIDE_NOTHING:
		return SLICING_GOES_ON;
	case SIDE_MESSAGE:
		return SLICING_NEWS;
	case SIDE_ENDED:
		break;
	}
	return sliced_end(slicing, died, got, e);
}

void
slicing_free(struct slicing *p)
{
	if (!p)
		return;
	side_process_free(p->process);
	sliced_free(p->got);
	free(p->on);
	free(p);
}
