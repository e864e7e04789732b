/* Judges which item of memcg:count_memcg_events counts the page faults that the kernel handles (PGFAULT of enum
 * vm_event_item, whose numbers change with every kernel). It makes no system calls: the counts come from the kernel
 * (filter.c) or from a test.
 *
 * Touching a page that is not mapped raises one page fault. Other items rise too, so pages are touched in three ways:
 *
 *   touch           what it needs                          items that rise by 1 for each page (Linux 6.18)
 *   read fresh      nothing: the zero page is mapped       PGFAULT
 *   write fresh     a new page, charged to the cgroup      PGFAULT, PGPGIN
 *   write again     nothing: the page exists, unmapped     PGFAULT
 *
 * Each touch is one fault, so an item that rises less often than pages were touched is excluded for good. Other faults
 * may occur in between (such as for a page of hecate's own code). The software event page-faults counts them at the
 * same time. An item *follows* if it was never too low, and equal to the software event in several tries of each touch.
 */
#ifndef COLLECT_PERF_FAULT_ITEM_H
#define COLLECT_PERF_FAULT_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_touch { FAULT_READ_FRESH, FAULT_WRITE_FRESH, FAULT_WRITE_AGAIN, FAULT_TOUCHES };

#define FAULT_ITEMS 256  /* items that are tested; enum vm_event_item has about 110 */
#define FAULT_BATCH 32   /* items that are counted at once */
#define FAULT_ROUNDS 64  /* tries of each touch, at most */
#define FAULT_EQUAL 2    /* tries of each touch in which an item must equal the software event */
#define FAULT_SEVERAL 4  /* most items that are named if several follow */

/* One try: what rose while `touched` pages were touched. */
struct fault_try {
	uint64_t touched, faults;    /* pages; software event page-faults */
	uint64_t count[FAULT_BATCH]; /* events of each item */
};

/* Where the counts come from. Each function returns false if it cannot. */
struct fault_kernel {
	bool (*open)(void *ctx, int first); /* items first … first + FAULT_BATCH - 1 */
	/* fills *t, which is zeroed. Touches more pages in later rounds, so that a batch of another item cannot agree
	 * with the faults in all of them */
	bool (*touch)(void *ctx, enum fault_touch how, size_t round, struct fault_try *t);
	void (*close)(void *ctx);           /* closes the items of the last open(), also if it failed */
	void *ctx;
};

enum fault_finding {
	FAULT_ITEM_FOUND,
	FAULT_ITEM_NONE,      /* no item follows page faults */
	FAULT_ITEM_SEVERAL,   /* several items follow page faults */
	FAULT_ITEM_DISTURBED, /* other faults occurred in nearly all tries, or no fault could be raised */
	FAULT_ITEM_REFUSED,   /* open() failed */
};

struct fault_item {
	enum fault_finding finding;
	int item[FAULT_SEVERAL];   /* items that follow, ascending */
	size_t n;                  /* number of items that follow; may exceed FAULT_SEVERAL */
	/* all tries; tries that failed, or in which an item that is not excluded differed from the faults */
	size_t tries, disturbed;
};

struct fault_item fault_item_find(const struct fault_kernel *);

#endif
