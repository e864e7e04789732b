/* The state of a search for a place. Private to work/search/locate*.c. */
#ifndef WORK_SEARCH_LOCATE_FINDER_H
#define WORK_SEARCH_LOCATE_FINDER_H

#include "base/int128.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "work/search/locate.h"

struct analysis;
struct cone;
struct passes;
struct prepared;
struct udd_diagram;
struct verdict;

#define LOCATE_TERMS_MAX 3
#define LOCATE_PROOFS_MAX 256

/* A candidate before it is described. */
struct locate_column {
	int64_t *rise;       /* per row of the passes: how often the counter rises */
	uint64_t hash;       /* hash of `rise` */
	/* the first place, then places that are added or subtracted; none: the counter is as the model declares it */
	size_t place[LOCATE_TERMS_MAX], n_places;
	/* per place: an equal place whose nodes can each be written as a line of text, where one exists */
	size_t line[LOCATE_TERMS_MAX];
	bool minus;
	bool survives;
	int direction;       /* if refuted: +1 counts too much, -1 too little, 0 refuted whatever it counts */
	size_t refuter;      /* number of the observation that refutes it */
	size_t proof;
	size_t *same, n_same, cap_same; /* other places that count the same, for a single place */
};

/* A certificate that refuted a column: Σ coef·v ≥ 0, and an observation that breaks it. It also refutes every other
 * column for which it is valid. */
struct locate_proof {
	size_t observation;
	int64_t *coef;       /* over all counters */
	i128 *rest;          /* per row: Σ coef·row without the event */
};

struct locate_finder {
	struct locate_result *out;
	struct analysis *a;   /* the model with the event as a counter */
	struct udd_model model;
	struct udd_counter *counter;
	const struct udd_diagram *g;
	struct passes *passes;
	size_t event, n;      /* number of the event's counter; number of counters */
	const struct analysis_watch *watch;
	size_t *order;        /* observations to be judged, those that refuted most recently first */
	size_t n_order;
	struct locate_column *column;
	size_t n_columns, cap, tests_max;
	size_t *slot, slots;  /* hash table of the columns by their rise, open addressing: number + 1 */
	struct locate_proof *proof;
	size_t n_proofs, cap_proofs;
	size_t *recent;       /* numbers of proofs, the last used one first, LOCATE_PROOFS_MAX at most */
	size_t n_recent;
	double *threshold2;
	double explain_until; /* time after which facets that only explain are not computed */
	bool large;           /* facets of the cones take too long */
};

/* Returns the cone of the kept counters, with `rise` as the event's column; free it with cone_free(). */
struct cone *locate_cone(const struct locate_finder *, const bool *keep, const int64_t *rise, double seconds);
/* Judges *p on the cone of its counters, with `rise` as the event's column. A refuted observation that has counters
 * with zeros in doubt is judged again without them: that verdict counts, and *p becomes the observation without
 * them. */
struct verdict *locate_judge(
	struct locate_finder *, const struct cone *, const int64_t *rise, const struct prepared **p);
/* Returns the event's place among the kept counters. */
size_t locate_event_column(const struct locate_finder *, const bool *keep);

/* Returns the column with this rise; NULL: none. */
struct locate_column *locate_column(const struct locate_finder *, const int64_t *rise);

/* Makes and tests all columns. False when it was stopped. */
bool locate_test_all(struct locate_finder *);
/* Makes the result's candidates from the columns. */
void locate_describe_all(struct locate_finder *);

#endif
