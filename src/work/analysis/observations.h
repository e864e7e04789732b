/* The findings as a sorted and filtered list, independent of a screen. */
#ifndef WORK_ANALYSIS_OBSERVATIONS_H
#define WORK_ANALYSIS_OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>

struct result;

enum observation_sort {
	OBSERVATIONS_BY_DISTANCE, OBSERVATIONS_BY_NAME, OBSERVATIONS_BY_SAMPLES, OBSERVATIONS_BY_CORRELATION,
	OBSERVATIONS_AS_GIVEN, OBSERVATION_SORTS
};

/* Returns the numbers of the findings that match the words, sorted. Words are searched in name, source, verdict and
 * violated constraints; "*" matches marked findings; NULL matches all. The caller frees. */
size_t *observations_order(
	const struct result *, enum observation_sort, const char *words, const bool *marked, size_t *n);

const char *observation_sort_name(enum observation_sort);

#endif
