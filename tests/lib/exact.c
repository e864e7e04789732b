#include "exact.h"

#include <stdlib.h>

#include "base/mem.h"

static i128
gcd(i128 a, i128 b)
{
	while (b) {
		i128 r = a % b;

		a = b;
		b = r;
	}
	return a < 0 ? -a : a;
}

struct fraction
fraction(i128 num, i128 den)
{
	i128 g = gcd(num, den);

	g = den < 0 ? -g : g;
	return (struct fraction){num / g, den / g};
}

struct fraction
fraction_add(struct fraction a, struct fraction b)
{
	return fraction(a.num * b.den + b.num * a.den, a.den * b.den);
}

struct fraction
fraction_multiply(struct fraction a, struct fraction b)
{
	return fraction(a.num * b.num, a.den * b.den);
}

struct fraction
fraction_negative(struct fraction a)
{
	return (struct fraction){-a.num, a.den};
}

/* Gauss–Jordan elimination of an m × n matrix; the last `extra` columns are carried along. pivot[r] is the column of
 * row r. */
static size_t
eliminate(size_t m, size_t n, size_t extra, struct fraction *a, size_t *pivot)
{
	size_t r = 0, w = n + extra;

	for (size_t c = 0; c < n && r < m; c++) {
		size_t p = r;
		struct fraction inverse;

		while (p < m && a[p * w + c].num == 0)
			p++;
		if (p == m)
			continue;
		inverse = fraction(a[p * w + c].den, a[p * w + c].num);
		for (size_t j = 0; j < w; j++) {
			struct fraction t = a[p * w + j];

			a[p * w + j] = a[r * w + j];
			a[r * w + j] = fraction_multiply(t, inverse);
		}
		for (size_t i = 0; i < m; i++) {
			struct fraction f = fraction_negative(a[i * w + c]);

			for (size_t j = 0; j < w && i != r && f.num; j++)
				a[i * w + j] = fraction_add(a[i * w + j], fraction_multiply(f, a[r * w + j]));
		}
		pivot[r++] = c;
	}
	return r;
}

static struct fraction *
as_fractions(size_t n, const int64_t *a)
{
	struct fraction *f = mem_new_array(n, sizeof *f);

	for (size_t i = 0; i < n; i++)
		f[i] = (struct fraction){a[i], 1};
	return f;
}

size_t
exact_rank(size_t m, size_t n, const int64_t *a)
{
	struct fraction *f = as_fractions(m * n, a);
	size_t *pivot = mem_new_array(m, sizeof *pivot), r = eliminate(m, n, 0, f, pivot);

	free(f);
	free(pivot);
	return r;
}

void
exact_kernel(size_t m, size_t n, const int64_t *a, int64_t *x)
{
	struct fraction *f = as_fractions(m * n, a);
	size_t *pivot = mem_new_array(m, sizeof *pivot), r = eliminate(m, n, 0, f, pivot), free_column = 0;
	i128 scale = 1, g = 0, *wide = mem_new_array(n, sizeof *wide);
	int sign = 0;

	while (free_column < r && pivot[free_column] == free_column)
		free_column++;
	for (size_t i = 0; i < r; i++) {
		i128 den = f[i * n + free_column].den;

		scale = scale / gcd(scale, den) * den;
	}
	wide[free_column] = scale;
	for (size_t i = 0; i < r; i++)
		wide[pivot[i]] = -f[i * n + free_column].num * (scale / f[i * n + free_column].den);
	for (size_t j = 0; j < n; j++) {
		g = gcd(g, wide[j]);
		if (!sign && wide[j])
			sign = wide[j] > 0 ? 1 : -1;
	}
	for (size_t j = 0; j < n; j++)
		x[j] = (int64_t)(sign * wide[j] / g);
	free(wide);
	free(f);
	free(pivot);
}

bool
exact_solve(size_t m, size_t n, const struct fraction *a, const struct fraction *b, struct fraction *x)
{
	struct fraction *f = mem_new_array(m * (n + 1), sizeof *f);
	size_t *pivot = mem_new_array(m, sizeof *pivot), r;
	bool solved = true;

	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < n; j++)
			f[i * (n + 1) + j] = a[i * n + j];
		f[i * (n + 1) + n] = b[i];
	}
	r = eliminate(m, n, 1, f, pivot);
	for (size_t i = r; i < m; i++)
		solved &= f[i * (n + 1) + n].num == 0;
	for (size_t j = 0; j < n; j++)
		x[j] = (struct fraction){0, 1};
	for (size_t i = 0; i < r; i++)
		x[pivot[i]] = f[i * (n + 1) + n];
	free(f);
	free(pivot);
	return solved;
}

i128
exact_dot(const int64_t *a, const int64_t *b, size_t n)
{
	i128 s = 0;

	for (size_t i = 0; i < n; i++)
		s += (i128)a[i] * b[i];
	return s;
}
