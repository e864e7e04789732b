#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/panic.h"
#include "core/curve/curve.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"

#define SAME_OFFSET 32
#define ENOUGH 16    /* points after a jump … */
#define JUMPED 1.5   /* … to more than so many times the first one: two misses in turn take twice the time */
#define RISES 1.25   /* what is left after a trend is another level if it is so many times as high */
#define FLAT 0.1     /* a plateau rises by less than this share of its level */
#define NEAR_WHOLE 0.03 /* of a value, or of 1: so near it is a whole number */
#define GRADUAL 1.5  /* ends of the interval of a cache, one over the other, from which it fills gradually */
#define Z_99 2.576   /* of the normal distribution: its middle 99 % are so many standard deviations wide on each side */

static const char *const op_name[PROBE_N_OPS] = {
#define X(id, name) name,
	PROBE_OPS(X)
#undef X
};

const char *
probe_op_name(enum probe_op op)
{
	return op_name[op];
}

bool
probe_has_calls(const struct probe *probe)
{
	const struct probe_fill *fill[] = {&probe->fill, &probe->against, &probe->native};
	bool has = false;

	for (size_t f = 0; f < 3; f++) {
		const struct probe_part *part[] = {&fill[f]->head, &fill[f]->body, &fill[f]->tail};

		for (size_t k = 0; k < 3; k++)
			for (unsigned i = 0; i < part[k]->n; i++)
				has |= part[k]->step[i].op == PROBE_CALL || part[k]->step[i].op == PROBE_RETURN;
	}
	return has;
}

bool
probe_op_is_access(enum probe_op op)
{
	return op == PROBE_LOAD || op == PROBE_FLOAD || op == PROBE_STORE || op == PROBE_ATOMIC || op == PROBE_PREFETCH;
}

static void
code_add(struct probe_code *c, const struct probe_insn *insn)
{
	mem_grow(&c->insn, &c->cap, c->n + 1, sizeof *c->insn);
	c->insn[c->n++] = *insn;
}

uint64_t
probe_part_length(const struct probe_part *part)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < part->n; i++)
		n += part->step[i].count;
	return n;
}

static bool
has_result(enum probe_op op)
{
	return op == PROBE_ADD || op == PROBE_MUL || op == PROBE_DIV || op == PROBE_MOVE || op == PROBE_FADD ||
		op == PROBE_FMUL || op == PROBE_FDIV || op == PROBE_FMA || op == PROBE_LOAD || op == PROBE_FLOAD ||
		op == PROBE_ATOMIC;
}

/* An instruction of a fill after the load of `block`, if any, of that chain. `waited_for`: others of the fill read its
 * result. */
static void
add_step(struct probe_code *code, const struct probe_fill *fill, unsigned block, const struct probe_step *step,
	uint64_t offset, bool waited_for)
{
	struct probe_insn insn = {.op = step->op, .place = step->place, .offset = (uint32_t)offset};

	if (step->op == PROBE_JUMP)
		insn.offset = fill->stride;
	if (insn.place == PROBE_NEAR)
		insn.offset %= PROBE_NEAR_BYTES;
	if (insn.place == PROBE_SAME)
		insn.offset = SAME_OFFSET;
	if (fill->link != PROBE_FREE)
		insn.from = fill->link == PROBE_WAITING ? block : PROBE_FILL_CHAIN;
	if (insn.place == PROBE_FAR ||
		(fill->link != PROBE_FREE && fill->link != PROBE_WAITING && waited_for && has_result(step->op)))
		insn.from = insn.chain = PROBE_FILL_CHAIN;
	if (fill->late && step->op == PROBE_STORE) {
		code_add(code,
			&(struct probe_insn){.op = PROBE_ADD, .from = PROBE_FILL_CHAIN, .chain = PROBE_ASIDE_CHAIN});
		insn.after = PROBE_ASIDE_CHAIN;
	}
	code_add(code, &insn);
}

/* The head or the tail. */
static void
add_end(struct probe_code *c, const struct probe_fill *f, unsigned block, const struct probe_part *part, bool tail)
{
	uint64_t left = probe_part_length(part);

	for (unsigned i = 0; i < part->n; i++)
		for (unsigned k = 0; k < part->step[i].count; k++, left--)
			add_step(c, f, block, &part->step[i], 0, f->link == PROBE_CHAINED ||
				(f->link == PROBE_WAVES && tail && left == 1));
}

