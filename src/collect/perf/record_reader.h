/* Turns the bytes of the kernel's records (perf_event_open(2), "MMAP layout") into events of tasks. It makes no system
 * calls: it reads memory.
 *
 * Every record of one CPU is in one ring. All records have the same tail, because all events there ask for
 * PERF_SAMPLE_IDENTIFIER | TID | TIME. */
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
	RECORD_SWITCH,        /* sched:sched_switch, for the state of the outgoing task */
	RECORD_SWITCH_CAUSE,  /* the same with the kernel's call chain, for the cause too */
	RECORD_WAKEUP,        /* sched:sched_wakeup */
	RECORD_WAKEUP_NEW,
	RECORD_FAULT,         /* page-faults */
	RECORD_MINOR,
	RECORD_MAJOR,
	RECORD_SIGNAL,        /* signal:signal_generate, SIGSEGV and SIGBUS */
	RECORD_WHATS
};

/* Offsets of fields in the raw data of tracepoints, from their format files. */
struct record_layout {
	size_t prev_state, wakeup_pid, wakeup_new_pid, signal_pid;
};

struct record_reader {
	uint64_t id[RECORD_WHATS];          /* identifiers of this CPU's events; 0: not open */
	const struct record_layout *layout;
	const struct kernel_causes *causes; /* NULL: none are known */
	uint16_t cpu;
	bool states;                        /* sched_switch is recorded */
	bool rest_sleeps;                   /* sched_switch leaves out interruptible sleeps */
	/* The task of the last sched_switch record, whose SWITCH record follows in the ring. */
	int32_t leaving;                    /* number of the task; 0: none */
	uint8_t state, cause;
	/* The task on the CPU. An exiting task may have no numbers left at its last record, which then has -1. */
	int32_t running, running_pid;
	uint64_t seen[RECORD_WHATS];        /* records per event; for RECORD_TASKS, tasks put on the CPU */
	uint64_t lost, throttled;
	uint64_t lost_of[RECORD_WHATS];     /* reported losses per event */
	uint64_t stateless;                 /* tasks that left a CPU asleep, without a sched_switch record before */
	uint64_t stray;                     /* sched_switch records without a SWITCH record */
	uint64_t foreign;                   /* unknown or malformed records */
};

/* Takes a record of `size` bytes. Returns true and sets *e if it is an event. *fence: no earlier record of this CPU can
 * still arrive (merge.h), because the running task wrote it, and not an interrupt in the middle of another write. */
bool record_read(struct record_reader *, const void *record, size_t size, struct tasktime_event *e, bool *fence);

/* Finds the offset of `field` in the text of a format file ("field:pid_t prev_pid;\toffset:24;\tsize:4;"); false if it
 * is missing or not `size` bytes long. */
bool record_field(const char *format, const char *field, size_t size, size_t *offset);

#endif
