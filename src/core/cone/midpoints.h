/* Recognises signatures that lie half-way between two others. Most signatures of a model do, and none of them is needed
 * as a ray. */
#ifndef CORE_CONE_MIDPOINTS_H
#define CORE_CONE_MIDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets needed[i] to false for vectors that are the midpoint of two others. There are m distinct vectors without
 * negative entries, row major in n columns. Every vector that the conic hull needs stays true. */
void midpoints_find(size_t n, size_t m, const int64_t *vector, bool *needed);

#endif
