/* Rows of an observation, wherever they are: in memory, or read a block at a time when they are needed.
 *
 *     struct obs ── cells in memory ────────────────────────────▶ obs_rows(): all rows that were asked for
 *            └───── far: a shelf of blocks ── read on demand ───▶ obs_rows(): rows up to the end of a block
 *                            in a file, or packed (packed.h)
 *
 * An observation with far rows has their number, their times and the health of its columns in memory; only the cells
 * are elsewhere. */
#ifndef CORE_OBS_ROWS_H
#define CORE_OBS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

struct err;
struct obs;
struct obs_table;

/* Rows first … first + n - 1, with fields as in struct obs. The cell of a row and column is at (row - first) *
 * n_columns + column. */
struct obs_rows {
	size_t first, n;
	const int64_t *count;
	const unsigned char *counted;
	const double *running, *error; /* running NULL: all 1; error NULL: none */
};

/* Returns rows from `first` (< `end`) on: all rows up to `end`, or as many as lie together in memory, at least one.
 * They are valid until the next call for an observation of the same table. Rows that cannot be read have only empty
 * cells, and obs_table_failure() says why. */
struct obs_rows obs_rows(const struct obs *, size_t first, size_t end);

/* The sum of a column over rows first … first + n - 1. If these are all rows of a far observation, the sums of all
 * columns are computed once, in one pass. */
struct obs_sum {
	i128 sum;
	size_t counted;  /* number of rows that counted the column */
	double running;  /* the least share of time of these rows, at most 1 */
};
struct obs_sum obs_sum(const struct obs *, size_t column, size_t first, size_t n);

/* Returns the first row whose time is after `time`; 0 if the rows have no times. The times of the rows must not
 * decrease. */
size_t obs_row_after(const struct obs *, double time);

/* Finds whether any cell has a share of time below 1, or a stated error. */
void obs_has_quality(const struct obs *, bool *running, bool *error);

/* Returns a copy of the struct whose cells are all in memory, for code that reads the arrays. What is in memory already
 * is borrowed; obs_near_free() frees the rest. Threads may call it at once unless the cells are in a file. */
struct obs obs_near(const struct obs *);
void obs_near_free(struct obs *near, const struct obs *of);

/* How far rows are read. */
struct obs_fetch {
	/* Appends rows first … first + n - 1 of an observation of the table to `into`, which is empty and has the same
	 * columns. On failure returns false and sets *e. */
	bool (*read)(void *ctx, size_t observation, size_t first, size_t n, struct obs *into, struct err *e);
	void (*rest)(void *ctx); /* called when no rows will be needed for a while */
	void (*free)(void *ctx);
	size_t most_cells; /* instead of OBS_FAR_CELLS; 0: no other limit */
};

#define OBS_FAR_CELLS ((size_t)1 << 18)  /* most cells of far rows that are kept in memory */
/* the number of rows of a block is the largest power of two that makes at most this many cells, */
#define OBS_BLOCK_CELLS ((size_t)1 << 14)
#define OBS_BLOCK_ROWS ((size_t)256)      /* and at most this many rows */
#define OBS_BLOCKS ((size_t)1024)         /* most blocks in memory, which are searched one by one */

/* Declares that the cells of all observations of the table are far. Their n_rows, time and health must be set already.
 * The table owns ctx and frees it through `fetch`, which must outlive the table. */
void obs_table_set_far(struct obs_table *, const struct obs_fetch *fetch, void *ctx);

/* Returns why rows could not be read: the first failure since the last obs_table_rest(); NULL: no failure. */
const struct err *obs_table_failure(const struct obs_table *);

/* Says that no rows will be needed for a while, so that files may be closed. Failures are forgotten: rows that could
 * not be read will be tried again. */
void obs_table_rest(const struct obs_table *);

size_t obs_table_far_reads(const struct obs_table *); /* number of blocks read so far; 0 for tables in memory */

/* For core/obs alone: how rows.c keeps far rows. */
struct obs_shelf;
void obs_shelf_free(struct obs_shelf *);

#endif
