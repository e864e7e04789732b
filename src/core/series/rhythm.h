/* Does what a program does keep step with the rotation of multiplexed counters? Asked of a counter that never takes
 * turns (a reference, such as instructions on a fixed counter), which is read several times within each turn, at random
 * distances: a rate in time, without aliases.
 *
 * Groups that take turns see the rate through a gate that opens at harmonics m of 1/R, R being the time of a whole
 * rotation. A component of the rate at one of these frequencies is seen by each group in one phase for ever: its counts
 * are off by as much, in all rows alike. One that is nearly there beats, in 1/|f - m/R|; that averages out once some
 * beats have passed. So the spectrum of the reference is searched for lines within LINE_BEATS beats of each m/R.
 * Harmonics that are multiples of the number of turns do nothing: each turn sees such a period whole.
 *
 * It finds what modulates the reference. A program whose rate of instructions is the same all the time, while it
 * misses caches periodically, is not found, nor one whose period wanders so much that its line is none. */
#ifndef CORE_SERIES_RHYTHM_H
#define CORE_SERIES_RHYTHM_H

#include <stddef.h>
#include <stdint.h>

#define RHYTHM_LOOKS 8   /* looks at the reference in a turn, on average: lines are found up to half as many per turn */
#define RHYTHM_BEATS 4.0 /* after more beats within the record their mean is less than its own standard error */

struct rhythm;

/* Looks are about step_ns apart; the newest RHYTHM_MOST steps are kept. */
#define RHYTHM_MOST ((size_t)1 << 16)
struct rhythm *rhythm_new(double step_ns);
void rhythm_free(struct rhythm *);

/* The reference rose by `count` between the look before and now_ns. The first look is where the record begins, and
 * its count is of no matter. */
void rhythm_add(struct rhythm *, uint64_t now_ns, uint64_t count);

struct rhythm_lock {
	/* the program's; 0: no line near a harmonic of the rotation was found, or the record is too short to tell */
	double period_ns;
	double beats;     /* between the two within the record; below 1: they keep step throughout */
};

/* rotation_ns: R; turns: how many it has. */
struct rhythm_lock rhythm_locked(const struct rhythm *, double rotation_ns, size_t turns);

/* The same, computed again only when the record has grown by an eighth. */
struct rhythm_lock rhythm_locked_lately(struct rhythm *, double rotation_ns, size_t turns);

#endif
