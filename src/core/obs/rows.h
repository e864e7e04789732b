/* Rows of an observation, wherever they lie: in memory, or brought a block at a time when somebody asks.
 *
 *     struct obs ── cells in memory ──────────────────────────────▶ obs_rows(): all that was asked for
 *            └───── far: a shelf of blocks ── read by need ───────▶ obs_rows(): up to the end of a block
 *
 * Of rows that are far their number, their times and the health of columns are in memory; only cells are not. */
#ifndef CORE_OBS_ROWS_H
#define CORE_OBS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct err;
struct obs;
struct obs_table;

/* Rows first … first + n - 1; the cell of a row and column is at (row - first) * n_columns + column. As in struct obs.
 */
struct obs_rows {
	size_t first, n;
	const int64_t *count;
	const unsigned char *counted;
	const double *running, *error; /* NULL: all 1; none */
};

/* Rows from `first` on, which is below `end`: all up to `end`, or as many as lie together, one at least. Valid until
 * the next call for an observation of the same table. Rows that cannot be read count nothing, and obs_table_failure()
 * tells why. */
struct obs_rows obs_rows(const struct obs *, size_t first, size_t end);

/* A column over rows first … first + n - 1. Over all rows of an observation that is far it is worked out once for all
 * columns, in one pass. */
struct obs_sum {
	i128 sum;
	size_t counted;  /* rows in which it was */
	double running;  /* the least share of time of these; 1 */
};
struct obs_sum obs_sum(const struct obs *, size_t column, size_t first, size_t n);

/* The first row whose time is after `time`; 0 without times. The times of the rows must not decrease. */
size_t obs_row_after(const struct obs *, double time);

/* Does any cell have a share of time below 1, or a stated error? */
void obs_tells(const struct obs *, bool *running, bool *error);

/* What brings rows. */
struct obs_fetch {
	/* Append rows first … first + n - 1 of an observation of the table to `into`, which is empty and has its
	 * columns. False and *e. */
	bool (*read)(void *ctx, size_t observation, size_t first, size_t n, struct obs *into, struct err *e);
	void (*rest)(void *ctx); /* nothing is asked for in a while */
	void (*free)(void *ctx);
};

#define OBS_FAR_CELLS ((size_t)1 << 18)  /* of far rows so many are kept in memory at most */
#define OBS_BLOCK_CELLS ((size_t)1 << 14) /* a block is the largest power of two of rows that has no more … */
#define OBS_BLOCK_ROWS ((size_t)256)      /* … and no more rows */

/* From now on the cells of all its observations are far; their n_rows, time and health are set. The table owns ctx, and
 * frees it by way of `fetch`, which must outlive it. */
void obs_table_set_far(struct obs_table *, const struct obs_fetch *fetch, void *ctx);

/* Why rows could not be read, the first time since the last rest; NULL: all could. */
const struct err *obs_table_failure(const struct obs_table *);

/* Nothing will be asked for in a while: files may be closed. Failures are forgotten: what could not be read is tried
 * again when it is asked for. */
void obs_table_rest(const struct obs_table *);

size_t obs_table_far_reads(const struct obs_table *); /* blocks read so far; 0 for tables in memory */

#endif
