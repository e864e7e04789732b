/* Keeps long observations in bounded memory: neighbouring samples are added up, the same number in each row.
 *
 *     samples   0  1   2  3   4  5   6  7   8
 *     rows     [0  1] [2  3] [4  5] [6  7] [8]      per_row 2; the last row holds one sample so far
 *
 * When there are too many rows, each pair becomes one row and per_row doubles. Rows begin at multiples of per_row, so
 * the sums do not depend on when rows were joined. Sums are exact: a cell is the sum of its samples' counts, and
 * obs_gather() and obs_add_sample() refuse sums that exceed 64 bits. Observations that grow for days are folded in
 * another way: fold.c.
 *
 * If some samples of a cell are empty, the cell is a sum over other samples than the cells next to it. A model need not
 * hold for such sums. So the sums over only those samples that have every column are kept as well (obs.whole). */
#ifndef CORE_OBS_GATHER_H
#define CORE_OBS_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct obs;
struct obs_table;

/* The most rows of a long observation. After gathering it has at least half as many. */
#define GATHER_ROWS ((size_t)4096)

/* A column's totals over all samples, in the units of the observation's cells. */
struct obs_total {
	i128 sum;
	size_t counted;  /* number of samples that counted it */
	int64_t from;    /* a count near the mean */
	u128 square;     /* Σ (count - from)² over the samples; OBS_SQUARE_LOST: too large, or unknown */
};
#define OBS_SQUARE_LOST (~(u128)0)

/* Adds up neighbouring rows until there are at most `most` rows (≥ 2). Returns false and sets *column if a sum in that
 * column exceeds 64 bits; the rows are then as they were before the failed step. Not for observations whose rows are
 * far (rows.h). */
bool obs_gather(struct obs *, size_t most, size_t *column);

/* Adds one sample, with arguments as for obs_add_row() and obs_set_quality(). The sample goes into the last row or, if
 * that is full, into a new one. `running` and `error` have n_columns entries; NULL: all 1, all 0. Returns false and
 * sets *column as obs_gather() does; then nothing was added. */
bool obs_add_sample(struct obs *, const int64_t *count, const unsigned char *counted, double time,
	const double *running, const double *error, size_t *column);

/* Keeps a table that is filled sample by sample within bounds. While the table is small, each sample is a row. When it
 * has more than `near` cells, observations are gathered to GATHER_ROWS rows each. If there are very many observations
 * the limit becomes smaller, but never below GATHER_LEAST. */
struct obs_room {
	size_t near;  /* number of cells above which rows are limited */
	size_t most;  /* the most rows of an observation from now on; 0: no limit yet */
	size_t cells; /* present number of cells of the table */
	size_t seen;  /* number of cells that the table would have if each sample were a row of its own */
	bool early;   /* rows were limited before the table had more than `near` cells (obs_room_expect()) */
};
#define GATHER_LEAST ((size_t)64)
#define GATHER_NEAR_CELLS ((size_t)1 << 22)

/* obs_add_sample() to an observation of the table, within its bounds. */
bool obs_room_add(struct obs_room *, struct obs_table *, struct obs *, const int64_t *count,
	const unsigned char *counted, double time, const double *running, const double *error, size_t *column);

/* Limits rows from now on if the final table is expected to have clearly more than `near` cells, which saves memory
 * meanwhile. If the expectation comes true, the table is the same as without this call, because rows begin at multiples
 * of per_row. If not, obs_room_was_hasty() is true, and the table differs: its samples have to be read again. Returns
 * false and sets *column as obs_gather() does. */
bool obs_room_expect(struct obs_room *, struct obs_table *, double cells, size_t *column);
bool obs_room_was_hasty(const struct obs_room *);

/* Empties a cell of an observation, gathered or not, as if none of its samples had counted the column. */
void obs_leave_out(struct obs *, size_t row, size_t column);

/* If the table has gathered observations, adds a note that tells the reader so. `name` is the file. */
void obs_table_note_gathered(struct obs_table *, const char *name);

/* Changes all counts to units that are 10^by times smaller. Returns false and sets *column if a count does not fit;
 * then nothing is changed. If `by` is negative, the units become larger, and all counts must be multiples of the new
 * unit. */
bool obs_scale(struct obs *, int by, size_t *column);

/* Σ (count - mean)² over the samples that counted a column of a gathered observation, in the units of its cells.
 * Returns NAN if the sum of squares was too large to keep. */
double obs_total_scatter(const struct obs_total *);

#endif
