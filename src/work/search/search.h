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
#include "work/analysis/analysis.h"
#include "work/analysis/suspects.h"
#include "work/search/search_graph.h"

struct err;
struct udd_model;

/* Can a model be searched? False and *e for a folder of models, which have no features in common. */
bool search_can(const struct udd_model *, struct err *e);

/* The question. Both sets are of the model's features, and `on` satisfies requires and excludes. */
struct search_request {
	enum search_task task;
	struct fset on;      /* the set where the search begins */
	struct fset fixed;   /* features that stay as they are in `on` */
	size_t tests_max;    /* 0: the default */
	/* Receives the graph of the tests so far, about ten times a second, and takes it over. NULL: no reports. */
	void (*report)(void *ctx, struct search_graph *);
	void *ctx;
};

/* A relation between two sets of features over the counters in use. It is tried in the legal sets of the other features
 * that agree with the fixed ones: in all of them where these are few, otherwise in a sample (contexts.h). */
enum alike_kind {
	ALIKE_EQUAL,    /* both sets make the same cone in every context: no data tell them apart */
	ALIKE_NOTHING,  /* where `other` is on, the feature `one` changes no cone, in all contexts tried or in some */
	ALIKE_SURVIVORS /* two survivors differ only in these sets and have one cone */
};

struct search_alike {
	enum alike_kind kind;
	struct fset one, other;
	size_t tested, held; /* contexts tried, and those in which it held; 0 for SURVIVORS */
	bool whole;          /* these are all contexts that exist */
	char *says;          /* the statement, without a full stop; ASCII except for names */
	char *why;           /* an example, in the same form */
};

/* One of the distinct cones; its index is its number in the lattice. */
struct search_cone {
	uint64_t fingerprint; /* see struct search_graph_model */
	/* the most violated constraint; a certificate where no single constraint is violated; NULL: none */
	char *worst;
	size_t worst_by;      /* name of the observation that violates it */
	double margin;        /* see struct violation; below 0: none yet */
	size_t each, family_wise; /* observations that refute it, each by itself, and by Holm's procedure over all */
};

struct worth;

struct search {
	struct search_request request;
	/* by the verdict of each observation, or by family-wise verdicts where these were asked for */
	struct lattice *lattice;
	/* the lattice of the other way to count, where some tested model survives one and not the other; otherwise
	 * NULL */
	struct lattice *other;
	struct result *start;     /* result for the start: names of the observations, notes, counters */
	struct fset proven;       /* features that only add µpaths, as the text shows */
	struct search_alike *alike;
	size_t n_alike;
	/* features that changed no cone in any context tried */
	struct fset useless;
	size_t useless_tested;    /* the smallest number of contexts in which one of them was tried */
	bool useless_whole;       /* these were all contexts */
	size_t decided;           /* observations by which some tested model could be judged */
	/* the value of each counter (work/search/worth.h); NULL: not asked for; owned */
	struct worth *worth;
	size_t cones;             /* distinct cones of the tested models */
	struct search_cone *cone; /* `cones` of them */
	struct fset proposed;     /* DISCOVER: see struct search_graph */
	struct search_graph_repair *repair;
	size_t n_repairs;
	struct suspects suspects; /* counters each of which would explain all refutations of `suspected` */
	/* the start, or the tested set that the fewest observations refute when nothing survives */
	struct fset suspected;
	char *suspects_text;      /* the suspects in a sentence; NULL: none */
	char *says;               /* the result in a sentence, suspects first */
	double seconds;
};

/* Searches the legal choices of the model's features. Never NULL. Where the start makes an error, start->error says so
 * and the lattice is NULL. Where the watch stopped it before the start was judged, both are NULL; where it did later,
 * the lattice has the tests until then. */
struct search *search_run_task(struct analysis *, const struct search_request *, const struct analysis_watch *);

/* Searches the whole lattice from `start`. */
struct search *search_run(struct analysis *, const struct fset *start, size_t tests_max, const struct analysis_watch *);
void search_free(struct search *);

/* Returns the features that some survivor has and that are neither required nor useless. The search must have a
 * lattice. */
struct fset search_optional(const struct search *);

/* Returns the usable model that the fewest observations refute, with the fewest features of equal ones; n_models: none.
 */
size_t search_nearest(const struct lattice *);

/* Returns the contexts in which the useless features are useless, in words. NULL where there are none, or where all
 * contexts were tried. The caller frees. */
char *search_useless_in(const struct search *);

/* Returns the result as explorer and session file keep it. A search without a lattice gives a graph without models that
 * says why. */
struct search_graph *search_graph_of(const struct search *, bool running);

#endif
