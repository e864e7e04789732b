/* Counters that read 0 in every row of a file: perhaps nothing happened, perhaps nobody counted. The data cannot
 * tell. */
#ifndef APP_ANALYSIS_ZEROS_H
#define APP_ANALYSIS_ZEROS_H

#include <stdbool.h>

struct analysis;
struct prepared;
struct result;
struct signatures;
struct finding;
struct analysis_table;

#define ZEROS_CODE "zero-suspect" /* of the warning, of a result and of a finding */

/* Per counter of the model: the table has it, and it is 0 in all rows of all observations, also of those that were not
 * asked for, while some other counter of the model is not; and its source does list what is 0. The caller frees. */
bool *zeros_of_table(const struct analysis *, const struct analysis_table *);

/* Warn, in the result and in each finding that has such a counter, but not of counters that no µpath of the choice
 * raises: those must be 0. So too of counters that a source holds to be suspicious. The findings must be those of the
 * analysis' observations, in their order. */
void zeros_describe(const struct analysis *, const struct signatures *, struct result *);

#endif
