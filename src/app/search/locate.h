/* Where could an event of unknown meaning be counted? Each place of a trusted model is tested as an alternative: the
 * model with a counter there, against data that have the event. */
#ifndef APP_SEARCH_LOCATE_H
#define APP_SEARCH_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/udd/fset.h"

struct analysis_options;
struct err;
struct obs_table;
struct udd_model;
struct watch;

#define LOCATE_TESTS_MAX 5000

/* Places of one name that count the same as a candidate, or as one of its terms, on every µpath. */
struct locate_same {
	size_t term;          /* as which of the candidate's */
	char *name;           /* "event sigbus" */
	char **where;         /* "FILE:LINE in CALL"; none: wherever the name stands */
	size_t n;
};

/* One place, or a sum or difference of places, that raises the counter in a way of its own. */
struct locate_candidate {
	char *name;           /* "event sigbus", "wherever MIN counts", "PGF without MAJ" */
	/* Every other place that counts the same, each name of a term once; a statement that its name as such covers,
	 * or a call that its statement does, is not told again. */
	struct locate_same *same;
	size_t n_same;
	size_t terms;         /* places in it */
	/* how particular they are: 0 names as such, one for each statement, two for each statement of one call */
	size_t detail;
	bool part;            /* of one call of a def alone */
	bool declared;        /* where the model has it */
	bool survives;
	/* Refuted: */
	char *refuter;        /* the first observation that refutes it */
	char *constraint;     /* which constraint of model and counter it violates */
	/* Surviving: */
	/* equal for those of one cone: no data over these counters tell them apart; SIZE_MAX - n: not compared */
	size_t group;
	/* an equality of the cone that holds the event: it predicts the event exactly; NULL: it only bounds it */
	char *rule;
	double width; /* mean width of what it allows at the observations' means, over the event's; 0 exact; INFINITY:
			 one bound is missing; NAN: not known */
	/* lines of the model with the counter put in, "\n" between; "" where no single line does it */
	char *paste;
};

struct locate_result {
	char *error;          /* the choice of features makes an error: the printed diagnostics */
	const char *event;    /* the caller's */
	size_t known;         /* the model's counter that the event is; n_counters: it does not know it */
	size_t places;        /* distinct ones alone */
	/* candidates; skipped: sums and differences beyond the limit, of those that were thought of */
	size_t tested, skipped;
	size_t n_observations;  /* that have the event and judged */
	char **left_out;      /* observations that the model itself does not survive */
	size_t n_left_out;
	/* Survivors first: exact ones, then those with few terms and little detail, then the narrow; then the others in
	 * the text's order, sums last. */
	struct locate_candidate *candidate;
	size_t n, n_survivors;
	double seconds;
};

/* The tables stay the caller's. `how`: as for an analysis of the model. `tests_max` 0: LOCATE_TESTS_MAX. NULL and *e
 * when the data lack the event, when no observation can be judged, or when the watch stopped it (then e->what is
 * empty). */
struct locate_result *locate_run(const struct udd_model *, const struct fset *, const struct analysis_options *how,
	struct obs_table *const *table, size_t n_tables, const char *event, size_t tests_max, const struct watch *,
	struct err *e);
void locate_result_free(struct locate_result *);

#endif
