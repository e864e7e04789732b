/* Branch and bound over sets of bits (hitting.h).
 *
 *     least_sets()   leave out sets that contain another set
 *     thin_out()     leave out elements that another one can replace
 *     greedy()       a first solution, the upper bound
 *     branch()       take the open set with the fewest elements left, try each of them, go on with what is open then
 *
 * Below a choice the lower bound is the cost of disjoint open sets (narrowest()). An element that was tried is banned
 * for its later siblings, so that no combination is visited twice. */
#include "core/search/hitting.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/lattice.h"

/* The problem transposed: for each element, the sets that it meets. */
struct cover {
	size_t n_sets, n_words;    /* words of 64 bits for a bit per set */
	size_t n;                  /* remaining elements, lightest first, then in their order */
	size_t *name;              /* their indices for the caller */
	uint64_t *weight, *meets;  /* n; n × n_words */
	size_t words;              /* words of 64 bits for a bit per element */
	uint64_t *met_by;          /* n_sets × words: for each set, its elements */
	uint64_t *banned;          /* elements that were tried already and are not tried again below their siblings */
	size_t *chosen, n_chosen;
	uint64_t spent, best;
	size_t *kept, n_kept;      /* the best solution so far */
	size_t work;
	bool gave_up;
};

static bool
has(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

static void
hitting_put(uint64_t *bits, size_t i)
{
	bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static void
hitting_clear(uint64_t *bits, size_t i)
{
	bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* True if all of a is in b. */
static bool
within(const uint64_t *a, const uint64_t *b, size_t words)
{
	uint64_t more = 0;

	for (size_t i = 0; i < words; i++)
		more |= a[i] & ~b[i];
	return more == 0;
}

/* The indices of sets that contain no other set; of equal sets the first stays. The caller frees. */
static size_t *
least_sets(size_t n_sets, const uint64_t *set, size_t words, size_t *n)
{
	size_t *least = mem_new_array(n_sets, sizeof *least);

	*n = 0;
	for (size_t i = 0; i < n_sets; i++) {
		const uint64_t *a = set + i * words;
		size_t kept = 0;
		bool larger = false;

		for (size_t k = 0; k < *n && !larger; k++)
			larger = within(set + least[k] * words, a, words);
		if (larger)
			continue;
		for (size_t k = 0; k < *n; k++)
			if (!within(a, set + least[k] * words, words))
				least[kept++] = least[k];
		least[kept++] = i;
		*n = kept;
	}
	return least;
}

struct item {
	size_t name;
	uint64_t weight;
	const uint64_t *meets;
	size_t words;
};

static int
by_pattern(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;
	int order = memcmp(a->meets, b->meets, a->words * sizeof *a->meets);

	if (order)
		return order;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static int
by_weight(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* Remove elements that another one can replace: it meets at least the same sets, and is no heavier. */
static size_t
thin_out(struct item *item, size_t n)
{
	size_t kept = 0;

	qsort(item, n, sizeof *item, by_pattern);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || memcmp(item[i].meets, item[kept - 1].meets, item[i].words * sizeof *item[i].meets) != 0)
			item[kept++] = item[i];
	n = kept;
	qsort(item, n, sizeof *item, by_weight);
	kept = 0;
	for (size_t i = 0; i < n; i++) {
		bool idle = false;

		for (size_t k = 0; k < kept && !idle; k++) /* the kept ones are no heavier */
			idle = within(item[i].meets, item[k].meets, item[i].words);
		if (!idle)
			item[kept++] = item[i];
	}
	return kept;
}

static void
make_cover(struct cover *c, size_t n_elements, const uint64_t *weight, size_t n_sets, const uint64_t *set)
{
	size_t words = (n_elements + 63) / 64, some = 0;
	size_t *least = least_sets(n_sets, set, words, &c->n_sets);
	struct item *item = mem_new_array(n_elements, sizeof *item);
	uint64_t *meets;

	c->n_words = (c->n_sets + 63) / 64;
	meets = mem_new_array(n_elements * c->n_words, sizeof *meets);
	for (size_t e = 0; e < n_elements; e++) {
		bool any = false;

		for (size_t i = 0; i < c->n_sets; i++)
			if (has(set + least[i] * words, e)) {
				hitting_put(meets + e * c->n_words, i);
				any = true;
			}
		if (any)
			item[some++] = (struct item){e, weight ? weight[e] : 1, meets + e * c->n_words, c->n_words};
	}
	c->n = thin_out(item, some);
	c->name = mem_new_array(c->n, sizeof *c->name);
	c->weight = mem_new_array(c->n, sizeof *c->weight);
	c->meets = mem_new_array(c->n * c->n_words, sizeof *c->meets);
	c->words = (c->n + 63) / 64;
	c->met_by = mem_new_array(c->n_sets * c->words, sizeof *c->met_by);
	c->banned = mem_new_array(c->words, sizeof *c->banned);
	c->chosen = mem_new_array(c->n_sets, sizeof *c->chosen);
	c->kept = mem_new_array(c->n_sets, sizeof *c->kept);
	for (size_t i = 0; i < c->n; i++) {
		c->name[i] = item[i].name;
		c->weight[i] = item[i].weight;
		memcpy(c->meets + i * c->n_words, item[i].meets, c->n_words * sizeof *c->meets);
		for (size_t k = 0; k < c->n_sets; k++)
			if (has(item[i].meets, k))
				hitting_put(c->met_by + k * c->words, i);
	}
	free(meets);
	free(item);
	free(least);
}

static void
free_cover(struct cover *c)
{
	free(c->name);
	free(c->weight);
	free(c->meets);
	free(c->met_by);
	free(c->banned);
	free(c->chosen);
	free(c->kept);
}

/* A first solution: repeatedly takes the element that meets the most open sets for its weight. */
static void
greedy(struct cover *c)
{
	uint64_t *open = mem_new_array(c->n_words, sizeof *open);
	size_t left = c->n_sets;

	for (size_t i = 0; i < c->n_sets; i++)
		hitting_put(open, i);
	while (left) {
		size_t best = 0, most = 0;

		for (size_t e = 0; e < c->n; e++) {
			double here, there;
			size_t meets = 0;

			for (size_t w = 0; w < c->n_words; w++)
				meets += (size_t)__builtin_popcountll(c->meets[e * c->n_words + w] & open[w]);
			here = (double)meets * (double)c->weight[best];
			there = (double)most * (double)c->weight[e];
			if (meets && (!most || here > there)) {
				best = e;
				most = meets;
			}
		}
		for (size_t w = 0; w < c->n_words; w++)
			open[w] &= ~c->meets[best * c->n_words + w];
		left -= most;
		c->kept[c->n_kept++] = best;
		c->best += c->weight[best];
	}
	free(open);
}

static void
spend(struct cover *c, size_t words)
{
	c->gave_up |= words > c->work;
	c->work -= words > c->work ? c->work : words;
}

/* The open set with the fewest elements left; n_sets if one has none. *bound: a lower bound from disjoint open sets. */
static size_t
narrowest(struct cover *c, const uint64_t *met, uint64_t *bound)
{
	uint64_t *taken = mem_new_array(c->n_words, sizeof *taken);
	size_t best = c->n_sets, least = SIZE_MAX;

	spend(c, c->n_sets * c->words);
	*bound = 0;
	memcpy(taken, met, c->n_words * sizeof *taken);
	for (size_t i = 0; i < c->n_sets; i++) {
		const uint64_t *by = c->met_by + i * c->words;
		size_t n = 0, first = c->n;
		bool apart = !has(taken, i);

		for (size_t w = 0; w < c->words && !has(met, i); w++) {
			uint64_t left = by[w] & ~c->banned[w];

			if (left && first == c->n)
				first = w * 64 + (size_t)__builtin_ctzll(left); /* the lightest element of the set */
			n += (size_t)__builtin_popcountll(left);
		}
		if (has(met, i))
			continue;
		if (n < least) {
			least = n;
			best = i;
		}
		if (!apart || !n)
			continue;
		*bound += c->weight[first];
		spend(c, n * c->n_words);
		for (size_t e = first; e < c->n; e++)
			if (has(by, e) && !has(c->banned, e))
				for (size_t w = 0; w < c->n_words; w++)
					taken[w] |= c->meets[e * c->n_words + w];
	}
	free(taken);
	return least ? best : c->n_sets;
}

static void
branch(struct cover *c, const uint64_t *met)
{
	uint64_t *more, bound;
	size_t at, n_banned = 0, *banned;
	bool all = true;

	for (size_t i = 0; i < c->n_sets && all; i++)
		all = has(met, i);
	if (all) {
		if (c->spent < c->best) {
			c->best = c->spent;
			c->n_kept = c->n_chosen;
			memcpy(c->kept, c->chosen, c->n_chosen * sizeof *c->kept);
		}
		return;
	}
	at = narrowest(c, met, &bound);
	if (c->gave_up || at == c->n_sets || c->spent + bound >= c->best)
		return;
	more = mem_new_array(c->n_words, sizeof *more);
	banned = mem_new_array(c->n, sizeof *banned);
	for (size_t e = 0; e < c->n && !c->gave_up; e++) {
		if (has(c->banned, e) || !has(c->meets + e * c->n_words, at))
			continue;
		for (size_t w = 0; w < c->n_words; w++)
			more[w] = met[w] | c->meets[e * c->n_words + w];
		c->chosen[c->n_chosen++] = e;
		c->spent += c->weight[e];
		branch(c, more);
		c->spent -= c->weight[e];
		c->n_chosen--;
		hitting_put(c->banned, e);
		banned[n_banned++] = e;
	}
	while (n_banned)
		hitting_clear(c->banned, banned[--n_banned]);
	free(banned);
	free(more);
}

static int
hitting_by_number(const void *va, const void *vb)
{
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;

	return a < b ? -1 : a > b;
}

bool
hitting_find(size_t n_elements, const uint64_t *weight, size_t n_sets, const uint64_t *set, size_t *work,
	struct hitting *out)
{
	size_t words = (n_elements + 63) / 64;
	struct cover c = {.work = *work};
	uint64_t *met;

	*out = (struct hitting){0};
	for (size_t i = 0; i < n_sets; i++) {
		uint64_t some = 0;

		for (size_t w = 0; w < words; w++)
			some |= set[i * words + w];
		if (!some)
			return false;
	}
	make_cover(&c, n_elements, weight, n_sets, set);
	greedy(&c);
	met = mem_new_array(c.n_words, sizeof *met);
	branch(&c, met);
	free(met);
	out->element = mem_new_array(c.n_kept, sizeof *out->element);
	for (size_t i = 0; i < c.n_kept; i++)
		out->element[i] = c.name[c.kept[i]];
	qsort(out->element, c.n_kept, sizeof *out->element, hitting_by_number);
	out->n = c.n_kept;
	out->weight = c.best;
	out->proven = !c.gave_up;
	*work = c.work;
	free_cover(&c);
	return true;
}

bool
hitting_refusal(const struct lattice *l, size_t n_observations, struct hitting *out)
{
	uint64_t *set = mem_new_array(l->n_models * l->n_words, sizeof *set);
	size_t n = 0, work = HITTING_WORK_MAX;
	bool good;

	for (size_t i = 0; i < l->n_models; i++)
		if (l->model[i].usable)
			memcpy(set + n++ * l->n_words, l->model[i].infeasible, l->n_words * sizeof *set);
	*out = (struct hitting){0};
	good = n > 0 && hitting_find(n_observations, NULL, n, set, &work, out);
	free(set);
	return good;
}
