/* The event queue: a wheel of one slot per tick, and a heap for what is further away. A node waits for one event at a
 * time. Events of one tick come in the order in which they were added. */
#ifndef SIM_SERVER_WHEEL_H
#define SIM_SERVER_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WHEEL_SLOTS 16384u
#define WHEEL_NONE UINT32_MAX

struct wheel_far {
	uint64_t time, order;
	uint32_t node;
};

struct wheel {
	uint64_t now;
	uint64_t busy[WHEEL_SLOTS / 64]; /* set of slots with events */
	uint32_t last[WHEEL_SLOTS];      /* the last event of a slot, whose next is the first */
	uint32_t *next;                  /* per node */
	size_t n_nodes;
	struct wheel_far *far; /* heap by time, then order */
	size_t n_far, cap;
	uint64_t order;
};

struct wheel *wheel_new(size_t n_nodes);
void wheel_free(struct wheel *);
void wheel_grow(struct wheel *, size_t n_nodes);
/* `time` must not be before the wheel's time. */
void wheel_add(struct wheel *, uint64_t time, uint32_t node);
/* Takes the next event up to and at `end`, and sets `now` to its time. WHEEL_NONE: there is none; `now` is `end`. */
uint32_t wheel_take(struct wheel *, uint64_t end);

#endif
