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
outcome(struct sim_program *p, const struct sim_insn *s)
{
	struct sim_site *t = &p->code.site[s->site];

	switch ((enum sim_rule)s->rule) {
	case SIM_RULE_CHANCE:
		return (uint32_t)random_next(&p->random) < t->limit;
	case SIM_RULE_PATTERN:
		return periodic_outcome(t);
	case SIM_RULE_FOLLOW:
		return (p->history >> (t->limit - 1) & 1) != t->now;
	case SIM_RULE_TRIPS:
		t->now = t->now + 1 == t->limit ? 0 : t->now + 1;
		return t->now != 0;
	case SIM_RULE_VARYING:
		return varying_outcome(p, t);
	case SIM_RULE_RARE:
		return rare_outcome(p, t);
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
program_follow(struct sim_program *p, const struct sim_insn *s, bool *taken)
{
	uint32_t next = p->pc + 1;

	*taken = true;
	switch ((enum sim_branch)s->branch) {
	case SIM_CONDITIONAL:
		*taken = outcome(p, s);
		p->history = p->history << 1 | *taken;
		return *taken ? s->target : next;
	case SIM_JUMP:
		return s->target;
	case SIM_INDIRECT:
		return indirect_target(p, s);
	case SIM_CALL:
		p->call[p->depth++] = next;
		return s->target;
	case SIM_INDIRECT_CALL:
		p->call[p->depth++] = next;
		return indirect_target(p, s);
	case SIM_RETURN:
		return p->call[--p->depth];
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
mixed_address(struct sim_program *p)
{
	uint64_t r;

	if (p->far_left) {
		p->far_left--;
		return far_address(p);
	}
	r = (uint32_t)random_next(&p->random);
	if (r < p->to_far) {
		p->far_left = p->burst - 1;
		return far_address(p);
	}
	if (r < p->to_far + p->to_warm)
		return p->warm + 8 * random_below(&p->random, p->warm_words);
	return p->hot + 8 * random_below(&p->random, p->hot_words);
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
address(struct sim_program *p, const struct sim_insn *s)
{
	switch ((enum sim_rule)s->rule) {
	case SIM_RULE_STACK:
		return STACK_TOP - FRAME * (p->depth + 1) + s->site;
	case SIM_RULE_STREAM:
		return stream_address(p, s->site) & ~(uint64_t)(s->size - 1u);
	case SIM_RULE_LIST:
		return list_address(p, s);
	case SIM_RULE_FAR:
		return far_address(p);
	case SIM_RULE_MIXED:
		return mixed_address(p);
	case SIM_RULE_EVENT:
		return event_address(p, s);
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
	struct sim_program *p = (struct sim_program *)stream;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		const struct sim_insn *s = &p->code.insn[p->pc];
		uint32_t next = p->pc + 1;
		bool taken = false;

		if (s->branch)
			next = program_follow(p, s, &taken);
		out[i] = (struct sim_op){
			.pc = pc_of(p->pc), .next = pc_of(next), .at = s->size ? address(p, s) : 0, .size = s->size,
			.length = SIM_INSN_BYTES, .kind = s->kind, .branch = s->branch,
			.flags = (uint8_t)(SIM_OP_LAST | (taken ? SIM_OP_TAKEN : 0)), .dst = s->dst,
			.src = {s->src[0], s->src[1], s->src[2]},
		};
		p->pc = next;
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
set_mixture(struct sim_program *p, const struct sim_parameters *set)
{
#define SHARE(id) sim_parameter_share(set, SIM_P_##id)
	double mixed = 1 - SHARE(STACK) - SHARE(SEQUENTIAL), far, warm, burst = (double)set->value[SIM_P_BURST];

	p->burst = (uint32_t)set->value[SIM_P_BURST];
	p->wild = (uint64_t)(SHARE(WILD) * 0x1p32);
	if (SHARE(CHASE) > 0)
		p->to_next = (uint64_t)(SHARE(CHASE) / (SHARE(CHASE) + SHARE(FIELDS)) * 0x1p32);
	if (mixed < 1e-6)
		return;
	far = SHARE(TO_FAR) / mixed;
	warm = far < 1 ? SHARE(TO_WARM) / mixed / (1 - far) : 0;
	if (far > 0)
		far = 1 / (burst / far - burst + 1);
	p->to_far = (uint64_t)(far * 0x1p32);
	p->to_warm = (uint64_t)((1 - far) * warm * 0x1p32);
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
place_data(struct sim_program *p, const struct sim_parameters *set, uint64_t seed)
{
	uint64_t at = DATA_BASE, streams = (uint64_t)set->value[SIM_P_STREAMS];
	int64_t step = set->value[SIM_P_STRIDE];

	p->hot_words = (uint64_t)set->value[SIM_P_HOT] / 8;
	p->hot = program_take(&at, 8 * p->hot_words);
	p->warm_words = (uint64_t)set->value[SIM_P_WARM] / 8;
	p->warm = program_take(&at, 8 * p->warm_words);
	p->array_bytes = (uint64_t)set->value[SIM_P_ARRAY] / streams / LINE * LINE;
	p->array = program_take(&at, streams * (p->array_bytes + ARRAY_SKEW));
	step %= (int64_t)p->array_bytes;
	p->array_step = step < 0 ? p->array_bytes - (uint64_t)-step : (uint64_t)step;
	p->far_words = (uint64_t)set->value[SIM_P_FOOTPRINT] / 8;
	p->far = program_take(&at, 8 * p->far_words);
	p->nodes = sim_order_of((uint64_t)set->value[SIM_P_FOOTPRINT] / LINE, seed);
	for (unsigned i = 0; i < SIM_CHAINS_MAX; i++) {
		p->place[i] = p->nodes.n * i / (uint64_t)set->value[SIM_P_CHAINS] % p->nodes.n;
		p->node[i] = p->far;
	}
}

struct sim_stream *
sim_program_new(const char *text, uint64_t seed, struct err *e)
{
	struct sim_parameters set;
	const struct sim_program_row *row = sim_program_parse(text, &set, e);
	struct sim_program *p;

	if (!row)
		return NULL;
	p = mem_new(sizeof *p);
	p->stream = (struct sim_stream){program_fill, program_free};
	p->random = random_scatter(seed ^ RANDOM_STEP);
	if (row->lesson >= 0)
		sim_code_write_lesson(&p->code, &set, (enum sim_lesson)row->lesson);
	else
		sim_code_write(&p->code, &set, random_scatter(seed));
	p->pc = p->code.start;
	set_mixture(p, &set);
	place_data(p, &set, random_scatter(seed + 4));
	return &p->stream;
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
