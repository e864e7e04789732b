/* Discovery and elimination over the features of a model: which choices survive the data, and what that says about each
 * feature.
 *
 *     refuted start ── discovery: add the features whose µpaths break the violated constraints ──▶ survivor
 *     survivor ── elimination: remove one feature at a time while the choice survives ──▶ smallest survivors
 *
 * Source: CounterPoint, section 5. The lattice itself is core/search; this room supplies cones and verdicts. */
#ifndef WORK_SEARCH_SEARCH_H
#define WORK_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search/lattice.h"
#include "core/search/search_graph.h"
#include "work/analysis/analysis.h"
#include "work/analysis/result.h"
#include "work/analysis/suspects.h"

struct err;
struct udd_model;

/* Can a model be searched? Returns false and sets *e for a folder of models, which have no features in common. */
bool search_can(const struct udd_model *, struct err *e);

/* What to search. Both sets are of the model's features, and `on` satisfies the model's requires and excludes. */
struct search_request {
	enum search_task task;
	struct fset on;      /* the set where the search begins */
	struct fset fixed;   /* features that stay as they are in `on` */
	size_t tests_max;    /* 0: the default */
	/* Receives the graph of the tests so far, about ten times a second. NULL: no reports. */
	void (*report)(void *ctx, struct search_graph *);
	void *ctx;
};

/* One of the distinct cones. Models name their cone by its index. */
struct search_cone {
	uint64_t fingerprint; /* see struct search_graph_model */
	/* the most violated constraint, or a certificate if no single constraint is violated; NULL: none */
	char *worst;
	size_t worst_by;      /* name of the observation that violates it */
	double margin;        /* see struct violation; below 0: none yet */
	size_t each, family_wise; /* observations that refute it: each by itself; by Holm's procedure over all */
};

struct worth;

struct search {
	struct search_request request;
	/* graph by the verdict of each observation, or by family-wise verdicts if these were asked for; a graph without
	 * models says why */
	struct search_graph *graph;
	/* graph by the other way to decide, if some tested model survives one way and not the other; otherwise NULL */
	struct search_graph *other;
	struct result *start;     /* result for the start: names of the observations, notes, counters */
	struct fset proven;       /* features that only add µpaths, as the text shows */
	size_t useless_tested;    /* the smallest number of contexts in which a useless feature was tried */
	bool useless_whole;       /* useless features were tried in all contexts */
	/* the value of each counter (work/search/worth.h); NULL: not asked for; owned */
	struct worth *worth;
	size_t cones;             /* distinct cones of the tested models */
	struct search_cone *cone; /* `cones` of them */
	struct suspects suspects; /* counters each of which would explain all refutations of `suspected` */
	/* the start, or the tested set that the fewest observations refute when nothing survives */
	struct fset suspected;
};

/* Searches the legal choices of the model's features. Never returns NULL. If the start makes an error, start->error
 * says so. If the watch stopped the search before the start was judged, `start` is NULL. In both cases the search has
 * not begun. If the watch stopped it later, the graph has the tests until then. */
struct search *search_run_task(struct analysis *, const struct search_request *, const struct analysis_watch *);

/* Searches all choices, beginning with `start`. */
struct search *search_run(struct analysis *, const struct fset *start, size_t tests_max, const struct analysis_watch *);
void search_free(struct search *);

static inline bool
search_began(const struct search *s)
{
	return s->start && !s->start->error;
}

/* Returns the number of observations by which some tested model could be judged. */
static inline size_t
search_decided(const struct search *s)
{
	return s->graph->n_observations - s->graph->undecided;
}

/* Returns the graph, which the caller frees; the search has none afterwards. */
struct search_graph *search_take_graph(struct search *);

/* Returns the usable model that the fewest observations refute; among equals, the one with the fewest features.
 * n_models: none. */
size_t search_nearest(const struct search_graph *);

/* Does the graph belong to the observations of the result? */
bool search_same_observations(const struct search_graph *, const struct result *);

#endif
