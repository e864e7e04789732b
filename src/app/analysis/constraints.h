/* The constraints as the data see them: how often each is broken, how far, where it is tightest; sorted and filtered.
 * Made once per result, without a screen; drawing only reads it. */
#ifndef APP_ANALYSIS_CONSTRAINTS_H
#define APP_ANALYSIS_CONSTRAINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/verdict/verdict.h"

struct constraint;
struct result;

#define CONSTRAINT_NONE SIZE_MAX

enum constraint_sort {
	CONSTRAINTS_BY_VIOLATION, CONSTRAINTS_BY_TIGHTNESS, CONSTRAINTS_BY_COUNTERS, CONSTRAINTS_BY_FORM,
	CONSTRAINT_SORTS
};

/* One observation that breaks a constraint, and how far. */
struct breach {
	size_t finding;
	const struct constraint *violated; /* of the finding: margin, excess, off */
};

/* One line of the view. It lives as long as the result. */
struct constraint_row {
	const struct constraint *c;
	/* in the result; CONSTRAINT_NONE: a constraint over fewer counters, for observations that lack some, or … */
	size_t index;
	bool certificate;       /* … a combination that refutes an observation which breaks no single constraint */
	size_t n_counters;
	struct breach *breach;  /* worst first */
	size_t n_breaches;
	double *slack; /* per finding: where it lies, as a share of the row's size. Below 0 it breaks the row, or is
			  within its noise of that; an equality that is not broken has 0. NAN: it does not say, or is
			  not marked */
	double worst, off;      /* largest margin, and how far off that observation is in counts; 0 */
	double tightest;        /* least slack of the observations that keep it, as a share of its size; NAN: none */
	size_t tightest_finding;
	/* infeasible: someone breaks it; borderline: a mean lies beyond, within its noise; undecided: nobody tells */
	enum verdict_kind verdict;
};

struct constraint_table {
	struct constraint_row *row; /* the result's constraints in its order, then the others by first appearance */
	size_t n;
	size_t violated;
};

/* Does this observation break the row? NULL: no. */
const struct breach *constraint_breach(const struct constraint_row *, size_t finding);

/* marked: per finding, only these count; NULL: all. The table borrows from the result. */
struct constraint_table *constraints_new(const struct result *, const bool *marked);
void constraints_table_free(struct constraint_table *);

/* Row numbers in the order of the sort, of the rows that hold the words (in their text, or as their verdict); NULL:
 * all. The caller frees. */
size_t *constraints_order(const struct constraint_table *, enum constraint_sort, const char *words, size_t *n);

const char *constraint_sort_name(enum constraint_sort);

#endif
