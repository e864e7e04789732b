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

/* Returns true if all of a is in b. */
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
make_cover(struct cover *cover, size_t n_elements, const uint64_t *weight, size_t n_sets, const uint64_t *set)
{
	size_t words = (n_elements + 63) / 64, some = 0;
	size_t *least = least_sets(n_sets, set, words, &cover->n_sets);
	struct item *item = mem_new_array(n_elements, sizeof *item);
	uint64_t *meets;

	cover->n_words = (cover->n_sets + 63) / 64;
	meets = mem_new_array(n_elements * cover->n_words, sizeof *meets);
	for (size_t e = 0; e < n_elements; e++) {
		bool any = false;

		for (size_t i = 0; i < cover->n_sets; i++)
			if (has(set + least[i] * words, e)) {
				hitting_put(meets + e * cover->n_words, i);
				any = true;
			}
		if (any)
			item[some++] = (struct item){
				e, weight ? weight[e] : 1, meets + e * cover->n_words, cover->n_words};
	}
	cover->n = thin_out(item, some);
	cover->name = mem_new_array(cover->n, sizeof *cover->name);
	cover->weight = mem_new_array(cover->n, sizeof *cover->weight);
	cover->meets = mem_new_array(cover->n * cover->n_words, sizeof *cover->meets);
	cover->words = (cover->n + 63) / 64;
	cover->met_by = mem_new_array(cover->n_sets * cover->words, sizeof *cover->met_by);
	cover->banned = mem_new_array(cover->words, sizeof *cover->banned);
	cover->chosen = mem_new_array(cover->n_sets, sizeof *cover->chosen);
	cover->kept = mem_new_array(cover->n_sets, sizeof *cover->kept);
	for (size_t i = 0; i < cover->n; i++) {
		cover->name[i] = item[i].name;
		cover->weight[i] = item[i].weight;
		memcpy(cover->meets + i * cover->n_words, item[i].meets, cover->n_words * sizeof *cover->meets);
		for (size_t k = 0; k < cover->n_sets; k++)
			if (has(item[i].meets, k))
				hitting_put(cover->met_by + k * cover->words, i);
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
greedy(struct cover *cover)
{
	uint64_t *open = mem_new_array(cover->n_words, sizeof *open);
	size_t left = cover->n_sets;

	for (size_t i = 0; i < cover->n_sets; i++)
		hitting_put(open, i);
	while (left) {
		size_t best = 0, most = 0;

		for (size_t e = 0; e < cover->n; e++) {
			double here, there;
			size_t meets = 0;

			for (size_t w = 0; w < cover->n_words; w++)
				meets += (size_t)__builtin_popcountll(cover->meets[e * cover->n_words + w] & open[w]);
			here = (double)meets * (double)cover->weight[best];
			there = (double)most * (double)cover->weight[e];
			if (meets && (!most || here > there)) {
				best = e;
				most = meets;
			}
		}
		for (size_t w = 0; w < cover->n_words; w++)
			open[w] &= ~cover->meets[best * cover->n_words + w];
		left -= most;
		cover->kept[cover->n_kept++] = best;
		cover->best += cover->weight[best];
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
narrowest(struct cover *cover, const uint64_t *met, uint64_t *bound)
{
	uint64_t *taken = mem_new_array(cover->n_words, sizeof *taken);
	size_t best = cover->n_sets, least = SIZE_MAX;

	spend(cover, cover->n_sets * cover->words);
	*bound = 0;
	memcpy(taken, met, cover->n_words * sizeof *taken);
	for (size_t i = 0; i < cover->n_sets; i++) {
		const uint64_t *by = cover->met_by + i * cover->words;
		size_t n = 0, first = cover->n;
		bool apart = !has(taken, i);

		for (size_t w = 0; w < cover->words && !has(met, i); w++) {
			uint64_t left = by[w] & ~cover->banned[w];

			if (left && first == cover->n)
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
		*bound += cover->weight[first];
		spend(cover, n * cover->n_words);
		for (size_t e = first; e < cover->n; e++)
			if (has(by, e) && !has(cover->banned, e))
				for (size_t w = 0; w < cover->n_words; w++)
					taken[w] |= cover->meets[e * cover->n_words + w];
	}
	free(taken);
	return least ? best : cover->n_sets;
}

static void
branch(struct cover *cover, const uint64_t *met)
{
	uint64_t *more, bound;
	size_t at, n_banned = 0, *banned;
	bool all = true;

	for (size_t i = 0; i < cover->n_sets && all; i++)
		all = has(met, i);
	if (all) {
		if (cover->spent < cover->best) {
			cover->best = cover->spent;
			cover->n_kept = cover->n_chosen;
			memcpy(cover->kept, cover->chosen, cover->n_chosen * sizeof *cover->kept);
		}
		return;
	}
	at = narrowest(cover, met, &bound);
	if (cover->gave_up || at == cover->n_sets || cover->spent + bound >= cover->best)
		return;
	more = mem_new_array(cover->n_words, sizeof *more);
	banned = mem_new_array(cover->n, sizeof *banned);
	for (size_t e = 0; e < cover->n && !cover->gave_up; e++) {
		if (has(cover->banned, e) || !has(cover->meets + e * cover->n_words, at))
			continue;
		for (size_t w = 0; w < cover->n_words; w++)
			more[w] = met[w] | cover->meets[e * cover->n_words + w];
		cover->chosen[cover->n_chosen++] = e;
		cover->spent += cover->weight[e];
		branch(cover, more);
		cover->spent -= cover->weight[e];
		cover->n_chosen--;
		hitting_put(cover->banned, e);
		banned[n_banned++] = e;
	}
	while (n_banned)
		hitting_clear(cover->banned, banned[--n_banned]);
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
hitting_refusal(const struct search_graph *lattice, size_t n_observations, struct hitting *out)
{
	size_t n_words = (n_observations + 63) / 64;
	uint64_t *set = mem_new_array(lattice->n_models * n_words, sizeof *set);
	size_t n = 0, work = HITTING_WORK_MAX;
	bool good;

	for (size_t i = 0; i < lattice->n_models; i++)
		if (lattice->model[i].usable)
			memcpy(set + n++ * n_words, lattice->model[i].refuted, n_words * sizeof *set);
	*out = (struct hitting){0};
	good = n > 0 && hitting_find(n_observations, NULL, n, set, &work, out);
	free(set);
	return good;
}
