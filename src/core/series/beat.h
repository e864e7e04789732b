/* Finds a slow beat between counters that took turns, in the rows of an observation alone. A beat is the trace of a
 * program that nearly keeps step with a rotation. Each turn sees the program's period at a phase of its own, and all
 * these phases drift at the same rate. So the counters oscillate against each other. An oscillating load is not a beat,
 * because it moves all counters together. */
#ifndef CORE_SERIES_BEAT_H
#define CORE_SERIES_BEAT_H

#include <stdbool.h>
#include <stddef.h>

struct samples;

#define BEAT_FEWEST ((size_t)32) /* the fewest rows in which a beat is searched */

struct beat {
	double rows;       /* period of the beat in rows; 0: no beat was found */
	size_t counter[2]; /* the two counters that swing against each other most */
};

/* turned[i]: counter i took turns. Rows with empty cells are not used. A beat has at least three periods within the
 * rows, and is longer than three rows. */
struct beat beat_find(const struct samples *, const bool *turned);

#endif
