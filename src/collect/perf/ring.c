#include "collect/perf/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

#define LEAST_KB 64
#define LONGEST_RECORD 65536

bool
ring_map(struct ring *ring, int fd, size_t kb)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	*ring = (struct ring){.page = page};
	for (;; kb /= 2) {
		size_t size = kb * 1024 < page ? page : kb * 1024;
		void *p = mmap(NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (p != MAP_FAILED) {
			ring->base = p;
			ring->size = size;
			ring->wrapped = mem_new(LONGEST_RECORD);
			return true;
		}
		if ((errno != EPERM && errno != ENOMEM) || kb <= LEAST_KB)
			return false;
	}
}

void
ring_over(struct ring *r, void *data, size_t size, uint64_t written)
{
	*r = (struct ring){.base = data, .size = size, .head = written, .wrapped = mem_new(LONGEST_RECORD)};
}

void
ring_unmap(struct ring *r)
{
	if (r->base && r->page)
		munmap(r->base, r->page + r->size);
	free(r->wrapped);
	*r = (struct ring){0};
}

void
ring_poll(struct ring *r)
{
	const struct perf_event_mmap_page *control = r->base;

	if (r->page)
		r->head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
}

void
ring_release(struct ring *r)
{
	struct perf_event_mmap_page *control = r->base;

	if (r->page)
		__atomic_store_n(&control->data_tail, r->at, __ATOMIC_RELEASE);
}

const void *
ring_next(struct ring *ring, size_t *size)
{
	const unsigned char *data = (const unsigned char *)ring->base + ring->page;
	size_t at = ring->at & (ring->size - 1);
	struct perf_event_header h;

	if (ring->head - ring->at < sizeof h)
		return NULL;
	/* lengths of records are multiples of 8, so a header never wraps around the end */
	memcpy(&h, data + at, sizeof h);
	if (h.size < sizeof h || h.size % 8 || h.size > ring->head - ring->at) {
		ring->at = ring->head; /* the kernel writes no such record: skip everything */
		return NULL;
	}
	ring->at += h.size;
	*size = h.size;
	if (at + h.size <= ring->size)
		return data + at;
	memcpy(ring->wrapped, data + at, ring->size - at);
	memcpy(ring->wrapped + (ring->size - at), data, h.size - (ring->size - at));
	return ring->wrapped;
}
