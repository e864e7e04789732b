/* The double description method: a cone is kept by its rays and by its facets, and grows ray by ray. Each facet has a
 * bit set of the rays that lie on it. d is the dimension of the cone's span. A new ray r falls into one of three cases.
 *
 * 1. r is outside the span (some equality has e·r ≠ 0). The cone becomes a pyramid with apex r. The equality e becomes
 * the facet opposite to r. A multiple of e is added to each old facet and to each other equality so that its value on r
 * becomes 0. The dimension rises by 1.
 *
 * 2. r is inside the cone (all facets have f·r ≥ 0). Nothing changes.
 *
 * 3. Some facets have g·r < 0: they see r from outside and are dropped. Let f be a neighbour of g with f·r > 0. f and g
 * meet in a ridge, and this ridge and r span a new facet. It is the combination of f and g that vanishes on r:
 *
 *              r                  new facet: (f·r) g − (g·r) f
 *             . .                 its rays: those on both f and g, and r
 *     f ____ridge____ g
 *
 * Two facets are neighbours if no third facet holds all rays that lie on both. A pair with fewer than d − 2 common rays
 * cannot be neighbours; that test comes first because it is cheap. Source: Fukuda and Prodon, Double description method
 * revisited (1996).
 *
 * All numbers have 64 bits and all products 128. A number that does not fit ends the computation. */
#include "core/cone/insertion.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/int128.h"
#include "base/mem.h"

#define UNITS_PER_LOOK 65536         /* set operations between two reads of the clock, well below a millisecond */

struct insertion_state {
	size_t dim, words;
	size_t cap_facets;
	uint64_t *on;     /* cap_facets × words: the set of rays on each facet */
	int64_t *value;   /* cap_facets: the value of each facet on the new ray */
	i128 *wide;       /* n: a row before it is narrowed to 64 bits */
	size_t *entry;    /* n: the columns in which the new ray is not 0 */
	uint64_t *common; /* words: the rays that lie on both facets of a pair */
	double deadline;
	size_t units;
};

static bool
room_for_facet(struct insertion *insertion)
{
	struct insertion_state *state = insertion->state;
	size_t bytes = (insertion->n + 1) * sizeof *insertion->facet + state->words * sizeof(uint64_t);

	if (insertion->n_facets >= insertion->bytes_max / bytes)
		return false;
	if (insertion->n_facets < state->cap_facets)
		return true;
	state->cap_facets = state->cap_facets ? 2 * state->cap_facets : 64;
	insertion->facet = mem_resize(insertion->facet, state->cap_facets * insertion->n, sizeof *insertion->facet);
	state->on = mem_resize(state->on, state->cap_facets * state->words, sizeof *state->on);
	state->value = mem_resize(state->value, state->cap_facets, sizeof *state->value);
	return true;
}

/* Divides state->wide by its greatest common divisor and writes it to `out`; false when it does not fit. */
static bool
insertion_narrow(const struct insertion *insertion, int64_t *out)
{
	const i128 *wide = insertion->state->wide;
	uint64_t g = 0;

	for (size_t j = 0; j < insertion->n && g != 1; j++) {
		i128 size = wide[j] < 0 ? -wide[j] : wide[j];

		if (size > INT64_MAX) /* rare: the full width must be divided first */
			g = g ? u64_gcd(g, (uint64_t)(size % g)) : 0;
		else
			g = u64_gcd(g, (uint64_t)size);
		if (size > INT64_MAX && g == 0)
			return false;
	}
	for (size_t j = 0; j < insertion->n; j++) {
		i128 t = g > 1 ? wide[j] / (i128)g : wide[j];

		if (t > INT64_MAX || t < -INT64_MAX)
			return false;
		out[j] = (int64_t)t;
	}
	return true;
}

/* Writes a x + b y, narrowed, to `out`; false when it does not fit. */
static bool
insertion_combine(const struct insertion *c, int64_t a, const int64_t *x, int64_t b, const int64_t *y, int64_t *out)
{
	i128 *wide = c->state->wide;

	/* The factors are below 2^63, so the sum of two such products stays below 2^127. */
	for (size_t j = 0; j < c->n; j++)
		wide[j] = (i128)a * x[j] + (i128)b * y[j];
	return insertion_narrow(c, out);
}

