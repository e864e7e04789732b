/* Counters that read 0 in every row of a file. Either nothing happened, or the counter was not counted: a counter of
 * some guests and chips runs, and never rises. Only the source that counted knows which. The 0 is real if the source
 * vouches for the column (OBS_HONEST) or leaves out what is 0 (a simulator), or if the kernel counts (software events).
 *
 * A 0 that nobody vouches for refutes nothing: if other counters show that the machine ran, and an observation is not
 * refuted without the counter, it is judged without it, and says so. The user may state that zeros are counts. */
#ifndef WORK_ANALYSIS_ZEROS_H
#define WORK_ANALYSIS_ZEROS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/obs/obs.h"

struct analysis;
struct analysis_table;
struct prepared;
struct result;
struct signatures;

#define ZEROS_CODE "zero-suspect" /* code of the warning, in results and findings */

/* Finds the table's counters that read 0 in all rows of all observations, including those that were not asked for, and
 * that no source vouches for: sets `zero`, and `doubted` where their 0 alone must not refute. `zero` is all false where
 * every counter of the model is 0. Call it whenever rows were added. Returns whether `doubted` has changed, so that
 * observations must be prepared again. */
bool zeros_find(const struct analysis *, struct analysis_table *);

/* Is an observation from a file a single total of which the kernel counted every counter that is kept? Times are no
 * counts. Live observations say themselves whether they are exact. */
bool zeros_kernel_total(const struct analysis *, const struct analysis_table *, const struct prepared *);

/* Returns what the source of the observation says about the counter's 0. OBS_HONEST: it vouches for all columns;
 * OBS_ZERO_SUSPECT or OBS_DEAD: it marked one of them; otherwise OBS_LIVE. */
enum obs_health zeros_health(
	const struct analysis *, const struct analysis_table *, size_t counter, const struct obs *);

/* True if the counter's 0 alone must not refute this observation of the table. */
bool zeros_doubted(const struct analysis *, const struct analysis_table *, size_t counter, const struct obs *);

/* Adds warnings to the result and to each finding that has such a counter, and about counters whose 0 the source marked
 * as suspicious. Counters that no µpath of the choice raises must be 0 and get no warning. Sets `with_zeros` of the
 * findings, which must belong to the observations of the analysis, in the same order. */
void zeros_describe(const struct analysis *, const struct signatures *, struct result *);

#endif
