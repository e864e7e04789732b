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
propose_judge(struct propose_run *r, size_t observation, size_t n)
{
	enum propose_answer answer;

	if (r->out->tests == r->tests_max) {
		r->spent = true;
		return PROPOSE_UNKNOWN;
	}
	r->out->tests++;
	answer = r->p->judge(r->p->ctx, observation, n, r->vector, r->scratch);
	r->stopped |= answer == PROPOSE_STOPPED;
	return answer;
}

/* True if all observations are feasible with the first n vectors. An observation that fails is tested first the next
 * time. With `every` all are tested even after a failure, to learn more certificates from one set of vectors. */
static bool
takes_all(struct propose_run *r, size_t n, bool every, bool *learned)
{
	size_t m = r->p->n_observations;
	bool all = true;

	*learned = false;
	for (size_t k = 0; k < m && (all || every); k++) {
		size_t at = r->failed_last[k];
		enum propose_answer answer = propose_judge(r, at, n);

		if (answer == PROPOSE_TAKEN)
			continue;
		all = false;
		memmove(r->failed_last + 1, r->failed_last, k * sizeof *r->failed_last);
		r->failed_last[0] = at;
		if (answer == PROPOSE_REFUTED) {
			learn(r);
			*learned = true;
		}
	}
	return all;
}

/* True if a vector on the first `depth` counters of the choice, and others from `from` on, can break all
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
walk_numbers(struct propose_run *r, int64_t *s, size_t depth, int64_t left, uint64_t common)
{
	int64_t rest = (int64_t)(r->size - depth) - 1, from = rest ? 1 : left;
	bool done = false;

	if (++r->visited >= r->visited_max)
		r->spent = true;
	for (int64_t v = from; v <= left - rest && !done && !r->spent && !r->stopped; v++) {
		s[r->at[depth]] = v;
		if (rest)
			done = walk_numbers(r, s, depth + 1, left - v, u64_gcd((uint64_t)v, common));
		else if (u64_gcd((uint64_t)v, common) == 1)
			done = r->visit(r, s);
	}
	if (!done)
		s[r->at[depth]] = 0;
	return done;
}

static bool
walk_counters(struct propose_run *r, int64_t *s, size_t depth, size_t from, int64_t sum)
{
	bool done = false;

	if (++r->visited >= r->visited_max)
		r->spent = true;
	if (!counters_may(r, depth, depth == r->size ? r->n : from))
		return false;
	if (depth == r->size)
		return walk_numbers(r, s, 0, sum, 0);
	for (size_t i = from; i + (r->size - depth) <= r->n && !done && !r->spent && !r->stopped; i++)
		if (r->p->use[i]) {
			r->at[depth] = i;
			done = walk_counters(r, s, depth + 1, i + 1, sum);
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
fill_pool(struct propose_run *r, struct pool *pool)
{
	struct propose_certificate *known = r->known;
	size_t n_known = r->n_known;
	int64_t *s = mem_new_array(r->n, sizeof *s);

	r->visit = propose_collect;
	r->ctx = pool;
	r->known = NULL; /* for this walk no certificate must be broken */
	r->n_known = 0;
	for (size_t size = 1; size <= r->n && size <= PROPOSE_POOL_COUNTERS_MAX; size++)
		for (int64_t sum = (int64_t)size;
			sum <= (size == 1 ? 1 : PROPOSE_POOL_SUM_MAX) && pool->n < PROPOSE_POOL_MAX; sum++) {
			pool->now = UINT64_C(1) << 32 | (uint64_t)size << 16 | (uint64_t)sum;
			memset(s, 0, r->n * sizeof *s);
			propose_walk(r, s, size, sum);
		}
	r->known = known;
	r->n_known = n_known;
	free(s);
}

/* Adds the sets of certificates that were learned since the last call. */
static void
add_sets(const struct propose_run *r, struct pool *pool)
{
	size_t words = (pool->n + 63) / 64;

	mem_grow(&pool->set, &pool->cap_sets, r->n_known * words, sizeof *pool->set);
	for (; pool->n_sets < r->n_known; pool->n_sets++) {
		uint64_t *set = pool->set + pool->n_sets * words;

		memset(set, 0, words * sizeof *set);
		for (size_t i = 0; i < pool->n; i++)
			if (breaks(r, r->known[pool->n_sets].a, pool->vector + i * r->n))
				set[i / 64] |= UINT64_C(1) << (i % 64);
	}
}

/* Find the lightest set of the pool's vectors that breaks every certificate, and copy it to r->vector. */
static bool
next_set(struct propose_run *r, struct pool *pool, size_t most, struct hitting *h)
{
	size_t work = most < r->work ? most : r->work, before = work;
	bool good;

	add_sets(r, pool);
	good = hitting_find(pool->n, pool->weight, r->n_known, pool->set, &work, h);
	r->work -= before - work;
	/* more vectors than counters are never needed: the single counters already span everything */
	if (good && h->n > r->n) {
		free(h->element);
		return false;
	}
	for (size_t i = 0; good && i < h->n; i++)
		memcpy(r->vector + i * r->n, pool->vector + h->element[i] * r->n, r->n * sizeof *pool->vector);
	return good;
}

