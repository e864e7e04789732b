/* Shared by the files of records.h and private to them. */
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
	struct merge *merge;       /* a lane per place */
	struct barrier *barrier;
	int epoll;
	bool started, stopped, causes_now;
	bool settling;             /* a wait for the barrier has begun, at settle_ns */
	uint64_t settle_ns;
	bool busy;                 /* switches are too frequent for call chains and wake-ups */
	unsigned calm;             /* checks in a row with few switches */
	bool sparse;               /* records_sparse(), at drained_ns */
	uint64_t drained_ns;
	struct records_health health;
	uint64_t rate_at, *switches_at; /* per place, at the last check of the rate */
};

/* Reads the kernel's count of an event, and the number of its records without room (0 if unknown). */
bool records_read_counts(int fd, uint64_t *count, uint64_t *lost);

#endif
