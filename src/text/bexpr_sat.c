/* Satisfiability of a few small expressions by search with backtracking. Each step sets the first open name of the
 * first open expression and evaluates all expressions again. It goes back when one is false, and succeeds when all hold
 * with every open name off. The time is exponential in the worst case, so there is a budget; models have tens of
 * features. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/bexpr.h"

struct search {
	const struct bexpr *const *all;
	size_t n, budget;
	size_t cost; /* nodes of all expressions: the cost of one evaluation */
	uint64_t *known, *value;
};

static void
set_bit(uint64_t *w, uint32_t i, bool on)
{
	uint64_t bit = UINT64_C(1) << (i % 64);

	w[i / 64] = on ? w[i / 64] | bit : w[i / 64] & ~bit;
}

/* The first open name in e that can decide e. */
static const struct bexpr *
open_name(const struct search *s, const struct bexpr *e)
{
	if (bexpr_eval(e, s->known, s->value, NULL) != BEXPR_OPEN)
		return NULL;
	if (e->op == BEXPR_NAME)
		return e;
	for (size_t i = 0; i < e->n; i++) {
		const struct bexpr *name = open_name(s, e->arg[i]);

		if (name)
			return name;
	}
	return NULL;
}

static bool
hold_as_they_are(const struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (bexpr_eval(s->all[i], NULL, s->value, NULL) != BEXPR_YES)
			return false;
	return true;
}

/* Evaluates all expressions. Cost is counted in nodes, so a budget means the same time for any expressions. */
static enum bexpr_truth
bexpr_sat_evaluate(struct search *s, const struct bexpr **open)
{
	*open = NULL;
	if (s->budget < 2 * s->cost) {
		s->budget = 0;
		return BEXPR_OPEN;
	}
	s->budget -= 2 * s->cost;
	if (hold_as_they_are(s))
		return BEXPR_YES;
	for (size_t i = 0; i < s->n; i++) {
		enum bexpr_truth t = bexpr_eval(s->all[i], s->known, s->value, NULL);

		if (t == BEXPR_NO)
			return BEXPR_NO;
		if (t == BEXPR_OPEN && !*open)
			*open = open_name(s, s->all[i]);
	}
	return *open ? BEXPR_OPEN : BEXPR_YES;
}

/* Sets one name per level of recursion; the depth is at most the number of bits. */
static enum bexpr_truth
bexpr_sat_solve(struct search *s)
{
	const struct bexpr *name;
	enum bexpr_truth t = bexpr_sat_evaluate(s, &name);
	bool unsure = false;

	if (!name)
		return t;
	set_bit(s->known, name->index, true);
	for (int on = 0; on < 2; on++) {
		set_bit(s->value, name->index, on);
		t = bexpr_sat_solve(s);
		if (t == BEXPR_YES)
			return t;
		unsure |= t == BEXPR_OPEN;
	}
	set_bit(s->known, name->index, false);
	set_bit(s->value, name->index, false);
	return unsure ? BEXPR_OPEN : BEXPR_NO;
}

static size_t
count_nodes(const struct bexpr *e)
{
	size_t n = 1;

	for (size_t i = 0; i < e->n; i++)
		n += count_nodes(e->arg[i]);
	return n;
}

enum bexpr_truth
bexpr_satisfiable(const struct bexpr *const *all, size_t n, size_t n_bits, size_t *budget, uint64_t *out)
{
	size_t words = n_bits / 64 + 1;
	struct search s = {.all = all, .n = n, .budget = *budget};
	enum bexpr_truth t;

	for (size_t i = 0; i < n; i++)
		s.cost += count_nodes(all[i]);
	s.known = mem_new_array(words, sizeof *s.known);
	s.value = mem_new_array(words, sizeof *s.value);
	t = bexpr_sat_solve(&s);
	if (t == BEXPR_YES && out)
		memcpy(out, s.value, (n_bits + 63) / 64 * sizeof *out);
	*budget = s.budget;
	free(s.known);
	free(s.value);
	return t;
}
