/* Sets by constraint: a local search from several starts. A step changes the sets of one unit or of two: it adds,
 * removes, moves or exchanges. It is taken if the constraints become narrower and the changed sets fit. There are no
 * more sets than in order, so that a round takes no longer.
 *
 * Two bounds hold: WORK terms are added up, and the room is asked QUESTIONS times (the kernel opens a group for each).
 * Beyond them the best sets so far count. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "core/fit/sets.h"

#define WORK ((size_t)1 << 25)
#define QUESTIONS ((size_t)2048)
#define ANSWERS (4 * QUESTIONS) /* slots of the hash table of answers, a power of two */
#define STARTS 32 /* random ones, and changes of the best, besides the sets in order and those by affinity */
#define ALONE 1e-3 /* weight of the mean width of units against that of constraints */
#define BETTER 1e-7 /* above what rounding adds to a step */

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
	/* per constraint: its units; its variance under the plan at hand, and after the step that is tried */
	uint64_t *touched;
	double *variance, *next;
	unsigned char *place; /* constraints × SETS_MASK: index of a unit in a constraint */
	uint64_t *asked;      /* answers of the room: units of a set; 0: a free slot */
	unsigned char *fits;
};

static uint64_t
sets_of_term(const struct set_constraint *c, size_t i, const struct plan *plan)
{
	return c->unit[i] != SETS_ALWAYS ? plan->in[c->unit[i]]
		: plan->n < 64           ? (UINT64_C(1) << plan->n) - 1
					 : ~UINT64_C(0);
}

/* The part of a constraint's variance that its term i has with the terms from `first` to `last` − 1. */
static double
variance_with(const struct set_constraint *c, size_t i, size_t first, size_t last, const struct plan *plan)
{
	const uint64_t a = sets_of_term(c, i, plan);
	double sum = 0;

	for (size_t j = first; j < last; j++) {
		uint64_t b = sets_of_term(c, j, plan);

		if (a & b)
			sum += c->spread[i * c->n + j] * (double)__builtin_popcountll(a & b) /
				(double)__builtin_popcountll(b);
	}
	return sum * (double)plan->n / (double)__builtin_popcountll(a);
}

static double
variance_of(const struct set_constraint *c, const struct plan *plan)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += 2 * variance_with(c, i, 0, i, plan) + variance_with(c, i, i, i + 1, plan);
	return sum;
}

static double
width_of(double variance)
{
	return sqrt(fmax(0, variance));
}

static double
cost_of(const struct set_constraints *constraints, size_t n_units, const struct plan *plan)
{
	double sum = 0, alone = 0;

	for (size_t k = 0; k < constraints->n; k++)
		sum += width_of(variance_of(&constraints->at[k], plan));
	for (size_t u = 0; u < n_units; u++)
		alone += sqrt((double)plan->n / (double)__builtin_popcountll(plan->in[u]));
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

	return width_of(variance_of(constraint, &plan));
}