static void
add_body(struct probe_code *code, const struct probe_fill *fill, unsigned block, uint64_t x)
{
	uint64_t turn = probe_part_length(&fill->body), n = fill->stride_is_x ? PROBE_TURNS * turn : x;
	const struct probe_step *step = fill->body.step;
	unsigned of_step = 0;

	for (uint64_t i = 0; i < n; i++) {
		bool last = fill->link == PROBE_TOGETHER ? i % turn == turn - 1 : i + 1 == n && fill->tail.n == 0;

		if (i % turn == 0)
			step = fill->body.step;
		add_step(code, fill, block, step, fill->stride_is_x ? i % turn * x : i * fill->stride,
			last || fill->link == PROBE_CHAINED);
		if (++of_step == step->count) {
			of_step = 0;
			step++;
		}
	}
}

static void
add_fill(struct probe_code *c, const struct probe_fill *f, unsigned block, uint64_t x)
{
	add_end(c, f, block, &f->head, false);
	add_body(c, f, block, x);
	add_end(c, f, block, &f->tail, true);
}

void
probe_code_write(struct probe_code *code, const struct probe *probe, const struct probe_fill *fill, uint64_t x)
{
	code->n = 0;
	for (unsigned i = 0; probe->of_code && i < PROBE_LINE_NOPS; i++)
		code_add(code, &(struct probe_insn){.op = PROBE_NOP});
	if (probe->of_code)
		return;
	if (probe->footprint) {
		code_add(code, &(struct probe_insn){.op = PROBE_LOAD, .place = PROBE_CHASE, .from = PROBE_FILL_CHAIN,
			.chain = PROBE_FILL_CHAIN});
		return;
	}
	if (!probe->block) {
		add_fill(code, fill, 0, x);
		return;
	}
	for (unsigned chain = 1; chain <= 2; chain++) {
		code_add(code,
			&(struct probe_insn){.op = PROBE_LOAD, .place = PROBE_FAR, .from = chain, .chain = chain});
		add_fill(code, fill, chain, x);
	}
}

void
probe_code_free(struct probe_code *c)
{
	free(c->insn);
	*c = (struct probe_code){0};
}

bool
probe_has_enough(const struct probe *p, const struct curve *c)
{
	return p->block && p->value == PROBE_KNEE && c->n > ENOUGH &&
		c->point[c->n - ENOUGH].mean > JUMPED * c->point[0].mean;
}

static const struct knee_trend *
longest_trend(const struct knees *k)
{
	const struct knee_trend *longest = &k->trend[0];

	for (size_t i = 1; i < k->n_trends; i++)
		if (k->trend[i].last - k->trend[i].first > longest->last - longest->first)
			longest = &k->trend[i];
	return longest;
}

static double
height_of(const struct knee_trend *t)
{
	return t->a + t->slope * (t->first + t->last) / 2;
}

static struct probe_answer
code_answer(double value, double low, double high)
{
	return (struct probe_answer){.found = true, .value = value, .low = low, .high = high};
}

static struct probe_answer
answer_of_trend(const struct knee_trend *t, const struct knees *k)
{
	double value = height_of(t), off = fmax(fabs(t->slope) * (t->last - t->first) / 2, Z_99 * k->noise);

	return code_answer(value, value - off, value + off);
}

/* A bend between two loads that miss. After it a pass may take as long as its instructions by themselves, or two
 * passes may no longer be in the core at once: then it takes no longer than in proportion to x, and what fits is a
 * lower bound. If it rises more steeply, what is full delays the second load. */
static struct probe_answer
answer_of_bend(const struct knee_trend *before, const struct knee_trend *after, const struct knee *n)
{
	struct probe_answer a = code_answer(before->last, fmin(n->low, before->last), fmax(n->high, before->last));

	a.bend = true;
	if (after->a > -FLAT * height_of(before)) {
		a.value = a.low = floor(a.low);
		a.high = INFINITY;
	}
	return a;
}

/* The first knee at which the curve rises. Caches and tables fill one set after the other, so that their change is
 * gradual: what fits is where it begins. With `block` it is sudden, and `x` is its most likely place; where there is no
 * jump, it may be a bend. The curve of a pair is flat before its knee, which may then be a bend, too. */
