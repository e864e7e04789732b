/* Sets by constraint: a local search from several starts. A step changes the sets of one unit or of two: it adds,
 * removes, moves or exchanges. It is taken if the constraints become narrower and the changed sets fit. When no step
 * helps, one more set with the units of a constraint is tried.
 *
 * Units and sets are bits, so the search costs some hundred additions a step. Two bounds hold: WORK terms are added
 * up, and room is asked QUESTIONS times (the kernel opens a group for each). Beyond them the best sets so far count. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "core/fit/sets.h"

#define WORK ((size_t)1 << 28)
#define QUESTIONS ((size_t)2048)
#define ANSWERS (4 * QUESTIONS) /* slots of the hash table of answers, a power of two */
#define STARTS 8                /* random ones, besides the sets in order and those by affinity */
#define ALONE 1e-3              /* weight of the mean width of units against that of constraints */
#define BETTER 1e-9

/* Which sets each unit is in. */
struct plan {
	size_t n;               /* sets */
	uint64_t in[SETS_MASK]; /* per unit */
	double cost;
};

struct search {
	const struct rotation_room *room;
	const struct set_constraints *constraints;
	size_t n_units, most, work, questions;
	uint64_t *touched;      /* per constraint: its units */
	uint64_t *asked;        /* answers of the room: units of a set; 0: a free slot */
	unsigned char *fits;
};

static double
width_of(const struct set_constraint *c, size_t n_sets, const uint64_t *in)
{
	const uint64_t all = n_sets < 64 ? (UINT64_C(1) << n_sets) - 1 : ~UINT64_C(0);
	double sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		uint64_t a = c->unit[i] == SETS_ALWAYS ? all : in[c->unit[i]];
		double row = c->spread[i * c->n + i] / 2, of = (double)__builtin_popcountll(a);

		for (size_t j = 0; j < i; j++) {
			uint64_t b = c->unit[j] == SETS_ALWAYS ? all : in[c->unit[j]];

			row += c->spread[i * c->n + j] * (double)__builtin_popcountll(a & b) /
				(double)__builtin_popcountll(b);
		}
		sum += 2 * row / of;
	}
	return sqrt(fmax(0, sum * (double)n_sets));
}

static double
cost_of(const struct set_constraints *constraints, size_t n_units, size_t n_sets, const uint64_t *in)
{
	double sum = 0, alone = 0;

	for (size_t k = 0; k < constraints->n; k++)
		sum += width_of(&constraints->at[k], n_sets, in);
	for (size_t u = 0; u < n_units; u++)
		alone += sqrt((double)n_sets / (double)__builtin_popcountll(in[u]));
	return sum / (double)constraints->n + ALONE * alone / (double)n_units;
}

static struct plan
plan_of(const struct rotation_sets *sets)
{
	struct plan plan = {.n = sets->n};

	for (size_t s = 0; s < sets->n; s++)
		for (size_t u = 0; u < sets->n_units; u++)
			if (sets->has[s * sets->n_units + u])
				plan.in[u] |= UINT64_C(1) << s;
	return plan;
}

double
set_constraint_width(const struct set_constraint *constraint, const struct rotation_sets *sets)
{
	struct plan plan = plan_of(sets);

	return width_of(constraint, plan.n, plan.in);
}

double
sets_width(const struct set_constraints *constraints, const struct rotation_sets *sets)
{
	struct plan plan = plan_of(sets);

	return cost_of(constraints, sets->n_units, plan.n, plan.in);
}

/* --- what fits ---------------------------------------------------------------------------------------------------- */

/* Asks whether a set of units fits, once for each set. */
static bool
search_fits(struct search *search, uint64_t units)
{
	size_t at = (size_t)random_scatter(units) & (ANSWERS - 1), unit[SETS_MASK], n = 0;

	for (; search->asked[at]; at = (at + 1) & (ANSWERS - 1))
		if (search->asked[at] == units)
			return search->fits[at];
	if (search->questions == QUESTIONS)
		return false;
	search->questions++;
	for (uint64_t left = units; left != 0; left &= left - 1)
		unit[n++] = (size_t)__builtin_ctzll(left);
	search->asked[at] = units;
	search->fits[at] = search->room->fits(search->room->ctx, unit, n);
	return search->fits[at];
}

static uint64_t
units_in(const struct search *search, const struct plan *plan, size_t set)
{
	uint64_t units = 0;

	for (size_t u = 0; u < search->n_units; u++)
		units |= (plan->in[u] >> set & 1) << u;
	return units;
}

