/* Satisfiability of a few small expressions by search with backtracking. Each step sets the first open name of the
 * first open expression and evaluates all again. The search goes back when an expression is false, and succeeds when
 * all are true with every open name off. The time is exponential in the worst case, so there is a budget; models have
 * tens of features. */
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

/* The first open name that can decide the expression. */
static const struct bexpr *
open_name(const struct search *search, const struct bexpr *bexpr)
{
	if (bexpr_eval(bexpr, search->known, search->value, NULL) != BEXPR_OPEN)
		return NULL;
	if (bexpr->op == BEXPR_NAME)
		return bexpr;
	for (size_t i = 0; i < bexpr->n; i++) {
		const struct bexpr *name = open_name(search, bexpr->arg[i]);

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
bexpr_sat_evaluate(struct search *search, const struct bexpr **open)
{
	*open = NULL;
	if (search->budget < 2 * search->cost) {
		search->budget = 0;
		return BEXPR_OPEN;
	}
	search->budget -= 2 * search->cost;
	if (hold_as_they_are(search))
		return BEXPR_YES;
	for (size_t i = 0; i < search->n; i++) {
		enum bexpr_truth t = bexpr_eval(search->all[i], search->known, search->value, NULL);

		if (t == BEXPR_NO)
			return BEXPR_NO;
		if (t == BEXPR_OPEN && !*open)
			*open = open_name(search, search->all[i]);
	}
	return *open ? BEXPR_OPEN : BEXPR_YES;
}

/* Sets one name per level of recursion; the depth is at most the number of bits. */
static enum bexpr_truth
bexpr_sat_solve(struct search *search)
{
	const struct bexpr *name;
	enum bexpr_truth t = bexpr_sat_evaluate(search, &name);
	bool unsure = false;

	if (!name)
		return t;
	set_bit(search->known, name->index, true);
	for (int on = 0; on < 2; on++) {
		set_bit(search->value, name->index, on);
		t = bexpr_sat_solve(search);
		if (t == BEXPR_YES)
			return t;
		unsure |= t == BEXPR_OPEN;
	}
	set_bit(search->known, name->index, false);
	set_bit(search->value, name->index, false);
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
