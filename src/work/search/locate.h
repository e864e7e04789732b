/* Finds out what an event of unknown meaning counts, with a model that is trusted. Each place of the model is a
 * candidate: the model with a counter at this place is tested against data that have the event. Places that the data do
 * not refute survive.
 *
 *     places of the diagram ──▶ columns: rise per µpath ──▶ test ──▶ survivors: rule or width
 *     (passes.h)                (locate_columns.c)                └▶ refuted: observation, constraint
 *                                                                    (locate_describe.c)
 *
 * Sums and differences of places are candidates too. */
#ifndef WORK_SEARCH_LOCATE_H
#define WORK_SEARCH_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct analysis_options;
struct err;
struct obs_table;
struct udd_model;
struct analysis_watch;

#define LOCATE_TESTS_MAX 5000

/* Places of one name that count the same as a candidate, or as one of its terms, on every µpath. */
struct locate_same {
	size_t term;          /* the candidate's term that they equal */
	char *name;           /* "event sigbus" */
	char **where;         /* "FILE:LINE in CALL"; empty: wherever the name appears */
	size_t n;
};

/* A place, or a sum or difference of places, that raises the counter differently from every other candidate. */
struct locate_candidate {
	char *name;           /* "event sigbus", "wherever MIN counts", "PGF without MAJ" */
	/* All other places that count the same, each name of a term once. Places that are covered by a name already
	 * listed are left out, and so are calls of a statement already listed. */
	struct locate_same *same;
	size_t n_same;
	size_t terms;         /* number of its places */
	/* how specific the places are: 0 for a name, 1 for a statement, 2 for a statement in one call, summed up */
	size_t detail;
	bool part;            /* the candidate is a place in only one call of a def */
	bool declared;        /* the model declares the counter there */
	bool survives;
	/* For refuted candidates: */
	char *refuter;        /* the first observation that refutes it */
	char *constraint;     /* the constraint of model and counter that this observation violates */
	/* For survivors: */
	/* number of the candidate's cone; no data over these counters can tell candidates with the same cone apart.
	 * SIZE_MAX - n: not compared */
	size_t group;
	/* an equality of the cone that contains the event, and so predicts it exactly; NULL: the cone only bounds it */
	char *rule;
	/* mean width of the interval allowed for the event at the observations' means, divided by the event; 0: exact;
	 * INFINITY: no bound on one side; NAN: unknown */
	double width;
	/* lines of the model with the counter inserted, separated by "\n"; "" where no line can do it */
	char *paste;
};

struct locate_result {
	char *error;          /* printed diagnostics of a choice of features that makes an error */
	const char *event;    /* borrowed from the caller */
	size_t known;         /* number of the model's counter for the event; n_counters: the model does not have it */
	size_t places;        /* number of single places that differ from each other */
	/* candidates tested; sums and differences that were skipped because of the limit */
	size_t tested, skipped;
	size_t n_observations; /* observations that have the event and were judged */
	char **left_out;      /* observations that refute the model itself */
	size_t n_left_out, n_doubted; /* n_doubted: left out because the event's 0 is in doubt (zeros.h) */
	/* Survivors first: exact ones, then those with few terms and little detail, then narrow ones. Refuted ones
	 * follow in the order of the text, sums last. */
	struct locate_candidate *candidate;
	size_t n, n_survivors;
	double seconds;
};

/* Runs the search. The tables stay the caller's. `how`: options as for an analysis of the model. `tests_max`: most
 * candidates, 0 for LOCATE_TESTS_MAX. NULL and *e when the data lack the event or no observation can be judged; NULL
 * with an empty e->what when the watch stopped it. */
struct locate_result *locate_run(const struct udd_model *, const struct fset *, const struct analysis_options *how,
	struct obs_table *const *table, size_t n_tables, const char *event, size_t tests_max,
	const struct analysis_watch *, struct err *e);
void locate_result_free(struct locate_result *);

#endif
