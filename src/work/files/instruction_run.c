#include "work/files/instruction_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "shape/wire.h"
#include "work/side_process.h"

#define QUESTIONS_PER_NEWS 32u /* of those whether to stop, between two messages about progress */

struct instruction_run {
	char *of;
	struct side_process *process; /* NULL: none, all was there at once */
	struct instruction_stacks *got;
	size_t cap;                   /* instructions that `got` has room for */
	size_t expected;              /* instructions that the process announced */
	bool complete;
	uint64_t uops;
	struct err failed;
};

/* --- messages ---------------------------------------------------------------------------------------------------- */

enum word { PROGRESS, PROGRAM, INSTRUCTION, FAILED, WORDS };

/* `text` is the program's title, what the instruction does, or why it failed; `more` the machine, or what to do. */
struct message {
	enum word word;
	char *text, *more, *program;
	uint64_t uops, cycles, address, n;
	double own;   /* cycles of the instruction */
	double *part; /* n_parts */
	size_t n_parts;
};

static void
message_wire(struct wire *w, struct message *x)
{
	x->word = (enum word)wire_word(w, (int)x->word, WORDS);
	wire_str(w, &x->text);
	wire_str(w, &x->more);
	wire_str(w, &x->program);
	wire_u64(w, &x->uops);
	wire_u64(w, &x->cycles);
	wire_u64(w, &x->address);
	wire_u64(w, &x->n);
	wire_double(w, &x->own);
	wire_doubles(w, &x->part, &x->n_parts);
}

static void
instruction_run_send_message(struct side_sender *s, struct message *x)
{
	struct wire w = {0};

	message_wire(&w, x);
	side_send(s, &w);
	wire_free(&w);
}

/* --- the process ------------------------------------------------------------------------------------------------- */

struct work {
	struct side_sender *sender;
	uint64_t questions;
};

/* Reports the progress, too. */
static bool
instruction_run_is_alone(void *work)
{
	struct work *w = work;

	if (++w->questions % QUESTIONS_PER_NEWS == 0)
		instruction_run_send_message(w->sender, &(struct message){
			.word = PROGRESS, .uops = w->questions * INSTRUCTION_STACKS_STEP});
	return !side_is_awaited(w->sender);
}

static void
instruction_run_simulate(struct side_sender *sender, void *run)
{
	struct work w = {.sender = sender};
	struct err e = {0};
	struct instruction_stacks *s = instruction_stacks_new(
		((const struct instruction_run *)run)->of, NULL, instruction_run_is_alone, &w, &e);

	if (!s) {
		instruction_run_send_message(sender, &(struct message){.word = FAILED, .text = e.what, .more = e.hint});
		return;
	}
	instruction_run_send_message(sender, &(struct message){.word = PROGRAM, .text = s->title, .more = s->machine,
		.program = s->program, .uops = s->uops, .cycles = s->cycles, .n = s->n, .part = s->part,
		.n_parts = s->n_parts});
	for (size_t i = 0; i < s->n; i++)
		instruction_run_send_message(sender, &(struct message){.word = INSTRUCTION, .text = s->item[i].text,
			.uops = s->item[i].uops, .address = s->item[i].address, .own = s->item[i].cycles,
			.part = s->item[i].part, .n_parts = s->n_parts});
	instruction_stacks_free(s);
}

/* --- the explorer ------------------------------------------------------------------------------------------------ */

struct instruction_run *
instruction_run_start(const char *simulation, struct err *e)
{
	struct instruction_run *r;

	if (!instruction_stacks_can(simulation, e))
		return NULL;
	r = instruction_run_done(simulation, instruction_stacks_empty());
	r->complete = false;
	r->process = side_process_start("hecate-instrs", instruction_run_simulate, r, e);
	if (r->process)
		return r;
	instruction_run_free(r);
	return NULL;
}

struct instruction_run *
instruction_run_done(const char *simulation, struct instruction_stacks *s)
{
	struct instruction_run *r = mem_new(sizeof *r);

	r->of = mem_str(simulation);
	r->got = s;
	r->complete = true;
	return r;
}

void
instruction_run_free(struct instruction_run *r)
{
	if (!r)
		return;
	side_process_free(r->process);
	instruction_stacks_free(r->got);
	free(r->of);
	free(r);
}

const char *
instruction_run_of(const struct instruction_run *r)
{
	return r->of;
}

int
instruction_run_fd(const struct instruction_run *r)
{
	return r->process ? side_process_fd(r->process) : -1;
}

uint64_t
instruction_run_uops(const struct instruction_run *r)
{
	return r->uops;
}

const struct instruction_stacks *
instruction_run_stacks(const struct instruction_run *r)
{
	return r->complete ? r->got : NULL;
}

/* The program's own numbers come before its instructions. */
static bool
take_program(struct instruction_run *r, struct message *x)
{
	struct instruction_stacks *s = r->got;

	if (!x->text || !x->more || !x->program || x->n_parts != s->n_parts || s->title)
		return false;
	s->title = x->text;
	s->machine = x->more;
	s->program = x->program;
	x->text = x->more = x->program = NULL;
	s->uops = x->uops;
	s->cycles = x->cycles;
	memcpy(s->part, x->part, s->n_parts * sizeof *s->part);
	r->expected = (size_t)x->n;
	return true;
}

static bool
take_instruction(struct instruction_run *r, struct message *x)
{
	struct instruction_stacks *s = r->got;

	if (!x->text || x->n_parts != s->n_parts || s->n >= r->expected)
		return false;
	mem_grow(&s->item, &r->cap, s->n + 1, sizeof *s->item);
	s->item[s->n++] = (struct instruction_stack){
		.address = x->address, .text = x->text, .uops = x->uops, .cycles = x->own, .part = x->part};
	x->text = NULL;
	x->part = NULL;
	return true;
}

/* False: the message cannot be read. */
static bool
instruction_run_take(void *run, struct wire *w)
{
	struct instruction_run *r = run;
	struct message x = {0};
	bool good;

	message_wire(w, &x);
	good = !w->bad;
	if (good && x.word == PROGRESS)
		r->uops = x.uops;
	else if (good && x.word == PROGRAM)
		good = take_program(r, &x);
	else if (good && x.word == INSTRUCTION)
		good = take_instruction(r, &x);
	else if (good) {
		err_set(&r->failed, "%s", x.text ? x.text : "");
		err_hint(&r->failed, "%s", x.more ? x.more : "");
	}
	free(x.text);
	free(x.more);
	free(x.program);
	free(x.part);
	return good;
}

static enum instruction_step
instruction_run_end(struct instruction_run *r, char *died, struct err *e)
{
	r->complete = !died && !*r->failed.what && r->got->title && r->got->n == r->expected;
	if (died)
		err_set(e, "%s", died);
	else if (*r->failed.what)
		*e = r->failed;
	else if (!r->complete)
		err_set(e, "the process that simulates %s ended before it was done", r->of);
	free(died);
	return r->complete ? INSTRUCTION_ENDED : INSTRUCTION_FAILED;
}

enum instruction_step
instruction_run_poll(struct instruction_run *r, struct err *e)
{
	char *died;

	switch (r->process ? side_process_take(r->process, instruction_run_take, r, &died) : SIDE_NOTHING) {
	case SIDE_NOTHING:
		return INSTRUCTION_GOES_ON;
	case SIDE_MESSAGE:
		return INSTRUCTION_NEWS;
	case SIDE_ENDED:
		break;
	}
	return instruction_run_end(r, died, e);
}