double
sets_width(const struct set_constraints *constraints, const struct rotation_sets *sets)
{
	struct plan plan = plan_of(sets);

	return cost_of(constraints, sets->n_units, &plan);
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

/* Computes the cost of the plan and the variances of its constraints, without the rounding of steps. */
static void
take_stock(struct search *search, struct plan *plan)
{
	plan->cost = cost_of(search->constraints, search->n_units, plan);
	for (size_t k = 0; k < search->constraints->n; k++) {
		search->variance[k] = variance_of(&search->constraints->at[k], plan);
		search->work += search->constraints->at[k].n * search->constraints->at[k].n;
	}
}

/* The part of a constraint's variance that depends on units u and v. */
static double
variance_by(struct search *search, size_t k, size_t u, size_t v, const struct plan *plan)
{
	const struct set_constraint *c = &search->constraints->at[k];
	const size_t unit[] = {u, v};
	double sum = 0;
	size_t before = c->n;

	for (size_t m = 0; m < (u == v ? 1 : 2); m++) {
		size_t i = search->place[k * SETS_MASK + unit[m]];

		if (!(search->touched[k] >> unit[m] & 1))
			continue;
		sum += 2 * variance_with(c, i, 0, c->n, plan) - variance_with(c, i, i, i + 1, plan);
		if (before < c->n)
			sum -= 2 * variance_with(c, i, before, before + 1, plan);
		before = i;
		search->work += c->n;
	}
	return sum;
}

static double
cost_alone(const struct search *search, const struct plan *plan, size_t u, size_t v)
{
	double sum = sqrt((double)plan->n / (double)__builtin_popcountll(plan->in[u]));

	if (u != v)
		sum += sqrt((double)plan->n / (double)__builtin_popcountll(plan->in[v]));
	return ALONE * sum / (double)search->n_units;
}

/* Puts unit u into the sets `a`, and v into `b`, if that is better and fits. */
static bool
step(struct search *search, struct plan *plan, size_t u, uint64_t a, size_t v, uint64_t b)
{
	const uint64_t units = UINT64_C(1) << u | UINT64_C(1) << v, was[] = {plan->in[u], plan->in[v]};
	const uint64_t more = (a & ~was[0]) | (b & ~was[1]);
	double change = 0, alone = cost_alone(search, plan, u, v);

	for (size_t k = 0; k < search->constraints->n; k++)
		search->next[k] = search->variance[k] -
			(search->touched[k] & units ? variance_by(search, k, u, v, plan) : 0);
	plan->in[u] = a;
	plan->in[v] = b;
	for (size_t k = 0; k < search->constraints->n; k++)
		if (search->touched[k] & units) {
			search->next[k] += variance_by(search, k, u, v, plan);
			change += width_of(search->next[k]) - width_of(search->variance[k]);
		}
	change = change / (double)search->constraints->n + cost_alone(search, plan, u, v) - alone;
	if (change < -BETTER && sets_fit(search, plan, more)) {
		double *variance = search->variance;

		plan->cost += change;
		search->variance = search->next;
		search->next = variance;
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

static bool
drop_sets(struct search *search, struct plan *plan)
{
	bool done = false;

	for (size_t s = plan->n; s-- > 0;) {
		struct plan less = *plan;

		if (!drop_set(search, &less, s))
			continue;
		take_stock(search, &less);
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
		take_stock(search, plan);
		for (size_t u = 0; u < search->n_units; u++)
			for (size_t s = 0; s < plan->n && search->work < WORK; s++) {
				uint64_t set = UINT64_C(1) << s, less = plan->in[u] & ~set;

				moved |= less == plan->in[u] ? step_join(search, plan, u, set)
					: less != 0         ? step(search, plan, u, less, u, less)
							    : false;
			}
	}
	take_stock(search, plan);
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
	take_stock(search, &plan);
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
		size_t best = i, kept;
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
		kept = order[i];
		order[i] = order[best];
		order[best] = kept;
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

/* Exchanges the sets of two random units, twice. Returns a copy of the plan as it is if they do not fit. */
static struct plan
kicked(struct search *search, const struct plan *plan, uint64_t *random)
{
	struct plan other = *plan;

	for (size_t k = 0; k < 2; k++) {
		size_t u = (size_t)random_below(random, search->n_units),
		       v = (size_t)random_below(random, search->n_units);
		uint64_t kept = other.in[u];

		other.in[u] = other.in[v];
		other.in[v] = kept;
	}
	return sets_fit(search, &other, (UINT64_C(2) << (plan->n - 1)) - 1) ? other : *plan;
}

static struct plan
search_best(struct search *search, const struct rotation_sets *in_order)
{
	size_t order[SETS_MASK];
	uint64_t random = 1;
	struct plan best = plan_of(in_order);

	take_stock(search, &best);
	try_start(search, best, &best);
	order_by_affinity(search, order);
	try_start(search, plan_in_order(search, order), &best);
	for (size_t k = 0; k < STARTS && search->work < WORK && search->questions < QUESTIONS / 2; k++) {
		try_start(search, kicked(search, &best, &random), &best);
		for (size_t i = search->n_units; i > 1; i--) {
			size_t at = (size_t)random_below(&random, i), kept = order[i - 1];

			order[i - 1] = order[at];
			order[at] = kept;
		}
		try_start(search, plan_in_order(search, order), &best);
	}
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
	search.most = sets.n;
	search.touched = mem_new_array(constraints->n, sizeof *search.touched);
	search.variance = mem_new_array(constraints->n, sizeof *search.variance);
	search.next = mem_new_array(constraints->n, sizeof *search.next);
	search.place = mem_new_array(constraints->n, SETS_MASK);
	search.asked = mem_new_array(ANSWERS, sizeof *search.asked);
	search.fits = mem_new_array(ANSWERS, 1);
	for (size_t k = 0; k < constraints->n; k++)
		for (size_t i = 0; i < constraints->at[k].n; i++)
			if (constraints->at[k].unit[i] != SETS_ALWAYS) {
				search.touched[k] |= UINT64_C(1) << constraints->at[k].unit[i];
				search.place[k * SETS_MASK + constraints->at[k].unit[i]] = (unsigned char)i;
			}
	best = search_best(&search, &sets);
	rotation_sets_free(&sets);
	free(search.touched);
	free(search.variance);
	free(search.next);
	free(search.place);
	free(search.asked);
	free(search.fits);
	return sets_of(&best, n_units);
}
