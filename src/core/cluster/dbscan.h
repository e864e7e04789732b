/* DBSCAN: clusters are regions in which points are dense; points in no such region are noise.
 *
 * The neighbours of a point are all points within eps, itself included. A point with min_points neighbours is a core
 * point. Core points that are neighbours are in one cluster. Another point that has a core point for a neighbour is on
 * the border of that one's cluster; all other points are noise. The set of core points, their clusters, and the set of
 * noise points do not depend on the order of the points. A border point between two clusters goes to the one that was
 * found first.
 *
 * Source: Ester, Kriegel, Sander, Xu: A Density-Based Algorithm for Discovering Clusters in Large Spatial Databases
 * with Noise, KDD 1996: section 3 for the definitions, 4.1 for the algorithm, 4.2 for eps. */
#ifndef CORE_CLUSTER_DBSCAN_H
#define CORE_CLUSTER_DBSCAN_H

#include <stdbool.h>
#include <stddef.h>

#define DBSCAN_NOISE ((size_t)-1)
#define DBSCAN_MIN_POINTS 4 /* Ester et al., section 4.2 */

/* Points of Euclidean space: coordinate d of point i is at[i * dims + d]. All are numbers. */
struct dbscan_points {
	const double *at;
	size_t n, dims;
};

struct dbscan {
	size_t *cluster;   /* per point: 0 … n_clusters − 1, numbered by their first core point, or DBSCAN_NOISE */
	bool *core;        /* per point */
	size_t n_clusters;
};

/* `eps` is 0 or more, min_points 1 or more. Takes time n² · dims. Free with dbscan_free(). */
struct dbscan *dbscan_new(const struct dbscan_points *, double eps, size_t min_points);
void dbscan_free(struct dbscan *);

/* Where the sorted graph of k-distances bends. */
struct dbscan_knee {
	double eps;
	bool bends;        /* false: the graph is straight, and eps the largest k-distance, so that no point is noise */
	double *distance;  /* n k-distances, ascending; the caller frees */
	size_t at;         /* distance[at] is eps */
};

/* Finds eps for min_points = k: the distance of the k-th nearest other point, at the knee of its sorted graph. The
 * source leaves the knee to the eye. Here it is the point of the graph that lies farthest below the line between its
 * ends, if that is a tenth of the range or more (Satopää et al., Finding a "Kneedle" in a Haystack, ICDCSW 2011,
 * section II). k is 1 or more, and below n. */
struct dbscan_knee dbscan_find_eps(const struct dbscan_points *, size_t k);

#endif
