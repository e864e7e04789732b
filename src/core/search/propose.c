/* Finds the smallest signatures that make the observations feasible.
 *
 * Vectors are visited in this order: number of counters, then the sum of their entries, then the list of counters,
 * then the entries. A choice of counters is skipped if some certificate that must be broken has no negative entry on
 * any of them. */
#include "core/search/propose.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/search/hitting.h"
#include "core/search/propose_run.h"

#define SET_WORK 2000000   /* work limits, see hitting.h: for each set of vectors that is tested, */
#define CARE_WORK 20000000 /* for each set after the first one that helps, */
#define ALL_WORK 100000000 /* and for all sets together */

static bool
breaks(const struct propose_run *r, const int64_t *a, const int64_t *s)
{
	return i128_dot(a, s, r->n) < 0;
}

static void
learn(struct propose_run *r)
{
	struct propose_certificate c = {.a = mem_copy(r->scratch, r->n * sizeof *r->scratch)};

	for (size_t i = 0; i < r->n; i++)
		if (c.a[i] < 0)
			c.end = i + 1;
	mem_grow(&r->known, &r->cap_known, r->n_known + 1, sizeof *r->known);
	r->known[r->n_known++] = c;
}

void
propose_grant(struct propose_run *r, size_t n)
{
	r->n_granted = n;
	for (size_t k = 0; k < r->n_known; k++) {
		r->known[k].broken = false;
		for (size_t i = 0; i < n && !r->known[k].broken; i++)
			r->known[k].broken = breaks(r, r->known[k].a, r->vector + i * r->n);
	}
}

/* The certificate that stopped the last vector stops most neighbours, too: it is tried first. */
static bool
breaks_all(struct propose_run *r, const int64_t *s)
{
	if (r->stopper < r->n_known && !r->known[r->stopper].broken && !breaks(r, r->known[r->stopper].a, s))
		return false;
	for (size_t k = 0; k < r->n_known; k++)
		if (!r->known[k].broken && !breaks(r, r->known[k].a, s)) {
			r->stopper = k;
			return false;
		}
	return true;
}

enum propose_answer
propose_judge(struct propose_run *run, size_t observation, size_t n)
{
	enum propose_answer answer;

	if (run->out->tests == run->tests_max) {
		run->spent = true;
		return PROPOSE_UNKNOWN;
	}
	run->out->tests++;
	answer = run->p->judge(run->p->ctx, observation, n, run->vector, run->scratch);
	run->stopped |= answer == PROPOSE_STOPPED;
	return answer;
}

/* Returns true if all observations are feasible with the first n vectors. An observation that fails is tested first the
 * next time. With `every` all are tested even after a failure, to learn more certificates from one set of vectors. */
static bool
takes_all(struct propose_run *run, size_t n, bool every, bool *learned)
{
	size_t m = run->p->n_observations;
	bool all = true;

	*learned = false;
	for (size_t k = 0; k < m && (all || every); k++) {
		size_t at = run->failed_last[k];
		enum propose_answer answer = propose_judge(run, at, n);

		if (answer == PROPOSE_TAKEN)
			continue;
		all = false;
		memmove(run->failed_last + 1, run->failed_last, k * sizeof *run->failed_last);
		run->failed_last[0] = at;
		if (answer == PROPOSE_REFUTED) {
			learn(run);
			*learned = true;
		}
	}
	return all;
}

/* Returns true if a vector on the first `depth` counters of the choice, and others from `from` on, can break all
 * certificates that must be broken. */
static bool
counters_may(const struct propose_run *r, size_t depth, size_t from)
{
	for (size_t k = 0; k < r->n_known; k++) {
		bool may = r->known[k].broken || r->known[k].end > from;

		for (size_t i = 0; i < depth && !may; i++)
			may = r->known[k].a[r->at[i]] < 0;
		if (!may)
			return false;
	}
	return true;
}

static bool
walk_numbers(struct propose_run *run, int64_t *s, size_t depth, int64_t left, uint64_t common)
{
	int64_t rest = (int64_t)(run->size - depth) - 1, from = rest ? 1 : left;
	bool done = false;

	if (++run->visited >= run->visited_max)
		run->spent = true;
	for (int64_t v = from; v <= left - rest && !done && !run->spent && !run->stopped; v++) {
		s[run->at[depth]] = v;
		if (rest)
			done = walk_numbers(run, s, depth + 1, left - v, u64_gcd((uint64_t)v, common));
		else if (u64_gcd((uint64_t)v, common) == 1)
			done = run->visit(run, s);
	}
	if (!done)
		s[run->at[depth]] = 0;
	return done;
}

static bool
walk_counters(struct propose_run *run, int64_t *s, size_t depth, size_t from, int64_t sum)
{
	bool done = false;

	if (++run->visited >= run->visited_max)
		run->spent = true;
	if (!counters_may(run, depth, depth == run->size ? run->n : from))
		return false;
	if (depth == run->size)
		return walk_numbers(run, s, 0, sum, 0);
	for (size_t i = from; i + (run->size - depth) <= run->n && !done && !run->spent && !run->stopped; i++)
		if (run->p->use[i]) {
			run->at[depth] = i;
			done = walk_counters(run, s, depth + 1, i + 1, sum);
		}
	return done;
}

