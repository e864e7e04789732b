#include "work/slices/skp.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/cluster/dbscan.h"
#include "core/stack/stack.h"

/* True for a part that is no loss: "retiring", "base". */
static bool
skp_is_useful(const struct stack *s, size_t part)
{
	return str_eq(s->part[part].name, "retiring") || str_eq(s->part[part].name, "base");
}

static double
skp_share_of(const struct skp *k, size_t slice, size_t part)
{
	return slices_share(k->slices, slice, part);
}

/* --- clusters ---------------------------------------------------------------------------------------------------- */

/* Returns the slices of a cluster, or those of none. */
static size_t *
slices_of(const struct skp_round *r, const size_t *cluster_of, size_t number, size_t *n)
{
	size_t *out = mem_new_array(r->n, sizeof *out);

	*n = 0;
	for (size_t i = 0; i < r->n; i++)
		if (cluster_of[i] == number)
			out[(*n)++] = r->slice[i];
	return out;
}

/* Slices of no cluster that follow each other in their program are one outlier. */
static void
add_outliers(const struct skp *k, struct skp_round *r, const size_t *cluster_of)
{
	size_t n, run, *all = slices_of(r, cluster_of, DBSCAN_NOISE, &n);

	for (size_t i = 0; i < n; i += run) {
		struct skp_cluster *c = &r->cluster[r->n_clusters + r->n_outliers++];

		run = slices_run(k->slices, all + i, n - i);
		*c = (struct skp_cluster){.outlier = true, .n = run, .slice = mem_copy(all + i, run * sizeof *all)};
	}
	free(all);
}

static void
find_means(const struct skp *k, const struct skp_round *r, struct skp_cluster *c)
{
	c->mean = mem_new_array(r->n_parts, sizeof *c->mean);
	for (size_t p = 0; p < r->n_parts; p++) {
		for (size_t i = 0; i < c->n; i++)
			c->mean[p] += skp_share_of(k, c->slice[i], r->part[p]);
		c->mean[p] /= (double)c->n;
	}
}

/* Collects the columns that are not minor, the largest mean first. */
static void
find_keys(const struct skp *skp, const struct skp_round *round, struct skp_cluster *cluster)
{
	cluster->key = mem_new_array(round->n_parts, sizeof *cluster->key);
	for (size_t p = 0; p < round->n_parts; p++) {
		size_t at = cluster->n_keys;

		if (cluster->mean[p] < skp->minor || skp_is_useful(skp->slices->stack, round->part[p]))
			continue;
		for (; at && cluster->mean[cluster->key[at - 1]] < cluster->mean[p]; at--)
			cluster->key[at] = cluster->key[at - 1];
		cluster->key[at] = p;
		cluster->n_keys++;
	}
}

/* True if a part is not minor in one of the slices. */
static bool
any_has(const struct skp *k, const struct skp_cluster *c, size_t part)
{
	for (size_t i = 0; i < c->n; i++)
		if (skp_share_of(k, c->slice[i], part) >= k->minor)
			return true;
	return false;
}

static void
find_excluded(const struct skp *skp, struct skp_round *r)
{
	r->excluded = mem_new_array(r->n_parts, sizeof *r->excluded);
	for (size_t p = 0; p < r->n_parts; p++) {
		bool matters = skp_is_useful(skp->slices->stack, r->part[p]);

		for (size_t i = 0; i < r->n_clusters + r->n_outliers; i++)
			matters |= r->cluster[i].mean[p] >= skp->minor ||
				(r->cluster[i].outlier && any_has(skp, &r->cluster[i], r->part[p]));
		if (!matters)
			r->excluded[r->n_excluded++] = p;
	}
}

static bool
has_parts(const struct stack *s, size_t part)
{
	return part + 1 < s->n_parts && s->part[part + 1].parent == part;
}

/* True for a column of the round: a top part, or in the second round a part below the parent that has no parts. */
static bool
is_column(const struct stack *s, size_t parent, size_t part)
{
	size_t above = s->part[part].parent;

	if (s->part[part].implied || parent == STACK_TOP || has_parts(s, part))
		return parent == STACK_TOP && above == STACK_TOP && !s->part[part].implied;
	while (above != STACK_TOP && above != parent)
		above = s->part[above].parent;
	return above == parent;
}

/* `eps` below 0: the knee. */
static void
choose_eps(const struct skp *skp, struct skp_round *round, const struct dbscan_points *points, double eps)
{
	struct dbscan_knee knee;

	round->from = SKP_EPS_GIVEN;
	round->eps = round->knee = eps;
	if (eps >= 0)
		return;
	knee = dbscan_find_eps(points, skp->min_points);
	free(knee.distance);
	round->knee = knee.eps;
	round->from = knee.eps < skp->minor ? SKP_EPS_MINOR : knee.bends ? SKP_EPS_KNEE : SKP_EPS_LARGEST;
	round->eps = round->from == SKP_EPS_MINOR ? skp->minor : knee.eps;
}