/* Find several vectors that help all observations together; *n of them are in r->vector. False if there are none. If
 * the set is not proven to be the lightest, it is kept, and the search continues with a higher work limit. */
static bool
find_several(struct propose_run *r, size_t *n)
{
	struct pool pool = {0};
	struct hitting h = {0};
	size_t work = SET_WORK;
	int64_t *kept = NULL;
	bool learned = true, proven = false;

	*n = 0;
	fill_pool(r, &pool);
	r->out->smallest &= pool.n < PROPOSE_POOL_MAX;
	while (!proven && learned && r->work && !r->spent && !r->stopped && next_set(r, &pool, work, &h)) {
		bool does = takes_all(r, h.n, true, &learned);

		if (does) {
			proven = h.proven;
			learned = work < CARE_WORK; /* continue once with the higher limit, then stop */
			work = CARE_WORK;
			*n = h.n;
			free(kept);
			kept = mem_copy(r->vector, h.n * r->n * sizeof *kept);
		}
		free(h.element);
	}
	r->out->smallest &= proven;
	if (kept)
		memcpy(r->vector, kept, *n * r->n * sizeof *kept);
	free(kept);
	free(pool.vector);
	free(pool.weight);
	free(pool.set);
	return *n > 0;
}

/* The fallback after a limit: each counter alone, without those that are not needed. *n vectors are in r->vector. */
static bool
find_units(struct propose_run *r, size_t *n)
{
	bool learned, whole;

	*n = 0;
	memset(r->vector, 0, r->n * r->n * sizeof *r->vector);
	for (size_t i = 0; i < r->n; i++)
		if (r->p->use[i])
			r->vector[(*n)++ * r->n + i] = 1;
	r->spent = false;
	r->tests_max = r->out->tests + (r->n + 1) * r->p->n_observations;
	whole = takes_all(r, *n, false, &learned);
	for (size_t i = 0; i < *n && whole && !r->stopped;) {
		int64_t *at = r->vector + i * r->n, *last = r->vector + (*n - 1) * r->n,
			*gone = mem_copy(at, r->n * sizeof *gone);

		memmove(at, at + r->n, (size_t)(last - at) * sizeof *at);
		if (takes_all(r, *n - 1, false, &learned)) {
			--*n;
		} else {
			memmove(at + r->n, at, (size_t)(last - at) * sizeof *at);
			memcpy(at, gone, r->n * sizeof *at);
			i++;
		}
		free(gone);
	}
	return whole && !r->stopped;
}

static void
find_proposals(struct propose_run *r)
{
	int64_t *s = mem_new_array(r->n, sizeof *s);
	size_t n = 1;
	bool single;

	for (size_t i = 0; i < r->p->n_observations && !r->stopped; i++)
		if (propose_judge(r, i, 0) == PROPOSE_REFUTED)
			learn(r);
	single = !r->stopped && find_single(r, s);
	free(s);
	if (r->stopped)
		return;
	if (single) {
		r->out->whole = r->out->smallest = true;
	} else {
		r->out->smallest = !r->spent;
		r->spent = false;
		r->visited = 0;
		r->tests_max = r->out->tests + r->tests_max;
		r->out->whole = find_several(r, &n);
		if (!r->out->whole && !r->stopped) {
			r->out->smallest = false;
			r->out->whole = find_units(r, &n);
		}
		if (!r->out->whole)
			r->out->reason =
				"not even each counter alone, all of them together, makes the observations feasible";
		else if (!r->out->smallest)
			r->out->reason = "the limit of work was reached before it was known whether fewer or smaller "
					 "ones suffice";
	}
	if (r->out->whole)
		propose_describe_all(r, n);
}

struct proposals *
propose(const struct propose_problem *p)
{
	struct propose_run r = {.p = p,
		.n = p->n_counters,
		.tests_max = p->tests_max ? p->tests_max : PROPOSE_TESTS_MAX,
		.visited_max = p->visited_max ? p->visited_max : PROPOSE_VISITED_MAX,
		.work = ALL_WORK,
		.out = mem_new(sizeof *r.out)};
	struct proposals *out = r.out;

	out->n_counters = p->n_counters;
	out->n_observations = p->n_observations;
	r.scratch = mem_new_array(r.n, sizeof *r.scratch);
	r.vector = mem_new_array((r.n + 1) * r.n, sizeof *r.vector);
	r.at = mem_new_array(r.n + 1, sizeof *r.at);
	r.failed_last = mem_new_array(p->n_observations, sizeof *r.failed_last);
	for (size_t i = 0; i < p->n_observations; i++)
		r.failed_last[i] = i;
	if (p->n_observations)
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
proposals_free(struct proposals *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		propose_clear(&p->one[i].own);
		for (size_t k = 0; k < p->one[i].n_alternatives; k++)
			propose_clear(&p->one[i].alternative[k]);
		free(p->one[i].alternative);
	}
	free(p->one);
	free(p);
}
