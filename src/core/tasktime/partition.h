/* The wall time of tasks by class: a state machine over the records of the scheduler and the fault handler, in time
 * order. At every time a followed task is in exactly one class. So the nanoseconds of the classes always add up exactly
 * to the time that passed.
 *
 *     not on a CPU                                     on a CPU
 *     ┌───────────────┐   WAKE       ┌─────────┐  IN  ┌────────┐  FAULT   ┌───────────────┐
 *     │ asleep, by    │ ───────────▶ │ woken   │ ───▶ │ on CPU │ ───────▶ │ fault service │
 *     │ state, cause, │              └─────────┘      │        │ ◀─────── │               │
 *     │ inside fault? │  OUT         ┌─────────┐  IN  │        │  outcome └───────────────┘
 *     │               │ ◀───────┐    │preempted│ ───▶ └────────┘
 *     └───────────────┘         │    └─────────┘ ◀── OUT (preempted) ──┘
 *                               └──── from both boxes on the right
 *
 * Nothing is guessed. Time whose state or cause the records do not give has classes of its own (TASKTIME_*_UNKNOWN,
 * TASKTIME_ASLEEP, TASKTIME_UNKNOWN). Records contradict each other if one was lost or came too late. They are counted,
 * the interval that they cast doubt on becomes TASKTIME_UNKNOWN, and the task is marked as doubtful. */
#ifndef CORE_TASKTIME_PARTITION_H
#define CORE_TASKTIME_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tasktime_class {
	TASKTIME_ON_CPU,         /* running, page-fault service excluded */
	TASKTIME_FAULT_CPU,      /* running, from the begin of a page fault to its outcome */
	TASKTIME_FAULT_IO,       /* blocked for I/O inside a page fault */
	TASKTIME_BLOCK_IO,       /* blocked for I/O elsewhere */
	/* in uninterruptible sleep for another reason: a kernel lock, memory, the parent of vfork(2) … */
	TASKTIME_BLOCKED,
	TASKTIME_FAULT_UNKNOWN,   /* in uninterruptible sleep inside a page fault, cause not recorded */
	TASKTIME_BLOCKED_UNKNOWN, /* in uninterruptible sleep elsewhere, cause not recorded */
	TASKTIME_FUTEX,           /* waiting at a futex: locks, conditions, joins of threads */
	TASKTIME_SLEEP,           /* in interruptible sleep for another reason: input, timers, children … */
	TASKTIME_SLEEP_UNKNOWN,   /* in interruptible sleep, cause not recorded: may be a futex */
	TASKTIME_ASLEEP,          /* asleep, neither state nor cause recorded: may be any sleep or block above */
	TASKTIME_STOPPED,         /* stopped by job control or a debugger */
	TASKTIME_PREEMPTED,       /* able to run, but switched out while running (or it yielded) */
	TASKTIME_WOKEN,           /* able to run, but not yet running, since it was woken or born */
	TASKTIME_UNKNOWN,         /* no record, or contradicting ones */
	TASKTIME_CLASSES
};

const char *tasktime_class_name(enum tasktime_class); /* "on-cpu", "fault-service" … */
bool tasktime_class_sleeps(enum tasktime_class);      /* asleep or blocked, for whatever reason */

enum tasktime_kind {
	TASKTIME_FORK, /* `other` made tid; that task writes the record */
	TASKTIME_EXEC, /* tid executes a new program: `name` */
	TASKTIME_NAME, /* tid changes its name to `name` */
	/* tid begins to end; its next OUT ends it. If it runs again for its last steps, its records no longer have its
	 * number. */
	TASKTIME_EXIT,
	/* tid already exists, with `state`, when watching begins; with from_exec: when the scheduler's accounts of it
	 * are read first */
	TASKTIME_FOUND,
	TASKTIME_IN,      /* tid is switched in on `cpu` */
	TASKTIME_OUT,     /* tid is switched out, with `state`, `cause`, `preempted` */
	TASKTIME_WAKE,    /* tid becomes able to run */
	TASKTIME_FAULT,   /* a page fault of tid begins */
	TASKTIME_MINOR,   /* the page fault ends without I/O */
	TASKTIME_MAJOR,   /* the page fault ends with I/O, which the task waited for */
	TASKTIME_FAILED,  /* the page fault ends with a signal */
	TASKTIME_LOST,    /* `n` records of `cpu` were lost since the previous record; tid 0 */
	TASKTIME_OFFLINE, /* `cpu` went offline; tid 0 */
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
	/* the task and its process; tid 0: a CPU's idle task; -1: an ending task that has lost its number */
	int32_t tid, pid;
	int32_t other;     /* TASKTIME_FORK: the parent's tid */
	uint32_t n;        /* TASKTIME_LOST */
	uint16_t cpu;
	uint8_t kind, state, cause; /* enum tasktime_kind, tasktime_state, tasktime_cause */
	bool preempted;
	bool kernel;       /* TASKTIME_FOUND: a thread of the kernel; its children are so, too */
	bool to_idle;      /* TASKTIME_OUT: the idle task comes next. Its own TASKTIME_IN may or may not follow. */
	char name[16];     /* TASKTIME_EXEC, TASKTIME_NAME, TASKTIME_FOUND */
};