bool
propose_walk(struct propose_run *r, int64_t *s, size_t size, int64_t sum)
{
	r->size = size;
	return walk_counters(r, s, 0, 0, sum);
}

bool
propose_try_alone(struct propose_run *r, const int64_t *s)
{
	bool learned;

	if (!breaks_all(r, s))
		return false;
	memcpy(r->vector + r->n_granted * r->n, s, r->n * sizeof *s);
	return takes_all(r, r->n_granted + 1, false, &learned);
}

/* Finds the smallest vector that makes all observations feasible without any other. */
static bool
find_single(struct propose_run *r, int64_t *s)
{
	r->visit = propose_try_alone;
	for (size_t size = 1; size <= r->n && !r->spent && !r->stopped; size++)
		for (int64_t sum = (int64_t)size; sum <= (size == 1 ? 1 : PROPOSE_SUM_MAX) && !r->spent && !r->stopped;
			sum++)
			if (propose_walk(r, s, size, sum))
				return true;
	return false;
}

/* Small vectors by size. A vector that breaks no known certificate may break a later one, so it is kept, too. */
struct pool {
	int64_t *vector;
	uint64_t *weight;
	size_t n, cap, cap_weight;
	uint64_t now;
	uint64_t *set;     /* for each of n_sets known certificates a bit per vector: whether that breaks it */
	size_t n_sets, cap_sets;
};

static bool
propose_collect(struct propose_run *r, const int64_t *s)
{
	struct pool *pool = r->ctx;

	if (pool->n == PROPOSE_POOL_MAX)
		return true;
	mem_grow(&pool->vector, &pool->cap, (pool->n + 1) * r->n, sizeof *pool->vector);
	mem_grow(&pool->weight, &pool->cap_weight, pool->n + 1, sizeof *pool->weight);
	memcpy(pool->vector + pool->n * r->n, s, r->n * sizeof *s);
	pool->weight[pool->n++] = pool->now;
	return false;
}

/* Fill the pool. Weights make a set with fewer vectors lighter, then one with fewer counters, then one with a
 * smaller sum. */
static void
fill_pool(struct propose_run *run, struct pool *pool)
{
	struct propose_certificate *known = run->known;
	size_t n_known = run->n_known;
	int64_t *s = mem_new_array(run->n, sizeof *s);

	run->visit = propose_collect;
	run->ctx = pool;
	run->known = NULL; /* for this walk no certificate must be broken */
	run->n_known = 0;
	for (size_t size = 1; size <= run->n && size <= PROPOSE_POOL_COUNTERS_MAX; size++)
		for (int64_t sum = (int64_t)size;
			sum <= (size == 1 ? 1 : PROPOSE_POOL_SUM_MAX) && pool->n < PROPOSE_POOL_MAX; sum++) {
			pool->now = UINT64_C(1) << 32 | (uint64_t)size << 16 | (uint64_t)sum;
			memset(s, 0, run->n * sizeof *s);
			propose_walk(run, s, size, sum);
		}
	run->known = known;
	run->n_known = n_known;
	free(s);
}

