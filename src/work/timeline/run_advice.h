/* What would make a run faster, each with the numbers that say so:
 *
 *     612 flushes of vda, one every 5.4 ms, 1.6 ms a write: commit more at once, with fewer calls of fsync(2)
 *
 * The rules look at the load of a part of a run (work/timeline/run_load.h). A rule gives advice only if its own numbers
 * reach its threshold (run_advice.c), so a run may get none. `weight` is the part of the tasks' busy time that the
 * advice is about, 0 … 1: an upper bound of what following it can save, and the order of the list. */
#ifndef WORK_TIMELINE_RUN_ADVICE_H
#define WORK_TIMELINE_RUN_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

struct run_load;
struct str;

enum run_advice_about {
	ADVICE_CROWDED,   /* more tasks are ready than there are CPUs */
	ADVICE_OTHERS,    /* others have the CPUs */
	ADVICE_STEAL,     /* the host has them */
	ADVICE_FLUSHES,   /* each commit waits for the disk */
	ADVICE_WRITES,    /* the tasks wait for their own writes */
	ADVICE_DIRECT,    /* reads past the page cache, few at a time */
	ADVICE_SCATTERED, /* reads of pages that no read-ahead foresaw */
	ADVICE_READAHEAD, /* reads in order, at a disk that has time left */
	ADVICE_DISK,      /* reads that are large and ahead of need already, or a disk that is busy */
	ADVICE_MAPPED,    /* faults that wait for a file's pages */
	ADVICE_AGAIN,     /* pages that were given up and read again */
	ADVICE_MEMORY,    /* swapping and reclaim */
	ADVICE_FRESH,     /* page faults on new memory */
	ADVICE_COPY,      /* the CPU copies to or from the page cache */
	ADVICE_LOCKS,     /* tasks wait for each other */
	ADVICE_CODE,      /* the program computes */
	ADVICE_KINDS
};
const char *run_advice_name(enum run_advice_about); /* "crowded" */

struct run_advice {
	enum run_advice_about about;
	double weight;
	char *evidence; /* "612 flushes of vda, one every 5.4 ms" */
	char *change;   /* what to try */
};
struct run_advices {
	struct run_advice list[ADVICE_KINDS]; /* largest weight first */
	size_t n;
	char *disk; /* "vda 402 reads of 519 kB, 26 ms each, 293 MB/s, 92 % ahead of need"; NULL: no disk was used */
};

struct run_advices *run_advices_new(const struct run_load *, bool ascii);
void run_advices_free(struct run_advices *);

#endif