/* A task's part of a window. The sum of ns[] is to_ns - from_ns. */
struct tasktime_row {
	int32_t tid, pid;
	char name[16];
	uint64_t from_ns, to_ns;        /* the window, or the part of it in which the task lived */
	uint64_t ns[TASKTIME_CLASSES];
	uint64_t entered[TASKTIME_CLASSES]; /* number of times that the task entered the class */
	uint64_t in, minor, major;      /* times switched in; faults without and with I/O */
	uint64_t failed;                /* faults that ended with a signal, or without a record of their end */
	uint64_t failed_ns; /* time in TASKTIME_FAULT_* that the failed faults took: the uncertainty of the classes */
	/* sleeps that ended without a wake-up record, so their time includes the wait for a CPU */
	uint64_t unwoken;
	/* how long the task has been waiting for a CPU when the window ends, also since before it; 0: it does not wait.
	 * The scheduler counts a wait only when it is over. */
	uint64_t pending_ns;
	/* how long it has been on its CPU when the window, or its life, ends; 0: it is on none. The scheduler counts
	 * run time at its ticks. */
	uint64_t turn_ns;
	uint64_t before_run_ns, before_wait_ns; /* with from_exec: what it ran and waited before its time began */
	bool before_unsure; /* a wait of that time began without a record, so that before_wait_ns may be too small */
	uint64_t broken;                /* number of contradictions */
	bool born, ended;               /* the task was born, or ended, in the window */
	bool executed;                  /* it executed a program in the window: execve(2) */
	bool kernel;                    /* a thread of the kernel, which executes no program */
	/* records were lost during its life, or contradict each other: single classes may be wrong, but their sum is
	 * right */
	bool doubtful;
};

/* A CPU's part of a window. Its times add up to to_ns - from_ns. */
struct tasktime_cpu_row {
	unsigned cpu;
	uint64_t from_ns, to_ns;
	/* time of the idle task; of followed tasks; of all other tasks, including the kernel's */
	uint64_t idle_ns, followed_ns, others_ns;
	uint64_t switching_ns;                    /* time between one task's OUT and the next task's IN */
	uint64_t unknown_ns;                      /* time before the CPU's first record, or while records were lost */
	uint64_t switches;
	bool offline;
};

enum tasktime_follow {
	TASKTIME_FOLLOW_TREE,    /* the watched tasks and everything that they start from now on */
	TASKTIME_FOLLOW_PROCESS, /* the watched tasks and the threads that they start */
	TASKTIME_FOLLOW_ALL,     /* every task with a record */
};

/* Problems since the beginning. */
struct tasktime_trouble {
	uint64_t lost;       /* records lost, by TASKTIME_LOST */
	/* events older than the task's or CPU's latest event; they are given the time of that one */
	uint64_t late;
	uint64_t broken;     /* contradictions between events of one task */
	uint64_t unpaired;   /* outcomes of faults that had not begun */
	uint64_t unfollowed; /* tasks that were not followed because there were too many */
};

struct tasktime_options {
	enum tasktime_follow follow;
	size_t max_tasks;    /* limit of living tasks; 0: 65536 */
	bool from_exec;      /* time of watched tasks counts from their next TASKTIME_EXEC on */
	bool ends_at_exit;   /* TASKTIME_EXIT is a task's last event: no OUT follows */
	/* Called with a task's row when the task ends, after which the task is forgotten, and for each living task when
	 * a window closes. The row is valid only during the call. */
	void (*row)(void *to, const struct tasktime_row *);
	void *to;
};

struct tasktime_partition;

/* Make a partition. The first window begins at `start_ns`. CPUs are numbered from 0 to n_cpus - 1. Free with
 * tasktime_partition_free(). */
struct tasktime_partition *tasktime_partition_new(const struct tasktime_options *, size_t n_cpus, uint64_t start_ns);
void tasktime_partition_free(struct tasktime_partition *);

/* Follow task `tid` of process `pid` from its first event on. A TASKTIME_FOUND event reports a task that already
 * exists. It is ignored for tasks that are not watched, so that a task that has ended meanwhile does not reappear. */
void tasktime_watch(struct tasktime_partition *, int32_t tid, int32_t pid);
bool tasktime_is_followed(const struct tasktime_partition *, int32_t tid);
/* Calls `each` for every followed task that ran in the window so far, runs, or waits for a CPU. */
void tasktime_each_active(
	const struct tasktime_partition *, void (*each)(void *to, int32_t tid, int32_t pid), void *to);

/* Take in one event. Events of one task, and events of one CPU, must be in time order; events of different tasks and
 * CPUs need not be. */
void tasktime_take(struct tasktime_partition *, const struct tasktime_event *);

/* End the window at `ns` (not before the last event) and begin the next. Calls options.row for all living tasks,
 * whose current class is split at `ns`. cpu (may be NULL) receives n_cpus rows. */
void tasktime_close(struct tasktime_partition *, uint64_t ns, struct tasktime_cpu_row *cpu);

/* Adds the rows of all tasks in the open window to a sum, up to the last event: what tasktime_close() would report.
 * Threads of the kernel are left out. */
void tasktime_sum_open(const struct tasktime_partition *, struct tasktime_row *sum);

size_t tasktime_alive(const struct tasktime_partition *);
const struct tasktime_trouble *tasktime_trouble(const struct tasktime_partition *);

/* Add a row to a sum, such as that of a process, a window or a run. The span of the sum covers all rows, and its ns[]
 * add up to the total time of the tasks. */
void tasktime_row_add(struct tasktime_row *sum, const struct tasktime_row *);
uint64_t tasktime_row_elapsed(const struct tasktime_row *); /* sum of ns[] */
enum tasktime_class tasktime_row_largest(const struct tasktime_row *);

#endif
