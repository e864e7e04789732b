/* A model's constraints against the data: how often each is broken, by how much, and where it is tightest; sorted and
 * filtered. The table is made once per result; drawing only reads it. */
#ifndef WORK_ANALYSIS_CONSTRAINTS_H
#define WORK_ANALYSIS_CONSTRAINTS_H

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

/* One observation that breaks a constraint, and by how much. */
struct constraint_breach {
	size_t finding;
	const struct constraint *violated; /* the finding's own violation: margin, excess, off */
};

/* One row of the table. It borrows from the result. */
struct constraint_row {
	const struct constraint *c;
	/* number in the result; CONSTRAINT_NONE: a constraint over fewer counters, for observations that lack some, or
	 * a certificate */
	size_t index;
	bool certificate;       /* a combination that refutes an observation which breaks no single constraint */
	size_t n_counters;
	struct constraint_breach *breach; /* worst first */
	size_t n_breaches;
	/* per finding: signed distance from the constraint, as a share of its size. Below 0: the observation breaks it,
	 * or its mean does within the noise. 0 for an equality that holds. NAN: undecided, or not marked */
	double *slack;
	double worst, off;      /* largest margin; that observation's distance in counts; 0 without breaches */
	double tightest;        /* least slack of observations that keep it, as a share of its size; NAN: none */
	size_t tightest_finding;
	/* infeasible: an observation breaks it; borderline: a mean lies beyond it, within its noise; undecided: no
	 * observation decides it */
	enum verdict_kind verdict;
};

struct constraint_table {
	/* the result's constraints in their order, then other violated ones by first appearance */
	struct constraint_row *row;
	size_t n;
	size_t violated;
};

/* Returns how this observation breaks the row; NULL if it does not. */
const struct constraint_breach *constraint_breach(const struct constraint_row *, size_t finding);

/* Makes the table. `marked`: per finding, whether it counts; NULL: all count. The table borrows from the result. */
struct constraint_table *constraints_new(const struct result *, const bool *marked);
void constraints_table_free(struct constraint_table *);

/* Returns the numbers of the rows that match the words (in their text, or as their verdict; NULL: all), sorted. The
 * caller frees. */
size_t *constraints_order(const struct constraint_table *, enum constraint_sort, const char *words, size_t *n);

const char *constraint_sort_name(enum constraint_sort);

#endif
