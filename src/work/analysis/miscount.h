/* Another reason why a constraint is broken: a counter is wrong, not the model. Lists each counter of the constraint
 * that would explain it alone, and how large its error would have to be. The error may be proportional to something
 * that is known to leak into counters: page faults, interrupts, switches, or time (the timer's interrupts).
 *
 * Source: Weaver, Terpstra and Moore, "Non-determinism and overcount on modern hardware performance counter
 * implementations", ISPASS 2013, sections III and IV. */
#ifndef WORK_ANALYSIS_MISCOUNT_H
#define WORK_ANALYSIS_MISCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct analysis;
struct fset;
struct shape;
struct str;
struct udd_model;

struct miscount {
	size_t counter;
	bool high;         /* too high a count; false: too low */
	size_t enough;     /* observations that break the constraint and are not refuted without this counter */
	/* the count is too low, and in the files of these observations the counter reads 0 throughout (zeros.h):
	 * perhaps it was not counted */
	bool zero;
	/* least and greatest error over these observations, as a share of the counter's count; INFINITY if that is 0 */
	double share[2];
	/* what the error is proportional to: an event that is in the data but not in the model, or "s" for time; "":
	 * nothing, or too few observations to decide */
	char *leak;
	double rate[2];    /* least and greatest error per event, or per second */
};

/* Finds the counters that would explain a broken constraint. `coef` is over the model's counters; `breaking`: per
 * observation, whether it breaks the constraint. The errors are those that restore the constraint exactly at the mean;
 * an inequality also allows larger ones. Counters that explain most come first. The caller frees with
 * shape_free_array(). */
struct miscount *miscounts_find(
	struct analysis *, const struct fset *, const int64_t *coef, const bool *breaking, size_t *n);
extern const struct shape miscount_shape;

/* True when a miscount is worth reporting: its error would be at most its whole count, or something leaks into it. */
bool miscount_is_likely(const struct miscount *);
/* Appends "load.walk_done too high by 1 per page-faults (0.84 to 1.1 %)". For an inequality these are the least
 * errors. */
void miscount_words(const struct udd_model *, const struct miscount *, bool equality, struct str *out);

#endif
