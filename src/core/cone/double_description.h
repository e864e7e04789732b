/* Facets and extreme rays of a pointed, full-dimensional cone given by integer rays: PPL's double description. */
#ifndef CORE_CONE_DOUBLE_DESCRIPTION_H
#define CORE_CONE_DOUBLE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct double_description {
	size_t n_facets, n_rays;
	int64_t *facet;      /* n_facets × n, each a·v ≥ 0, gcd 1, in no particular order */
	int64_t *ray;        /* n_rays × n, extreme, gcd 1, in no particular order */
	size_t n_lost;       /* facets with a coefficient beyond 64 bits, left out */
	const char *failure; /* why there is nothing, or NULL; a literal */
};

/* `seconds`: CPU time PPL may take. double_description_free() what it fills, whether it failed or not. */
void double_description(size_t n, size_t m, const int64_t *ray, double seconds, struct double_description *out);
void double_description_free(struct double_description *);

#endif
