#include "core/cluster/dbscan.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

#define KNEE_LEAST 0.1 /* of the range: chosen, a curve that bends less is straight to the eye */

static double
dbscan_distance(const struct dbscan_points *p, size_t a, size_t b)
{
	const double *x = p->at + a * p->dims, *y = p->at + b * p->dims;
	double sum = 0;

	for (size_t d = 0; d < p->dims; d++)
		sum += (x[d] - y[d]) * (x[d] - y[d]);
	return sqrt(sum);
}

/* Writes the neighbours of a point, ascending, and returns their number. */
static size_t
neighbours(const struct dbscan_points *p, size_t of, double eps, size_t *out)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (dbscan_distance(p, of, i) <= eps)
			out[n++] = i;
	return n;
}

/* Gives everything that is density-reachable from the core point `seed` to the cluster. `queue` and `near` have room
 * for all points. */
static void
expand(struct dbscan *dbscan, const struct dbscan_points *points, double eps, size_t seed, size_t cluster,
	size_t *queue, size_t *near)
{
	size_t first = 0, next = 0;

	dbscan->cluster[seed] = cluster;
	queue[next++] = seed;
	while (first < next) {
		size_t n = neighbours(points, queue[first++], eps, near);

		for (size_t i = 0; i < n; i++) {
			if (dbscan->cluster[near[i]] != DBSCAN_NOISE)
				continue;
			dbscan->cluster[near[i]] = cluster;
			if (dbscan->core[near[i]])
				queue[next++] = near[i];
		}
	}
}

struct dbscan *
dbscan_new(const struct dbscan_points *points, double eps, size_t min_points)
{
	struct dbscan *dbscan = mem_new(sizeof *dbscan);
	size_t *queue = mem_new_array(points->n, sizeof *queue), *near = mem_new_array(points->n, sizeof *near);

	dbscan->cluster = mem_new_array(points->n, sizeof *dbscan->cluster);
	dbscan->core = mem_new_array(points->n, sizeof *dbscan->core);
	for (size_t i = 0; i < points->n; i++) {
		dbscan->cluster[i] = DBSCAN_NOISE;
		dbscan->core[i] = neighbours(points, i, eps, near) >= min_points;
	}
	for (size_t i = 0; i < points->n; i++)
		if (dbscan->core[i] && dbscan->cluster[i] == DBSCAN_NOISE)
			expand(dbscan, points, eps, i, dbscan->n_clusters++, queue, near);
	free(queue);
	free(near);
	return dbscan;
}

void
dbscan_free(struct dbscan *c)
{
	if (!c)
		return;
	free(c->cluster);
	free(c->core);
	free(c);
}

/* Returns the value of rank k, from 0, of n numbers, which it puts into another order (Hoare's Find). */
static double
value_of_rank(double *v, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, rank = (ptrdiff_t)k;

	while (low < high) {
		double middle = v[low + (high - low) / 2];
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (v[i] < middle)
				i++;
			while (v[j] > middle)
				j--;
			if (i <= j) {
				double swapped = v[i];

				v[i++] = v[j];
				v[j--] = swapped;
			}
		}
		if (rank <= j)
			high = j;
		else if (rank >= i)
			low = i;
		else
			break;
	}
	return v[rank];
}

struct dbscan_knee
dbscan_find_eps(const struct dbscan_points *points, size_t k)
{
	struct dbscan_knee r = {.distance = mem_new_array(points->n, sizeof *r.distance)};
	double *others = mem_new_array(points->n, sizeof *others), range, deepest = 0;
	size_t last = points->n - 1;

	for (size_t i = 0; i < points->n; i++) {
		for (size_t j = 0; j < points->n; j++)
			others[j] = dbscan_distance(points, i, j);
		r.distance[i] = value_of_rank(others, points->n, k); /* rank 0 is the point's distance from itself */
	}
	sort_doubles(r.distance, points->n);
	free(others);
	r.at = last;
	range = r.distance[last] - r.distance[0];
	for (size_t i = 0; i < points->n && range > 0; i++) {
		double line = r.distance[0] + range * (double)i / (double)last, below = line - r.distance[i];

		if (below >= KNEE_LEAST * range && below > deepest) {
			deepest = below;
			r.at = i;
			r.bends = true;
		}
	}
	r.eps = r.distance[r.at];
	return r;
}