static struct probe_answer
answer_of_knee(const struct probe *probe, const struct knees *knees)
{
	struct probe_answer bend = {0};

	for (size_t i = 0; i < knees->n; i++) {
		const struct knee *knee = &knees->knee[i];
		const struct knee_trend *after = &knees->trend[i + 1];
		double last = knees->trend[i].last;
		/* A trend that rises steeply begins below the one before it. */
		bool higher = knee->after > knee->before ||
			(!probe->block && height_of(after) > RISES * height_of(&knees->trend[i]));

		if (knee->kind == KNEE_JUMP && higher)
			return code_answer(probe->block ? knee->x : knee->low, knee->low, knee->high);
		if (knee->kind != KNEE_BEND || after->slope <= knees->trend[i].slope)
			continue;
		if (probe_is_pair(probe))
			return code_answer(last, fmin(knee->low, last), fmax(knee->high, last));
		if (probe->block && !bend.found)
			bend = answer_of_bend(&knees->trend[i], after, knee);
	}
	/* Stairs of several levels of a hierarchy: only the first one is long enough for a trend. */
	if (knees->n == 0 && !probe->block && knees->rest_mean > RISES * height_of(&knees->trend[0]))
		return code_answer(knees->trend[0].last, knees->trend[0].last, knees->rest_x);
	return bend;
}

static struct probe_answer
answer_of_level(unsigned level, const struct knees *k)
{
	for (size_t i = 0; i < k->n_trends; i++) {
		const struct knee_trend *t = &k->trend[i];

		if (fabs(t->slope) * (t->last - t->first) < FLAT * fabs(height_of(t)) && --level == 0)
			return answer_of_trend(t, k);
	}
	return (struct probe_answer){0};
}

static struct probe_answer
answer_of_slope(const struct knees *k, bool inverse)
{
	const struct knee_trend *t = longest_trend(k);
	struct probe_answer a = code_answer(t->slope, t->slope - t->slope_off, t->slope + t->slope_off);

	if (!inverse)
		return a;
	if (!(a.low > 0))
		return (struct probe_answer){0};
	return code_answer(1 / a.value, 1 / a.high, 1 / a.low);
}

static struct probe_answer
unscaled_answer(const struct probe *probe, const struct knees *knees)
{
	if (knees->n_trends == 0)
		return (struct probe_answer){0};
	switch (probe->value) {
	case PROBE_KNEE: return answer_of_knee(probe, knees);
	case PROBE_SLOPE: return answer_of_slope(knees, false);
	case PROBE_RATE: return answer_of_slope(knees, true);
	case PROBE_LEVEL: return answer_of_level(probe->level, knees);
	case PROBE_RATIO: return answer_of_trend(longest_trend(knees), knees);
	}
	panic("no such value of a probe");
}

struct probe_answer
probe_answer_of(const struct probe *p, const struct knees *k)
{
	struct probe_answer a = unscaled_answer(p, k);
	double scale = (double)p->times / p->over;

	if (!a.found)
		return a;
	a.value = a.value * scale + p->counts;
	a.low = a.low * scale + p->counts;
	a.high = a.high * scale + p->counts;
	return a;
}

/* Returns whether a whole number is within the interval, or near. */
static bool
code_is_whole(const struct probe_answer *a)
{
	double near = fmax(NEAR_WHOLE, NEAR_WHOLE * fabs(a->value));

	return floor(a->high + near) >= a->low - near;
}

const char *
probe_answer_doubt(const struct probe *probe, const struct probe_answer *answer)
{
	if (!answer->found)
		return NULL;
	if ((probe->value == PROBE_RATE || probe->value == PROBE_SLOPE) && *probe->parameter && !code_is_whole(answer))
		return "not a whole number: something else limits, too";
	if (answer->bend)
		return probe_answer_at_least(answer) ?
			"or more: the curve bends there, but no more steeply than if nothing were full" :
			"the curve bends without a step: what is full delays what follows";
	if (probe->value == PROBE_KNEE && probe->footprint && !probe_answer_at_least(answer) &&
		answer->high > GRADUAL * answer->low)
		return "a gradual change: lines that share sets by chance are lost early, so there may be more";
	return NULL;
}
