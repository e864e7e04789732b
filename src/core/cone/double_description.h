/* Facets and extreme rays of a pointed, full-dimensional cone that is given by integer rays. PPL's double description
 * computes them. */
#ifndef CORE_CONE_DOUBLE_DESCRIPTION_H
#define CORE_CONE_DOUBLE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct double_description {
	size_t n_facets, n_rays;
	int64_t *facet;      /* n_facets × n: each a means a·v ≥ 0; greatest common divisor 1, in no particular order */
	int64_t *ray;        /* n_rays × n: the extreme rays, greatest common divisor 1, in no particular order */
	size_t n_lost;       /* number of facets left out because a coefficient exceeds 64 bits */
	const char *failure; /* why there is no result, a literal; or NULL */
};

/* `seconds` is the CPU time that PPL may take. Call double_description_free() on the result, even after a failure. */
void double_description_find(size_t n, size_t m, const int64_t *ray, double seconds, struct double_description *out);
void double_description_free(struct double_description *);

#endif
