/* The insides of a search: the answers to what core/search asks. Used by search*.c. */
#ifndef APP_SEARCH_SEARCH_WORK_H
#define APP_SEARCH_SEARCH_WORK_H

#include "app/search/search.h"

struct search_cones;
struct signatures;

/* What observations say of a cone, by its number: a bit for each. Neither: borderline or undecided. All NULL: not
 * judged. */
struct search_judged {
	uint64_t *infeasible, *feasible;
	uint64_t *strong;      /* those of the infeasible that every smaller cone misses, too */
	uint64_t *family_wise; /* those of the infeasible that Holm's procedure over all rejects */
};

struct search_work {
	struct analysis *a;
	struct search *s;
	struct search_cones *cones;
	const struct watch *watch;
	bool stopped;      /* the watch said so once: nothing goes on */
	bool *used;        /* the counters that cones are told apart by */
	size_t n, tests;
	struct search_judged *judged;
	size_t n_judged, cap_judged, cap_cones, n_words;
	double *threshold2; /* by number of counters; 0: not asked for yet */
	bool *decided;     /* per observation */
	bool family_wise;  /* the lattice at hand goes by Holm's procedure */
	double *p;         /* per observation, of the set tested last; NAN: not known */
	/* per observation, over the model's counters, of the set tested last; NULL: not refuted */
	int64_t **certificate;
	double begun_at, told_at, tell_seconds;
	/* DISCOVER: the constraint that the proposal relaxes; else the one that is broken most, and nothing relaxes */
	char *cause;
	size_t cause_by;   /* … and how many observations break it */
	char *passed;      /* … one that more break, and no feature relaxes */
	size_t passed_by;
	struct fset left_out; /* features that relax it too, and exclude what is proposed */
};

/* Ask the watch; false from the first time on that it says so. */
bool search_goes_on(struct search_work *, const char *stage, size_t done, size_t of);

/* search_judge.c: judge a legal set, as struct lattice_problem's test(). */
bool search_judge(struct search_work *, const struct fset *on, struct lattice_tested *);
void search_forget_certificates(struct search_work *);

/* search_discovery.c: for the start, which is refuted, fill what the search proposes. Empty when stopped, or when
 * nothing helps. */
void search_propose(struct search_work *);

/* search_say.c: when the lattice is there, what was found, in words. */
void search_say(struct search_work *);

#endif
