/* The graph of a search: the models that were judged, how each came from another, and the conclusions. The search fills
 * it (lattice.h), the engine sends it, the explorer shows it, and the session file keeps it.
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

/* The task of a search. DISCOVER: one step, the features that relax what refutes this set, all at once. ELIMINATE: from
 * this set, which survives, remove features as long as it survives. AUTO: both until every set is classified. */
enum search_task { SEARCH_NONE, SEARCH_DISCOVER, SEARCH_ELIMINATE, SEARCH_AUTO };

/* How a model came into the graph. */
enum graph_step { GRAPH_START, GRAPH_DISCOVERY, GRAPH_ELIMINATION, GRAPH_CHOSEN };
#define GRAPH_STEPS 4
extern const char *const graph_step_names[GRAPH_STEPS]; /* "start", "discovery", "elimination", "chosen" */

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
	/* of the search that judged it, not sent: its cone's number; equal cones have equal numbers */
	size_t cone_number;
	/* likewise: if it is refuted, nothing follows for its subsets: they must be tested */
	bool alone;
};

struct search_graph_edge {
	size_t from, to;     /* numbers of models */
	struct fset changed; /* features added by discovery or by hand; removed by elimination */
	int step;            /* enum graph_step */
};

/* A relation between two sets of features over the counters in use. It is tried in the legal sets of the other features
 * that agree with the fixed ones: in all of them where these are few, otherwise in a sample (contexts.h). */
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
	/* its two parts, as the search found them: the statement, without a full stop, and an example; NULL: none */
	char *says, *example;
	size_t tested, held;  /* contexts tried, and those in which it held; 0 for SURVIVORS */
	bool whole;           /* these are all contexts that exist */
};

/* A feature that alone relaxes something, as the last discovery found. */
struct search_graph_repair {
	size_t feature;
	size_t frees;        /* observations that refute the start, and not the start with this feature */
};

/* A feature that was believed to only add µpaths and proved to remove something: the cone of `from` is not inside that
 * of `to`, which only has this feature more. */
struct search_graph_shrink {
	size_t feature, from, to; /* the last two: numbers of models */
};

/* Conclusions about the features from the surviving sets. */
struct search_graph_needs {
	size_t *minimal;     /* numbers of the models of minimal sets */
	size_t n_minimal;
	struct fset required, optional, useless;
	char *useless_in;    /* contexts in which these are useless, in words; NULL: all contexts */
};

/* What the search itself and its command know in addition; it is neither sent nor kept in a file. */
struct search_graph_own {
	struct search_graph_shrink *shrink;
	size_t n_shrinks;
	struct fset grows;   /* features that only add µpaths, without those that proved to remove something */
	/* in no legal set that agrees with the fixed features: requires and excludes contradict each other */
	struct fset impossible;
	/* per observation: features without which no model explains it, if some model does; empty unless complete */
	struct fset *needed;
	bool *orphan;        /* per observation: no tested model explains it */
	bool whole;          /* the task was done to its end; a single step is never complete */
	bool stopped;        /* it was not, because a test was stopped */
	size_t cap_models, cap_edges, cap_shrinks;
};

struct search_graph {
	int task;            /* enum search_task: the search that these results come from */
	/* features that the search did not change: its statements are about the sets that agree in these */
	struct fset fixed;
	bool running;        /* the search is still running */
	/* every legal set is classified, and the statements below are about all of them; otherwise about those
	 * tested */
	bool complete;
	char *reason;        /* why it is not complete; NULL: it is, or nothing is known about it */
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
	double sets;         /* number of legal sets that agree in the fixed features; NAN: too many, or not counted */
	size_t tested;
	double seconds;
	struct search_graph_own own;
};

struct search_graph *search_graph_new(void);
void search_graph_free(struct search_graph *);
void search_graph_wire(struct wire *, struct search_graph *);

/* How these are sent and freed, and which columns a file has. */
extern const struct shape search_graph_shape, search_graph_model_shape, search_graph_edge_shape,
	search_graph_alike_shape, search_graph_repair_shape;

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

/* Have both the same smallest survivors? */
bool search_graph_same_minimal(const struct search_graph *, const struct search_graph *);

/* Finds the smallest survivors among the models, fewest features first, and what all or some survivors have. */
void search_graph_sum(struct search_graph *);

/* Sets why it is not complete; NULL: nothing is said. */
void search_graph_set_reason(struct search_graph *, const char *);

static inline bool
graph_model_refuted_by(const struct search_graph_model *m, size_t observation)
{
	return observation / 64 < m->n_words && m->refuted[observation / 64] >> (observation % 64) & 1;
}

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

#endif
