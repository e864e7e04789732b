/* How many µpaths: a count that grows without bound. Small ones are a machine word; GMP takes over when that is full.
 */
#ifndef CORE_CONE_PATHS_GMP_H
#define CORE_CONE_PATHS_GMP_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialised it is 0. */
struct paths {
	uint64_t small;
	struct paths_big *big; /* NULL while `small` holds it all */
};

void paths_add(struct paths *into, const struct paths *from);
void paths_copy(struct paths *into, const struct paths *from); /* `into` must be fresh */
bool paths_is_zero(const struct paths *);
char *paths_text(const struct paths *); /* decimal; the caller frees */
void paths_free(struct paths *);

#endif
