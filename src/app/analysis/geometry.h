/* Cone and region as a shadow on two axes. An axis is a sum of counters, so a shadow of the cone is a sector of the
 * first quadrant: it lies between two directions, and its two edges are constraints of the model over what the axes
 * show. */
#ifndef APP_ANALYSIS_GEOMETRY_H
#define APP_ANALYSIS_GEOMETRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/verdict/verdict.h"

struct analysis;
struct fset;
struct wire;

#define GEOMETRY_SAMPLES 1000 /* at most so many of an observation travel: evenly thinned */
#define GEOMETRY_PAIRS 256    /* … and so many pairs, best first */

/* Two counters as places in geometry.counter, and how far the deciding region misses the cone's shadow on them, as
 * struct violation has it; negative: it does not. */
struct geometry_pair {
	size_t x, y;
	double margin;
};

/* What the pictures of one observation are made of: n counters that it has, cone and region over them. Counts
 * throughout. */
struct geometry {
	size_t finding;      /* the number that it was asked about with */
	bool failed;         /* there is no answer: it was stopped, or the engine died on it */
	bool point;          /* an exact total: no spread */
	size_t *counter, n;  /* the model's numbers */
	double *mean;        /* n */
	double threshold2;   /* of all regions */
	bool spread;         /* it has a noise model: cov and axis are there */
	double *cov;         /* n × n, of the mean; NULL without spread */
	double *axis;        /* n × n: row k is half of the rotated box's k-th axis */
	double *slack;       /* n: see struct region */
	int64_t *ray;        /* n_rays × n: they span the cone */
	size_t n_rays;
	double *sample;      /* n_samples × n; NAN: not counted */
	size_t n_samples, rows; /* rows: of all samples */
	struct geometry_pair *pair; /* best first */
	size_t n_pairs, all_pairs, showing; /* pairs told, pairs tried, those among them that miss the cone */
};

/* The n-th observation as analysis_run() numbers them. NULL when the watch stopped it, or when there is none such, no
 * region of it, or no cone. */
struct watch;
struct geometry *analysis_geometry(struct analysis *, const struct fset *, size_t finding, const struct watch *);
void geometry_wire(struct wire *, struct geometry *);
void geometry_free(struct geometry *);

/* Fill in pair, n_pairs, all_pairs and showing. False when the watch stopped it. */
bool geometry_rank(struct geometry *, enum region_kind decides, const struct watch *);

struct spot {
	double x, y;
};

struct polygon {
	struct spot *at; /* anticlockwise */
	size_t n;
};

struct shadow {
	bool cone;            /* false: nothing of the cone shows here but the origin */
	struct spot lo, hi;   /* extreme directions; equal directions: the shadow is a line */
	struct spot mean;
	struct polygon region[3]; /* by region_kind; n 0 without spread */
	double correlation;   /* of the two means; NAN: none */
	/* The edge of the cone that the region decided by is farthest beyond, or nearest to: normal·v ≥ 0 holds in the
	 * cone. */
	struct spot normal;
	bool upper;           /* it is the edge along hi */
	double margin;        /* > 0: the whole region lies beyond it */
};

/* `x` and `y` give n coefficients ≥ 0 each. */
void geometry_shadow(
	const struct geometry *, const int64_t *x, const int64_t *y, enum region_kind decides, struct shadow *);
void shadow_clear(struct shadow *);

#endif
