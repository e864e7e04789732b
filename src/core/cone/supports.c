/* On the cone an equality expresses the column it leads by the other columns. So each column is a vector over the free
 * columns, in which no equality leads, and each form is such a vector too. A set T of columns can carry the form
 * exactly if the form lies in the span of T's vectors.
 *
 * The search grows sets column by column. Each new vector is reduced by those chosen before it. Then its part is
 * subtracted from the rest of the form; T carries the form when the rest is 0. */
#include "core/cone/supports.h"

#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/mem.h"

#define PRIME ((UINT64_C(1) << 61) - 1)

struct search {
	size_t n, r, size;
	uint64_t *vector; /* n × r: each column as a vector over the r free columns */
	uint64_t *basis;  /* (size) × r: the vectors of the chosen columns, reduced */
	size_t *pivot;    /* the column of the first non-zero entry of each */
	uint64_t *rest;   /* (size + 1) × r: the rest of the form after each choice, up to scale */
	size_t *set;
	size_t *budget;
	size_t cap;
	struct supports *out;
};

static uint64_t
supports_multiply(uint64_t a, uint64_t b)
{
	u128 t = (u128)a * b;
	uint64_t s = (uint64_t)(t & PRIME) + (uint64_t)(t >> 61);

	return s >= PRIME ? s - PRIME : s;
}

/* a·b − c·d, modulo the prime */
static uint64_t
cross(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t x = supports_multiply(a, b), y = supports_multiply(c, d);

	return x >= y ? x - y : x + PRIME - y;
}

static uint64_t
residue(int64_t x)
{
	int64_t r = x % (int64_t)PRIME;

	return r < 0 ? (uint64_t)(r + (int64_t)PRIME) : (uint64_t)r;
}

static bool
supports_is_zero(const uint64_t *v, size_t r)
{
	for (size_t i = 0; i < r; i++)
		if (v[i])
			return false;
	return true;
}

/* Reduces column j by the first `depth` vectors of the basis and stores it as the next. Returns false when nothing of
 * it is left. */
static bool
supports_reduce(struct search *search, size_t depth, size_t j)
{
	uint64_t *v = search->basis + depth * search->r;
	size_t p = 0;

	memcpy(v, search->vector + j * search->r, search->r * sizeof *v);
	for (size_t i = 0; i < depth; i++) {
		const uint64_t *b = search->basis + i * search->r;
		uint64_t f = v[search->pivot[i]], g = b[search->pivot[i]];

		for (size_t k = 0; k < search->r && f; k++)
			v[k] = cross(v[k], g, b[k], f);
	}
	while (p < search->r && !v[p])
		p++;
	search->pivot[depth] = p;
	return p < search->r;
}

static void
supports_note(struct search *s)
{
	mem_grow(&s->out->column, &s->cap, (s->out->n + 1) * s->size, sizeof *s->out->column);
	memcpy(s->out->column + s->out->n++ * s->size, s->set, s->size * sizeof *s->set);
}

/* Tries all ways to complete the set with columns from `start` on; false when the budget ran out. */
static bool
complete(struct search *search, size_t depth, size_t start)
{
	const uint64_t *rest = search->rest + depth * search->r;

	for (size_t j = start; j + (search->size - depth) <= search->n; j++) {
		uint64_t *next = search->rest + (depth + 1) * search->r;
		const uint64_t *v = search->basis + depth * search->r;
		size_t p;

		if (*search->budget == 0)
			return false;
		--*search->budget;
		if (!supports_reduce(search, depth, j))
			continue;
		p = search->pivot[depth];
		for (size_t i = 0; i < search->r; i++)
			next[i] = cross(rest[i], v[p], v[i], rest[p]);
		search->set[depth] = j;
		if (depth + 1 < search->size ? !complete(search, depth + 1, j + 1) : false)
			return false;
		if (depth + 1 == search->size && supports_is_zero(next, search->r))
			supports_note(search);
	}
	return true;
}

/* Fills in the vectors of the columns, and the form as the first rest. */
static void
set_up(struct search *search, size_t k, const int64_t *e, const int64_t *x)
{
	size_t *lead = mem_new_array(k, sizeof *lead), at = 0;

	for (size_t i = 0; i < k; i++)
		while (e[i * search->n + lead[i]] == 0)
			lead[i]++;
	for (size_t j = 0, row = 0; j < search->n; j++) {
		if (row < k && lead[row] == j) {
			row++;
			continue;
		}
		for (size_t i = 0; i < k; i++)
			search->vector[lead[i] * search->r + at] = residue(e[i * search->n + j]);
		search->vector[j * search->r + at] = 1;
		search->rest[at++] = residue(x[j]);
	}
	free(lead);
}

bool
supports_find(size_t n, size_t k, const int64_t *e, const int64_t *x, size_t *budget, struct supports *out)
{
	struct search s = {.n = n, .r = n - k, .budget = budget, .out = out};
	bool within = true;

	*out = (struct supports){0};
	s.vector = mem_new_array(n * s.r, sizeof *s.vector);
	s.basis = mem_new_array(s.r * s.r, sizeof *s.basis);
	s.pivot = mem_new_array(s.r, sizeof *s.pivot);
	s.rest = mem_new_array((s.r + 1) * s.r, sizeof *s.rest);
	s.set = mem_new_array(s.r, sizeof *s.set);
	set_up(&s, k, e, x);
	if (supports_is_zero(s.rest, s.r))
		out->n = 1; /* the empty set */
	while (within && out->n == 0 && s.size < s.r) {
		s.size++;
		within = complete(&s, 0, 0);
	}
	out->size = s.size;
	free(s.vector);
	free(s.basis);
	free(s.pivot);
	free(s.rest);
	free(s.set);
	return within && out->n > 0;
}
