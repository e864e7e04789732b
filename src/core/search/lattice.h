/* Discovery and elimination over sets of features: finds the models that survive, with as few tests as possible.
 *
 * A model is a set of features. The caller tests whether it survives; cones are not seen here. A feature in `grows`
 * only adds µpaths. So whatever refutes a set also refutes every subset that differs in such features alone, and if
 * a set survives, such supersets survive. Other features may do anything, so every legal choice of them is searched
 * separately.
 *
 * Sources: CounterPoint section 5 (discovery, elimination, figures 7 and 8); Liffiton, Previti, Malik and
 * Marques-Silva, "Fast, flexible MUS enumeration" (Constraints 21, 2016): a map of unclassified sets gives the next
 * set to test. */
#ifndef CORE_SEARCH_LATTICE_H
#define CORE_SEARCH_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

enum lattice_step { LATTICE_START, LATTICE_DISCOVERY, LATTICE_ELIMINATION };
const char *lattice_step_name(enum lattice_step); /* "start", "discovery", "elimination" */

/* ALL: classify every legal set. DISCOVER: take one step, that is, test the start and the start with the features of
 * repairs(). PRUNE: find the sets that survive below the start, if the start survives. */
enum lattice_task { LATTICE_ALL, LATTICE_DISCOVER, LATTICE_PRUNE };

struct lattice;

/* Result of testing a set. */
struct lattice_tested {
	size_t cone;          /* number of its cone: equal cones have equal numbers */
	uint64_t *infeasible; /* a bit per observation that refutes it; all zero at the call */
	bool usable;          /* false: the set makes no model, regardless of observations */
	/* it is refuted, but nothing follows for its subsets: they must be tested */
	bool alone;
};

struct lattice_problem {
	size_t n_features, n_observations;
	enum lattice_task task;
	struct fset start;   /* set where discovery begins; must be legal */
	struct fset fixed;   /* features that keep their state in `start`: other sets are not searched */
	struct fset grows;   /* features that only add µpaths, as far as known */
	size_t tests_max;    /* 0: LATTICE_TESTS_MAX */
	/* True if the choice may still become legal. `known` has the features that are decided. If all are, the answer
	 * is exact. */
	bool (*legal)(void *ctx, const struct fset *on, const struct fset *known);
	/* Test a legal set. False only if the search was stopped. */
	bool (*test)(void *ctx, const struct fset *on, struct lattice_tested *out);
	/* Features that may repair the refuted set that was tested last; NULL: not known. */
	struct fset (*repairs)(void *ctx, const struct fset *on);
	/* True if the cone of one tested set is inside that of another one. Arguments are numbers of cones. */
	bool (*inside)(void *ctx, size_t smaller, size_t larger);
	/* Called after each tested model, and again if its edge changes. It may call lattice_sum(). May be NULL. */
	void (*report)(void *ctx, struct lattice *so_far);
	/* Called now and then while the next set is searched; false stops the search. NULL: never stops. */
	bool (*go_on)(void *ctx);
	void *ctx;
};

#define LATTICE_TESTS_MAX 5000
#define LATTICE_NODES_MAX 20000000 /* choices visited to find unclassified sets */

struct lattice_model {
	struct fset on;
	size_t cone;
	uint64_t *infeasible; /* a bit per observation */
	size_t n_infeasible;
	bool usable, alone;   /* as in struct lattice_tested */
	enum lattice_step step;
};

struct lattice_edge {
	size_t from, to;     /* models */
	struct fset changed; /* features added by discovery or removed by elimination */
	enum lattice_step step;
};

/* A feature in `grows` that proved to remove something: the cone of `from` is not inside that of `to`, which only
 * has this feature more. */
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
	struct fset grows;         /* the problem's, without those that proved to remove something */
	size_t *minimal;           /* surviving models of which no proper subset survives */
	size_t n_minimal;
	struct fset required;      /* in all survivors, without fixed ones; empty if there is no survivor */
	struct fset optional;      /* in some survivor, neither required nor fixed */
	/* cones and verdicts are equal in every pair of tested models that differ in this feature alone */
	struct fset idle;
	/* in no legal set that agrees with the fixed features: requires and excludes contradict each other */
	struct fset impossible;
	/* per observation: features without which no model explains it, if some model does; empty unless complete */
	struct fset *needs;
	bool *orphan;              /* per observation: no model explains it */
	/* every legal set is classified, though not each was tested; if false, all results are about tested sets
	 * only */
	bool complete;
	bool whole;                /* the task was done to its end; a single step is never complete */
	bool stopped;              /* it was not, because a test was stopped */
	const char *reason;        /* if !complete: the reason, a literal */
	/* number of legal sets that agree with the fixed features; exact below 2^53; NAN: too many to count */
	double sets;
	size_t tested;
	size_t n_features, n_observations;
	struct fset fixed;
	/* Private. */
	size_t cap_models, cap_edges, cap_shrinks;
};

/* Search. Never NULL: a stopped search returns what was tested until then. */
struct lattice *lattice_search(const struct lattice_problem *);

/* Compute minimal, required, optional, orphan and tested from the models so far, for callers of `report` before the
 * end. */
void lattice_sum(struct lattice *);
void lattice_free(struct lattice *);

static inline bool
lattice_refutes(const struct lattice_model *m, size_t observation)
{
	return m->infeasible[observation / 64] >> (observation % 64) & 1;
}

#endif
