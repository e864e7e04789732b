#include "work/probe/rob_study.h"

#include <math.h>

#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "work/probe/probe_machine.h"

enum { BEQ, LD, ST, ADD, FADD, NOP };

#define FIRST 8        /* x of the first stage */
#define LAST 1000
#define STEP 2         /* of combinations; that of single types is 1 */
#define LEFT 30        /* entries that the prefill leaves, about */
#define TIMES 8        /* as many instructions of a compressed type are tried as would fill that */
#define OWN 2          /* the two loads of a pass: entries of the reorder buffer, and more */

static const struct {
	const char *name;
	enum probe_op op;
	unsigned own;       /* what the two loads take of what this type needs */
	enum rob_bottleneck full;
} type[ROB_TYPES] = {
	[BEQ] = {"beq", PROBE_BRANCH, 1, ROB_BRANCHES}, /* the jump at the end of a pass */
	[LD] = {"ld", PROBE_LOAD, OWN, ROB_LOAD_QUEUE},
	[ST] = {"st", PROBE_STORE, 0, ROB_STORE_QUEUE},
	[ADD] = {"add", PROBE_ADD, OWN, ROB_INT_REGISTERS},
	[FADD] = {"fadd", PROBE_FADD, 0, ROB_FP_REGISTERS},
	[NOP] = {"nop", PROBE_NOP, OWN, ROB_ENTRIES},
};

const char *
rob_type_name(unsigned t)
{
	return type[t].name;
}

const char *
rob_bottleneck_text(enum rob_bottleneck b)
{
	static const char *const text[] = {
		[ROB_UNKNOWN] = "unknown", [ROB_LOAD_QUEUE] = "load queue", [ROB_STORE_QUEUE] = "store queue",
		[ROB_INT_REGISTERS] = "int registers", [ROB_FP_REGISTERS] = "fp registers",
		[ROB_BRANCHES] = "branches in flight", [ROB_ENTRIES] = "reorder buffer",
		[ROB_COMPRESSED] = "reorder buffer, compressed", [ROB_NO_LIMIT] = "none was reached",
	};

	return text[b];
}

struct study {
	struct probe_machine *machine;
	struct rob_study *out;
	struct err *e;
	bool (*go_on)(void *);
	void *ctx;
	struct probe_part prefill;
};

static struct probe_step
step_of(enum probe_op op, unsigned count)
{
	return (struct probe_step){op, probe_op_is_access(op) ? PROBE_NEAR : PROBE_NOWHERE, count};
}

static bool
rob_study_goes_on(void *ctx, const struct curve *c)
{
	struct study *s = ctx;

	(void)c;
	s->out->cut = s->out->cut || (s->go_on && !s->go_on(s->ctx));
	return !s->out->cut;
}

/* Measures where a blocked window of these instructions is full. False: stopped, or failed with *e. */
static bool
rob_study_measure(struct study *study, const struct probe_fill *fill, uint64_t first, uint64_t last, uint64_t step,
	struct probe_answer *answer)
{
	struct probe p = {.name = ROB_STUDY_NAME, .text = "", .value = PROBE_KNEE, .first = first, .last = last,
		.step = step, .block = true, .fill = *fill, .times = 1, .over = 1,
		.unit = "", .parameter = "", .says = "", .group = ""};
	struct curve c = {0};
	struct knees *knees;
	bool good;

	good = rob_study_goes_on(study, NULL) &&
		probe_machine_run(study->machine, &p, rob_study_goes_on, study, &c, study->e) && !study->out->cut;
	if (good) {
		knees = knees_find(&c);
		*answer = probe_answer_of(&p, knees);
		answer->found = answer->found && !probe_answer_at_least(answer); /* nothing is full */
		knees_free(knees);
	}
	curve_free(&c);
	return good;
}

/* --- Stage 1: combinations --------------------------------------------------------------------------------------- */

static bool
measure_row(struct study *s, struct rob_combination *r)
{
	struct probe_fill f = {0};

	for (unsigned i = 0; i < r->n; i++)
		f.body.step[f.body.n++] = step_of(type[r->type[i]].op, 1);
	if (!rob_study_measure(s, &f, FIRST, LAST, r->n == 1 ? 1 : STEP, &r->fit))
		return false;
	s->out->n++;
	return true;
}

/* All singles, pairs and triples of different types. */
static void
list_combinations(struct rob_combination *row)
{
	for (unsigned a = 0; a < ROB_TYPES; a++)
		*row++ = (struct rob_combination){.type = {a}, .n = 1};
	for (unsigned a = 0; a < ROB_TYPES; a++)
		for (unsigned b = a + 1; b < ROB_TYPES; b++)
			*row++ = (struct rob_combination){.type = {a, b}, .n = 2};
	for (unsigned a = 0; a < ROB_TYPES; a++)
		for (unsigned b = a + 1; b < ROB_TYPES; b++)
			for (unsigned c = b + 1; c < ROB_TYPES; c++)
				*row++ = (struct rob_combination){.type = {a, b, c}, .n = 3};
}

/* Finds the entries of the reorder buffer: instructions of which no two neighbours can share one. */
static bool
measure_entries(struct study *study)
{
	static const enum probe_op mix[] = {PROBE_PREFETCH, PROBE_NOP, PROBE_STORE, PROBE_NOP, PROBE_BRANCH, PROBE_NOP};
	struct probe_fill f = {0};
	struct probe_answer a;

	for (unsigned i = 0; i < sizeof mix / sizeof *mix; i++)
		f.body.step[f.body.n++] = step_of(mix[i], 1);
	if (!rob_study_measure(study, &f, FIRST, LAST, 1, &a))
		return false;
	study->out->found = a.found;
	study->out->entries = a.value + OWN;
	return true;
}

