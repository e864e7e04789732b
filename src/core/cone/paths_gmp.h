/* A number of µpaths, which may become arbitrarily large. Small ones are a machine word; GMP takes over beyond that. */
#ifndef CORE_CONE_PATHS_GMP_H
#define CORE_CONE_PATHS_GMP_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialised, it is the number 0. */
struct paths {
	uint64_t small;
	struct paths_big *big; /* NULL while the number fits into `small` */
};

void paths_add(struct paths *into, const struct paths *from);
void paths_copy(struct paths *into, const struct paths *from); /* `into` must be zero-initialised */
bool paths_is_zero(const struct paths *);
char *paths_text(const struct paths *); /* decimal; the caller frees */
void paths_free(struct paths *);

#endif
