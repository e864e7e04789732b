/* Reads the bytes of a record from the front. Private to collect/perf. */
#ifndef COLLECT_PERF_RECORD_BYTES_H
#define COLLECT_PERF_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct bytes {
	const unsigned char *at, *end;
};

/* Returns false if fewer than n bytes are left. */
static inline bool
bytes_take(struct bytes *b, void *to, size_t n)
{
	if ((size_t)(b->end - b->at) < n)
		return false;
	memcpy(to, b->at, n);
	b->at += n;
	return true;
}

/* Copies a name, which ends with a NUL or with the record, as far as it fits into `size` bytes. The last byte stays as
 * it is. */
static inline void
bytes_copy_name(struct bytes b, char *to, size_t size)
{
	size_t n = strnlen((const char *)b.at, (size_t)(b.end - b.at));

	memcpy(to, b.at, n < size - 1 ? n : size - 1);
}

#endif
