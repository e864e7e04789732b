/* A set of features, by their numbers in the model. A plain value: copy and compare freely. */
#ifndef CORE_UDD_FSET_H
#define CORE_UDD_FSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FSET_MAX 256 /* most features of a model; the parser reports an error if there are more */

struct fset {
	uint64_t w[FSET_MAX / 64];
};

static inline bool
fset_has(const struct fset *s, size_t i)
{
	return s->w[i / 64] >> (i % 64) & 1;
}

static inline void
fset_put(struct fset *s, size_t i, bool on)
{
	uint64_t bit = UINT64_C(1) << (i % 64);

	s->w[i / 64] = on ? s->w[i / 64] | bit : s->w[i / 64] & ~bit;
}

static inline bool
fset_equal(const struct fset *a, const struct fset *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static inline struct fset
fset_minus(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= ~b.w[i];
	return a;
}

static inline struct fset
fset_and(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] &= b.w[i];
	return a;
}

static inline struct fset
fset_or(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] |= b.w[i];
	return a;
}

/* Members of exactly one of the two. */
static inline struct fset
fset_xor(struct fset a, struct fset b)
{
	for (size_t i = 0; i < FSET_MAX / 64; i++)
		a.w[i] ^= b.w[i];
	return a;
}

static inline size_t
fset_count(const struct fset *s)
{
	size_t n = 0;

	for (size_t i = 0; i < FSET_MAX / 64; i++)
		n += (size_t)__builtin_popcountll(s->w[i]);
	return n;
}

static inline bool
fset_is_empty(struct fset s)
{
	return fset_count(&s) == 0;
}

/* Returns true if each member of a is in b. */
static inline bool
fset_within(const struct fset *a, const struct fset *b)
{
	return fset_is_empty(fset_minus(*a, *b));
}

#endif
