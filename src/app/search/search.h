/* Discovery and elimination over the features of a model: which choices survive the data, and what that says of each
 * feature. */
#ifndef APP_SEARCH_SEARCH_H
#define APP_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/analysis.h"
#include "app/analysis/suspects.h"
#include "app/search/search_graph.h"
#include "core/search/lattice.h"

struct err;
struct udd_model;

/* Can a model be searched? False and *e for a folder of models: they have no features to switch in common. */
bool search_can(const struct udd_model *, struct err *e);

/* What is searched. Both sets are of the model's features, and `on` keeps requires and excludes. */
struct search_request {
	enum search_task task;
	struct fset on;      /* where it begins */
	struct fset fixed;   /* pinned by the expert: these stay as they are in `on` */
	size_t tests_max;    /* 0: the default */
	/* Told the graph of what was tested so far, about ten times a second; takes it. NULL: nobody watches. */
	void (*tell)(void *ctx, struct search_graph *);
	void *ctx;
};

/* What two sets of features have to do with each other, over the counters in use. Each is tried in the legal sets of
 * the other features that agree with what is fixed: in all where these are few, else in a sample (contexts.h). */
enum alike_kind {
	ALIKE_EQUAL,    /* they make one cone in each: no data tell them apart */
	ALIKE_NOTHING,  /* where `other` is on, `one`, a feature, changes no cone: in all that were tried, or in some */
	ALIKE_SURVIVORS /* two survivors differ in them, and have one cone; with other features on they may differ */
};

struct search_alike {
	enum alike_kind kind;
	struct fset one, other;
	size_t tested, held; /* sets of other features in which it was tried, and in which it held; SURVIVORS: 0 */
	bool whole;          /* these are all that there are */
	char *says;          /* the statement: a sentence without a stop, ASCII but for names */
	char *why;           /* … and an example; the same */
};

/* One of the distinct cones, by its number in the lattice. */
struct search_cone {
	uint64_t fingerprint; /* see struct graph_model */
	/* the constraint that is violated most; a certificate where no single one is; NULL: none */
	char *worst;
	size_t worst_by;      /* … by which observation */
	double margin;        /* see struct violation; below 0: none yet */
	size_t each, family_wise; /* observations that refute it, each by itself, and by Holm's procedure over all */
};

struct worth;

struct search {
	struct search_request request;
	struct lattice *lattice;  /* by the observations each, or family-wise where that was asked for */
	struct lattice *other; /* … by the other of the two, where some tested model survives the one and not the other;
				  else NULL: both say the same */
	struct result *start;     /* the model that it began with: names of the observations, notes, counters */
	struct fset proven;       /* features of which the text shows that they only add */
	struct search_alike *alike;
	size_t n_alike;
	/* Switching it changed no cone, whatever else was on: in all sets of other features that were tried. */
	struct fset useless;
	size_t useless_tested;    /* … the fewest sets in which one of them was tried */
	bool useless_whole;       /* … these are all that there are */
	size_t decided;           /* observations that some tested model could be judged by */
	/* what each counter buys (app/search/worth.h); NULL: not asked for. The search's own */
	struct worth *worth;
	size_t cones;             /* distinct ones among the tested models' */
	struct search_cone *cone; /* `cones` of them */
	struct fset proposed;     /* DISCOVER: see struct search_graph */
	struct graph_repair *repair;
	size_t n_repairs;
	struct suspects suspects; /* counters that by themselves would explain all that refutes … */
	/* … this set: the start; where nothing survives, the tested set that the fewest refute. */
	struct fset suspected;
	char *suspects_say;       /* … in a sentence; NULL: there are none */
	char *says;               /* a sentence: what was found, suspects first */
	double seconds;
};

/* Search the choices of the model's features that keep requires and excludes. Never NULL: where the start makes an
 * error, start->error says so and the lattice is NULL; where the watch stopped it before the start was judged, both are
 * NULL; where it did later, the lattice has what was tested until then. */
struct search *search_run_task(struct analysis *, const struct search_request *, const struct watch *);

/* The whole lattice, from `start`. */
struct search *search_run(struct analysis *, const struct fset *start, size_t tests_max, const struct watch *);
void search_free(struct search *);

/* Features that are in some survivor, not required, and not useless. It must have a lattice. */
struct fset search_optional(const struct search *);

/* The usable model of a lattice that the fewest observations refute; of equal ones the one with the fewest features;
 * n_models: there is none. */
size_t search_nearest(const struct lattice *);

/* Where its useless features are so: NULL where there are none, or in all sets of the other features. The caller
 * frees. */
char *search_useless_in(const struct search *);

/* What it found, as explorer and session file have it. A search without a lattice gives a graph without models that
 * says why. */
struct search_graph *search_graph_of(const struct search *, bool running);

#endif
