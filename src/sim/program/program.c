/* Executes the code of a program: follows its branches, and computes addresses and outcomes by the rules of code.h.
 *
 * Addresses of data, from 2^40 upwards, each region on pages of its own:
 *
 *   hot | warm | arrays | footprint (far data, lists) | … and the stack below 2^47 */
#include "sim/program/program.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "sim/orders.h"
#include "sim/program/catalogue.h"
#include "sim/program/code.h"

#define DATA_BASE ((uint64_t)1 << 40)
#define REGION_PAGE ((uint64_t)2 << 20)
/* Regions and arrays begin at different places of a page and of TLBs' sets, as the fields of one program do. */
#define REGION_SKEW ((uint64_t)5 * 4096)
#define ARRAY_SKEW ((uint64_t)73 * 64)
#define STACK_TOP (((uint64_t)1 << 47) - 65536)
#define FRAME 256u
#define LINE 64u
#define LINES_OF_PAGE 64u
#define CALLS_MAX 8u
/* Fresh lines of lessons come from so many lines, far more than any cache holds. */
#define EVENT_LINES ((uint64_t)1 << 24)

struct sim_program {
	struct sim_stream stream;
	struct sim_code code;
	uint32_t pc;                        /* index of the next instruction */
	uint32_t call[CALLS_MAX], depth;    /* return addresses, as indices */
	uint64_t random, history;           /* history: outcomes of conditional branches, the last in bit 0 */
	uint64_t wild;                      /* probabilities times 2^32 */
	/* likewise; to_far: that a burst begins; to_next: the next node of a list */
	uint64_t to_warm, to_far, to_next;
	uint32_t burst, far_left;
	uint64_t hot, hot_words, warm, warm_words, far, far_words;
	uint64_t array, array_bytes, array_step;
	uint64_t element[SIM_STREAMS_MAX];  /* byte of each array */
	struct sim_order nodes;
	uint64_t place[SIM_CHAINS_MAX];     /* position of each list in that order */
	uint64_t node[SIM_CHAINS_MAX];      /* address of its current node */
};

static bool
periodic_outcome(struct sim_site *t)
{
	bool taken = t->bits >> t->now & 1;

	t->now = t->now + 1 == t->limit ? 0 : t->now + 1;
	return taken;
}

static bool
varying_outcome(struct sim_program *p, struct sim_site *t)
{
	if (!t->now)
		t->now = 1 + (uint32_t)random_below(&p->random, 2 * (uint64_t)t->limit - 1);
	return --t->now > 0;
}

static bool
rare_outcome(struct sim_program *p, struct sim_site *t)
{
	if (--t->now)
		return false;
	t->now = t->limit - t->limit / 4 + (uint32_t)random_below(&p->random, t->limit / 2 + 1);
	return true;
}

static bool
outcome(struct sim_program *program, const struct sim_insn *insn)
{
	struct sim_site *site = &program->code.site[insn->site];

	switch ((enum sim_rule)insn->rule) {
	case SIM_RULE_CHANCE:
		return (uint32_t)random_next(&program->random) < site->limit;
	case SIM_RULE_PATTERN:
		return periodic_outcome(site);
	case SIM_RULE_FOLLOW:
		return (program->history >> (site->limit - 1) & 1) != site->now;
	case SIM_RULE_TRIPS:
		site->now = site->now + 1 == site->limit ? 0 : site->now + 1;
		return site->now != 0;
	case SIM_RULE_VARYING:
		return varying_outcome(program, site);
	case SIM_RULE_RARE:
		return rare_outcome(program, site);
	case SIM_RULE_NONE:
	case SIM_RULE_CHOICE:
	case SIM_RULE_STACK:
	case SIM_RULE_STREAM:
	case SIM_RULE_LIST:
	case SIM_RULE_FAR:
	case SIM_RULE_MIXED:
	case SIM_RULE_EVENT:
		break;
	}
	return true;
}

static uint32_t
indirect_target(struct sim_program *p, const struct sim_insn *s)
{
	const struct sim_site *t = &p->code.site[s->site];
	uint64_t r = random_next(&p->random), which = 0;

	if ((uint32_t)r < p->wild)
		which = (r >> 32) * t->limit >> 32;
	return p->code.choice[t->bits + which];
}

