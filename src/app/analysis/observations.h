/* The findings as a list: sorted and filtered, without a screen. */
#ifndef APP_ANALYSIS_OBSERVATIONS_H
#define APP_ANALYSIS_OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>

struct finding;
struct result;

enum observation_sort {
	OBSERVATIONS_BY_DISTANCE, OBSERVATIONS_BY_NAME, OBSERVATIONS_BY_SAMPLES, OBSERVATIONS_BY_CORRELATION,
	OBSERVATIONS_AS_GIVEN, OBSERVATION_SORTS
};

/* How badly a finding breaks the model, whatever its kind: infeasible ones first, by distance² over threshold, exact
 * ones by how far off they are in counts. For sorting and for bars. */
double observation_badness(const struct finding *);

/* Numbers of findings in the order of the sort, of those that hold the words (in name, source, verdict or a violated
 * constraint), or that are marked where the words are "*"; NULL: all. The caller frees. */
size_t *observations_order(
	const struct result *, enum observation_sort, const char *words, const bool *marked, size_t *n);

const char *observation_sort_name(enum observation_sort);

#endif
