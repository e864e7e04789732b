#include "collect/store/session_cells.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

enum { COUNTED = 1, RUNNING = 2, STATED_ERROR = 4 };

#define CELL_BYTES 27 /* flags, the longest varint, two doubles */

static unsigned char *
put_varint(unsigned char *p, int64_t v)
{
	uint64_t z = ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);

	for (; z > 127; z >>= 7)
		*p++ = (unsigned char)(z | 128);
	*p++ = (unsigned char)z;
	return p;
}

static unsigned char *
put_double(unsigned char *p, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	for (int i = 0; i < 8; i++)
		*p++ = (unsigned char)(bits >> (8 * i));
	return p;
}

/* Cells that were counted all of the time, without errors; nearly all are. */
static unsigned char *
put_plain(unsigned char *p, const int64_t *count, const unsigned char *counted, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		*p++ = counted[i] ? COUNTED : 0;
		if (counted[i])
			p = put_varint(p, count[i]);
	}
	return p;
}

void
session_cells_add(const struct obs_rows *rows, size_t n_columns, size_t row, struct str *out)
{
	size_t first = (row - rows->first) * n_columns;
	unsigned char *begin = (unsigned char *)str_room(out, n_columns * CELL_BYTES), *p = begin;

	if (!rows->running && !rows->error) {
		p = put_plain(p, rows->count + first, rows->counted + first, n_columns);
		str_grown(out, (size_t)(p - begin));
		return;
	}
	for (size_t cell = first; cell < first + n_columns; cell++) {
		bool running = rows->running && rows->running[cell] < 1, error = rows->error && rows->error[cell] > 0;

		*p++ = (unsigned char)((rows->counted[cell] ? COUNTED : 0) | (running ? RUNNING : 0) |
			(error ? STATED_ERROR : 0));
		if (rows->counted[cell])
			p = put_varint(p, rows->count[cell]);
		if (running)
			p = put_double(p, rows->running[cell]);
		if (error)
			p = put_double(p, rows->error[cell]);
	}
	str_grown(out, (size_t)(p - begin));
}

struct bytes {
	const unsigned char *p, *end;
};

static bool
take_varint(struct bytes *bytes, int64_t *v)
{
	uint64_t z = 0;

	for (int shift = 0; shift < 64 && bytes->p < bytes->end; shift += 7) {
		unsigned char c = *bytes->p++;

		if (shift == 63 && c > 1)
			return false;
		z |= (uint64_t)(c & 127) << shift;
		if (c < 128) {
			*v = (int64_t)((z >> 1) ^ (z & 1 ? UINT64_MAX : 0));
			return true;
		}
	}
	return false;
}

static bool
take_double(struct bytes *b, double *v)
{
	uint64_t bits = 0;

	if (b->end - b->p < 8)
		return false;
	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)*b->p++ << (8 * i);
	memcpy(v, &bits, sizeof *v);
	return true;
}

static bool
take_cell(struct bytes *bytes, int64_t *count, unsigned char *counted, double *running, double *error)
{
	unsigned char flags;

	*running = 1;
	*error = 0;
	*count = 0;
	if (bytes->p == bytes->end)
		return false;
	flags = *bytes->p++;
	*counted = flags & COUNTED;
	return flags <= (COUNTED | RUNNING | STATED_ERROR) && (!(flags & COUNTED) || take_varint(bytes, count)) &&
		(!(flags & RUNNING) || (take_double(bytes, running) && *running >= 0 && *running < 1)) &&
		(!(flags & STATED_ERROR) || (take_double(bytes, error) && *error > 0 && isfinite(*error)));
}

void
session_row_begin(struct session_row *r, size_t n)
{
	*r = (struct session_row){.n = n};
	r->count = mem_new_array(n, sizeof *r->count);
	r->counted = mem_new_array(n, 1);
	r->running = mem_new_array(n, sizeof *r->running);
	r->error = mem_new_array(n, sizeof *r->error);
}

void
session_row_free(struct session_row *r)
{
	free(r->count);
	free(r->counted);
	free(r->running);
	free(r->error);
	*r = (struct session_row){0};
}

bool
session_row_take(struct session_row *row, const unsigned char *cells, size_t n)
{
	struct bytes b = {cells, cells + n};

	row->quality = row->gaps = false;
	for (size_t i = 0; i < row->n; i++) {
		if (!take_cell(&b, &row->count[i], &row->counted[i], &row->running[i], &row->error[i]))
			return false;
		row->quality |= row->running[i] < 1 || row->error[i] > 0;
		row->gaps |= !row->counted[i];
	}
	return b.p == b.end;
}

bool
session_cells_take(struct obs *obs, const unsigned char *cells, size_t n, double time)
{
	struct session_row r;
	bool good;

	session_row_begin(&r, obs->n_columns);
	good = session_row_take(&r, cells, n);
	if (good)
		obs_add_row(obs, r.count, r.counted, time);
	for (size_t i = 0; i < r.n && good && r.quality; i++)
		if (r.running[i] < 1 || r.error[i] > 0)
			obs_set_quality(obs, i, r.running[i], r.error[i]);
	session_row_free(&r);
	return good;
}
