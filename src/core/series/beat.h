/* A slow beat between counters that took turns: what is left to be seen, in the rows of an observation alone, of a
 * program that nearly keeps step with a rotation. Each turn sees the program's period at a phase that drifts, all at
 * the same rate, each with a phase of its own; so the counters swing against each other. A load that swings is none:
 * it moves all of them together. */
#ifndef CORE_SERIES_BEAT_H
#define CORE_SERIES_BEAT_H

#include <stdbool.h>
#include <stddef.h>

struct samples;

#define BEAT_FEWEST ((size_t)32) /* rows; with fewer no beat is looked for */

struct beat {
	double rows;       /* its period; 0: none was found */
	size_t counter[2]; /* two that swing against each other most */
};

/* turned[i]: counter i took turns. Rows with empty cells are not looked at; a beat has three periods or more within
 * the rows, and is longer than three rows. */
struct beat beat_find(const struct samples *, const bool *turned);

#endif
