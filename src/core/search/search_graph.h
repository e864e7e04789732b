/* The graph of a search: the models that were judged, how each came from another, and the conclusions. The search fills
 * it (lattice.h), the engine sends it, the explorer shows it, and the session file stores it.
 *
 *     graph_model 0 ──+B──▶ graph_model 1 ──−A──▶ graph_model 2        edges: how each model came
 *     refuted by 6          survives             survives, minimal
 *
 * A graph grows: the result of a search is merged into the results of earlier ones and of the user's own toggles. */
#ifndef CORE_SEARCH_SEARCH_GRAPH_H
#define CORE_SEARCH_SEARCH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct shape;
struct wire;

/* The task of a search. DISCOVER: in one step, find the features that relax what refutes this set, all at once.
 * ELIMINATE: remove features from this set, which survives, as long as it survives. AUTO: alternate both until every
 * set is classified. */
enum search_task { SEARCH_NONE, SEARCH_DISCOVER, SEARCH_ELIMINATE, SEARCH_AUTO };

/* How a model came into the graph. */
enum graph_step { GRAPH_START, GRAPH_DISCOVERY, GRAPH_ELIMINATION, GRAPH_CHOSEN };
#define GRAPH_STEPS 4
extern const char *const graph_step_names[GRAPH_STEPS]; /* "start", "discovery", "elimination", "chosen" */

struct search_graph_model {
	struct fset on;
	/* a fingerprint: equal for equal cones over the same counters; if some cones have no facets (time limit),
	 * comparable only within one search */
	uint64_t cone;
	bool usable;         /* false: the choice of features gives no valid model, and the other members are not set */
	/* no observation refutes it; meaningless if no model could be judged: see search_graph_undecided() */
	bool survives;
	size_t infeasible;   /* number of observations that refute it */
	uint64_t *refuted;   /* n_words words with a bit for each observation */
	size_t n_words;
	int step;            /* enum graph_step */
	/* the most violated constraint and the observation that violates it; NULL: none, or unknown */
	char *worst, *worst_by;
	/* not sent; number of its cone in the search that judged it: equal cones have equal numbers */
	size_t cone_number;
	/* not sent; if the model is refuted, its subsets may survive all the same and must be tested */
	bool alone;
};

struct search_graph_edge {
	size_t from, to;     /* numbers of models */
	struct fset changed; /* features added by discovery or by hand; removed by elimination */
	int step;            /* enum graph_step */
};

/* A relation between two sets of features over the counters in use. It is tested in contexts: the legal sets of the
 * other features that agree with the fixed ones, either all of them or, if there are many, a sample (contexts.h). */
enum search_graph_alike_kind {
	GRAPH_PARTLY,   /* `one` changes nothing in some contexts where `other` is on */
	GRAPH_NOTHING,  /* `one` changes nothing in all contexts tried where `other` is on */
	GRAPH_EQUAL,    /* both have the same cone in all contexts tried */
	GRAPH_SURVIVORS /* both have the same cone with the features that two survivors share */
};
#define GRAPH_ALIKE_KINDS 4
extern const char *const graph_alike_names[GRAPH_ALIKE_KINDS]; /* "partly", "nothing", "equal", "survivors" */

struct search_graph_alike {
	int kind;             /* enum search_graph_alike_kind */
	struct fset one, other;
	char *why;            /* the whole statement, as a sentence */
	/* the two parts of `why`, as the search found them: the statement, without a full stop, and an example; NULL:
	 * none */
	char *says, *example;
	size_t tested, held;  /* numbers of contexts tried, and of those in which the relation held; 0 for SURVIVORS */
	bool whole;           /* all contexts that exist were tried */
};

/* A feature that by itself relaxes some constraint, as the last discovery found. */
struct search_graph_repair {
	size_t feature;
	size_t frees;        /* number of observations that refute the start, but not the start plus this feature */
};

/* A feature that was believed to only add µpaths, but proved to remove something: the cone of `from` is not inside that
 * of `to`, which has just this feature in addition. */
struct search_graph_shrink {
	size_t feature, from, to; /* from, to: numbers of models */
};

/* Conclusions about the features from the surviving sets. */
struct search_graph_needs {
	size_t *minimal;     /* numbers of the models of minimal sets */
	size_t n_minimal;
	struct fset required, optional, useless;
	char *useless_in;    /* contexts in which the features `useless` are useless, in words; NULL: all contexts */
};

