#include "core/cone/scale.h"

#include <stdlib.h>

#include "base/int128.h"
#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/cone/rows.h"

/* Rows with the entry of the counter multiplied by `one` and all others by `others`; NULL where one does not fit. */
static int64_t *
stretch(const int64_t *row, size_t n, size_t width, size_t counter, int64_t one, int64_t others)
{
	int64_t *out = mem_new_array(n * width, sizeof *out);

	for (size_t k = 0; k < n; k++) {
		int64_t *to = out + k * width;

		for (size_t i = 0; i < width; i++) {
			if (__builtin_mul_overflow(row[k * width + i], i == counter ? one : others, &to[i])
				|| to[i] == INT64_MIN) {
				free(out);
				return NULL;
			}
		}
		row_reduce(to, width);
	}
	return out;
}

struct cone *
cone_scale(const struct cone *c, size_t counter, int64_t times, int64_t of)
{
	struct cone *s = mem_new(sizeof *s);
	int64_t divisor = (int64_t)u64_gcd((uint64_t)times, (uint64_t)of);
	size_t n = c->n_counters;

	times /= divisor;
	of /= divisor;
	*s = *c;
	s->reason = c->reason ? mem_str(c->reason) : NULL;
	/* A point's counter is times/of of what it was, so a constraint's coefficient is of/times of what it was. */
	s->signature = stretch(c->signature, c->n_signatures, n, counter, times, of);
	s->ray = stretch(c->ray, c->n_rays, n, counter, times, of);
	s->equality = stretch(c->equality, c->n_equalities, n, counter, of, times);
	s->inequality = stretch(c->inequality, c->n_inequalities, n, counter, of, times);
	if (s->signature && s->ray && s->equality && s->inequality)
		return s;
	cone_free(s);
	return NULL;
}
