/* Where the wall time of tasks goes, from what the scheduler and the fault handler say about them: a state machine over
 * events in time order. At every moment a task that is followed is in exactly one class, so that the classes'
 * nanoseconds add up to the time that passed, exactly, whatever happens.
 *
 *     not on a CPU                                     on a CPU
 *     ┌───────────────┐  TASKTIME_WAKE  ┌─────────┐  IN  ┌────────┐  FAULT   ┌───────────────┐
 *     │ asleep, by    │ ───────────▶ │ woken   │ ───▶ │ on CPU │ ───────▶ │ fault service │
 *     │ state, cause, │              └─────────┘      │        │ ◀─────── │               │
 *     │ inside fault? │  OUT         ┌─────────┐  IN  │        │  outcome └───────────────┘
 *     │               │ ◀───────┐    │preempted│ ───▶ └────────┘
 *     └───────────────┘         │    └─────────┘ ◀── OUT (preempted) ──┘
 *                               └──── from both boxes on the right
 *
 * Nothing is guessed. What the records do not say has classes of its own (STALL_*_UNTOLD, TASKTIME_UNKNOWN). Records
 * that contradict each other (one was lost, one came too late) are counted, the interval that they cast doubt on
 * becomes TASKTIME_UNKNOWN, and the task is marked. */
#ifndef CORE_TASKTIME_PARTITION_H
#define CORE_TASKTIME_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tasktime_class {
	TASKTIME_ON_CPU,         /* running, page-fault service left out */
	TASKTIME_FAULT_CPU,      /* running, between the beginning of a page fault and its outcome */
	TASKTIME_FAULT_IO,       /* blocked for I/O inside a page fault */
	TASKTIME_BLOCK_IO,       /* blocked for I/O elsewhere */
	/* in uninterruptible sleep for anything else: a lock of the kernel's, memory, a parent of vfork(2) … */
	TASKTIME_BLOCKED,
	TASKTIME_FAULT_UNKNOWN,   /* in uninterruptible sleep inside a page fault, cause not recorded */
	TASKTIME_BLOCKED_UNKNOWN, /* … elsewhere, cause not recorded */
	TASKTIME_FUTEX,          /* waiting at a futex: locks, conditions, joins of threads */
	TASKTIME_SLEEP,          /* in interruptible sleep for anything else: input, timers, children … */
	TASKTIME_SLEEP_UNKNOWN,   /* … cause not recorded: may be a futex */
	TASKTIME_ASLEEP,         /* asleep, neither state nor cause recorded: may be any of the above */
	TASKTIME_STOPPED,        /* by job control or a debugger */
	TASKTIME_PREEMPTED,      /* able to run, put off its CPU (or it yielded) */
	TASKTIME_WOKEN,          /* able to run, since it was woken or born */
	TASKTIME_UNKNOWN,        /* no record says, or they contradict each other */
	TASKTIME_CLASSES
};

/* "on-cpu", "fault-service" …; and what the class is, a short phrase. */
const char *tasktime_class_name(enum tasktime_class);
const char *tasktime_class_text(enum tasktime_class);
bool tasktime_class_sleeps(enum tasktime_class); /* asleep or blocked, for whatever reason */

enum tasktime_kind {
	TASKTIME_FORK, /* tid was made by `other`, by that task itself */
	TASKTIME_EXEC, /* tid has become a new program: `name` */
	TASKTIME_NAME, /* it is called `name` now */
	/* tid begins to end. With the next OUT it is gone: if it comes back for its last steps, that is under no number
	   any more */
	TASKTIME_EXIT,
	TASKTIME_FOUND,   /* tid is there, with `state`, when the watching begins */
	TASKTIME_IN,      /* tid is put on `cpu` */
	TASKTIME_OUT,     /* … and off it, by `state`, `cause`, `preempted` */
	TASKTIME_WAKE,    /* tid is made able to run */
	TASKTIME_FAULT,   /* a page fault of tid begins */
	TASKTIME_MINOR,   /* … ends without I/O */
	TASKTIME_MAJOR,   /* … ends with I/O, which it waited for */
	TASKTIME_FAILED,  /* … ends with a signal */
	TASKTIME_LOST,    /* `n` records of `cpu` were lost since the one before; tid 0 */
	TASKTIME_OFFLINE, /* `cpu` is no more; tid 0 */
	TASKTIME_KINDS
};

enum tasktime_state {
	TASKTIME_RUNNABLE,
	TASKTIME_INTERRUPTIBLE,
	TASKTIME_UNINTERRUPTIBLE,
	TASKTIME_HALTED,
	TASKTIME_DEAD,
	TASKTIME_STATE_UNKNOWN
};

enum tasktime_cause { TASKTIME_CAUSE_UNKNOWN, TASKTIME_CAUSE_IO, TASKTIME_CAUSE_FUTEX, TASKTIME_CAUSE_OTHER };