/* What the search itself and its command know in addition; it is neither sent nor kept in a file. */
struct search_graph_own {
	struct search_graph_shrink *shrink;
	size_t n_shrinks;
	struct fset grows;   /* features that only add µpaths, except those that proved to remove something */
	/* features in no legal set that agrees with the fixed features, because requires and excludes contradict each
	 * other */
	struct fset impossible;
	/* per observation: features without which no model explains it, although some model does; empty unless complete
	 */
	struct fset *needed;
	bool *orphan;        /* per observation: no tested model explains it */
	bool whole;          /* the task was done to its end; a single step is never complete */
	bool stopped;        /* the task was not done to its end, because a test was stopped */
	size_t cap_models, cap_edges, cap_shrinks;
};

struct search_graph {
	int task;            /* enum search_task: kind of the search that gave these results */
	/* features that the search did not change: its statements are about the sets that agree in these features */
	struct fset fixed;
	bool running;        /* the search is still running */
	/* every legal set is classified, and the statements below are about all sets; otherwise about the tested sets
	 */
	bool complete;
	char *reason;        /* why it is not complete; NULL: it is complete, or the reason is unknown */
	char *says;          /* the result of the step, as a sentence; NULL */
	/* a sentence about counters that alone would explain the refutations; NULL */
	char *suspects;
	size_t n_observations;
	/* number of observations by which no model could be judged: no statement is about them */
	size_t undecided;
	char **observation;  /* n_observations: names of the observations */
	struct search_graph_model *model;
	size_t n_models;
	struct search_graph_edge *edge;
	size_t n_edges;
	struct search_graph_needs needs;
	struct fset proposed; /* DISCOVER: the set that the step proposes; otherwise empty */
	struct search_graph_repair *repair; /* the effect of each proposed feature alone, most useful first */
	size_t n_repairs;
	struct search_graph_alike *alike;
	size_t n_alike;
	/* number of legal sets that agree in the fixed features; NAN: too many to count, or not counted */
	double sets;
	size_t tested;
	double seconds;
	struct search_graph_own own;
};

struct search_graph *search_graph_new(void);
void search_graph_free(struct search_graph *);
void search_graph_wire(struct wire *, struct search_graph *);

/* How graphs and their parts are sent and freed, and which columns their tables in a file have. */
extern const struct shape search_graph_shape, search_graph_model_shape, search_graph_edge_shape,
	search_graph_alike_shape, search_graph_repair_shape;

/* Returns true when no model could be judged by any observation. Then no model survives or is refuted. */
static inline bool
search_graph_undecided(const struct search_graph *g)
{
	return g->undecided && g->undecided >= g->n_observations;
}

/* Appends "2 of 8 observations are undecided: nothing is claimed of them"; appends nothing if none is. */
struct str;
void search_graph_undecided_text(size_t undecided, size_t of, struct str *out);

/* Returns the number of the model with these features; n_models when there is none. */
size_t search_graph_find(const struct search_graph *, const struct fset *);

/* Removes all models but the first n, with their edges. No complete search may have found those. */
void search_graph_cut(struct search_graph *, size_t n);

bool search_graph_is_minimal(const struct search_graph *, size_t model);

/* Returns true if both graphs have the same smallest survivors. */
bool search_graph_same_minimal(const struct search_graph *, const struct search_graph *);

/* Finds the smallest survivors among the models, fewest features first, and the features that all or some survivors
 * have. */
void search_graph_sum(struct search_graph *);

/* Sets why the graph is not complete; NULL: no reason is given. */
void search_graph_set_reason(struct search_graph *, const char *);

static inline bool
graph_model_refuted_by(const struct search_graph_model *m, size_t observation)
{
	return observation / 64 < m->n_words && m->refuted[observation / 64] >> (observation % 64) & 1;
}

/* Frees what the model holds and sets it to zero. */
void graph_model_clear(struct search_graph_model *);

/* Merges the result of a newer search of the same model and data into `have`, and frees `more`.
 *
 * - Models of `more` replace those with the same features, but the step by which these came is kept. Edges are united,
 *   with one edge between two models. So are the sets of features that cannot be told apart (`alike`).
 * - Statements about all sets (minimal, required, optional, useless, complete, reason, sets, tested, fixed) stay as a
 *   complete search made them, until another complete one ends. Without a complete search they are about all models of
 *   the graph.
 * - The result of the step (task, running, says, proposed, repair, seconds) is taken from `more`.
 * - If the names of the observations differ, so do the data: then only `more` is left. */
void search_graph_merge(struct search_graph *have, struct search_graph *more);

#endif
