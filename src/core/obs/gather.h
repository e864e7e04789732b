/* Long observations in bounded memory: neighbouring samples are added up, as many in each row.
 *
 *     samples   0  1   2  3   4  5   6  7   8
 *     rows     [0  1] [2  3] [4  5] [6  7] [8]      per_row 2; the last row holds one sample so far
 *
 * When there are too many rows, each two become one and per_row doubles. Rows begin at multiples of per_row, so the
 * sums do not depend on when that happened. They are exact: a cell is the sum of its samples' counts, and obs_gather()
 * and obs_add_sample() refuse what 64 bits do not hold. Old rows of what grows for days are folded differently: fold.c.
 */
#ifndef CORE_OBS_GATHER_H
#define CORE_OBS_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct obs;
struct obs_table;

/* The most rows that a long observation keeps: between half of it and all of it. */
#define GATHER_ROWS ((size_t)4096)

/* A column over all samples, in the units of the observation's cells. */
struct obs_total {
	i128 sum;
	size_t counted;  /* samples that counted it */
	int64_t from;    /* a count near the mean, … */
	u128 square;     /* … and Σ (count - from)² over the samples; OBS_SQUARE_LOST: too large, or not known */
};
#define OBS_SQUARE_LOST (~(u128)0)

/* Samples of an observation: its rows, or, where it is gathered, what went into them. */
size_t obs_samples(const struct obs *);
/* The first sample of a row. */
size_t obs_first_sample(const struct obs *, size_t row);
/* Samples in a row, counted or not. */
size_t obs_samples_in_row(const struct obs *, size_t row);
/* Samples that counted a cell. */
size_t obs_samples_in_cell(const struct obs *, size_t row, size_t column);

/* Rows are taken together until there are no more than `most`, which is 2 at least. False and *column where a sum of
 * that column does not fit into 64 bits: the rows are as they were before that step. Not for rows that lie elsewhere.
 */
bool obs_gather(struct obs *, size_t most, size_t *column);

/* One more sample, as obs_add_row() and obs_set_quality() take it: into the last row, while that is not whole, or a new
 * one. `running` and `error` have n_columns entries; NULL: all 1, all 0. False and *column as obs_gather(), and nothing
 * was added. */
bool obs_add_sample(struct obs *, const int64_t *count, const unsigned char *counted, double time,
	const double *running, const double *error, size_t *column);

/* Keeps a table that is filled sample by sample within bounds: while it is small all samples are rows. When its cells
 * become more than `near`, observations are gathered to GATHER_ROWS rows each, and, where there are very many of them,
 * to fewer, but never below GATHER_LEAST. */
struct obs_room {
	size_t near;  /* cells */
	size_t most;  /* rows of an observation from now on; 0: no limit yet */
	size_t cells; /* of the table */
};
#define GATHER_LEAST ((size_t)64)
#define GATHER_NEAR_CELLS ((size_t)1 << 22)

/* obs_add_sample() to an observation of the table. */
bool obs_room_add(struct obs_room *, struct obs_table *, struct obs *, const int64_t *count,
	const unsigned char *counted, double time, const double *running, const double *error, size_t *column);

/* A note for who reads the table, where it has long observations; `name`: the file. */
void obs_table_note_gathered(struct obs_table *, const char *name);

/* All counts in units that are 10^by times smaller. False and *column where one does not fit: nothing has changed.
 * Where `by` is below 0 the units are larger, and all counts must be multiples of them. */
bool obs_scale(struct obs *, int by, size_t *column);

/* Σ (count - mean)² over the samples that counted a column of a gathered observation, in the units of its cells; NAN
 * where the sum of squares was too large to keep. */
double obs_total_scatter(const struct obs_total *);

#endif
