/* The state of a search, and its answers to the questions of core/search. Private to search*.c. */
#ifndef WORK_SEARCH_SEARCH_WORK_H
#define WORK_SEARCH_SEARCH_WORK_H

#include "work/search/search.h"

struct search_cones;
struct signatures;

/* The verdicts on one cone: sets with a bit for each observation. An observation in neither of the first two is
 * borderline or undecided. All NULL: not judged. */
struct search_judged {
	uint64_t *infeasible, *feasible;
	uint64_t *strong;      /* infeasible observations whose region misses every smaller cone too */
	uint64_t *family_wise; /* infeasible observations that Holm's procedure over all observations rejects */
};

/* The constraint that a proposal relaxes; without a proposal, the one that most observations break. As words: "X, which
 * 6 observations break". */
struct search_cause {
	char *text;
	char *passed;         /* a constraint that more observations break and no feature relaxes; or NULL */
	struct fset left_out; /* features that relax it too, but exclude the proposed features */
};

struct search_work {
	struct analysis *a;
	struct search *s;
	struct search_cones *cones;
	const struct analysis_watch *watch;
	bool stopped;      /* the watch stopped the search */
	bool *used;        /* per counter: are the cones over it? */
	size_t n, tests;
	struct search_judged *judged;
	size_t n_judged, cap_judged, cap_cones, n_words;
	double *threshold2; /* squared threshold by number of counters; 0: not computed yet */
	bool *decided;     /* per observation: could some model be judged by it? */
	bool family_wise;  /* the current search uses Holm's procedure */
	double *p;         /* p-value per observation, of the set tested last; NAN: unknown */
	/* certificate per observation, over the model's counters, of the set tested last; NULL: not refuted */
	int64_t **certificate;
	double begun_at, reported_at, report_seconds;
	struct search_cause cause; /* cause of the proposal, with DISCOVER */
};

/* Calls the watch. Returns false from the first time on that the watch does. */
bool search_goes_on(struct search_work *, const char *stage, size_t done, size_t of);

/* Judges the legal set of the model: test() of struct lattice_problem. In search_judge.c. */
bool search_judge(struct search_work *, struct search_graph_model *);
void search_forget_certificates(struct search_work *);

/* Sets what the search proposes for a start that is refuted; nothing when it was stopped, or when nothing helps. In
 * search_discovery.c. */
void search_propose(struct search_work *);

/* Writes the result in words, when all sets are tested. In search_words.c. */
void search_write_words(struct search_work *);

#endif
