/* Compares two choices of features.
 *
 * 1. How do their cones relate (relation.h), and which µpaths and constraints show it?
 * 2. If the counters in use make them equal, what else would tell them apart (struct compare_remedy)?
 * 3. Which observations refute one and not the other, and how close do the other observations come to that? */
#ifndef WORK_SEARCH_COMPARE_H
#define WORK_SEARCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "work/analysis/result.h"
#include "work/search/relation.h"

struct analysis;
struct analysis_watch;

/* A constraint that one choice keeps and µpaths of the other break: what a measurement must show to decide. */
struct compare_difference {
	size_t keeper;        /* the choice that keeps it: 0 or 1 */
	struct constraint constraint; /* over the model's counters */
	bool facet;           /* see struct relation_row */
	char *broken;         /* what data must show to refute the keeper: "PGF > MIN + MAJ" */
	size_t breaking;      /* signatures of the other choice that break it */
	int64_t value;        /* Σ coef·signature of the simplest of these signatures */
	int64_t *signature;   /* that signature over the model's counters, 0 for counters not in use */
	size_t n;
	char *line, *steps;   /* one of its µpaths: on one line, and with a line for each step */
};

/* Something that would tell the choices apart where the counters in use do not. */
enum compare_place { COMPARE_COUNTERS, COMPARE_EVENT, COMPARE_CASE };
struct compare_remedy {
	enum compare_place kind;
	char *what;           /* "MIN", "MIN, MAJ", the event's name, "Context Nofault" */
	size_t *counter;      /* COMPARE_COUNTERS: all of these counters of the model must be added */
	size_t n;
	enum relation_kind relation; /* the relation of the cones with it */
	/* the simplest constraint that then only one choice keeps; NULL: none known */
	char *text;
	size_t keeper;        /* the choice that keeps it */
};

/* The evidence of one observation about the two choices. */
struct compare_observation {
	char *name;
	/* per choice: the verdict that counts, which is one of the next two; by itself; by Holm's procedure over all */
	enum verdict_kind verdict[2], alone[2], family_wise[2];
	bool decides;         /* one of them is refuted, the other is feasible */
	/* a constraint over its counters exists that one choice keeps and the other breaks; the members below are about
	 * it */
	bool nearest;
	size_t keeper;
	char *text;           /* the constraint as text */
	/* excess of its left side over its right one at the mean, in counts: > 0 broken; never < 0 for an equality */
	double off;
	double reach;         /* half of the region's width across it, in counts; 0: exact */
	double size;          /* Σ |coef|·mean, by which distances are divided to compare constraints */
	size_t samples;
	/* estimated number of samples that would decide at this confidence if the truth were the mean; NAN: no number
	 * would */
	double needed;
};

struct comparison {
	struct fset on[2];
	char *error;          /* printed diagnostics of a choice that makes an error; everything below is empty then */
	bool *used;           /* per counter of the model: is it in use? */
	size_t n_used;
	char *paths[2];
	size_t signatures[2]; /* distinct signatures over the counters in use, in lowest terms */
	size_t own[2];        /* signatures among them that the other choice lacks */
	size_t rays[2];
	bool complete[2];     /* all facets are known */
	enum relation_kind relation;
	struct compare_difference *difference; /* fewest counters first */
	size_t n_differences;
	/* for equal cones: a signature that only one has, as a sum of the other's; NULL: no short one */
	char *example;
	struct compare_remedy *remedy;
	size_t n_remedies;
	bool looked;          /* remedies were searched for, because the cones are equal */
	bool hurried;         /* the search for remedies took too long and is not complete */
	struct compare_observation *observation;
	size_t n_observations;
	double seconds;
};

/* Compares two legal sets of features. If the analysis has data, only the counters of the data are used. NULL only when
 * the watch stopped it. */
struct comparison *compare_run(struct analysis *, const struct fset on[2], const struct analysis_watch *);
void comparison_free(struct comparison *);

/* Private to work/search/compare*.c. */
void compare_find_remedies(struct analysis *, struct comparison *);
bool compare_judge(struct analysis *, struct comparison *, const struct analysis_watch *);

/* Signatures over some counters, row by row, without rows of zeros. (*number)[k] is the number of row k among the
 * signatures. The caller frees both. */
struct signatures;
int64_t *compare_rows(const struct signatures *, const bool *keep, size_t width, size_t *n, size_t **number);

/* Many choices at once: those with equal cones are merged, and the cones are partially ordered by inclusion. */
struct compare_order {
	size_t n;             /* number of choices */
	/* per choice: number of its cone, in order of first appearance; SIZE_MAX: it makes an error */
	size_t *cone;
	size_t n_cones;
	bool *inside;         /* n_cones × n_cones: cone i is inside cone k */
	bool *covers;         /* n_cones × n_cones: cone i is inside cone k, with no other cone between */
	char **error;         /* per choice: its diagnostics; NULL: no error */
};
struct compare_order *compare_order(struct analysis *, const struct fset *on, size_t n, const struct analysis_watch *);
void compare_order_free(struct compare_order *);

#endif