/* The row's value on v. v is 0 in all columns but the k listed ones. */
static bool
product(const struct insertion *c, const int64_t *row, const int64_t *v, size_t k, int64_t *out)
{
	const size_t *entry = c->state->entry;
	i128 sum = 0;

	for (size_t t = 0; t < k; t++)
		if (__builtin_add_overflow(sum, (i128)row[entry[t]] * v[entry[t]], &sum))
			return false;
	*out = (int64_t)sum;
	return sum <= INT64_MAX && sum >= -INT64_MAX;
}

static size_t
find_entries(struct insertion *c, const int64_t *v)
{
	size_t k = 0;

	for (size_t j = 0; j < c->n; j++)
		if (v[j])
			c->state->entry[k++] = j;
	return k;
}

/* Adds the new ray to the list of rays. insertion_put() then adds it to the sets of its facets. */
static void
take_ray(struct insertion *c, const int64_t *v)
{
	memcpy(c->ray + c->n_rays++ * c->n, v, c->n * sizeof *v);
}

static void
insertion_put(struct insertion *c, size_t facet, size_t ray)
{
	c->state->on[facet * c->state->words + ray / 64] |= UINT64_C(1) << (ray % 64);
}

/* Makes the pyramid with apex v (case 1). q holds the values of the equalities on v; that of e is not 0. */
static enum insertion_end
raise_apex(struct insertion *insertion, const int64_t *v, size_t k, const int64_t *q, size_t e)
{
	struct insertion_state *state = insertion->state;
	size_t n = insertion->n, last = insertion->n_equalities - 1, apex = insertion->n_rays;
	int64_t *base = insertion->equality + e * n, height = q[e], p;

	for (size_t j = 0; j < n && height < 0; j++)
		base[j] = -base[j];
	height = height < 0 ? -height : height;
	for (size_t f = 0; f < insertion->n_facets; f++) {
		if (!product(insertion, insertion->facet + f * n, v, k, &p) ||
			!insertion_combine(
				insertion, height, insertion->facet + f * n, -p, base, insertion->facet + f * n))
			return INSERTION_WIDE;
		insertion_put(insertion, f, apex);
	}
	for (size_t i = 0; i < insertion->n_equalities; i++)
		if (i != e && q[i] &&
			!insertion_combine(insertion, height, insertion->equality + i * n, -q[i], base,
				insertion->equality + i * n))
			return INSERTION_WIDE;
	if (!room_for_facet(insertion))
		return INSERTION_CROWDED;
	memcpy(insertion->facet + insertion->n_facets * n, base, n * sizeof *base);
	memset(state->on + insertion->n_facets * state->words, 0, state->words * sizeof *state->on);
	for (size_t i = 0; i < insertion->n_rays; i++)
		insertion_put(insertion, insertion->n_facets, i);
	insertion->n_facets++;
	memmove(base, base + n, (last - e) * n * sizeof *base);
	insertion->n_equalities = last;
	take_ray(insertion, v);
	state->dim++;
	return INSERTION_DONE;
}

/* Counts work, and reads the clock now and then. Returns false when the time is up. */
static bool
in_time(struct insertion_state *s, size_t units)
{
	s->units += units;
	if (s->units < UNITS_PER_LOOK)
		return true;
	s->units = 0;
	return clock_seconds() < s->deadline;
}

/* Returns whether facets f and g are neighbours; state->common gets their common rays. *hint is a facet that recently
 * held all common rays of another pair. It is tried first, because it often holds those of the next pair too. */
