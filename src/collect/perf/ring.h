/* The memory into which the kernel writes records (perf_event_open(2), "MMAP layout"). */
#ifndef COLLECT_PERF_RING_H
#define COLLECT_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	void *base;          /* the control page, followed by the data; NULL: none */
	size_t page, size;   /* size of the data, a power of two */
	uint64_t at, head;   /* at: position of reading; head: end of the written data at the last ring_poll() */
	unsigned char *wrapped; /* copy of a record that wraps around the end */
};

/* Maps the ring of an event: `kb` KiB (a power of two), or less, down to 64, if the limit on locked memory requires it.
 * On failure returns false and sets errno. */
bool ring_map(struct ring *, int fd, size_t kb);
void ring_unmap(struct ring *);

void ring_poll(struct ring *);                            /* notes how far the kernel has written */
/* Returns the next record before `head`; NULL: none. It is valid until the next call. */
const void *ring_next(struct ring *, size_t *size);
void ring_release(struct ring *);                         /* lets the kernel overwrite what was read */

/* Makes a ring over constant memory, for tests: `size` is a power of two, the records are from 0 to `written`. */
void ring_over(struct ring *, void *data, size_t size, uint64_t written);

#endif
