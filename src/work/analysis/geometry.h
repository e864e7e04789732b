/* Cone and region as shadows on two axes. An axis is a sum of counters, so the cone's shadow is a sector of the first
 * quadrant. The two edges of the sector are constraints of the model over what the axes show.
 *
 *     y │      ╱ edge          · samples, ○ mean, ellipse: the region's shadow
 *       │ ·○· ╱                The whole region lies beyond the edge:
 *       │ ·· ╱   cone          the observation is refuted on these axes.
 *       │   ╱        _ edge
 *       └──────────────── x */
#ifndef WORK_ANALYSIS_GEOMETRY_H
#define WORK_ANALYSIS_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/verdict.h"

struct analysis;
struct fset;
struct wire;

#define GEOMETRY_SAMPLES 1000 /* largest number of samples sent to the explorer per observation, evenly thinned */
#define GEOMETRY_PAIRS 256    /* largest number of pairs sent, best first */

/* Two counters by their places in geometry.counter, and the distance by which the deciding region misses the cone's
 * shadow on them, as in struct violation; negative: it does not miss it. */
struct geometry_pair {
	size_t x, y;
	double margin;
};

/* The data of the pictures of one observation: n counters that it has, with cone and region over them. All values
 * are counts. */
struct geometry {
	size_t finding;      /* number of the question that this answers */
	bool failed;         /* no answer: the computation was stopped, or the engine died */
	bool point;          /* an exact total, without spread */
	size_t *counter, n;  /* numbers of the n counters in the model */
	double *mean;        /* mean of each counter, n values */
	double threshold2;   /* squared threshold, the same for all regions */
	bool spread;         /* there is a noise model: cov and axis are set */
	double *cov;         /* n × n, covariance of the mean; NULL without spread */
	double *axis;        /* n × n: row k is half of the rotated box's k-th axis */
	double *slack;       /* n values: see struct region */
	int64_t *ray;        /* n_rays × n: rays that span the cone */
	size_t n_rays;
	double *sample;      /* n_samples × n; NAN: not counted */
	size_t n_samples, rows; /* samples that were sent; rows of the observation */
	struct geometry_pair *pair; /* best first */
	size_t n_pairs, all_pairs, showing; /* pairs that were sent; that were tried; tried pairs that miss the cone */
};

/* The geometry of the finding-th observation, in the order of analysis_run(). NULL when the watch stopped it, or when
 * the observation, its region or a cone does not exist. */
struct analysis_watch;
struct geometry *analysis_geometry(
	struct analysis *, const struct fset *, size_t finding, const struct analysis_watch *);
void geometry_wire(struct wire *, struct geometry *);
void geometry_free(struct geometry *);

/* Sets pair, n_pairs, all_pairs and showing. Returns false if the watch stopped it. */
bool geometry_rank(struct geometry *, enum region_kind decides, const struct analysis_watch *);

struct geometry_point {
	double x, y;
};

struct geometry_polygon {
	struct geometry_point *at; /* corners, anticlockwise */
	size_t n;
};

struct geometry_shadow {
	bool cone;            /* false: the cone's shadow is only the origin */
	struct geometry_point lo, hi; /* extreme directions of the cone; equal directions: the shadow is a line */
	struct geometry_point mean;
	struct geometry_polygon region[3]; /* outline of each region, by region_kind; n is 0 without spread */
	double correlation;   /* correlation of the two means; NAN: none */
	/* The edge beyond which the deciding region lies farthest, or else the edge nearest to it. In the cone,
	 * normal·v ≥ 0 holds. */
	struct geometry_point normal;
	bool upper;           /* the edge is the one along `hi` */
	double margin;        /* > 0: the whole region lies beyond the edge */
};

/* Computes the picture with the axes `x` and `y`: n coefficients ≥ 0 each. */
void geometry_shadow(const struct geometry *, const int64_t *x, const int64_t *y, enum region_kind decides,
	struct geometry_shadow *);
void shadow_clear(struct geometry_shadow *);

#endif
