/* Vectors are walked by number of counters, then Σ, then the list of counters, then the numbers in it. A choice of
 * counters on which some certificate that must be broken has no negative entry is left at once. */
#include "core/search/propose.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/search/hitting.h"

#define SET_WORK 2000000  /* see hitting.h: for each set of vectors that is tested, */
#define CARE_WORK 20000000 /* … once one was found that does, */
#define ALL_WORK 100000000 /* … and for all together */

struct certificate {
	int64_t *a;
	size_t end;  /* behind its last negative entry */
	bool broken; /* by the vectors that are taken for granted: nothing more is asked of it */
};

struct run {
	const struct propose_problem *p;
	struct proposals *out;
	size_t n, tests_max, looked, looked_max;
	struct certificate *known;
	size_t n_known, cap_known;
	int64_t *scratch;        /* a certificate that comes */
	int64_t *vector;         /* n rows at most: those taken for granted, then the one that is tried */
	size_t n_granted;
	size_t work;             /* that is left for sets of vectors */
	/* observations, in the order in which they are asked: those that failed lately first */
	size_t *failed_last;
	bool stopped, spent;     /* spent: a limit was reached */
	/* The walk. */
	size_t size, *at;
	bool (*visit)(struct run *, const int64_t *); /* true ends the walk */
	void *ctx;
};

static bool
breaks(const struct run *r, const int64_t *a, const int64_t *s)
{
	return i128_dot(a, s, r->n) < 0;
}

static void
learn(struct run *r)
{
	struct certificate c = {.a = mem_copy(r->scratch, r->n * sizeof *r->scratch)};

	for (size_t i = 0; i < r->n; i++)
		if (c.a[i] < 0)
			c.end = i + 1;
	mem_grow(&r->known, &r->cap_known, r->n_known + 1, sizeof *r->known);
	r->known[r->n_known++] = c;
}

/* From here on the first `n` rows of `vector` are there whatever is tried besides. */
static void
grant(struct run *r, size_t n)
{
	r->n_granted = n;
	for (size_t k = 0; k < r->n_known; k++) {
		r->known[k].broken = false;
		for (size_t i = 0; i < n && !r->known[k].broken; i++)
			r->known[k].broken = breaks(r, r->known[k].a, r->vector + i * r->n);
	}
}

static bool
breaks_all(const struct run *r, const int64_t *s)
{
	for (size_t k = 0; k < r->n_known; k++)
		if (!r->known[k].broken && !breaks(r, r->known[k].a, s))
			return false;
	return true;
}

static enum propose_answer
judge(struct run *r, size_t observation, size_t n)
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

/* Are all observations taken with the first n vectors? What fails is asked first the next time. With `every` all are
 * asked even then, so that more is learned from one set of vectors. */
static bool
takes_all(struct run *r, size_t n, bool every, bool *learned)
{
	size_t m = r->p->n_observations;
	bool all = true;

	*learned = false;
	for (size_t k = 0; k < m && (all || every); k++) {
		size_t who = r->failed_last[k];
		enum propose_answer answer = judge(r, who, n);

		if (answer == PROPOSE_TAKEN)
			continue;
		all = false;
		memmove(r->failed_last + 1, r->failed_last, k * sizeof *r->failed_last);
		r->failed_last[0] = who;
		if (answer == PROPOSE_REFUTED) {
			learn(r);
			*learned = true;
		}
	}
	return all;
}

/* Can a vector on the first `depth` counters of the choice, and such as come from `from` on, break what must be broken?
 */