/* Runs a round, whose parent and slices are filled in: its columns, clusters, key points and what is excluded. */
static void
run_round(const struct skp *skp, struct skp_round *round, double eps)
{
	const struct stack *stack = skp->slices->stack;
	struct dbscan_points points = {0};
	struct dbscan *found;
	double *at;

	round->part = mem_new_array(stack->n_parts, sizeof *round->part);
	for (size_t p = 0; p < stack->n_parts; p++)
		if (is_column(stack, round->parent, p))
			round->part[round->n_parts++] = p;
	at = mem_new_array(round->n * round->n_parts, sizeof *at);
	for (size_t i = 0; i < round->n; i++)
		for (size_t p = 0; p < round->n_parts; p++)
			at[i * round->n_parts + p] = skp_share_of(skp, round->slice[i], round->part[p]);
	points = (struct dbscan_points){at, round->n, round->n_parts};
	choose_eps(skp, round, &points, eps);
	found = dbscan_new(&points, round->eps, skp->min_points);
	round->cluster = mem_new_array(round->n, sizeof *round->cluster);
	for (; round->n_clusters < found->n_clusters; round->n_clusters++) {
		struct skp_cluster *c = &round->cluster[round->n_clusters];

		c->slice = slices_of(round, found->cluster, round->n_clusters, &c->n);
	}
	add_outliers(skp, round, found->cluster);
	for (size_t c = 0; c < round->n_clusters + round->n_outliers; c++) {
		find_means(skp, round, &round->cluster[c]);
		find_keys(skp, round, &round->cluster[c]);
	}
	find_excluded(skp, round);
	dbscan_free(found);
	free(at);
}

/* --- from the first round to the second -------------------------------------------------------------------------- */

static int
skp_by_number(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the slices of all clusters that a column of the first round leads, ascending. The caller frees. */
static size_t *
led_slices(const struct skp *k, size_t column, size_t *n)
{
	size_t *out = mem_new_array(k->slices->n, sizeof *out);

	*n = 0;
	for (size_t c = 0; c < k->first.n_clusters + k->first.n_outliers; c++)
		for (size_t i = 0; i < k->first.cluster[c].n && k->leads[c] == column; i++)
			out[(*n)++] = k->first.cluster[c].slice[i];
	qsort(out, *n, sizeof *out, skp_by_number);
	return out;
}

/* Puts a round into its place: those with the most slices first. */
static void
add_second(struct skp *k, size_t part, size_t *slice, size_t n)
{
	size_t at = k->n_second++;

	for (; at && k->second[at - 1].n < n; at--)
		k->second[at] = k->second[at - 1];
	k->second[at] = (struct skp_round){.parent = part, .slice = slice, .n = n};
}

static void
choose_second(struct skp *skp)
{
	const struct stack *stack = skp->slices->stack;

	skp->second = mem_new_array(skp->first.n_parts, sizeof *skp->second);
	skp->few = mem_new_array(skp->first.n_parts, sizeof *skp->few);
	skp->idle = mem_new_array(skp->first.n_parts, sizeof *skp->idle);
	for (size_t p = 0; p < skp->first.n_parts; p++) {
		size_t part = skp->first.part[p], n, *slice = led_slices(skp, p, &n);

		if (n > skp->min_points && has_parts(stack, part)) {
			add_second(skp, part, slice, n);
			continue;
		}
		free(slice);
		if (n == 0 && !skp_is_useful(stack, part))
			skp->idle[skp->n_idle++] = part;
		else if (n && has_parts(stack, part))
			skp->few[skp->n_few++] = part;
	}
}

struct skp *
skp_new(const struct slices *slices, const struct skp_how *how, struct err *e)
{
	struct skp *skp;
	size_t min_points = how->min_points ? how->min_points : DBSCAN_MIN_POINTS, number = 0;

	if (slices->n <= min_points) {
		err_set(e, "%zu slice%s cannot be clustered: more than %zu are needed", slices->n,
			plural_s(slices->n), min_points);
		err_hint(e, "give more rows or programs, or fewer neighbours of a core point: --min-points 1");
		return NULL;
	}
	skp = mem_new(sizeof *skp);
	skp->slices = slices;
	skp->min_points = min_points;
	skp->minor = how->minor > 0 ? how->minor : SKP_MINOR;
	skp->first = (struct skp_round){
		.parent = STACK_TOP, .n = slices->n, .slice = mem_new_array(slices->n, sizeof(size_t))};
	for (size_t i = 0; i < slices->n; i++)
		skp->first.slice[i] = i;
	run_round(skp, &skp->first, how->eps);
	skp->leads = mem_new_array(slices->n, sizeof *skp->leads);
	for (size_t c = 0; c < skp->first.n_clusters + skp->first.n_outliers; c++)
		skp->leads[c] = skp->first.cluster[c].n_keys ? skp->first.cluster[c].key[0] : SKP_NONE;
	choose_second(skp);
	for (size_t i = 0; i < skp->n_second; i++) {
		skp->second[i].first = number;
		run_round(skp, &skp->second[i], how->eps);
		number += skp->second[i].n_clusters;
	}
	return skp;
}

static void
round_free(struct skp_round *r)
{
	for (size_t c = 0; c < r->n_clusters + r->n_outliers; c++) {
		free(r->cluster[c].slice);
		free(r->cluster[c].mean);
		free(r->cluster[c].key);
	}
	free(r->cluster);
	free(r->slice);
	free(r->part);
	free(r->excluded);
}

void
skp_free(struct skp *skp)
{
	if (!skp)
		return;
	round_free(&skp->first);
	for (size_t i = 0; i < skp->n_second; i++)
		round_free(&skp->second[i]);
	free(skp->second);
	free(skp->leads);
	free(skp->few);
	free(skp->idle);
	free(skp);
}