/* Returns the index of the instruction after a branch. */
static uint32_t
program_follow(struct sim_program *program, const struct sim_insn *insn, bool *taken)
{
	uint32_t next = program->pc + 1;

	*taken = true;
	switch ((enum sim_branch)insn->branch) {
	case SIM_CONDITIONAL:
		*taken = outcome(program, insn);
		program->history = program->history << 1 | *taken;
		return *taken ? insn->target : next;
	case SIM_JUMP:
		return insn->target;
	case SIM_INDIRECT:
		return indirect_target(program, insn);
	case SIM_CALL:
		program->call[program->depth++] = next;
		return insn->target;
	case SIM_INDIRECT_CALL:
		program->call[program->depth++] = next;
		return indirect_target(program, insn);
	case SIM_RETURN:
		return program->call[--program->depth];
	case SIM_NO_BRANCH:
	case SIM_N_BRANCHES:
		break;
	}
	*taken = false;
	return next;
}

static uint64_t
far_address(struct sim_program *p)
{
	return p->far + 8 * random_below(&p->random, p->far_words);
}

static uint64_t
mixed_address(struct sim_program *program)
{
	uint64_t r;

	if (program->far_left) {
		program->far_left--;
		return far_address(program);
	}
	r = (uint32_t)random_next(&program->random);
	if (r < program->to_far) {
		program->far_left = program->burst - 1;
		return far_address(program);
	}
	if (r < program->to_far + program->to_warm)
		return program->warm + 8 * random_below(&program->random, program->warm_words);
	return program->hot + 8 * random_below(&program->random, program->hot_words);
}

static uint64_t
stream_address(struct sim_program *p, uint32_t i)
{
	uint64_t at = p->element[i], next = at + p->array_step;

	p->element[i] = next >= p->array_bytes ? next - p->array_bytes : next;
	return p->array + i * (p->array_bytes + ARRAY_SKEW) + at;
}

static uint64_t
list_address(struct sim_program *p, const struct sim_insn *s)
{
	uint32_t i = s->site;
	uint64_t place = p->place[i];

	if ((uint32_t)random_next(&p->random) >= p->to_next)
		return p->node[i] + s->target;

	p->place[i] = place + 1 == p->nodes.n ? 0 : place + 1;
	return p->node[i] = p->far + LINE * sim_order_at(&p->nodes, place);
}

/* Returns a line that was not used before in one of so many executions, else always the same one. Fresh lines fill a
 * page in an order that no stride prefetcher follows, then the next page. */
static uint64_t
event_address(struct sim_program *p, const struct sim_insn *s)
{
	struct sim_site *t = &p->code.site[s->site];
	uint64_t line;

	t->now = t->now + 1 == t->limit ? 0 : t->now + 1;
	if (t->now)
		return p->hot + LINE * s->target;
	line = t->bits++ % (EVENT_LINES / 2);
	line = (line & ~(uint64_t)(LINES_OF_PAGE - 1)) | (line * 37 + 11) % LINES_OF_PAGE;
	return p->far + LINE * (s->target * (EVENT_LINES / 2) + line);
}

static uint64_t
address(struct sim_program *program, const struct sim_insn *insn)
{
	switch ((enum sim_rule)insn->rule) {
	case SIM_RULE_STACK:
		return STACK_TOP - FRAME * (program->depth + 1) + insn->site;
	case SIM_RULE_STREAM:
		return stream_address(program, insn->site) & ~(uint64_t)(insn->size - 1u);
	case SIM_RULE_LIST:
		return list_address(program, insn);
	case SIM_RULE_FAR:
		return far_address(program);
	case SIM_RULE_MIXED:
		return mixed_address(program);
	case SIM_RULE_EVENT:
		return event_address(program, insn);
	case SIM_RULE_NONE:
	case SIM_RULE_CHANCE:
	case SIM_RULE_PATTERN:
	case SIM_RULE_FOLLOW:
	case SIM_RULE_TRIPS:
	case SIM_RULE_VARYING:
	case SIM_RULE_RARE:
	case SIM_RULE_CHOICE:
		break;
	}
	return 0;
}

static uint64_t
pc_of(uint32_t insn)
{
	return SIM_CODE_BASE + SIM_INSN_BYTES * (uint64_t)insn;
}

static size_t
program_fill(struct sim_stream *stream, struct sim_op *out, size_t n, struct err *e)
{
	struct sim_program *program = (struct sim_program *)stream;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		const struct sim_insn *insn = &program->code.insn[program->pc];
		uint32_t next = program->pc + 1;
		bool taken = false;

		if (insn->branch)
			next = program_follow(program, insn, &taken);
		out[i] = (struct sim_op){
			.pc = pc_of(program->pc),
			.next = pc_of(next),
			.at = insn->size ? address(program, insn) : 0,
			.size = insn->size,
			.length = SIM_INSN_BYTES,
			.kind = insn->kind,
			.branch = insn->branch,
			.flags = (uint8_t)(SIM_OP_LAST | (taken ? SIM_OP_TAKEN : 0)),
			.dst = insn->dst,
			.src = {insn->src[0], insn->src[1], insn->src[2]},
		};
		program->pc = next;
	}
	return n;
}

