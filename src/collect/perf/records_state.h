/* What the files of records.h share. Private to them. */
#ifndef COLLECT_PERF_RECORDS_STATE_H
#define COLLECT_PERF_RECORDS_STATE_H

#include "collect/perf/records.h"

struct barrier;
struct kernel_causes;
struct merge;

/* One CPU's descriptors. */
struct place_of_records {
	int cpu;
	int fd[RECORD_WHATS]; /* -1: not open */
	bool gone;
};

struct records {
	struct records_spec spec;
	char sysfs[512];
	struct record_layout layout;
	struct kernel_causes *causes;
	struct place_of_records *at;
	size_t n, n_cpus;
	struct merge *merge;       /* a lane for each place */
	struct barrier *barrier;
	int epoll;
	bool started, stopped, causes_now;
	bool settling;             /* a wait for the barrier has begun at … */
	uint64_t settle_ns;
	bool busy;                 /* switches are so many that call chains and wake-ups are not recorded */
	unsigned calm;             /* looks in a row that saw few */
	struct records_health health;
	uint64_t rate_at, *switches_at; /* per place, when the rate was looked at last */
};

/* What the kernel counted of an event, and how many of its records found no room (0 where it does not tell). */
bool records_read_counts(int fd, uint64_t *count, uint64_t *lost);

#endif
