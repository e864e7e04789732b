/* One row of an observation as bytes (docs/session-file.md, "Cells"). */
#ifndef COLLECT_STORE_SESSION_CELLS_H
#define COLLECT_STORE_SESSION_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct obs;
struct obs_rows;
struct str;

/* Appends a row. For each column it writes a byte of flags, then the values that the flags announce: the count as a
 * zigzag varint, running and error as IEEE doubles, low byte first. */
void session_cells_add(const struct obs_rows *, size_t n_columns, size_t row, struct str *out);

/* A row of n columns. */
struct session_row {
	size_t n;
	int64_t *count;
	unsigned char *counted;
	double *running, *error;
	/* quality: some cell has a share of time below 1, or an error; gaps: some cell is not counted */
	bool quality, gaps;
};
void session_row_begin(struct session_row *, size_t n);
void session_row_free(struct session_row *);

/* Decodes a row. Returns false when the bytes are not such a row: too short, too long, an impossible number. */
bool session_row_take(struct session_row *, const unsigned char *cells, size_t n);

/* Appends the row to the observation. Returns false if session_row_take() would. */
bool session_cells_take(struct obs *, const unsigned char *cells, size_t n, double time);

#endif
