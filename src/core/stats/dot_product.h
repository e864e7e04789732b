/* Inner loops over short vectors of doubles. A verdict spends most of its time in them. They work on pairs and keep
 * several partial sums, because a compiler may not reorder a sum of doubles by itself. */
#ifndef CORE_STATS_DOT_PRODUCT_H
#define CORE_STATS_DOT_PRODUCT_H

#include <stddef.h>
#include <string.h>

typedef double dot_pair __attribute__((vector_size(16)));

static inline dot_pair
dot_load(const double *a)
{
	dot_pair x;

	memcpy(&x, a, sizeof x);
	return x;
}

static inline double
dot(const double *a, const double *b, size_t n)
{
	dot_pair s = {0, 0}, t = {0, 0}, u = {0, 0}, v = {0, 0};
	size_t i = 0;
	double sum;

	for (; i + 8 <= n; i += 8) {
		s += dot_load(a + i) * dot_load(b + i);
		t += dot_load(a + i + 2) * dot_load(b + i + 2);
		u += dot_load(a + i + 4) * dot_load(b + i + 4);
		v += dot_load(a + i + 6) * dot_load(b + i + 6);
	}
	for (; i + 2 <= n; i += 2)
		s += dot_load(a + i) * dot_load(b + i);
	s += t;
	u += v;
	s += u;
	sum = s[0] + s[1];
	return i < n ? sum + a[i] * b[i] : sum;
}

/* x := f x */
static inline void
dot_scale(double *x, double f, size_t n)
{
	dot_pair g = {f, f};
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		dot_pair t = g * dot_load(x + i);

		memcpy(x + i, &t, sizeof t);
	}
	if (i < n)
		x[i] *= f;
}

/* x := x − f y */
static inline void
dot_subtract(double *x, double f, const double *y, size_t n)
{
	dot_pair g = {f, f};
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		dot_pair t = dot_load(x + i) - g * dot_load(y + i);

		memcpy(x + i, &t, sizeof t);
	}
	if (i < n)
		x[i] -= f * y[i];
}

#endif
