/* Weighted sums of the rows of a table, many columns at once. Loads of pairs weigh the rows of all receivers for each
 * sender, which is most of the work of a snapshot that has them. Private to core/network. */
#ifndef CORE_NETWORK_MIX_H
#define CORE_NETWORK_MIX_H

#include <stddef.h>
#include <string.h>

/* Two columns. Wider vectors would not stay in registers on every x86-64. */
typedef double mix_two __attribute__((vector_size(2 * sizeof(double))));

static inline mix_two
mix_load(const double *from)
{
	mix_two value;

	memcpy(&value, from, sizeof value);
	return value;
}

static inline void
mix_store(double *to, mix_two value)
{
	memcpy(to, &value, sizeof value);
}

/* Returns the width of a row of n columns: whole vectors. */
static inline size_t
mix_width(size_t n)
{
	return (n + 1) / 2 * 2;
}

#define MIX_MOST 4 /* vectors of a block */

/* mix_rows() for a block of columns. Even and odd rows have sums of their own: one addition need not wait for the
 * other. `vectors` is a constant of the caller. */
static inline __attribute__((always_inline)) void
mix_block(const double *weight, const double *row, size_t n, size_t width, double *out, size_t vectors)
{
	mix_two even[MIX_MOST] = {0}, odd[MIX_MOST] = {0};
	size_t i = 0;

	for (; i + 2 <= n; i += 2, row += 2 * width) {
#pragma GCC unroll 4
		for (size_t v = 0; v < vectors; v++) {
			even[v] += weight[i] * mix_load(row + 2 * v);
			odd[v] += weight[i + 1] * mix_load(row + width + 2 * v);
		}
	}
#pragma GCC unroll 4
	for (size_t v = 0; v < vectors; v++) {
		if (i < n)
			even[v] += weight[i] * mix_load(row + 2 * v);
		mix_store(out + 2 * v, even[v] + odd[v]);
	}
}

/* out[x] = Σ weight[i] · row[i · width + x], for x below the width. */
static inline void
mix_rows(const double *weight, const double *row, size_t n, size_t width, double *out)
{
	size_t x = 0;

	for (; x + 8 <= width; x += 8)
		mix_block(weight, row + x, n, width, out + x, 4);
	if (x + 6 == width)
		mix_block(weight, row + x, n, width, out + x, 3);
	else if (x + 4 == width)
		mix_block(weight, row + x, n, width, out + x, 2);
	else if (x + 2 == width)
		mix_block(weight, row + x, n, width, out + x, 1);
}

/* Returns Σ weight[i]. */
static inline double
mix_sum(const double *weight, size_t n)
{
	mix_two a = {0}, b = {0};
	double rest = 0;
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		a += mix_load(weight + i);
		b += mix_load(weight + i + 2);
	}
	for (; i < n; i++)
		rest += weight[i];
	a += b;
	return a[0] + a[1] + rest;
}

/* out[i] += in[i] */
static inline void
mix_add(double *out, const double *in, size_t n)
{
	size_t i = 0;

	for (; i + 2 <= n; i += 2)
		mix_store(out + i, mix_load(out + i) + mix_load(in + i));
	for (; i < n; i++)
		out[i] += in[i];
}

/* out[i] *= by[i] */
static inline void
mix_multiply(double *out, const double *by, size_t n)
{
	size_t i = 0;

	for (; i + 2 <= n; i += 2)
		mix_store(out + i, mix_load(out + i) * mix_load(by + i));
	for (; i < n; i++)
		out[i] *= by[i];
}

/* out[i] += a[i] · b[i] */
static inline void
mix_add_products(double *out, const double *a, const double *b, size_t n)
{
	size_t i = 0;

	for (; i + 2 <= n; i += 2)
		mix_store(out + i, mix_load(out + i) + mix_load(a + i) * mix_load(b + i));
	for (; i < n; i++)
		out[i] += a[i] * b[i];
}

/* out[i] += times · in[i] */
static inline void
mix_add_scaled(double *out, double times, const double *in, size_t n)
{
	size_t i = 0;

	for (; i + 2 <= n; i += 2)
		mix_store(out + i, mix_load(out + i) + times * mix_load(in + i));
	for (; i < n; i++)
		out[i] += times * in[i];
}

/* Returns Σ a[i] · b[i]. */
static inline double
mix_dot(const double *a, const double *b, size_t n)
{
	mix_two x = {0}, y = {0};
	double rest = 0;
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		x += mix_load(a + i) * mix_load(b + i);
		y += mix_load(a + i + 2) * mix_load(b + i + 2);
	}
	for (; i < n; i++)
		rest += a[i] * b[i];
	x += y;
	return x[0] + x[1] + rest;
}

/* Returns a, but 0 where `times` is not above 0, whatever a is. */
static inline mix_two
mix_taken(mix_two times, mix_two a)
{
	typedef long long bits __attribute__((vector_size(2 * sizeof(long long))));

	return (mix_two)((bits)a & (bits)(times > 0));
}

/* out[i] += times[i] · in[i] where times[i] > 0: in[i] may be unknown elsewhere */
static inline void
mix_add_taken(double *out, const double *times, const double *in, size_t n)
{
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		mix_two t = mix_load(times + i);

		mix_store(out + i, mix_load(out + i) + mix_taken(t, t * mix_load(in + i)));
	}
	for (; i < n; i++)
		out[i] += times[i] > 0 ? times[i] * in[i] : 0;
}

/* Returns Σ times[i] · in[i] where times[i] > 0. */
static inline double
mix_dot_taken(const double *times, const double *in, size_t n)
{
	mix_two sum = {0};
	double rest = 0;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		mix_two t = mix_load(times + i);

		sum += mix_taken(t, t * mix_load(in + i));
	}
	for (; i < n; i++)
		rest += times[i] > 0 ? times[i] * in[i] : 0;
	return sum[0] + sum[1] + rest;
}

#endif
