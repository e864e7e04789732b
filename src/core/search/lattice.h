/* Discovery and elimination over sets of features: which models survive, testing as few of them as possible.
 *
 * A model is a set of features. Whether it survives is asked of the caller; no cone is seen here. A feature in `grows`
 * is known to add µpaths and nothing else: then what refutes a set refutes every subset of it that differs in such
 * features alone, and what a set survives its supersets do. All other features may do anything, so every legal choice
 * of them is searched by itself.
 *
 * Sources: CounterPoint section 5 (discovery, elimination, figures 7 and 8); Liffiton, Previti, Malik and
 * Marques-Silva, "Fast, flexible MUS enumeration" (Constraints 21, 2016): a map of what is not yet classified gives the
 * next set to test. */
#ifndef CORE_SEARCH_LATTICE_H
#define CORE_SEARCH_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

enum lattice_step { LATTICE_START, LATTICE_DISCOVERY, LATTICE_ELIMINATION };
const char *lattice_step_name(enum lattice_step); /* "start", "discovery", "elimination" */

/* ALL: every legal set is classified. DISCOVER: one step, the start and what adds repairs() to it. PRUNE: what survives
 * below the start, if that does. */
enum lattice_task { LATTICE_ALL, LATTICE_DISCOVER, LATTICE_PRUNE };

struct lattice;

/* What a test says of a set. */
struct lattice_tested {
	size_t cone;          /* its cone: equal cones have equal numbers */
	uint64_t *infeasible; /* a bit for each observation that refutes it; zeroes to begin with */
	bool usable;          /* false: the set makes no model, whatever the observations say */
	/* it is refuted, but nothing follows for sets with fewer features: they are tested by themselves */
	bool alone;
};

struct lattice_problem {
	size_t n_features, n_observations;
	enum lattice_task task;
	struct fset start;   /* where discovery begins; must be legal */
	struct fset fixed;   /* these stay as they are in `start`: sets that differ in them are no part of the search */
	struct fset grows;   /* features that are known only to add */
	size_t tests_max;    /* 0: LATTICE_TESTS_MAX */
	/* May the choice still become legal? `known` says which features are decided; when all are, the answer is
	 * exact. */
	bool (*legal)(void *ctx, const struct fset *on, const struct fset *known);
	/* Judge a legal set. False only when the search was stopped. */
	bool (*test)(void *ctx, const struct fset *on, struct lattice_tested *out);
	/* Features that would repair something about a refuted set that was tested just now; NULL: not known. */
	struct fset (*repairs)(void *ctx, const struct fset *on);
	/* Is the cone of one tested set inside of that of another, by numbers? */
	bool (*inside)(void *ctx, size_t smaller, size_t larger);
	/* Told after each tested model, and again when it is hung on another; may call lattice_sum(). NULL: nobody
	 * watches. */
	void (*told)(void *ctx, struct lattice *so_far);
	/* Asked now and then while sets to be tested are looked for; false stops the search. NULL: goes on. */
	bool (*go_on)(void *ctx);
	void *ctx;
};

#define LATTICE_TESTS_MAX 5000
#define LATTICE_NODES_MAX 20000000 /* choices looked at to find what is not classified yet */

struct lattice_model {
	struct fset on;
	size_t cone;
	uint64_t *infeasible; /* a bit for each observation */
	size_t n_infeasible;
	bool usable, alone;   /* as in struct lattice_tested */
	enum lattice_step step;
};

struct lattice_edge {
	size_t from, to;     /* models */
	struct fset changed; /* added by discovery, removed by elimination */
	enum lattice_step step;
};

/* A feature that was seen to take something away: the cone of `from` is not inside of that of `to`, which has the
 * feature besides. */
struct lattice_shrink {
	size_t feature, from, to;
};

struct lattice {
	struct lattice_model *model;
	size_t n_models, n_words; /* words of 64 bits in `infeasible` */
	struct lattice_edge *edge;
	size_t n_edges;
	struct lattice_shrink *shrink;
	size_t n_shrinks;
	struct fset grows;         /* those of the problem, less what was seen to shrink */
	size_t *minimal;           /* models that survive, and no surviving one has fewer features */
	size_t n_minimal;
	struct fset required;      /* in all survivors, less what was fixed; empty when there is none */
	struct fset optional;      /* in some survivor, not required, not fixed */
	/* in every pair of tested models that differ in it alone the cone and verdicts are equal */
	struct fset idle;
	/* no legal set that agrees with what is fixed has it: requires and excludes contradict each other */
	struct fset impossible;
	/* per observation: features without which no model takes it, though some model does; empty unless complete */
	struct fset *needs;
	bool *orphan;              /* per observation: no model takes it */
	/* every legal set is classified, though not each was tested; else all this is of those that were tested */
	bool complete;
	bool whole;                /* the task was done to its end; a step then still is not complete */
	bool stopped;              /* it was not, because a test was stopped */
	const char *reason;        /* !complete: a literal */
	/* legal sets that agree with what is fixed; exact below 2^53; NAN: too many to be counted here */
	double sets;
	size_t tested;
	size_t n_features, n_observations;
	struct fset fixed;
	/* Private. */
	size_t cap_models, cap_edges, cap_shrinks;
};

/* Never NULL: a search that was stopped gives what was tested until then. */
struct lattice *lattice_search(const struct lattice_problem *);

/* Make minimal, required, optional, orphan and tested those of the models that are there, for who is told before the
 * end. */
void lattice_sum(struct lattice *);
void lattice_free(struct lattice *);

static inline bool
lattice_refutes(const struct lattice_model *m, size_t observation)
{
	return m->infeasible[observation / 64] >> (observation % 64) & 1;
}

#endif
