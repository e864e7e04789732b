/* Two choices of features against each other: how their cones lie, which µpaths and constraints show it, what would
 * tell them apart where the counters in use do not, and how near the data come to it. */
#ifndef APP_SEARCH_COMPARE_H
#define APP_SEARCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/analysis/result.h"
#include "app/search/relation.h"

struct analysis;
struct watch;

/* A constraint that one of them keeps and µpaths of the other break: the direction in which a measurement would tell.
 */
struct compare_difference {
	size_t keeper;        /* 0 or 1 */
	struct constraint constraint; /* over the model's counters */
	bool facet;           /* see struct relation_row */
	char *broken;         /* what data must show: "PGF > MIN + MAJ" */
	size_t breaking;      /* signatures of the other that break it */
	int64_t value;        /* Σ coef·signature of the simplest of them */
	int64_t *signature;   /* … over the model's counters, those not in use 0 */
	size_t n;
	char *line, *steps;   /* one of its µpaths: on one line, and a line for each step */
};

/* What would tell them apart where the counters in use do not. */
enum compare_place { COMPARE_COUNTERS, COMPARE_EVENT, COMPARE_CASE };
struct compare_remedy {
	enum compare_place kind;
	char *what;           /* "MIN", "MIN, MAJ", the event's name, "Context Nofault" */
	size_t *counter;      /* COMPARE_COUNTERS: those of the model that must be added, all of them */
	size_t n;
	enum relation_kind relation; /* then */
	/* the simplest constraint that one of them keeps then, and the other does not; NULL: none known */
	char *text;
	size_t keeper;        /* … which */
};

/* What one observation says of the two. */
struct compare_observation {
	char *name;
	enum verdict_kind verdict[2];
	enum verdict_kind family_wise[2]; /* by Holm's procedure over all the observations, for each of the two */
	bool tells;           /* it refutes one of them, and the other survives it */
	/* there is a constraint that one keeps and the other breaks, over its counters; what follows is about it */
	bool nearest;
	size_t keeper;
	char *text;           /* the constraint; and of its left side over its right one, … */
	double off; /* … by how much the mean breaks it, in counts: > 0 broken; an equality is never kept by more than 0
		     */
	double reach;         /* half the region's width across it; 0: exact */
	double size;          /* Σ |coef|·mean: what to divide by */
	size_t samples;
	/* samples that would do at this confidence if the truth lay at the mean, an estimate; NAN: none would */
	double needed;
};

struct comparison {
	struct fset on[2];
	char *error;          /* one of them makes an error: the printed diagnostics; everything below is empty then */
	bool *used;           /* per counter of the model */
	size_t n_used;
	char *paths[2];
	size_t signatures[2]; /* distinct ones over the counters in use, in lowest terms */
	size_t own[2];        /* … those that the other has not */
	size_t rays[2];
	bool complete[2];     /* its facets are all known */
	enum relation_kind relation;
	struct compare_difference *difference; /* fewest counters first */
	size_t n_differences;
	char *example;        /* equal: a signature that only one has, and what it adds up from; NULL: no short one */
	struct compare_remedy *remedy;
	size_t n_remedies;
	bool looked;          /* equal: counters not in use, events and cases were looked at … */
	bool hurried;         /* … but not all of them: it took too long */
	struct compare_observation *observation;
	size_t n_observations;
	double seconds;
};

/* NULL only when the watch stopped it. Both sets must be legal. With data in the analysis the counters are those that
 * the data have. */
struct comparison *compare_run(struct analysis *, const struct fset on[2], const struct watch *);
void comparison_free(struct comparison *);

/* Private to app/search/compare*.c. */
void compare_find_remedies(struct analysis *, struct comparison *);
bool compare_judge(struct analysis *, struct comparison *, const struct watch *);

/* Signatures over some counters, row by row, rows of zeros left out; *row[k] is row k's number among the signatures.
 * The caller frees both. */
struct signatures;
int64_t *compare_rows(const struct signatures *, const bool *keep, size_t width, size_t *n, size_t **number);

/* Many choices at once: equal ones are one, and the rest is a partial order. */
struct compare_order {
	size_t n;             /* choices */
	size_t *cone;         /* per choice: number of its cone, by first appearance; SIZE_MAX: it makes an error */
	size_t n_cones;
	bool *inside;         /* n_cones × n_cones: cone i lies in cone k */
	bool *covers;         /* … and no other of them lies between: i is next below k */
	char **error;         /* per choice, NULL: none */
};
struct compare_order *compare_order(struct analysis *, const struct fset *on, size_t n, const struct watch *);
void compare_order_free(struct compare_order *);

#endif
