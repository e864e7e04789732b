/* The search for a place, while it goes on. Private to app/search/locate*.c. */
#ifndef APP_SEARCH_LOCATE_FINDER_H
#define APP_SEARCH_LOCATE_FINDER_H

#include "app/search/locate.h"
#include "base/int128.h"
#include "base/str.h"
#include "core/udd/model.h"

struct analysis;
struct cone;
struct passes;
struct prepared;
struct udd_diagram;
struct verdict;

#define LOCATE_TERMS_MAX 3
#define LOCATE_PROOFS_MAX 256

/* A candidate while it is being thought about. */
struct locate_column {
	int64_t *rise;       /* per row */
	uint64_t hash;       /* of it */
	/* the first, then those that are added or taken away; none: as declared */
	size_t place[LOCATE_TERMS_MAX], n_places;
	size_t line[LOCATE_TERMS_MAX]; /* … and places that count the same, and that a line of text for each of their
					  nodes makes, if there are such */
	bool minus;
	bool survives;
	int direction;       /* refuted: +1 too much, -1 too little, 0 whatever it counts */
	size_t refuter;      /* an observation */
	size_t proof;
	size_t *same, n_same, cap_same; /* places besides the first that count the same, of single ones */
};

/* A certificate that refuted a column: Σ coef·v ≥ 0, and an observation that breaks it. It refutes each column for
 * which it holds too. */
struct locate_proof {
	size_t observation;
	int64_t *coef;       /* over all counters */
	i128 *rest;          /* per row: Σ coef·row without the event */
};

struct locate_finder {
	struct locate_result *out;
	struct analysis *a;   /* of the model with the event as a counter */
	struct udd_model model;
	struct udd_counter *counter;
	const struct udd_diagram *g;
	struct passes *passes;
	size_t event, n;      /* the event's counter; counters */
	const struct watch *watch;
	size_t *order;        /* observations that are judged, the last refuter first */
	size_t n_order;
	struct locate_column *column;
	size_t n_columns, cap, tests_max;
	size_t *slot, slots;  /* columns by what they rise, open addressing: number + 1 */
	struct locate_proof *proof;
	size_t n_proofs, cap_proofs;
	size_t *recent;       /* proofs, the last used one first: LOCATE_PROOFS_MAX at most */
	size_t n_recent;
	double *threshold2;
	double explain_until; /* facets that only explain are not looked for after this time */
	bool large;           /* the cones' facets take too long */
};

/* The cone of the kept counters, the event being raised as `rise` says, per row; cone_free() it. */
struct cone *locate_cone(const struct locate_finder *, const bool *keep, const int64_t *rise, double seconds);
struct verdict *locate_judge(struct locate_finder *, const struct cone *, const struct prepared *);
/* Where the event stands among the kept counters. */
size_t locate_event_column(const struct locate_finder *, const bool *keep);

/* The column that rises so; NULL: there is none yet. */
struct locate_column *locate_column(const struct locate_finder *, const int64_t *rise);

/* Make and test all columns. False when it was stopped. */
bool locate_test_all(struct locate_finder *);
/* Fill the candidates of the location from the columns. */
void locate_describe_all(struct locate_finder *);

#endif