static bool
sets_fit(struct search *search, const struct plan *plan, uint64_t sets)
{
	for (uint64_t left = sets; left; left &= left - 1)
		if (!search_fits(search, units_in(search, plan, (size_t)__builtin_ctzll(left))))
			return false;
	return true;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* The part of the cost that depends on some units. */
static double
cost_of_units(struct search *search, const struct plan *plan, uint64_t units)
{
	const struct set_constraints *constraints = search->constraints;
	double sum = 0, alone = 0;

	for (size_t k = 0; k < constraints->n; k++)
		if (search->touched[k] & units) {
			sum += width_of(&constraints->at[k], plan->n, plan->in);
			search->work += constraints->at[k].n * constraints->at[k].n;
		}
	search->work += constraints->n / 8 + 1;
	for (uint64_t left = units; left; left &= left - 1)
		alone += sqrt((double)plan->n / (double)__builtin_popcountll(plan->in[__builtin_ctzll(left)]));
	return sum / (double)constraints->n + ALONE * alone / (double)search->n_units;
}

/* Puts unit u into the sets `a`, and v into `b`, if that is better and fits. */
static bool
step(struct search *search, struct plan *plan, size_t u, uint64_t a, size_t v, uint64_t b)
{
	const uint64_t units = UINT64_C(1) << u | UINT64_C(1) << v, was[] = {plan->in[u], plan->in[v]};
	const uint64_t more = (a & ~was[0]) | (b & ~was[1]);
	double before = cost_of_units(search, plan, units), after;

	plan->in[u] = a;
	plan->in[v] = b;
	after = cost_of_units(search, plan, units);
	if (after < before - BETTER && sets_fit(search, plan, more)) {
		plan->cost += after - before;
		return true;
	}
	plan->in[u] = was[0];
	plan->in[v] = was[1];
	return false;
}

/* Unit u joins a set, and unit v leaves it: for another of its sets, or for one that u leaves. */
static bool
step_exchange(struct search *search, struct plan *plan, size_t u, uint64_t set)
{
	bool done = false;

	for (size_t v = 0; v < search->n_units && !done; v++) {
		if (v == u || !(plan->in[v] & set))
			continue;
		done = plan->in[v] != set && step(search, plan, u, plan->in[u] | set, v, plan->in[v] & ~set);
		for (uint64_t left = plan->in[u]; left && !done; left &= left - 1) {
			uint64_t other = left & -left;

			done = step(search, plan, u, (plan->in[u] & ~other) | set, v, (plan->in[v] & ~set) | other);
		}
	}
	return done;
}

static bool
step_join(struct search *search, struct plan *plan, size_t u, uint64_t set)
{
	bool done = step(search, plan, u, plan->in[u] | set, u, plan->in[u] | set);

	for (uint64_t left = plan->in[u]; left && !done; left &= left - 1) {
		uint64_t moved = (plan->in[u] & ~(left & -left)) | set;

		done = step(search, plan, u, moved, u, moved);
	}
	return done || step_exchange(search, plan, u, set);
}

/* Leaves out set number `set` if each of its units is in another one. The last set takes its number. */
static bool
drop_set(const struct search *search, struct plan *plan, size_t set)
{
	const uint64_t bit = UINT64_C(1) << set;

	for (size_t u = 0; u < search->n_units; u++)
		if (plan->in[u] == bit)
			return false;
	plan->n--;
	for (size_t u = 0; u < search->n_units; u++) {
		uint64_t last = plan->in[u] >> plan->n & 1;

		plan->in[u] &= ~(bit | UINT64_C(1) << plan->n);
		plan->in[u] |= set < plan->n ? last << set : 0;
	}
	return true;
}

static void
set_cost(struct search *search, struct plan *plan)
{
	plan->cost = cost_of(search->constraints, search->n_units, plan->n, plan->in);
	for (size_t k = 0; k < search->constraints->n; k++)
		search->work += search->constraints->at[k].n * search->constraints->at[k].n;
}

static bool
drop_sets(struct search *search, struct plan *plan)
{
	bool done = false;

	for (size_t s = plan->n; s-- > 0;) {
		struct plan less = *plan;

		if (!drop_set(search, &less, s))
			continue;
		set_cost(search, &less);
		if (less.cost < plan->cost - BETTER) {
			*plan = less;
			done = true;
		}
	}
	return done;
}

/* Takes steps until none helps. */
static void
descend(struct search *search, struct plan *plan)
{
	bool moved = true;

	while (moved && search->work < WORK) {
		moved = drop_sets(search, plan);
		for (size_t u = 0; u < search->n_units; u++)
			for (size_t s = 0; s < plan->n && search->work < WORK; s++) {
				uint64_t set = UINT64_C(1) << s, less = plan->in[u] & ~set;

				moved |= less == plan->in[u] ? step_join(search, plan, u, set)
					: less != 0         ? step(search, plan, u, less, u, less)
							    : false;
			}
	}
	set_cost(search, plan); /* without the rounding of the steps */
}

/* Tries one more set for each constraint that no set holds alone: its units, which then leave their other sets or do
 * not. */
static void
more_sets(struct search *search, struct plan *plan)
{
	for (size_t k = 0; k < 2 * search->constraints->n && plan->n < search->most && search->work < WORK; k++) {
		struct plan more = *plan;
		const uint64_t units = search->touched[k / 2], set = UINT64_C(1) << plan->n;

		if (width_of(&search->constraints->at[k / 2], plan->n, plan->in) < 1e-6 || !search_fits(search, units))
			continue;
		more.n++;
		for (uint64_t left = units; left; left &= left - 1) {
			uint64_t *in = &more.in[__builtin_ctzll(left)];

			*in = k % 2 ? set : *in | set;
		}
		set_cost(search, &more);
		descend(search, &more);
		if (more.cost < plan->cost - BETTER)
			*plan = more;
	}
}

/* --- starts ------------------------------------------------------------------------------------------------------- */

/* Fills sets with units in this order. */
static struct plan
plan_in_order(struct search *search, const size_t *order)
{
	struct plan plan = {0};
	uint64_t units = 0;

	for (size_t i = 0; i < search->n_units; i++) {
		uint64_t one = UINT64_C(1) << order[i];

		if (i == 0 || !search_fits(search, units | one)) {
			plan.n++;
			units = 0;
		}
		units |= one;
		plan.in[order[i]] = UINT64_C(1) << (plan.n - 1);
	}
	set_cost(search, &plan);
	return plan;
}

/* How much two units move each other's constraints: Σ |aᵢ aⱼ Cᵢⱼ|. */
static double *
affinities(const struct search *search)
{
	double *near = mem_new_array(search->n_units * search->n_units, sizeof *near);

	for (size_t k = 0; k < search->constraints->n; k++) {
		const struct set_constraint *c = &search->constraints->at[k];

		for (size_t i = 0; i < c->n; i++)
			for (size_t j = 0; j < c->n && c->unit[i] != SETS_ALWAYS; j++)
				if (c->unit[j] != SETS_ALWAYS)
					near[c->unit[i] * search->n_units + c->unit[j]] +=
						fabs(c->spread[i * c->n + j]);
	}
	return near;
}

/* Orders units so that each is next to those that it belongs to: always the unit that is nearest to the set that is
 * being filled, or the one with the most constraints for a new set. */
static void
order_by_affinity(struct search *search, size_t *order)
{
	double *near = affinities(search);
	size_t begin = 0;

	for (size_t i = 0; i < search->n_units; i++)
		order[i] = i;
	for (size_t i = 0; i < search->n_units; i++) {
		size_t best = i;
		double most = -1;
		uint64_t units = 0;

		for (size_t k = begin; k < i; k++)
			units |= UINT64_C(1) << order[k];
		for (size_t j = i; j < search->n_units; j++) {
			double sum = begin < i ? 0 : near[order[j] * search->n_units + order[j]];

			for (size_t k = begin; k < i; k++)
				sum += near[order[j] * search->n_units + order[k]];
			if (sum > most) {
				most = sum;
				best = j;
			}
		}
		if (begin < i && !search_fits(search, units | UINT64_C(1) << order[best])) {
			begin = i--;
			continue;
		}
		units = order[i];
		order[i] = order[best];
		order[best] = (size_t)units;
	}
	free(near);
}

static void
try_start(struct search *search, struct plan start, struct plan *best)
{
	if (start.n > search->most)
		return;
	descend(search, &start);
	if (start.cost < best->cost - BETTER)
		*best = start;
}

static struct plan
search_best(struct search *search, const struct rotation_sets *in_order)
{
	size_t order[SETS_MASK];
	uint64_t random = 1;
	struct plan best = plan_of(in_order);

	set_cost(search, &best);
	try_start(search, best, &best);
	order_by_affinity(search, order);
	try_start(search, plan_in_order(search, order), &best);
	for (size_t k = 0; k < STARTS && search->work < WORK / 2; k++) {
		for (size_t i = search->n_units; i > 1; i--) {
			size_t at = (size_t)random_below(&random, i), kept = order[i - 1];

			order[i - 1] = order[at];
			order[at] = kept;
		}
		try_start(search, plan_in_order(search, order), &best);
	}
	more_sets(search, &best);
	return best;
}

static struct rotation_sets
sets_of(const struct plan *plan, size_t n_units)
{
	struct rotation_sets sets = {.n_units = n_units, .n = plan->n, .has = mem_new_array(plan->n * n_units, 1)};

	for (size_t s = 0; s < plan->n; s++)
		for (size_t u = 0; u < n_units; u++)
			sets.has[s * n_units + u] = plan->in[u] >> s & 1;
	return sets;
}

struct rotation_sets
rotation_sets_by_constraint(
	size_t n_units, const struct rotation_room *room, const struct set_constraints *constraints)
{
	struct rotation_sets sets = rotation_sets_new(n_units, room);
	struct search search = {.room = room, .constraints = constraints, .n_units = n_units};
	struct plan best;

	if (!constraints || !constraints->n || n_units > SETS_MASK || sets.n < 2)
		return sets;
	search.most = 2 * sets.n < 64 ? 2 * sets.n : 64;
	search.touched = mem_new_array(constraints->n, sizeof *search.touched);
	search.asked = mem_new_array(ANSWERS, sizeof *search.asked);
	search.fits = mem_new_array(ANSWERS, 1);
	for (size_t k = 0; k < constraints->n; k++)
		for (size_t i = 0; i < constraints->at[k].n; i++)
			if (constraints->at[k].unit[i] != SETS_ALWAYS)
				search.touched[k] |= UINT64_C(1) << constraints->at[k].unit[i];
	best = search_best(&search, &sets);
	rotation_sets_free(&sets);
	free(search.touched);
	free(search.asked);
	free(search.fits);
	return sets_of(&best, n_units);
}