struct tasktime_event {
	uint64_t ns;       /* any clock that never goes back */
	int32_t tid, pid;  /* whom it is about; 0: a CPU's idle task; -1: one that ends and has lost its number */
	int32_t other;     /* TASKTIME_FORK: the parent's tid */
	uint32_t n;        /* TASKTIME_LOST */
	uint16_t cpu;
	uint8_t kind, state, cause; /* enum tasktime_kind, tasktime_state, tasktime_cause */
	bool preempted;
	bool to_idle;      /* TASKTIME_OUT: the idle task comes next; its own TASKTIME_IN may follow or not */
	char name[16];     /* TASKTIME_EXEC, TASKTIME_NAME, TASKTIME_FOUND */
};

/* A task's part of a window. The sum of ns[] is to_ns - from_ns. */
struct tasktime_row {
	int32_t tid, pid;
	char name[16];
	uint64_t from_ns, to_ns;        /* the window, or what of it the task lived */
	uint64_t ns[TASKTIME_CLASSES];
	uint64_t entered[TASKTIME_CLASSES]; /* how often it came into the class */
	uint64_t in, minor, major;      /* times put on a CPU; faults with an outcome */
	uint64_t failed;                /* faults that ended with a signal, or without any record of their end */
	uint64_t failed_ns; /* … and the time in STALL_FAULT_* that these held: the classes are uncertain by as much */
	/* sleeps that ended without a wake-up record: the wait for a CPU is part of the sleep there */
	uint64_t unwoken;
	uint64_t broken;                /* contradictions */
	bool born, ended;               /* inside the window */
	/* records were lost while it lived, or some contradict: the classes are not to be trusted, the sum is */
	bool doubtful;
};

/* A CPU's part of a window, which adds up likewise. */
struct tasktime_cpu_row {
	unsigned cpu;
	uint64_t from_ns, to_ns;
	/* tasks that are followed, those that are not (others, and the kernel's) */
	uint64_t idle_ns, followed_ns, others_ns;
	uint64_t switching_ns;                    /* between one task's OUT and the next one's IN */
	uint64_t unknown_ns;                      /* before its first record, or some were lost */
	uint64_t switches;
	bool offline;
};

enum tasktime_follow {
	TASKTIME_FOLLOW_TREE,    /* the tasks that are watched, and all that they start from now on */
	TASKTIME_FOLLOW_PROCESS, /* … and only the threads that they start */
	TASKTIME_FOLLOW_ALL,     /* whoever has a record */
};

/* What went wrong, or was not as hoped, since the beginning. */
struct tasktime_trouble {
	uint64_t lost;       /* records, by TASKTIME_LOST */
	uint64_t late;       /* events older than what was told of their task or CPU already; taken as of that moment */
	uint64_t broken;     /* contradictions between events of one task */
	uint64_t unpaired;   /* outcomes of faults that had not begun */
	uint64_t unfollowed; /* tasks that were not followed because there were too many */
};

struct tasktime_options {
	enum tasktime_follow follow;
	size_t max_tasks;    /* alive at a time; 0: 65536 */
	bool from_exec;      /* watched tasks count from their next TASKTIME_EXEC on */
	bool ends_at_exit;   /* TASKTIME_EXIT is the last of a task: no OUT follows */
	/* A task's row: of one that ended, at once, after which it is forgotten; of one that lives, when a window
	 * closes. The row is gone when it returns. */
	void (*row)(void *to, const struct tasktime_row *);
	void *to;
};

struct tasktime_partition;

/* The first window begins at `start_ns`; CPUs are numbered from 0 to n_cpus - 1. */
struct tasktime_partition *tasktime_partition_new(const struct tasktime_options *, size_t n_cpus, uint64_t start_ns);
void tasktime_partition_free(struct tasktime_partition *);

/* Follow this task of process `pid` from its first event on. Of one that lives already a TASKTIME_FOUND tells; tasks
 * not watched are never found, so that one that has ended meanwhile does not come to life again. */
void tasktime_watch(struct tasktime_partition *, int32_t tid, int32_t pid);
bool tasktime_is_followed(const struct tasktime_partition *, int32_t tid);

/* Events in time order; that of one task and of one CPU matters, not that between them. */
void tasktime_take(struct tasktime_partition *, const struct tasktime_event *);

/* End the window at `ns` (not before the last event) and begin the next: rows of all tasks that live are told. What is
 * going on is split at `ns`. cpu (may be NULL) takes n_cpus rows. */
void tasktime_close(struct tasktime_partition *, uint64_t ns, struct tasktime_cpu_row *cpu);

size_t tasktime_alive(const struct tasktime_partition *);
const struct tasktime_trouble *tasktime_trouble(const struct tasktime_partition *);

/* Add a part to a sum: of a process, a window, a run. The span of the sum is that of all parts, and its ns[] add up to
 * the tasks' time together. */
void tasktime_row_add(struct tasktime_row *sum, const struct tasktime_row *);
uint64_t tasktime_row_elapsed(const struct tasktime_row *); /* sum of ns[] */
enum tasktime_class tasktime_row_largest(const struct tasktime_row *);

#endif