/* Adds the sets of certificates that were learned since the last call. */
static void
add_sets(const struct propose_run *run, struct pool *pool)
{
	size_t words = (pool->n + 63) / 64;

	mem_grow(&pool->set, &pool->cap_sets, run->n_known * words, sizeof *pool->set);
	for (; pool->n_sets < run->n_known; pool->n_sets++) {
		uint64_t *set = pool->set + pool->n_sets * words;

		memset(set, 0, words * sizeof *set);
		for (size_t i = 0; i < pool->n; i++)
			if (breaks(run, run->known[pool->n_sets].a, pool->vector + i * run->n))
				set[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

/* Find the lightest set of the pool's vectors that breaks every certificate, and copy it to r->vector. */
static bool
next_set(struct propose_run *run, struct pool *pool, size_t most, struct hitting *hitting)
{
	size_t work = most < run->work ? most : run->work, before = work;
	bool good;

	add_sets(run, pool);
	good = hitting_find(pool->n, pool->weight, run->n_known, pool->set, &work, hitting);
	run->work -= before - work;
	/* more vectors than counters are never needed: the single counters already span everything */
	if (good && hitting->n > run->n) {
		free(hitting->element);
		return false;
	}
	for (size_t i = 0; good && i < hitting->n; i++)
		memcpy(run->vector + i * run->n, pool->vector + hitting->element[i] * run->n,
			run->n * sizeof *pool->vector);
	return good;
}

/* Find several vectors that help all observations together; *n of them are in r->vector. Returns false if there are
 * none. If the set is not proven to be the lightest, it is kept, and the search continues with a higher work limit. */
static bool
find_several(struct propose_run *run, size_t *n)
{
	struct pool pool = {0};
	struct hitting h = {0};
	size_t work = SET_WORK;
	int64_t *kept = NULL;
	bool learned = true, proven = false;

	*n = 0;
	fill_pool(run, &pool);
	run->out->smallest &= pool.n < PROPOSE_POOL_MAX;
	while (!proven && learned && run->work && !run->spent && !run->stopped && next_set(run, &pool, work, &h)) {
		bool does = takes_all(run, h.n, true, &learned);

		if (does) {
			proven = h.proven;
			learned = work < CARE_WORK; /* continue once with the higher limit, then stop */
			work = CARE_WORK;
			*n = h.n;
			free(kept);
			kept = mem_copy(run->vector, h.n * run->n * sizeof *kept);
		}
		free(h.element);
	}
	run->out->smallest &= proven;
	if (kept)
		memcpy(run->vector, kept, *n * run->n * sizeof *kept);
	free(kept);
	free(pool.vector);
	free(pool.weight);
	free(pool.set);
	return *n > 0;
}

/* The fallback after a limit: each counter alone, without those that are not needed. *n vectors are in r->vector. */
static bool
find_units(struct propose_run *run, size_t *n)
{
	bool learned, whole;

	*n = 0;
	memset(run->vector, 0, run->n * run->n * sizeof *run->vector);
	for (size_t i = 0; i < run->n; i++)
		if (run->p->use[i])
			run->vector[(*n)++ * run->n + i] = 1;
	run->spent = false;
	run->tests_max = run->out->tests + (run->n + 1) * run->p->n_observations;
	whole = takes_all(run, *n, false, &learned);
	for (size_t i = 0; i < *n && whole && !run->stopped;) {
		int64_t *at = run->vector + i * run->n, *last = run->vector + (*n - 1) * run->n,
			*gone = mem_copy(at, run->n * sizeof *gone);

		memmove(at, at + run->n, (size_t)(last - at) * sizeof *at);
		if (takes_all(run, *n - 1, false, &learned)) {
			--*n;
		} else {
			memmove(at + run->n, at, (size_t)(last - at) * sizeof *at);
			memcpy(at, gone, run->n * sizeof *at);
			i++;
		}
		free(gone);
	}
	return whole && !run->stopped;
}

static void
find_proposals(struct propose_run *run)
{
	int64_t *s = mem_new_array(run->n, sizeof *s);
	size_t n = 1;
	bool single;

	for (size_t i = 0; i < run->p->n_observations && !run->stopped; i++)
		if (propose_judge(run, i, 0) == PROPOSE_REFUTED)
			learn(run);
	single = !run->stopped && find_single(run, s);
	free(s);
	if (run->stopped)
		return;
	if (single) {
		run->out->whole = run->out->smallest = true;
	} else {
		run->out->smallest = !run->spent;
		run->spent = false;
		run->visited = 0;
		run->tests_max = run->out->tests + run->tests_max;
		run->out->whole = find_several(run, &n);
		if (!run->out->whole && !run->stopped) {
			run->out->smallest = false;
			run->out->whole = find_units(run, &n);
		}
		if (!run->out->whole)
			run->out->reason =
				"not even each counter alone, all of them together, makes the observations feasible";
		else if (!run->out->smallest)
			run->out->reason = "the limit of work was reached before it was known whether fewer or smaller "
					 "ones suffice";
	}
	if (run->out->whole)
		propose_describe_all(run, n);
}

struct proposals *
propose(const struct propose_problem *problem)
{
	struct propose_run r = {.p = problem,
		.n = problem->n_counters,
		.tests_max = problem->tests_max ? problem->tests_max : PROPOSE_TESTS_MAX,
		.visited_max = problem->visited_max ? problem->visited_max : PROPOSE_VISITED_MAX,
		.work = ALL_WORK,
		.out = mem_new(sizeof *r.out)};
	struct proposals *out = r.out;

	out->n_counters = problem->n_counters;
	out->n_observations = problem->n_observations;
	r.scratch = mem_new_array(r.n, sizeof *r.scratch);
	r.vector = mem_new_array((r.n + 1) * r.n, sizeof *r.vector);
	r.at = mem_new_array(r.n + 1, sizeof *r.at);
	r.failed_last = mem_new_array(problem->n_observations, sizeof *r.failed_last);
	for (size_t i = 0; i < problem->n_observations; i++)
		r.failed_last[i] = i;
	if (problem->n_observations)
		find_proposals(&r);
	else
		out->whole = out->smallest = true;
	for (size_t i = 0; i < r.n_known; i++)
		free(r.known[i].a);
	free(r.known);
	free(r.scratch);
	free(r.vector);
	free(r.at);
	free(r.failed_last);
	if (!r.stopped)
		return out;
	proposals_free(out);
	return NULL;
}

static void
propose_clear(struct proposal *x)
{
	free(x->vector);
	free(x->repaired);
}

void
proposals_free(struct proposals *proposals)
{
	if (!proposals)
		return;
	for (size_t i = 0; i < proposals->n; i++) {
		propose_clear(&proposals->one[i].own);
		for (size_t k = 0; k < proposals->one[i].n_alternatives; k++)
			propose_clear(&proposals->one[i].alternative[k]);
		free(proposals->one[i].alternative);
	}
	free(proposals->one);
	free(proposals);
}