static void
program_free(struct sim_stream *stream)
{
	struct sim_program *p = (struct sim_program *)stream;

	sim_code_free(&p->code);
	free(p);
}

/* Sets how often accesses by SIM_RULE_MIXED go to each region. If bursts have B far accesses, and begin with
 * probability 1 / (B / f - B + 1) elsewhere, then the share of far accesses is f. */
static void
set_mixture(struct sim_program *program, const struct sim_parameters *set)
{
#define SHARE(id) sim_parameter_share(set, SIM_P_##id)
	double mixed = 1 - SHARE(STACK) - SHARE(SEQUENTIAL), far, warm, burst = (double)set->value[SIM_P_BURST];

	program->burst = (uint32_t)set->value[SIM_P_BURST];
	program->wild = (uint64_t)(SHARE(WILD) * 0x1p32);
	if (SHARE(CHASE) > 0)
		program->to_next = (uint64_t)(SHARE(CHASE) / (SHARE(CHASE) + SHARE(FIELDS)) * 0x1p32);
	if (mixed < 1e-6)
		return;
	far = SHARE(TO_FAR) / mixed;
	warm = far < 1 ? SHARE(TO_WARM) / mixed / (1 - far) : 0;
	if (far > 0)
		far = 1 / (burst / far - burst + 1);
	program->to_far = (uint64_t)(far * 0x1p32);
	program->to_warm = (uint64_t)((1 - far) * warm * 0x1p32);
#undef SHARE
}

/* Takes the next region of memory; returns its address. */
static uint64_t
program_take(uint64_t *at, uint64_t bytes)
{
	uint64_t here = *at;

	*at += (bytes + REGION_PAGE - 1) / REGION_PAGE * REGION_PAGE + REGION_SKEW;
	return here;
}

static void
place_data(struct sim_program *program, const struct sim_parameters *set, uint64_t seed)
{
	uint64_t at = DATA_BASE, streams = (uint64_t)set->value[SIM_P_STREAMS];
	int64_t step = set->value[SIM_P_STRIDE];

	program->hot_words = (uint64_t)set->value[SIM_P_HOT] / 8;
	program->hot = program_take(&at, 8 * program->hot_words);
	program->warm_words = (uint64_t)set->value[SIM_P_WARM] / 8;
	program->warm = program_take(&at, 8 * program->warm_words);
	program->array_bytes = (uint64_t)set->value[SIM_P_ARRAY] / streams / LINE * LINE;
	program->array = program_take(&at, streams * (program->array_bytes + ARRAY_SKEW));
	step %= (int64_t)program->array_bytes;
	program->array_step = step < 0 ? program->array_bytes - (uint64_t)-step : (uint64_t)step;
	program->far_words = (uint64_t)set->value[SIM_P_FOOTPRINT] / 8;
	program->far = program_take(&at, 8 * program->far_words);
	program->nodes = sim_order_of((uint64_t)set->value[SIM_P_FOOTPRINT] / LINE, seed);
	for (unsigned i = 0; i < SIM_CHAINS_MAX; i++) {
		program->place[i] = program->nodes.n * i / (uint64_t)set->value[SIM_P_CHAINS] % program->nodes.n;
		program->node[i] = program->far;
	}
}

struct sim_stream *
sim_program_new(const char *text, uint64_t seed, struct err *e)
{
	struct sim_parameters set;
	const struct sim_program_row *row = sim_program_parse(text, &set, e);
	struct sim_program *program;

	if (!row)
		return NULL;
	program = mem_new(sizeof *program);
	program->stream = (struct sim_stream){program_fill, program_free};
	program->random = random_scatter(seed ^ RANDOM_STEP);
	if (row->lesson >= 0)
		sim_code_write_lesson(&program->code, &set, (enum sim_lesson)row->lesson);
	else
		sim_code_write(&program->code, &set, random_scatter(seed));
	program->pc = program->code.start;
	set_mixture(program, &set);
	place_data(program, &set, random_scatter(seed + 4));
	return &program->stream;
}

char *
sim_program_text(const char *text)
{
	struct sim_parameters set;
	const struct sim_program_row *row = sim_program_parse(text, &set, NULL);
	struct str out = {0};

	if (!row)
		return NULL;
	str_add(&out, row->name);
	str_addc(&out, ':');
	sim_parameters_print(&set, row->takes, &out);
	return str_take(&out);
}

const char *
sim_program_name(size_t i)
{
	const struct sim_program_row *row = sim_program_row(i);

	return row ? row->name : NULL;
}

const char *
sim_program_about(size_t i)
{
	const struct sim_program_row *row = sim_program_row(i);

	return row ? row->about : NULL;
}