static bool
counters_may(const struct run *r, size_t depth, size_t from)
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
walk_numbers(struct run *r, int64_t *s, size_t depth, int64_t left, uint64_t common)
{
	int64_t rest = (int64_t)(r->size - depth) - 1, from = rest ? 1 : left;
	bool done = false;

	if (++r->looked >= r->looked_max)
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
walk_counters(struct run *r, int64_t *s, size_t depth, size_t from, int64_t sum)
{
	bool done = false;

	if (++r->looked >= r->looked_max)
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

/* All vectors of one size; `s` is of zeros, and holds what ended the walk. */
static bool
walk(struct run *r, int64_t *s, size_t size, int64_t sum)
{
	r->size = size;
	return walk_counters(r, s, 0, 0, sum);
}

static bool
try_alone(struct run *r, const int64_t *s)
{
	bool learned;

	if (!breaks_all(r, s))
		return false;
	memcpy(r->vector + r->n_granted * r->n, s, r->n * sizeof *s);
	return takes_all(r, r->n_granted + 1, false, &learned);
}

/* The smallest vector that helps all by itself. */
static bool
find_single(struct run *r, int64_t *s)
{
	r->visit = try_alone;
	for (size_t size = 1; size <= r->n && !r->spent && !r->stopped; size++)
		for (int64_t sum = (int64_t)size; sum <= (size == 1 ? 1 : PROPOSE_SUM_MAX) && !r->spent && !r->stopped;
			sum++)
			if (walk(r, s, size, sum))
				return true;
	return false;
}

/* Small vectors, by size; those that break no certificate at first may break a later one. */
struct pool {
	int64_t *vector;
	uint64_t *weight;
	size_t n, cap, cap_weight;
	uint64_t now;
};

static bool
collect(struct run *r, const int64_t *s)
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

/* Fewer vectors before fewer counters before a smaller sum. */
static void
fill(struct run *r, struct pool *pool)
{
	struct certificate *known = r->known;
	size_t n_known = r->n_known;
	int64_t *s = mem_new_array(r->n, sizeof *s);

	r->visit = collect;
	r->ctx = pool;
	r->known = NULL; /* nothing must be broken */
	r->n_known = 0;
	for (size_t size = 1; size <= r->n && size <= PROPOSE_POOL_COUNTERS_MAX; size++)
		for (int64_t sum = (int64_t)size;
			sum <= (size == 1 ? 1 : PROPOSE_POOL_SUM_MAX) && pool->n < PROPOSE_POOL_MAX; sum++) {
			pool->now = UINT64_C(1) << 32 | (uint64_t)size << 16 | (uint64_t)sum;
			memset(s, 0, r->n * sizeof *s);
			walk(r, s, size, sum);
		}
	r->known = known;
	r->n_known = n_known;
	free(s);
}

/* The lightest set of the pool's vectors that breaks every certificate. Its vectors stand in r->vector then. */
static bool
next_set(struct run *r, const struct pool *pool, size_t most, struct hitting *h)
{
	size_t work = most < r->work ? most : r->work, before = work;
	size_t words = (pool->n + 63) / 64;
	uint64_t *set = mem_new_array(r->n_known * words, sizeof *set);
	bool good;

	for (size_t k = 0; k < r->n_known; k++)
		for (size_t i = 0; i < pool->n; i++)
			if (breaks(r, r->known[k].a, pool->vector + i * r->n))
				set[k * words + i / 64] |= UINT64_C(1) << (i % 64);
	good = hitting_find(pool->n, pool->weight, r->n_known, set, &work, h);
	r->work -= before - work;
	free(set);
	/* more than there are counters were never needed: those alone span all that counts can be */
	if (good && h->n > r->n) {
		free(h->element);
		return false;
	}
	for (size_t i = 0; good && i < h->n; i++)
		memcpy(r->vector + i * r->n, pool->vector + h->element[i] * r->n, r->n * sizeof *pool->vector);
	return good;
}

/* Several vectors that help all together. False: none was found; *n of them stand in r->vector. When a set does that is
 * not proven to be the lightest, it is kept, and the search goes on with more care. */
static bool
find_several(struct run *r, size_t *n)
{
	struct pool pool = {0};
	struct hitting h = {0};
	size_t work = SET_WORK;
	int64_t *kept = NULL;
	bool learned = true, proven = false;

	*n = 0;
	fill(r, &pool);
	r->out->smallest &= pool.n < PROPOSE_POOL_MAX;
	while (!proven && learned && r->work && !r->spent && !r->stopped && next_set(r, &pool, work, &h)) {
		bool does = takes_all(r, h.n, true, &learned);

		if (does) {
			proven = h.proven;
			learned = work < CARE_WORK; /* once more, or no more */
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
	return *n > 0;
}

/* What always does, where the search for fewer was given up: each counter alone, less those that are not needed. *n of
 * them stand in r->vector. */
static bool
find_units(struct run *r, size_t *n)
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

/* Which observations one vector repairs alone. */
static struct proposal
describe(struct run *r, const int64_t *s)
{
	struct proposal x = {.vector = mem_copy(s, r->n * sizeof *s),
		.repaired = mem_new_array(r->p->n_observations, sizeof *x.repaired)};

	memcpy(r->vector, s, r->n * sizeof *s);
	for (size_t i = 0; i < r->p->n_observations && !r->stopped; i++) {
		x.repaired[i] = judge(r, i, 1) == PROPOSE_TAKEN;
		x.repairs += x.repaired[i];
	}
	return x;
}

struct instead {
	const int64_t *own;
	int64_t *found;
	size_t n;
};

static bool
try_instead(struct run *r, const int64_t *s)
{
	struct instead *a = r->ctx;

	if (memcmp(s, a->own, r->n * sizeof *s) == 0 || !try_alone(r, s))
		return false;
	memcpy(a->found + a->n++ * r->n, s, r->n * sizeof *s);
	return a->n == PROPOSE_ALTERNATIVES;
}

static int
more_repairs(const void *va, const void *vb)
{
	const struct proposal *a = va, *b = vb;

	return (a->repairs < b->repairs) - (a->repairs > b->repairs);
}

/* Stable, since what comes first is the smaller in the order of the walk. */
static void
sort_alternatives(struct proposed *x)
{
	for (size_t i = 1; i < x->n_alternatives; i++)
		for (size_t k = i; k > 0 && more_repairs(&x->alternative[k - 1], &x->alternative[k]) > 0; k--) {
			struct proposal swap = x->alternative[k];

			x->alternative[k] = x->alternative[k - 1];
			x->alternative[k - 1] = swap;
		}
}

/* What the set needs number `at` of `chosen` for, and vectors as small that do as well in its place. */
static void
find_alternatives(struct run *r, const int64_t *chosen, size_t n, size_t at, struct proposed *x)
{
	struct instead alike = {
		.own = chosen + at * r->n, .found = mem_new_array(PROPOSE_ALTERNATIVES * r->n, sizeof *alike.found)};
	int64_t *s = mem_new_array(r->n, sizeof *s), sum = 0;
	size_t size = 0, others = 0;

	for (size_t i = 0; i < r->n; i++) {
		size += alike.own[i] > 0;
		sum += alike.own[i];
	}
	for (size_t i = 0; i < n; i++)
		if (i != at)
			memcpy(r->vector + others++ * r->n, chosen + i * r->n, r->n * sizeof *chosen);
	for (size_t i = 0; i < r->p->n_observations && !r->stopped; i++)
		x->needed += judge(r, i, others) != PROPOSE_TAKEN;
	grant(r, others);
	r->visit = try_instead;
	r->ctx = &alike;
	walk(r, s, size, sum);
	grant(r, 0);
	x->alternative = mem_new_array(alike.n, sizeof *x->alternative);
	x->n_alternatives = alike.n;
	for (size_t i = 0; i < alike.n; i++)
		x->alternative[i] = describe(r, alike.found + i * r->n);
	sort_alternatives(x);
	free(alike.found);
	free(s);
}

static int
compare_proposed(const void *va, const void *vb)
{
	const struct proposed *a = va, *b = vb;
	int order = more_repairs(&a->own, &b->own);

	for (size_t i = 0; order == 0; i++) /* no two are equal */
		order = (a->own.vector[i] < b->own.vector[i]) - (a->own.vector[i] > b->own.vector[i]);
	return order;
}

/* All that was found; where the limit was reached before that, what is known of it. */
static void
tell(struct run *r, size_t n)
{
	int64_t *chosen = mem_copy(r->vector, n * r->n * sizeof *chosen);
	bool spent = r->spent;

	r->out->one = mem_new_array(n, sizeof *r->out->one);
	r->out->n = n;
	for (size_t i = 0; i < n && !r->stopped; i++) {
		r->spent = false;
		r->looked = 0;
		r->tests_max = r->out->tests + r->p->n_observations * 10 * (PROPOSE_ALTERNATIVES + 1);
		r->out->one[i].own = describe(r, chosen + i * r->n);
		find_alternatives(r, chosen, n, i, &r->out->one[i]);
	}
	r->spent = spent;
	if (!r->stopped)
		qsort(r->out->one, n, sizeof *r->out->one, compare_proposed);
	free(chosen);
}

static void
run(struct run *r)
{
	int64_t *s = mem_new_array(r->n, sizeof *s);
	size_t n = 1;
	bool single;

	for (size_t i = 0; i < r->p->n_observations && !r->stopped; i++)
		if (judge(r, i, 0) == PROPOSE_REFUTED)
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
		r->looked = 0;
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
			r->out->reason =
				"the limit of work was reached before it was known whether fewer or smaller ones do it";
	}
	if (r->out->whole)
		tell(r, n);
}

struct proposals *
propose(const struct propose_problem *p)
{
	struct run r = {.p = p, .n = p->n_counters, .tests_max = p->tests_max ? p->tests_max : PROPOSE_TESTS_MAX,
		.looked_max = p->looked_max ? p->looked_max : PROPOSE_LOOKED_MAX, .work = ALL_WORK,
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
		run(&r);
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
clear(struct proposal *x)
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
		clear(&p->one[i].own);
		for (size_t k = 0; k < p->one[i].n_alternatives; k++)
			clear(&p->one[i].alternative[k]);
		free(p->one[i].alternative);
	}
	free(p->one);
	free(p);
}
