/* Reads the bytes of a record from the front. Private to collect/perf. */
#ifndef COLLECT_PERF_RECORD_BYTES_H
#define COLLECT_PERF_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct bytes {
	const unsigned char *at, *end;
};

/* False if fewer than n bytes are left. */
static inline bool
bytes_take(struct bytes *b, void *to, size_t n)
{
	if ((size_t)(b->end - b->at) < n)
		return false;
	memcpy(to, b->at, n);
	b->at += n;
	return true;
}

/* A name that ends with a NUL or with the record: copies what fits into `size` bytes, and leaves the last byte as it
 * is. */
static inline void
bytes_copy_name(struct bytes b, char *to, size_t size)
{
	size_t n = strnlen((const char *)b.at, (size_t)(b.end - b.at));

	memcpy(to, b.at, n < size - 1 ? n : size - 1);
}

#endif
