/* Finds out whether a program keeps step with the rotation of multiplexed counters. It uses a reference counter that
 * never takes turns, such as instructions on a fixed counter. The reference is read several times within each turn, at
 * random distances, which gives a rate in time without aliases.
 *
 *   rate of the reference   /\/\/\/\/\/\/\/\/\/\    the program's period
 *   group A is counted      ██____██____██____██    its gate opens every R, the time of a whole rotation
 *   group B is counted      __██____██____██____
 *
 * The gate of a group passes the harmonics m of 1/R. If the rate has a component at exactly such a frequency, each
 * group sees it at one fixed phase. Its counts are then off by the same amount in all rows. A component close to it
 * beats with the period 1/|f - m/R|; that averages out after some beats. So the spectrum of the reference is searched
 * for lines within RHYTHM_BEATS beats of each m/R. Harmonics that are multiples of the number of turns are harmless:
 * each turn sees such a period whole.
 *
 * Two programs are not found: one whose rate of instructions is constant while, say, its cache misses are periodic, and
 * one whose period varies so much that its spectrum has no line. */
#ifndef CORE_SERIES_RHYTHM_H
#define CORE_SERIES_RHYTHM_H

#include <stddef.h>
#include <stdint.h>

/* average number of reads of the reference in a turn; lines are found up to half as many per turn */
#define RHYTHM_LOOKS 8
#define RHYTHM_BEATS 4.0 /* if the record has more beats, their mean is below its own standard error */

struct rhythm;

/* step_ns is the approximate time between reads. The newest RHYTHM_MOST steps are kept. */
#define RHYTHM_MOST ((size_t)1 << 16)
struct rhythm *rhythm_new(double step_ns);
void rhythm_free(struct rhythm *);

/* Adds a read: the reference rose by `count` between the last read and now_ns. The first read begins the record; its
 * count does not matter. */
void rhythm_add(struct rhythm *, uint64_t now_ns, uint64_t count);

struct rhythm_lock {
	/* the program's period; 0: no line near a harmonic of the rotation, or the record is too short */
	double period_ns;
	/* beats between the program and the rotation within the record; below 1 they keep step throughout */
	double beats;
};

/* Searches the record for a program that keeps step with a rotation. rotation_ns is R, and turns the number of turns in
 * R. */
struct rhythm_lock rhythm_locked(const struct rhythm *, double rotation_ns, size_t turns);

/* The same, but recomputed only when the record has grown by an eighth. */
struct rhythm_lock rhythm_locked_lately(struct rhythm *, double rotation_ns, size_t turns);

#endif
