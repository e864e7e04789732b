/* A search as the explorer shows it and the session file keeps it: the models that were judged, how each came from
 * another, and what they say together. A graph grows: what one search tells is merged into what earlier ones and the
 * user's own toggles told. */
#ifndef APP_SEARCH_SEARCH_GRAPH_H
#define APP_SEARCH_SEARCH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct result;
struct wire;

/* What is asked of a search. DISCOVER: one step, the features that relax what refutes this set, all at once. ELIMINATE:
 * from this set, which survives, take features away as long as it survives. AUTO: both to the end, so that every set is
 * classified. */
enum search_task { SEARCH_NONE, SEARCH_DISCOVER, SEARCH_ELIMINATE, SEARCH_AUTO };

/* How a model came into the graph. */
enum graph_step { GRAPH_START, GRAPH_DISCOVERY, GRAPH_ELIMINATION, GRAPH_CHOSEN };

struct graph_model {
	struct fset on;
	/* a fingerprint: of equal cones over the same counters; where the facets of one were given up, of one search
	 * only */
	uint64_t cone;
	bool usable;         /* false: the choice makes no model, and nothing else is known of it */
	/* no observation refutes it; where none could be judged by, that means nothing: search_graph_undecided() */
	bool survives;
	size_t infeasible;   /* observations that refute it */
	uint64_t *refuted;   /* a bit for each observation, n_words: as many as they take */
	size_t n_words;
	int step;            /* enum graph_step */
	/* the constraint that is violated most, and by which observation; NULL: none, or not told */
	char *worst, *worst_by;
};

struct graph_edge {
	size_t from, to;     /* models */
	struct fset changed; /* added by discovery and by hand, removed by elimination */
	int step;            /* enum graph_step */
};

/* What two sets of features have to do with each other over these counters: see struct search_alike. */
enum graph_alike_kind {
	GRAPH_PARTLY,   /* `one` changes nothing in some sets where `other` is on */
	GRAPH_NOTHING,  /* … in all that were tried */
	GRAPH_EQUAL,    /* they are equal in all that were tried */
	GRAPH_SURVIVORS /* … with what two survivors have in common */
};
#define GRAPH_ALIKE_KINDS 4

struct graph_alike {
	int kind;  /* enum graph_alike_kind */
	struct fset one, other;
	char *why; /* the whole statement, in a sentence */
};

/* A feature that the last discovery found to relax something, alone. */
struct graph_repair {
	size_t feature;
	size_t frees;        /* observations that refute the set it began with, and not this one */
};

struct search_graph {
	int task;            /* enum search_task: the search that these are the words of */
	struct fset fixed;   /* features that it left as they were: what it says is of the sets that agree in these */
	bool running;        /* … and goes on */
	/* every legal set is classified: what follows is of all of them, else of those that were tested */
	bool complete;
	char *reason;        /* !complete: why */
	char *says;          /* a sentence: what the step found; NULL */
	/* a sentence: counters that by themselves would explain what refutes, before anything is said of features;
	 * NULL */
	char *suspects;
	size_t n_observations;
	size_t undecided;    /* … of which no model was judged by so many: nothing is claimed of them */
	char **observation;  /* their names, n_observations */
	struct graph_model *model;
	size_t n_models;
	struct graph_edge *edge;
	size_t n_edges;
	size_t *minimal;     /* models */
	size_t n_minimal;
	struct fset required, optional, useless;
	char *useless_in;    /* where they are useless: NULL, everywhere; else in words */
	struct fset proposed; /* DISCOVER: the set that it proposes; else empty */
	struct graph_repair *repair; /* … and what each of its features does alone, the most useful first */
	size_t n_repairs;
	struct graph_alike *alike;
	size_t n_alike;
	double sets;         /* legal sets; NAN: not counted */
	size_t tested;
	double seconds;
};

struct search_graph *search_graph_new(void);
void search_graph_free(struct search_graph *);
void search_graph_wire(struct wire *, struct search_graph *);

/* Is there no observation that any model was judged by? Then no model survives or is refuted. */
static inline bool
search_graph_undecided(const struct search_graph *g)
{
	return g->undecided && g->undecided >= g->n_observations;
}

/* "2 of 8 observations are undecided: nothing is claimed of them"; nothing where none is. */
struct str;
void search_graph_say_undecided(size_t undecided, size_t of, struct str *out);

/* The number of the model with these features; n_models when it is not there. */
size_t search_graph_find(const struct search_graph *, const struct fset *);

bool search_graph_is_minimal(const struct search_graph *, size_t model);

/* Empties it. */
void graph_model_clear(struct graph_model *);

/* Take over what a newer search of the same model and data tells. Its models stand for those with the same features,
 * which keep the step by which they came; edges are united, one between two models; so are the sets that cannot be told
 * apart. What is said of all sets (minimal, required, optional, useless, complete, reason, sets, tested, fixed) stays
 * as a complete search said it until another one does, and is otherwise that of all models that are there then. What
 * the step found (task, running, says, proposed, repair, seconds) is the newer one's. Where the observations have other
 * names the data are others: then only the newer graph is left. `more` is freed. */
void search_graph_merge(struct search_graph *have, struct search_graph *more);

/* Is it of the observations that the result judges? */
bool search_graph_same_observations(const struct search_graph *, const struct result *);

#endif
