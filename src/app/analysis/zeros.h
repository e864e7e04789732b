/* Counters that read 0 in every row of a file. Either nothing happened, or the counter was not counted. Only the source
 * that counted knows which; where it vouches for a column (OBS_HONEST), the 0 is one. */
#ifndef APP_ANALYSIS_ZEROS_H
#define APP_ANALYSIS_ZEROS_H

#include <stdbool.h>

struct analysis;
struct prepared;
struct result;
struct signatures;
struct finding;
struct analysis_table;

#define ZEROS_CODE "zero-suspect" /* code of the warning, in results and findings */

/* Per counter of the model: the table has it, and it is 0 in all rows of all observations, including those that were
 * not asked for, and no source vouches for all of them. All are false where every counter of the model is 0, or the
 * source does not list zeros. The caller frees. */
bool *zeros_of_table(const struct analysis *, const struct analysis_table *);

/* Adds warnings to the result and to each finding that has such a counter, and about counters whose 0 the source marked
 * as suspicious. Counters that no µpath of the choice raises must be 0 and get no warning. The findings must be those
 * of the analysis' observations, in their order. */
void zeros_describe(const struct analysis *, const struct signatures *, struct result *);

#endif
