/* A 64-bit checksum of bytes that arrive in pieces. The same bytes give the same sum, whatever the pieces; different
 * bytes very likely give a different sum. The sum shows whether a file is still the one that was read. It is no defence
 * against a person who forges a file. */
#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

struct checksum {
	uint64_t lane[4], n;    /* n: bytes so far */
	unsigned char rest[32]; /* the last n % 32 bytes, not in the lanes yet */
};

void checksum_begin(struct checksum *);
void checksum_add(struct checksum *, const void *p, size_t n);
uint64_t checksum_value(const struct checksum *); /* more bytes may be added afterwards */

#endif
