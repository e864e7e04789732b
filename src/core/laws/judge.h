/* Laws against observations: which of them the counts break, and which event is to blame.
 *
 * Each count is an interval. An exact total has its tolerance (core/obs/tolerance.h). A total that was scaled up from a
 * share of the time is at least what was counted, and nothing limits it from above. A single row is a total. Rows give
 * the interval of the mean of the law's own sum, whose noise in time is estimated as for verdicts (core/stats/region.h,
 * noise.h). A row that averages several runs has the interval of its stated errors.
 *
 * A law is broken if the intervals of its sides cannot meet, at 99 % for all laws of an observation together. It is
 * strained if only the middles break it.
 *
 * Dropping an event means that nothing is known of its count. What the laws then say of the other counts is found by
 * eliminating it from all pairs of laws (Fourier-Motzkin). If none of these consequences is broken, dropping the event
 * mends the observation. */
#ifndef CORE_LAWS_JUDGE_H
#define CORE_LAWS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/laws/laws.h"

struct columns_match;
struct obs;
struct obs_table;

enum law_state { LAW_HOLDS, LAW_STRAINED, LAW_BROKEN };
extern const char *const law_state_words[LAW_BROKEN + 1];

/* The sum of a law's form: ≤ 0, or 0, if the law holds. In counts per sample, or in all for totals. */
struct law_sum {
	double left, right;  /* its positive and its negative part: left − right = at */
	double at;
	double least, most;  /* interval of `at` */
	enum law_state state;
	const char *why;     /* why it is strained and not broken; NULL otherwise */
};

struct law_finding {
	size_t law;
	struct law_sum sum;
};

/* Events that are to blame together. */
#define LAW_BLAMED 3
struct law_blame {
	size_t event[LAW_BLAMED];
	size_t n;
};

struct laws_judgement {
	struct law_finding *finding; /* the laws whose events the observation has, broken ones first */
	size_t n, n_broken, n_strained;
	/* the smallest sets of events that mend all broken laws if they are dropped; none if nothing is broken, or if
	 * no set of LAW_BLAMED events does */
	struct law_blame *blame;
	size_t n_blames;
};

struct laws_how {
	double confidence;     /* 0 < c < 1 */
	double runs;           /* that stated errors come from; 0: as the data say */
	bool exact;            /* rows are exact totals, whatever the data say */
	bool independent_rows; /* as the user states: no noise in time is estimated */
};

/* Matches the events of the laws with the columns of a table; free with columns_match_free(). */
struct columns_match *laws_match(const struct laws *, const struct obs_table *);
/* Judges one observation; free with laws_judgement_free(). */
struct laws_judgement *laws_judge(const struct laws *, const struct columns_match *, const struct obs *,
	const struct laws_how *);
void laws_judgement_free(struct laws_judgement *);

#endif
