/* The bytes of a row:
 *
 *     1, a head for each column    or 0: the heads are those of the row before
 *     the row's different shares of time, as doubles
 *     for each column: the count as a zigzag varint, unless the cell is empty; the stated error as a double, if any
 *
 * A head has the kind of the cell (enum obs_cell), whether it has an error, and the number of its share among the row's
 * different ones. Every BLOCK rows the heads are written again, so that reading can begin there. */
#include "core/obs/packed.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

#define BLOCK OBS_BLOCK_ROWS
#define OPEN_CELLS ((size_t)1 << 12)         /* most cells that obs_rows() keeps unpacked, or one block */
#define SHARES 31                            /* the most different shares of a row, besides 1, which has the number 0 */
#define CELL_BYTES (1 + 10 + sizeof(double)) /* at most: head, varint, error */
#define ROW_BYTES (1 + SHARES * sizeof(double))

enum { HEAD_CELL = 3, HEAD_ERROR = 4, HEAD_SHARE = 8 };

struct packed {
	unsigned char *bytes; /* NULL: the observation is not packed */
	size_t *block;        /* where each block begins */
	bool running, error;  /* the observation has these arrays */
};

struct packed_table {
	struct packed *of; /* per observation */
	size_t n;
};

/* --- packing ------------------------------------------------------------------------------------------------------ */

static bool
same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* Finds the heads and the different shares of a row. False if there are too many, or if an empty cell has a count. */
static bool
heads_of(const struct obs *obs, size_t row, unsigned char *head, double *share, size_t *n_shares)
{
	*n_shares = 0;
	for (size_t i = 0, cell = row * obs->n_columns; i < obs->n_columns; i++, cell++) {
		size_t at = 0;

		if (obs->counted[cell] > HEAD_CELL || (!obs->counted[cell] && obs->count[cell]))
			return false;
		head[i] = obs->counted[cell];
		if (obs->error && !same_bits(obs->error[cell], 0))
			head[i] |= HEAD_ERROR;
		if (!obs->running || same_bits(obs->running[cell], 1))
			continue;
		while (at < *n_shares && !same_bits(share[at], obs->running[cell]))
			at++;
		if (at == SHARES)
			return false;
		share[at] = obs->running[cell];
		*n_shares += at == *n_shares;
		head[i] |= (unsigned char)((at + 1) * HEAD_SHARE);
	}
	return true;
}

static unsigned char *
put(unsigned char *p, const void *bytes, size_t n)
{
	memcpy(p, bytes, n);
	return p + n;
}

static unsigned char *
put_count(unsigned char *p, int64_t count)
{
	uint64_t z = ((uint64_t)count << 1) ^ (count < 0 ? UINT64_MAX : 0);

	for (; z > 127; z >>= 7)
		*p++ = (unsigned char)(z | 128);
	*p++ = (unsigned char)z;
	return p;
}

static bool
put_row(const struct obs *obs, size_t row, unsigned char *head, unsigned char *before, struct str *out)
{
	size_t n = obs->n_columns, n_shares;
	unsigned char *begin = (unsigned char *)str_room(out, n * CELL_BYTES + ROW_BYTES), *p = begin;
	double share[SHARES];

	if (!heads_of(obs, row, head, share, &n_shares))
		return false;
	*p = row % BLOCK == 0 || memcmp(head, before, n) != 0;
	if (*p++) {
		p = put(p, head, n);
		memcpy(before, head, n);
	}
	p = put(p, share, n_shares * sizeof *share);
	for (size_t i = 0; i < n; i++) {
		if (head[i] & HEAD_CELL)
			p = put_count(p, obs->count[row * n + i]);
		if (head[i] & HEAD_ERROR)
			p = put(p, &obs->error[row * n + i], sizeof *obs->error);
	}
	str_grown(out, (size_t)(p - begin));
	return true;
}

/* Packs into p, unless the observation cannot be packed. `out` is empty before and after. */
static void
pack_observation(const struct obs *obs, struct str *out, struct packed *p)
{
	unsigned char *head = mem_new_array(2 * obs->n_columns, 1);
	bool good = obs->n_rows && obs->count;

	*p = (struct packed){.block = mem_new_array(obs->n_rows / BLOCK + 1, sizeof *p->block),
		.running = obs->running,
		.error = obs->error};
	for (size_t row = 0; row < obs->n_rows && good; row++) {
		if (row % BLOCK == 0)
			p->block[row / BLOCK] = out->n;
		good = put_row(obs, row, head, head + obs->n_columns, out);
	}
	if (good)
		p->bytes = mem_copy(out->s, out->n);
	str_clear(out);
	free(head);
}

