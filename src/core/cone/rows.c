#include "core/cone/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"

static uint64_t
magnitude(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

bool
rows_reduce(int64_t *v, size_t n)
{
	uint64_t g = 0;

	for (size_t j = 0; j < n && g != 1; j++)
		g = u64_gcd(g, magnitude(v[j]));
	if (g > 1)
		for (size_t j = 0; j < n; j++)
			v[j] = v[j] < 0 ? -(int64_t)(magnitude(v[j]) / g) : (int64_t)(magnitude(v[j]) / g);
	return g > 0;
}

static int
rows_compare(const void *va, const void *vb, void *n)
{
	const int64_t *a = va, *b = vb;

	for (size_t j = 0; j < *(const size_t *)n; j++)
		if (a[j] != b[j])
			return a[j] < b[j] ? -1 : 1;
	return 0;
}

void
rows_sort(size_t n, size_t m, int64_t *row)
{
	qsort_r(row, m, n * sizeof *row, rows_compare, &n);
}

static uint64_t
hash_row(const int64_t *v, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u;

	for (size_t j = 0; j < n; j++) {
		h = (h ^ (uint64_t)v[j]) * 0xbf58476d1ce4e5b9u;
		h ^= h >> 29;
	}
	return h;
}

struct rows_set
rows_set_new(size_t n, size_t rows)
{
	struct rows_set s = {.n = n, .slots = 16};

	while (s.slots < 2 * rows)
		s.slots *= 2;
	s.slot = mem_new_array(s.slots, sizeof *s.slot);
	return s;
}

size_t *
rows_set_slot(const struct rows_set *s, const int64_t *rows, const int64_t *v)
{
	size_t i = (size_t)hash_row(v, s->n) & (s->slots - 1);

	while (s->slot[i] && memcmp(rows + (s->slot[i] - 1) * s->n, v, s->n * sizeof *v))
		i = (i + 1) & (s->slots - 1);
	return &s->slot[i];
}

struct rows_size
rows_size(const int64_t *row, size_t n)
{
	struct rows_size s = {0};

	for (size_t i = 0; i < n; i++) {
		s.used += row[i] != 0;
		s.sum += (double)magnitude(row[i]);
	}
	return s;
}

int
rows_size_compare(struct rows_size a, struct rows_size b)
{
	if (a.used != b.used)
		return a.used < b.used ? -1 : 1;
	return a.sum < b.sum ? -1 : a.sum > b.sum;
}

bool
rows_have(const int64_t *rows, size_t n_rows, size_t n, const int64_t *row)
{
	for (size_t i = 0; i < n_rows; i++)
		if (memcmp(rows + i * n, row, n * sizeof *row) == 0)
			return true;
	return false;
}
