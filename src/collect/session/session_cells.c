#include "collect/session/session_cells.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"

enum { COUNTED = 1, RUNNING = 2, STATED_ERROR = 4 };

static void
add_varint(struct str *out, int64_t v)
{
	uint64_t z = ((uint64_t)v << 1) ^ (v < 0 ? UINT64_MAX : 0);

	for (; z > 127; z >>= 7)
		str_addc(out, (char)(unsigned char)(z | 128));
	str_addc(out, (char)(unsigned char)z);
}

static void
add_double(struct str *out, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	for (int i = 0; i < 8; i++)
		str_addc(out, (char)(unsigned char)(bits >> (8 * i)));
}

void
session_cells_add(const struct obs_rows *r, size_t n_columns, size_t row, struct str *out)
{
	for (size_t i = 0; i < n_columns; i++) {
		size_t cell = (row - r->first) * n_columns + i;
		bool running = r->running && r->running[cell] < 1, error = r->error && r->error[cell] > 0;

		str_addc(out, (char)((r->counted[cell] ? COUNTED : 0) | (running ? RUNNING : 0) | (error ? STATED_ERROR : 0)));
		if (r->counted[cell])
			add_varint(out, r->count[cell]);
		if (running)
			add_double(out, r->running[cell]);
		if (error)
			add_double(out, r->error[cell]);
	}
}

struct bytes {
	const unsigned char *p, *end;
};

static bool
take_varint(struct bytes *b, int64_t *v)
{
	uint64_t z = 0;

	for (int shift = 0; shift < 64 && b->p < b->end; shift += 7) {
		unsigned char c = *b->p++;

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
take_cell(struct bytes *b, int64_t *count, unsigned char *counted, double *running, double *error)
{
	unsigned char flags;

	*running = 1;
	*error = 0;
	*count = 0;
	if (b->p == b->end)
		return false;
	flags = *b->p++;
	*counted = flags & COUNTED;
	return flags <= (COUNTED | RUNNING | STATED_ERROR) && (!(flags & COUNTED) || take_varint(b, count)) &&
	       (!(flags & RUNNING) || (take_double(b, running) && *running >= 0 && *running < 1)) &&
	       (!(flags & STATED_ERROR) || (take_double(b, error) && *error > 0 && isfinite(*error)));
}

bool
session_cells_take(struct obs *o, const unsigned char *cells, size_t n, double time)
{
	size_t c = o->n_columns;
	struct bytes b = {cells, cells + n};
	int64_t *count = mem_new_array(c, sizeof *count);
	unsigned char *counted = mem_new_array(c, 1);
	double *quality = mem_new_array(2 * c, sizeof *quality);
	bool good = true;

	for (size_t i = 0; i < c && good; i++)
		good = take_cell(&b, &count[i], &counted[i], &quality[2 * i], &quality[2 * i + 1]);
	good = good && b.p == b.end;
	if (good) {
		obs_add_row(o, count, counted, time);
		for (size_t i = 0; i < c; i++)
			if (quality[2 * i] < 1 || quality[2 * i + 1] > 0)
				obs_set_quality(o, i, quality[2 * i], quality[2 * i + 1]);
	}
	free(count);
	free(counted);
	free(quality);
	return good;
}
