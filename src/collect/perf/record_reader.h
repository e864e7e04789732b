/* From the bytes of the kernel's records (perf_event_open(2), "MMAP layout") to events of tasks. No system calls: what
 * is read is memory.
 *
 * Every record of one CPU is in one ring. All have the same tail, since all events there ask for PERF_SAMPLE_IDENTIFIER
 * | TID | TIME. */
#ifndef COLLECT_PERF_RECORD_READER_H
#define COLLECT_PERF_RECORD_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tasktime/partition.h"

struct kernel_causes;

/* The events of a CPU. */
enum record_what {
	RECORD_TASKS,         /* the dummy: FORK, EXIT, COMM, SWITCH */
	RECORD_SWITCH,        /* sched:sched_switch, for the state of who leaves */
	RECORD_SWITCH_CAUSE,  /* … with the kernel's call chain, for the cause too */
	RECORD_WAKEUP,        /* sched:sched_wakeup */
	RECORD_WAKEUP_NEW,
	RECORD_FAULT,         /* page-faults */
	RECORD_MINOR,
	RECORD_MAJOR,
	RECORD_SIGNAL,        /* signal:signal_generate, SIGSEGV and SIGBUS */
	RECORD_WHATS
};

/* Where fields stand in the raw data of tracepoints; from their format files. */
struct record_layout {
	size_t prev_state, wakeup_pid, wakeup_new_pid, signal_pid;
};

struct record_reader {
	uint64_t id[RECORD_WHATS];          /* of this CPU's events; 0: not open */
	const struct record_layout *layout;
	const struct kernel_causes *causes; /* NULL: none are known */
	uint16_t cpu;
	bool states;                        /* sched_switch is recorded */
	bool rest_sleeps;                   /* … but for interruptible sleeps */
	/* A sched_switch record stands just before the SWITCH record of the same task, in the same ring: */
	int32_t leaving;                    /* 0: none */
	uint8_t state, cause;
	/* Who runs here. A task that ends may have lost its numbers by the time of its last record, which then says -1.
	 */
	int32_t running, running_pid;
	uint64_t seen[RECORD_WHATS];        /* records of each; of RECORD_TASKS, tasks put on the CPU */
	uint64_t lost, throttled;
	uint64_t lost_of[RECORD_WHATS];     /* of which the kernel tells whose they were */
	uint64_t stateless;                 /* tasks that left a CPU asleep, without a sched_switch record before */
	uint64_t stray;                     /* sched_switch records that nothing followed */
	uint64_t foreign;                   /* records that are none of these, or malformed */
};

/* Takes a record of `size` bytes. True and *e when it is an event. *fence: it was written by the task that runs, not by
 * an interrupt inside of what another record's writing is, so that no record of this CPU with an earlier time can still
 * come (records.h). */
bool record_read(struct record_reader *, const void *record, size_t size, struct tasktime_event *e, bool *fence);

/* The offset of `field` in the text of a format file ("field:pid_t prev_pid;\toffset:24;\tsize:4;"); false when it is
 * not there or not of `size` bytes. */
bool record_field(const char *format, const char *field, size_t size, size_t *offset);

#endif
