/* A 64-bit sum of bytes that come in pieces: the same bytes give the same sum, however they are cut; others very likely
 * do not. It tells whether a file is still the one that was read, and is no defence against somebody who wants it to be
 * taken for that one. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct checksum {
	uint64_t lane[4], n; /* n: bytes so far */
	unsigned char rest[32]; /* n % 32 of them that are not in the lanes yet */
};

void checksum_begin(struct checksum *);
void checksum_add(struct checksum *, const void *p, size_t n);
uint64_t checksum_value(const struct checksum *); /* more may be added afterwards */

#endif
