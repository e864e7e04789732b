/* A search as the explorer shows it and the session file keeps it: the models that were judged, how each came from
 * another, and the conclusions.
 *
 *     graph_model 0 ──+B──▶ graph_model 1 ──−A──▶ graph_model 2        edges: how each model came
 *     refuted by 6          survives             survives, minimal
 *
 * A graph grows: the result of a search is merged into the results of earlier ones and of the user's own toggles. */
#ifndef WORK_SEARCH_SEARCH_GRAPH_H
#define WORK_SEARCH_SEARCH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct result;
struct wire;

/* The task of a search. DISCOVER: one step, the features that relax what refutes this set, all at once. ELIMINATE: from
 * this set, which survives, remove features as long as it survives. AUTO: both until every set is classified. */
enum search_task { SEARCH_NONE, SEARCH_DISCOVER, SEARCH_ELIMINATE, SEARCH_AUTO };

/* How a model came into the graph. */
enum graph_step { GRAPH_START, GRAPH_DISCOVERY, GRAPH_ELIMINATION, GRAPH_CHOSEN };

struct search_graph_model {
	struct fset on;
	/* a fingerprint: equal for equal cones over the same counters; where facets were given up, comparable only
	 * within one search */
	uint64_t cone;
	bool usable;         /* false: the choice makes no model, and the other members are not set */
	/* no observation refutes it; meaningless where none could be judged: see search_graph_undecided() */
	bool survives;
	size_t infeasible;   /* number of observations that refute it */
	uint64_t *refuted;   /* n_words words with a bit for each observation */
	size_t n_words;
	int step;            /* enum graph_step */
	/* the most violated constraint and the observation that violates it; NULL: none, or unknown */
	char *worst, *worst_by;
};

struct search_graph_edge {
	size_t from, to;     /* numbers of models */
	struct fset changed; /* features added by discovery or by hand; removed by elimination */
	int step;            /* enum graph_step */
};

/* A relation between two sets of features over these counters: see struct search_alike. */
enum search_graph_alike_kind {
	GRAPH_PARTLY,   /* `one` changes nothing in some contexts where `other` is on */
	GRAPH_NOTHING,  /* `one` changes nothing in all contexts tried where `other` is on */
	GRAPH_EQUAL,    /* both have the same cone in all contexts tried */
	GRAPH_SURVIVORS /* both have the same cone with the features that two survivors share */
};
#define GRAPH_ALIKE_KINDS 4

struct search_graph_alike {
	int kind;  /* enum search_graph_alike_kind */
	struct fset one, other;
	char *why; /* the whole statement, as a sentence */
};

/* A feature that alone relaxes something, as the last discovery found. */
struct search_graph_repair {
	size_t feature;
	size_t frees;        /* observations that refute the start, and not the start with this feature */
};

/* Conclusions about the features from the surviving sets. */
struct search_graph_needs {
	size_t *minimal;     /* numbers of the models of minimal sets */
	size_t n_minimal;
	struct fset required, optional, useless;
	char *useless_in;    /* contexts in which these are useless, in words; NULL: all contexts */
};

struct search_graph {
	int task;            /* enum search_task: the search that these results come from */
	/* features that the search did not change: its statements are about the sets that agree in these */
	struct fset fixed;
	bool running;        /* the search is still running */
	/* every legal set is classified, and the statements below are about all of them; otherwise about those
	 * tested */
	bool complete;
	char *reason;        /* why it is not complete */
	char *says;          /* the result of the step, as a sentence; NULL */
	/* a sentence about counters that alone would explain the refutations; NULL */
	char *suspects;
	size_t n_observations;
	/* number of observations by which no model could be judged: nothing is claimed about them */
	size_t undecided;
	char **observation;  /* their names, n_observations */
	struct search_graph_model *model;
	size_t n_models;
	struct search_graph_edge *edge;
	size_t n_edges;
	struct search_graph_needs needs;
	struct fset proposed; /* DISCOVER: the set that it proposes; otherwise empty */
	struct search_graph_repair *repair; /* the effect of each proposed feature alone, most useful first */
	size_t n_repairs;
	struct search_graph_alike *alike;
	size_t n_alike;
	double sets;         /* number of legal sets; NAN: not counted */
	size_t tested;
	double seconds;
};

struct search_graph *search_graph_new(void);
void search_graph_free(struct search_graph *);
void search_graph_wire(struct wire *, struct search_graph *);

/* True when no model could be judged by any observation. Then no model survives or is refuted. */
static inline bool
search_graph_undecided(const struct search_graph *g)
{
	return g->undecided && g->undecided >= g->n_observations;
}

/* Appends "2 of 8 observations are undecided: nothing is claimed of them"; nothing where none is. */
struct str;
void search_graph_undecided_text(size_t undecided, size_t of, struct str *out);

/* Returns the number of the model with these features; n_models when there is none. */
size_t search_graph_find(const struct search_graph *, const struct fset *);

bool search_graph_is_minimal(const struct search_graph *, size_t model);

/* Frees what it holds and sets it to zero. */
void graph_model_clear(struct search_graph_model *);

/* Merges the result of a newer search of the same model and data into `have`, and frees `more`.
 *
 * - Models of `more` replace those with the same features, which keep the step by which they came. Edges are united,
 *   one between two models. So are the sets that cannot be told apart.
 * - Statements about all sets (minimal, required, optional, useless, complete, reason, sets, tested, fixed) stay as a
 *   complete search made them, until another complete one. Without a complete search they are about all models of the
 *   graph.
 * - The result of the step (task, running, says, proposed, repair, seconds) is taken from `more`.
 * - If the observations have other names, the data are others: then only `more` is left. */
void search_graph_merge(struct search_graph *have, struct search_graph *more);

/* Does the graph belong to the observations of the result? */
bool search_graph_same_observations(const struct search_graph *, const struct result *);

#endif
