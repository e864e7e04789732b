/* The memory that the kernel writes records into (perf_event_open(2), "MMAP layout"). */
#ifndef COLLECT_PERF_RING_H
#define COLLECT_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	void *base;          /* the page of control, and the data behind it; NULL: none */
	size_t page, size;   /* … of the data, a power of two */
	uint64_t at, head;   /* read up to here; written up to there, when looked */
	unsigned char *wrapped; /* room for a record that goes round the end */
};

/* Maps the ring of an event, of `kb` KiB (a power of two) or less, down to 64, where the limits on locked memory do not
 * allow as much. False and errno. */
bool ring_map(struct ring *, int fd, size_t kb);
void ring_unmap(struct ring *);

void ring_look(struct ring *);                            /* take note of what is written */
/* the next record of that; NULL: none. Valid until the next call */
const void *ring_next(struct ring *, size_t *size);
void ring_release(struct ring *);                         /* what was read may be overwritten */

/* A ring over memory that nobody writes to, for tests; `size` a power of two, records from 0 to `written`. */
void ring_over(struct ring *, void *data, size_t size, uint64_t written);

#endif