static bool
are_neighbours(struct insertion *insertion, size_t old, size_t f, size_t g, size_t *hint)
{
	struct insertion_state *state = insertion->state;
	size_t words = state->words, count = 0, h;
	const uint64_t *a = state->on + f * words, *b = state->on + g * words;

	for (size_t w = 0; w < words; w++) {
		state->common[w] = a[w] & b[w];
		count += (size_t)__builtin_popcountll(state->common[w]);
	}
	state->units += words;
	if (count + 2 < state->dim)
		return false;
	for (size_t turn = 0; turn <= old; turn++) {
		const uint64_t *o;
		size_t w = 0;

		h = turn == 0 ? *hint : turn - 1;
		if (h == f || h == g || h >= old)
			continue;
		o = state->on + h * words;
		while (w < words && !(state->common[w] & ~o[w]))
			w++;
		state->units += w + 1;
		if (w == words) {
			*hint = h;
			return false;
		}
	}
	return true;
}

/* Adds the facets of case 3: each is spanned by the ray and by the ridge between a facet that sees it (value < 0) and
 * one that does not (value > 0). */
static enum insertion_end
span_ridges(struct insertion *insertion, size_t old, size_t ray)
{
	struct insertion_state *state = insertion->state;
	size_t hint = 0;

	for (size_t g = 0; g < old; g++) {
		if (state->value[g] >= 0)
			continue;
		for (size_t f = 0; f < old; f++) {
			size_t at = insertion->n_facets;

			if (state->value[f] <= 0)
				continue;
			if (!in_time(state, 1))
				return INSERTION_LATE;
			if (!are_neighbours(insertion, old, f, g, &hint))
				continue;
			if (!room_for_facet(insertion))
				return INSERTION_CROWDED;
			if (!insertion_combine(insertion, state->value[f], insertion->facet + g * insertion->n,
				    -state->value[g], insertion->facet + f * insertion->n,
				    insertion->facet + at * insertion->n))
				return INSERTION_WIDE;
			memcpy(state->on + at * state->words, state->common, state->words * sizeof *state->common);
			state->value[at] = 0;
			insertion->n_facets++;
			insertion_put(insertion, at, ray);
		}
	}
	return INSERTION_DONE;
}

static void
drop_negative(struct insertion *insertion)
{
	struct insertion_state *state = insertion->state;
	size_t kept = 0;

	for (size_t f = 0; f < insertion->n_facets; f++) {
		if (state->value[f] < 0)
			continue;
		if (kept < f) {
			memcpy(insertion->facet + kept * insertion->n, insertion->facet + f * insertion->n,
				insertion->n * sizeof *insertion->facet);
			memcpy(state->on + kept * state->words, state->on + f * state->words,
				state->words * sizeof *state->on);
		}
		kept++;
	}
	insertion->n_facets = kept;
}

static enum insertion_end
add_within_span(struct insertion *insertion, const int64_t *v, size_t k)
{
	struct insertion_state *state = insertion->state;
	size_t old = insertion->n_facets, ray = insertion->n_rays;
	enum insertion_end end;
	bool inside = true;

	for (size_t f = 0; f < old; f++) {
		if (!product(insertion, insertion->facet + f * insertion->n, v, k, &state->value[f]))
			return INSERTION_WIDE;
		inside &= state->value[f] >= 0;
	}
	if (inside)
		return in_time(state, old) ? INSERTION_DONE : INSERTION_LATE;
	for (size_t f = 0; f < old; f++)
		if (state->value[f] == 0)
			insertion_put(insertion, f, ray);
	end = span_ridges(insertion, old, ray);
	if (end != INSERTION_DONE)
		return end;
	drop_negative(insertion);
	take_ray(insertion, v);
	return INSERTION_DONE;
}

static enum insertion_end
add(struct insertion *c, const int64_t *v, int64_t *q)
{
	size_t k = find_entries(c, v), best = SIZE_MAX;

	for (size_t i = 0; i < c->n_equalities; i++) {
		if (!product(c, c->equality + i * c->n, v, k, &q[i]))
			return INSERTION_WIDE;
		if (q[i] && (best == SIZE_MAX || llabs(q[i]) < llabs(q[best])))
			best = i;
	}
	return best == SIZE_MAX ? add_within_span(c, v, k) : raise_apex(c, v, k, q, best);
}

enum insertion_end
insertion_add(struct insertion *c, size_t m, const int64_t *vector)
{
	int64_t *q = mem_new_array(c->n, sizeof *q);
	enum insertion_end end = INSERTION_DONE;

	for (size_t i = 0; i < m && end == INSERTION_DONE; i++)
		end = add(c, vector + i * c->n, q);
	free(q);
	return end;
}

