/* Example: one µpath refers to L1 twice and to L2 once. Its signature lies half-way between that of three references to
 * L1 and its mirror image.
 *
 * For each vector v and each small step d, the vector is not needed if v + d and v − d are both among the vectors. d
 * adds one event, or exchanges one event for another. All such vectors may be dropped at once: the vertices of the
 * convex hull are never midpoints, and they span the same cone. The hash is linear in the vector, so the hash of v ± d
 * costs one addition. */
#include "core/cone/facets.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"

#define PROBES_MAX 20000000 /* look-ups in all, about a second; vectors not examined by then count as needed */

struct table {
	size_t n, mask;
	const int64_t *vector;
	size_t *slot;     /* vector number + 1; 0 is a free slot */
	uint64_t *weight; /* the hashes of the unit vectors */
	int64_t *probe;
};

static uint64_t
hash(const struct table *t, const int64_t *v)
{
	uint64_t h = 0;

	for (size_t j = 0; j < t->n; j++)
		h += (uint64_t)v[j] * t->weight[j];
	return h;
}

/* Returns whether t->probe, whose hash is h, is among the vectors. */
static bool
present(const struct table *t, uint64_t h)
{
	for (size_t i = (size_t)(h >> 20) & t->mask; t->slot[i]; i = (i + 1) & t->mask)
		if (memcmp(t->vector + (t->slot[i] - 1) * t->n, t->probe, t->n * sizeof *t->probe) == 0)
			return true;
	return false;
}

/* Returns whether v + d and v − d are both among the vectors, where d is +1 at a and −1 at b (b == n: +1 at a only).
 * The probe holds v before and after. */
static bool
between(const struct table *table, uint64_t h, size_t a, size_t b)
{
	uint64_t step = table->weight[a] - (b < table->n ? table->weight[b] : 0);
	bool both = true;

	for (int sign = 1; both && sign >= -1; sign -= 2) {
		table->probe[a] += sign;
		if (b < table->n)
			table->probe[b] -= sign;
		both = present(table, sign > 0 ? h + step : h - step);
		table->probe[a] -= sign;
		if (b < table->n)
			table->probe[b] += sign;
	}
	return both;
}

void
midpoints_find(size_t n, size_t m, const int64_t *vector, bool *needed)
{
	struct table t = {.n = n, .mask = 15, .vector = vector};
	size_t *used = mem_new_array(n + 1, sizeof *used), probes = 0;

	while (t.mask < 4 * m)
		t.mask = 2 * t.mask + 1;
	t.slot = mem_new_array(t.mask + 1, sizeof *t.slot);
	t.weight = mem_new_array(n, sizeof *t.weight);
	t.probe = mem_new_array(n, sizeof *t.probe);
	for (size_t j = 0; j < n; j++)
		t.weight[j] = random_scatter(j + 1);
	for (size_t i = 0; i < m; i++) {
		size_t at = (size_t)(hash(&t, vector + i * n) >> 20) & t.mask;

		while (t.slot[at])
			at = (at + 1) & t.mask;
		t.slot[at] = i + 1;
	}
	for (size_t i = 0; i < m; i++) {
		uint64_t h = hash(&t, vector + i * n);
		size_t k = 0;

		memcpy(t.probe, vector + i * n, n * sizeof *t.probe);
		for (size_t j = 0; j < n; j++)
			if (t.probe[j] > 0 && t.probe[j] < INT64_MAX)
				used[k++] = j;
		used[k] = n;
		needed[i] = true;
		if ((probes += k * (k + 1)) > PROBES_MAX)
			continue;
		for (size_t a = 0; a < k && needed[i]; a++)
			for (size_t b = a + 1; b <= k && needed[i]; b++)
				needed[i] = !between(&t, h, used[a], used[b]);
	}
	free(t.slot);
	free(t.weight);
	free(t.probe);
	free(used);
}