/* True if the type alone fills a resource of its own: not the reorder buffer, nor that with several in an entry. */
static bool
has_limit(const struct rob_study *o, unsigned t)
{
	const struct probe_answer *a = &o->row[t].fit, *nop = &o->row[NOP].fit;

	return t != NOP && a->found && !(o->found && fabs(a->value + OWN - o->entries) <= 1) &&
		!(nop->found && fabs(a->value - nop->value) <= 1);
}

/* How many instructions of the combination fit into the resource of its type t, by what fits of t alone. */
static double
limit_by(const struct rob_study *o, const struct rob_combination *r, unsigned t)
{
	unsigned users = 0;

	for (unsigned i = 0; i < r->n; i++) /* loads have a result in an integer register, too */
		users += r->type[i] == t || (t == ADD && r->type[i] == LD);
	return users && has_limit(o, t) ? o->row[t].fit.value * r->n / users : INFINITY;
}

/* Names what is full: the reorder buffer, or the resource whose limit is the one measured. */
static enum rob_bottleneck
name_bottleneck(const struct rob_study *o, const struct rob_combination *r)
{
	if (!r->fit.found)
		return ROB_NO_LIMIT;
	if (o->found && fabs(r->fit.value + OWN - o->entries) <= (r->n == 1 ? 1 : STEP))
		return ROB_ENTRIES;
	for (unsigned t = 0; t < NOP; t++)
		if (fabs(limit_by(o, r, t) - r->fit.value) <= STEP * r->n)
			return type[t].full;
	return o->found && r->fit.value + OWN > o->entries ? ROB_COMPRESSED : ROB_UNKNOWN;
}

static bool
run_combinations(struct study *s)
{
	struct rob_study *study = s->out;

	list_combinations(study->row);
	for (size_t i = 0; i < ROB_COMBINATIONS; i++)
		if (!measure_row(s, &study->row[i]))
			return false;
	if (!measure_entries(s))
		return false;
	for (size_t i = 0; i < study->n; i++) {
		study->row[i].full = name_bottleneck(study, &study->row[i]);
		study->compressed |= study->row[i].full == ROB_COMPRESSED;
	}
	return true;
}

double
rob_study_entries(const struct rob_study *o, unsigned t)
{
	return o->row[t].fit.value + type[t].own;
}

/* --- Stages 2 and 3: behind a prefill ---------------------------------------------------------------------------- */

static unsigned
half(const struct rob_study *o, unsigned t)
{
	return o->row[t].fit.found ? (unsigned)(o->row[t].fit.value / 2) : LAST;
}

/* Loads, stores and branches share no entry. They take all but a few of them, and at most half of any resource. The
 * jumps come last: each is fetched in a cycle of its own, so that no µops wait for dispatch when what follows comes. */
static void
make_prefill(struct study *s)
{
	struct rob_study *study = s->out;
	unsigned all = study->entries > LEFT + OWN ? (unsigned)study->entries - LEFT - OWN : 0;
	unsigned loads = all / 3, stores = all / 3, jumps;

	loads = loads < half(study, LD) ? loads : half(study, LD);
	stores = stores < half(study, ST) ? stores : half(study, ST);
	jumps = all - loads - stores < half(study, BEQ) ? all - loads - stores : half(study, BEQ);
	study->left = study->entries - OWN - loads - stores - jumps;
	s->prefill = (struct probe_part){.n = 3, .step = {step_of(PROBE_PREFETCH, loads),
		step_of(PROBE_STORE, stores), step_of(PROBE_JUMP, jumps)}};
}

static bool
run_conditions(struct study *s)
{
	struct rob_study *study = s->out;

	for (unsigned t = 0; t < ROB_TYPES; t++) {
		struct probe_fill f = {.head = s->prefill, .body = {{step_of(type[t].op, 1)}, 1}};

		if (!rob_study_measure(s, &f, 2, (uint64_t)(TIMES * study->left), 1, &study->behind[t]))
			return false;
		study->shares[t] = !study->behind[t].found || study->behind[t].value > study->left + 1;
	}
	return true;
}

/* One jump and n + 1 nops take two entries, as long as the nops share one. */
static bool
run_groups(struct study *s)
{
	struct rob_study *study = s->out;

	for (unsigned n = 0; n < ROB_GROUPS; n++) {
		struct probe_fill f = {.head = s->prefill,
			.body = {{step_of(PROBE_JUMP, 1), step_of(PROBE_NOP, n + 1)}, 2}};
		unsigned size = n + 2;
		struct probe_answer a;

		if (!rob_study_measure(s, &f, size, size * (uint64_t)study->left, size, &a))
			return false;
		study->n_groups = n + 1;
		study->group[n] = a.found ? a.value / size : 0;
		if (n > 0 && study->group[n] < study->group[0] - 1)
			break;
		study->per_entry = n + 1;
	}
	return true;
}

bool
rob_study_run(struct probe_machine *m, bool (*go_on)(void *), void *ctx, struct rob_study *out, struct err *e)
{
	struct study s = {.machine = m, .out = out, .e = e, .go_on = go_on, .ctx = ctx};

	*out = (struct rob_study){0};
	if (!run_combinations(&s))
		return out->cut;
	if (!out->found)
		return true;
	make_prefill(&s);
	return (run_conditions(&s) && run_groups(&s)) || out->cut;
}
