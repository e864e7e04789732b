#include <stdlib.h>

#include "base/mem.h"
#include "core/curve/knee.h"
#include "core/probe/probe.h"

#define FILL_CHAIN 3

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

static void
add(struct probe_code *c, const struct probe_insn *insn)
{
	mem_grow(&c->insn, &c->cap, c->n + 1, sizeof *c->insn);
	c->insn[c->n++] = *insn;
}

static bool
has_memory(enum probe_op op)
{
	return op == PROBE_LOAD || op == PROBE_FLOAD || op == PROBE_STORE || op == PROBE_ATOMIC;
}

static void
add_fill(struct probe_code *c, const struct probe *p, const struct probe_fill *f, uint64_t x)
{
	for (unsigned i = 0; i < p->prefill; i++)
		add(c, &(struct probe_insn){.op = p->prefill_op,
			.place = has_memory(p->prefill_op) ? PROBE_NEAR : PROBE_NOWHERE});
	for (uint64_t i = 0; i < x; i++) {
		enum probe_op op = f->op[i % f->n];

		add(c, &(struct probe_insn){.op = op, .place = has_memory(op) ? PROBE_NEAR : PROBE_NOWHERE,
			.chain = f->chained ? FILL_CHAIN : 0, .offset = (uint32_t)(i * f->stride)});
	}
}

void
probe_code_write(struct probe_code *c, const struct probe *p, const struct probe_fill *f, uint64_t x)
{
	c->n = 0;
	if (p->footprint) {
		add(c, &(struct probe_insn){.op = PROBE_LOAD, .place = PROBE_CHASE, .chain = FILL_CHAIN});
		return;
	}
	if (!p->block) {
		add_fill(c, p, f, x);
		return;
	}
	for (unsigned chain = 1; chain <= 2; chain++) {
		add(c, &(struct probe_insn){.op = PROBE_LOAD, .place = PROBE_FAR, .chain = chain});
		add_fill(c, p, f, x);
	}
}

void
probe_code_free(struct probe_code *c)
{
	free(c->insn);
	*c = (struct probe_code){0};
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

/* The first knee at which the curve rises. */
static struct probe_answer
answer_of_knee(const struct probe *p, const struct knees *k)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->knee[i].kind == KNEE_JUMP && k->knee[i].after > k->knee[i].before)
			return (struct probe_answer){true, k->knee[i].x + p->counts, k->knee[i].low + p->counts,
				k->knee[i].high + p->counts};
	return (struct probe_answer){0};
}

struct probe_answer
probe_answer_of(const struct probe *p, const struct knees *k)
{
	struct probe_answer a = {0};
	const struct knee_trend *t;

	if (p->value == PROBE_KNEE)
		return answer_of_knee(p, k);
	if (k->n_trends == 0)
		return a;
	t = longest_trend(k);
	a = (struct probe_answer){true, t->slope, t->slope - t->slope_off, t->slope + t->slope_off};
	if (p->value == PROBE_SLOPE)
		return a;
	if (!(a.low > 0))
		return (struct probe_answer){0};
	return (struct probe_answer){true, 1 / a.value, 1 / a.high, 1 / a.low};
}