void
insertion_open(struct insertion *insertion, size_t n, size_t n_equalities, const int64_t *equality, size_t n_facets,
	const int64_t *facet, size_t n_rays, const int64_t *ray, size_t room, double deadline)
{
	struct insertion_state *state = mem_new(sizeof *state);

	*insertion = (struct insertion){.n = n,
		.bytes_max = INSERTION_BYTES_MAX,
		.n_equalities = n_equalities,
		.n_facets = n_facets,
		.n_rays = n_rays,
		.state = state};
	state->dim = n - n_equalities;
	state->words = (n_rays + room + 63) / 64;
	state->deadline = deadline;
	state->cap_facets = n_facets + 64;
	insertion->equality = mem_copy(equality, n_equalities * n * sizeof *equality);
	insertion->facet = mem_new_array(state->cap_facets * n, sizeof *insertion->facet);
	insertion->ray = mem_new_array((n_rays + room) * n, sizeof *insertion->ray);
	memcpy(insertion->facet, facet, n_facets * n * sizeof *facet);
	memcpy(insertion->ray, ray, n_rays * n * sizeof *ray);
	state->on = mem_new_array(state->cap_facets * state->words, sizeof *state->on);
	state->value = mem_new_array(state->cap_facets, sizeof *state->value);
	state->wide = mem_new_array(n, sizeof *state->wide);
	state->entry = mem_new_array(n, sizeof *state->entry);
	state->common = mem_new_array(state->words, sizeof *state->common);
	for (size_t i = 0; i < n_rays; i++) {
		size_t k = find_entries(insertion, ray + i * n);

		for (size_t f = 0; f < n_facets; f++) {
			int64_t p;

			if (product(insertion, facet + f * n, ray + i * n, k, &p) && p == 0)
				insertion_put(insertion, f, i);
		}
	}
}

void
insertion_open_empty(struct insertion *c, size_t n, size_t room, double deadline)
{
	int64_t *unit = mem_new_array(n * n, sizeof *unit);

	for (size_t i = 0; i < n; i++)
		unit[i * n + i] = 1;
	insertion_open(c, n, n, unit, 0, unit, 0, unit, room, deadline);
	free(unit);
}

/* A ray is extreme if no other ray lies on all of its facets. */
void
insertion_keep_extreme(struct insertion *insertion)
{
	struct insertion_state *state = insertion->state;
	size_t words = (insertion->n_facets + 63) / 64, kept = 0;
	uint64_t *of = mem_new_array(
		insertion->n_rays * words, sizeof *of); /* per ray, the set of facets that it lies on */
	bool *extreme = mem_new_array(insertion->n_rays, sizeof *extreme);

	for (size_t f = 0; f < insertion->n_facets; f++)
		for (size_t i = 0; i < insertion->n_rays; i++)
			if (state->on[f * state->words + i / 64] >> (i % 64) & 1)
				of[i * words + f / 64] |= UINT64_C(1) << (f % 64);
	for (size_t i = 0; i < insertion->n_rays; i++) {
		extreme[i] = true;
		for (size_t k = 0; k < insertion->n_rays && extreme[i]; k++) {
			size_t w = 0;

			while (w < words && !(of[i * words + w] & ~of[k * words + w]))
				w++;
			extreme[i] = k == i || w < words;
		}
	}
	for (size_t i = 0; i < insertion->n_rays; i++)
		if (extreme[i])
			memmove(insertion->ray + kept++ * insertion->n, insertion->ray + i * insertion->n,
				insertion->n * sizeof *insertion->ray);
	insertion->n_rays = kept;
	free(of);
	free(extreme);
}

void
insertion_close(struct insertion *insertion)
{
	free(insertion->equality);
	free(insertion->facet);
	free(insertion->ray);
	free(insertion->state->on);
	free(insertion->state->value);
	free(insertion->state->wide);
	free(insertion->state->entry);
	free(insertion->state->common);
	free(insertion->state);
	*insertion = (struct insertion){0};
}
