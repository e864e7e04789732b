/* Describes the found signatures: which observations each one repairs, and vectors of the same size that could
 * replace it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/search/propose_run.h"

/* Test which observations one vector repairs alone. */
static struct proposal
propose_alternatives_describe(struct propose_run *r, const int64_t *s)
{
	struct proposal x = {.vector = mem_copy(s, r->n * sizeof *s),
		.repaired = mem_new_array(r->p->n_observations, sizeof *x.repaired)};

	memcpy(r->vector, s, r->n * sizeof *s);
	for (size_t i = 0; i < r->p->n_observations && !r->stopped; i++) {
		x.repaired[i] = propose_judge(r, i, 1) == PROPOSE_TAKEN;
		x.repairs += x.repaired[i];
	}
	return x;
}

struct alternatives {
	const int64_t *own;
	int64_t *found;
	size_t n;
};

static bool
try_instead(struct propose_run *r, const int64_t *s)
{
	struct alternatives *a = r->ctx;

	if (memcmp(s, a->own, r->n * sizeof *s) == 0 || !propose_try_alone(r, s))
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

/* A stable sort: among equals the walk's order stays, in which smaller vectors come first. */
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

/* Count what the set needs chosen[at] for, and find vectors of the same size that could replace it. */
static void
find_alternatives(struct propose_run *run, const int64_t *chosen, size_t n, size_t at, struct proposed *proposed)
{
	struct alternatives alike = {.own = chosen + at * run->n,
		.found = mem_new_array(PROPOSE_ALTERNATIVES * run->n, sizeof *alike.found)};
	int64_t *s = mem_new_array(run->n, sizeof *s), sum = 0;
	size_t size = 0, others = 0;

	for (size_t i = 0; i < run->n; i++) {
		size += alike.own[i] > 0;
		sum += alike.own[i];
	}
	for (size_t i = 0; i < n; i++)
		if (i != at)
			memcpy(run->vector + others++ * run->n, chosen + i * run->n, run->n * sizeof *chosen);
	for (size_t i = 0; i < run->p->n_observations && !run->stopped; i++)
		proposed->needed += propose_judge(run, i, others) != PROPOSE_TAKEN;
	propose_grant(run, others);
	run->visit = try_instead;
	run->ctx = &alike;
	propose_walk(run, s, size, sum);
	propose_grant(run, 0);
	proposed->alternative = mem_new_array(alike.n, sizeof *proposed->alternative);
	proposed->n_alternatives = alike.n;
	for (size_t i = 0; i < alike.n; i++)
		proposed->alternative[i] = propose_alternatives_describe(run, alike.found + i * run->n);
	sort_alternatives(proposed);
	free(alike.found);
	free(s);
}

static int
compare_proposed(const void *va, const void *vb)
{
	const struct proposed *a = va, *b = vb;
	int order = more_repairs(&a->own, &b->own);

	for (size_t i = 0; order == 0; i++) /* no two vectors are equal */
		order = (a->own.vector[i] < b->own.vector[i]) - (a->own.vector[i] > b->own.vector[i]);
	return order;
}

/* Describe all n vectors in r->vector. If a limit is reached, the description has what is known by then. */
void
propose_describe_all(struct propose_run *run, size_t n)
{
	int64_t *chosen = mem_copy(run->vector, n * run->n * sizeof *chosen);
	bool spent = run->spent;

	run->out->one = mem_new_array(n, sizeof *run->out->one);
	run->out->n = n;
	for (size_t i = 0; i < n && !run->stopped; i++) {
		run->spent = false;
		run->visited = 0;
		run->tests_max = run->out->tests + run->p->n_observations * 10 * (PROPOSE_ALTERNATIVES + 1);
		run->out->one[i].own = propose_alternatives_describe(run, chosen + i * run->n);
		find_alternatives(run, chosen, n, i, &run->out->one[i]);
	}
	run->spent = spent;
	if (!run->stopped)
		qsort(run->out->one, n, sizeof *run->out->one, compare_proposed);
	free(chosen);
}
