#include "work/files/instruction_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel.h"
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
message_wire(struct wire *wire, struct message *message)
{
	message->word = (enum word)wire_word(wire, (int)message->word, WORDS);
	wire_str(wire, &message->text);
	wire_str(wire, &message->more);
	wire_str(wire, &message->program);
	wire_u64(wire, &message->uops);
	wire_u64(wire, &message->cycles);
	wire_u64(wire, &message->address);
	wire_u64(wire, &message->n);
	wire_double(wire, &message->own);
	wire_doubles(wire, &message->part, &message->n_parts);
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
	struct instruction_stacks *stacks;

	parallel_stand_back();
	stacks = instruction_stacks_new(
		((const struct instruction_run *)run)->of, NULL, instruction_run_is_alone, &w, &e);
	if (!stacks) {
		instruction_run_send_message(sender, &(struct message){.word = FAILED, .text = e.what, .more = e.hint});
		return;
	}
	instruction_run_send_message(sender,
		&(struct message){.word = PROGRAM,
			.text = stacks->title,
			.more = stacks->machine,
			.program = stacks->program,
			.uops = stacks->uops,
			.cycles = stacks->cycles,
			.n = stacks->n,
			.part = stacks->part,
			.n_parts = stacks->n_parts});
	for (size_t i = 0; i < stacks->n; i++)
		instruction_run_send_message(sender,
			&(struct message){.word = INSTRUCTION,
				.text = stacks->item[i].text,
				.uops = stacks->item[i].uops,
				.address = stacks->item[i].address,
				.own = stacks->item[i].cycles,
				.part = stacks->item[i].part,
				.n_parts = stacks->n_parts});
	instruction_stacks_free(stacks);
}

/* --- the explorer ------------------------------------------------------------------------------------------------ */

struct instruction_run *
instruction_run_start(const char *simulation, struct err *e)
{
	struct instruction_run *run;

	if (!instruction_stacks_can(simulation, e))
		return NULL;
	run = instruction_run_done(simulation, instruction_stacks_empty());
	run->complete = false;
	run->process = side_process_start("hecate-instrs", instruction_run_simulate, run, e);
	if (run->process)
		return run;
	instruction_run_free(run);
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
take_program(struct instruction_run *run, struct message *message)
{
	struct instruction_stacks *stacks = run->got;

	if (!message->text || !message->more || !message->program || message->n_parts != stacks->n_parts ||
		stacks->title)
		return false;
	stacks->title = message->text;
	stacks->machine = message->more;
	stacks->program = message->program;
	message->text = message->more = message->program = NULL;
	stacks->uops = message->uops;
	stacks->cycles = message->cycles;
	memcpy(stacks->part, message->part, stacks->n_parts * sizeof *stacks->part);
	run->expected = (size_t)message->n;
	return true;
}

static bool
take_instruction(struct instruction_run *run, struct message *message)
{
	struct instruction_stacks *stacks = run->got;

	if (!message->text || message->n_parts != stacks->n_parts || stacks->n >= run->expected)
		return false;
	mem_grow(&stacks->item, &run->cap, stacks->n + 1, sizeof *stacks->item);
	stacks->item[stacks->n++] = (struct instruction_stack){.address = message->address,
		.text = message->text,
		.uops = message->uops,
		.cycles = message->own,
		.part = message->part};
	message->text = NULL;
	message->part = NULL;
	return true;
}

/* False: the message cannot be read. */
static bool
instruction_run_take(void *run, struct wire *wire)
{
	struct instruction_run *instruction_run = run;
	struct message x = {0};
	bool good;

	message_wire(wire, &x);
	good = !wire->bad;
	if (good && x.word == PROGRESS)
		instruction_run->uops = x.uops;
	else if (good && x.word == PROGRAM)
		good = take_program(instruction_run, &x);
	else if (good && x.word == INSTRUCTION)
		good = take_instruction(instruction_run, &x);
	else if (good) {
		err_set(&instruction_run->failed, "%s", x.text ? x.text : "");
		err_hint(&instruction_run->failed, "%s", x.more ? x.more : "");
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
instruction_run_poll(struct instruction_run *run, struct err *e)
{
	char *died;

	switch (run->process ? side_process_take(run->process, instruction_run_take, run, &died) : SIDE_NOTHING) {
	case SIDE_NOTHING:
		return INSTRUCTION_GOES_ON;
	case SIDE_MESSAGE:
		return INSTRUCTION_NEWS;
	case SIDE_ENDED:
		break;
	}
	return instruction_run_end(run, died, e);
}
