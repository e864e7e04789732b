/* Cliff-SKP: finds which parts of a machine matter for a workload, and so which probes to run next.
 *
 * Two rounds of DBSCAN over slices. The first takes the top parts of a stack: those that are lost, and "retiring" or
 * "base", which is not. The part that takes most in the mean of a cluster leads it. The second round takes, for each
 * part that leads, the slices of its clusters and the parts that it is made of, down to the smallest. A part that takes
 * less than a threshold in each of these clusters, and in each slice that belongs to none, is excluded. The other parts
 * are the key points.
 *
 * Source: Microarchitecture Cliffs, section 4.1 and table 4. The threshold, and what happens to slices in no cluster,
 * are hecate's choices: a part that stops a single slice is worth a probe. */
#ifndef WORK_SLICES_SKP_H
#define WORK_SLICES_SKP_H

#include <stdbool.h>
#include <stddef.h>

#include "work/slices/slices.h"

struct err;

#define SKP_MINOR 0.05 /* share of the whole below which a part is minor: chosen */
#define SKP_NONE ((size_t)-1)

struct skp_cluster {
	size_t *slice, n;    /* its slices, ascending */
	double *mean;        /* mean share of each column of the round */
	size_t *key, n_keys; /* columns that are not minor, without "retiring"; the largest mean first */
	bool outlier;        /* not a real cluster: slices in none that follow each other in their program */
};

/* Where eps comes from. Slices that differ by less than what is minor are alike, so eps is no smaller unless the user
 * says so. */
enum skp_eps { SKP_EPS_GIVEN, SKP_EPS_KNEE, SKP_EPS_LARGEST, SKP_EPS_MINOR };

struct skp_round {
	size_t parent;              /* part whose parts are the columns; STACK_TOP in the first round */
	size_t *part, n_parts;      /* the columns: parts of the stack */
	size_t *slice, n;           /* the slices that take part, ascending */
	double eps;
	double knee;                /* knee of the k-distances, or the largest if they have none; or the given eps */
	enum skp_eps from;
	struct skp_cluster *cluster;
	size_t n_clusters;          /* outliers follow */
	size_t n_outliers;
	size_t first;               /* number of its first cluster: "2-0" */
	size_t *excluded, n_excluded; /* columns */
};

struct skp {
	const struct slices *slices;
	size_t min_points;
	double minor;
	struct skp_round first;
	struct skp_round *second;   /* for each part that leads enough slices and has parts, the most slices first */
	size_t n_second;
	size_t *leads;              /* per cluster of the first round: the column that takes most; or SKP_NONE */
	size_t *few, n_few;         /* parts that lead fewer slices than min_points */
	size_t *idle, n_idle;       /* top parts that lead no slice */
};

struct skp_how {
	double eps;          /* eps of both rounds; below 0: it is found from the data */
	size_t min_points;   /* 0: DBSCAN_MIN_POINTS */
	double minor;        /* 0: SKP_MINOR */
};

/* NULL and *e: there are fewer than min_points + 1 slices. The slices must outlive the result. Free with skp_free(). */
struct skp *skp_new(const struct slices *, const struct skp_how *, struct err *e);
void skp_free(struct skp *);

/* A key point of the second round, or a part that leads without parts of its own: how much of all slices it takes. */
struct skp_weight {
	size_t part;
	double share;
};
/* Returns the key points of all clusters and outliers, the largest first. The caller frees. */
struct skp_weight *skp_weights(const struct skp *, size_t *n);

/* Returns the names of probes that isolate the part of this name, separated by blanks; NULL: none does. */
const char *skp_probes(const char *part);

#endif
