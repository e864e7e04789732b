/* How far exact totals of hardware events may be off (docs/numerics.md, "Exact totals have a tolerance"). */
#ifndef CORE_OBS_TOLERANCE_H
#define CORE_OBS_TOLERANCE_H

struct obs;

/* Share of a counter's own total, where nobody says how long it took: counters start, stop and are read one after the
 * other, up to 100 microseconds in a second apart. */
#define OBS_TOLERANCE_OWN 1e-4

/* Returns how long exact totals took, in seconds; NAN: unknown. */
double obs_seconds(const struct obs *);

/* Returns the tolerance, in counts, of a sum of hardware events that took `seconds` (NAN: unknown). `largest` is the
 * largest total of the observation, `own` that of the sum. Hardware counts a few events of each interrupt for the
 * program that it hit: the return from the interrupt is an instruction, and its walks, loads and misses count too.
 * Counters also start and stop a few events apart. Both add up over the events. Source: Weaver, Terpstra and Moore,
 * ISPASS 2013. */
double obs_tolerance(unsigned events, double seconds, double largest, double own);

#endif