static void
forget_cells(struct obs *obs)
{
	free(obs->count);
	free(obs->counted);
	free(obs->running);
	free(obs->error);
	obs->count = NULL;
	obs->counted = NULL;
	obs->running = obs->error = NULL;
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

static const unsigned char *
take_double(const unsigned char *p, double *v)
{
	memcpy(v, p, sizeof *v);
	return p + sizeof *v;
}

static const unsigned char *
take_count(const unsigned char *p, int64_t *count)
{
	uint64_t z = *p & 127;

	for (int shift = 7; *p++ > 127; shift += 7)
		z |= (uint64_t)(*p & 127) << shift;
	*count = (int64_t)((z >> 1) ^ (z & 1 ? UINT64_MAX : 0));
	return p;
}

/* Reads the shares that the heads name, and sets share[0] to 1. */
static const unsigned char *
take_shares(const unsigned char *p, const unsigned char *head, size_t n, double *share)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++)
		most = head[i] / HEAD_SHARE > most ? head[i] / HEAD_SHARE : most;
	share[0] = 1;
	memcpy(share + 1, p, most * sizeof *share);
	return p + most * sizeof *share;
}

/* Reads a row into place `cell`; SIZE_MAX: passes over it. */
static const unsigned char *
unpack_row(const unsigned char *p, const unsigned char **head, struct obs *into, size_t cell)
{
	size_t n = into->n_columns;
	double share[SHARES + 1], error;
	int64_t count;

	if (*p++) {
		*head = p;
		p += n;
	}
	p = take_shares(p, *head, n, share);
	for (size_t i = 0; i < n; i++) {
		unsigned char h = (*head)[i];

		count = 0;
		error = 0;
		if (h & HEAD_CELL)
			p = take_count(p, &count);
		if (h & HEAD_ERROR)
			p = take_double(p, &error);
		if (cell == SIZE_MAX)
			continue;
		into->count[cell + i] = count;
		into->counted[cell + i] = h & HEAD_CELL;
		if (into->running)
			into->running[cell + i] = share[h / HEAD_SHARE];
		if (into->error)
			into->error[cell + i] = error;
	}
	return p;
}

static bool
packed_read(void *ctx, size_t observation, size_t first, size_t n, struct obs *into, struct err *e)
{
	const struct packed_table *table = ctx;
	const struct packed *packed = &table->of[observation];
	const unsigned char *p = packed->bytes + packed->block[first / BLOCK], *head = NULL;
	size_t c = into->n_columns;

	(void)e;
	into->count = mem_resize(into->count, n * c, sizeof *into->count);
	into->counted = mem_resize(into->counted, n * c, 1);
	if (packed->running)
		into->running = mem_resize(into->running, n * c, sizeof *into->running);
	if (packed->error)
		into->error = mem_resize(into->error, n * c, sizeof *into->error);
	for (size_t row = first / BLOCK * BLOCK; row < first + n; row++)
		p = unpack_row(p, &head, into, row < first ? SIZE_MAX : (row - first) * c);
	into->n_rows = n;
	return true;
}

static void
packed_rest(void *ctx)
{
	(void)ctx;
}

static void
packed_free(void *ctx)
{
	struct packed_table *table = ctx;

	for (size_t i = 0; i < table->n; i++) {
		free(table->of[i].bytes);
		free(table->of[i].block);
	}
	free(table->of);
	free(table);
}

void
obs_table_pack(struct obs_table *t)
{
	static const struct obs_fetch fetch = {
		.read = packed_read, .rest = packed_rest, .free = packed_free, .most_cells = OPEN_CELLS};
	struct packed_table *packed;
	struct str bytes = {0};

	if (t->shelf)
		return;
	packed = mem_new(sizeof *packed);
	packed->of = mem_new_array(t->n, sizeof *packed->of);
	packed->n = t->n;
	for (size_t i = 0; i < t->n; i++)
		pack_observation(t->obs[i], &bytes, &packed->of[i]);
	obs_table_set_far(t, &fetch, packed);
	for (size_t i = 0; i < t->n; i++)
		if (packed->of[i].bytes)
			forget_cells(t->obs[i]);
		else
			t->obs[i]->shelf = NULL;
	str_free(&bytes);
}
