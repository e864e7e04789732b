/* Observations: what counters showed. Each observation has rows of counts, a column for each counter. */
#ifndef HECATE_DATA_H
#define HECATE_DATA_H

#include "hecate/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hecate_data;

/* Reads a file of any format that `hecate check` reads. `exact`: rows are exact totals without noise. */
struct hecate_data *hecate_data_load(const char *path, bool exact, char **message);

/* Makes data with these columns and no observation. */
struct hecate_data *hecate_data_new(size_t n_columns, const char *const *column);
/* Begins an observation, to which hecate_data_add_row() adds. */
void hecate_data_begin(struct hecate_data *, const char *name, bool exact);
/* Adds the counts of an interval that ended `time` seconds after the first one began; NAN: unknown. False: no
 * observation was begun, or a count is below 0. */
bool hecate_data_add_row(struct hecate_data *, const int64_t *count, double time);
void hecate_data_free(struct hecate_data *);

size_t hecate_data_observations(const struct hecate_data *);
const char *hecate_data_observation(const struct hecate_data *, size_t);

#ifdef __cplusplus
}
#endif
#endif
