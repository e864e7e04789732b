/* The scheduler's own books: how long a task ran and waited for a CPU. Kept by every kernel with CONFIG_SCHED_INFO,
 * whatever kernel.sched_schedstats says, and open to every user. */
#ifndef COLLECT_PROC_SCHEDSTAT_H
#define COLLECT_PROC_SCHEDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sched_times {
	uint64_t run_ns, wait_ns, slices; /* since the task was born */
	uint64_t io_ns;                   /* delay of block I/O (taskstats.h); UINT64_MAX: not told */
	/* for who keeps a book: run_ns beyond what other sources say, not dealt with yet */
	int64_t owed_ns;
};

/* /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst); false when the thread is gone or there is no
 * such file. A zombie still has it. */
bool schedstat_read(pid_t pid, pid_t tid, struct sched_times *);

/* /proc/PID/task/TID/stat (proc(5)); false when it is gone. */
struct sched_look {
	char state;         /* "R", "S", "D" … */
	char name[16];
	/* when it was born, CLOCK_MONOTONIC, cut to a tick of 10 ms; 0: not told, or before this clock began */
	uint64_t start_ns;
	uint64_t delay_ns;  /* of block I/O since then, in such ticks; worth something where schedstat_delays() */
};
bool schedstat_look(pid_t pid, pid_t tid, struct sched_look *);
bool schedstat_state(pid_t pid, pid_t tid, char *state, char name[16]);

/* Does the kernel account for delays now (kernel.task_delayacct)? */
bool schedstat_delays(void);

/* Ticks of 10 ms that the host took away from all CPUs of this machine (/proc/stat, steal), as nanoseconds. Nothing
 * tells whose they were. False: not known. */
bool schedstat_steal(uint64_t *ns);

/* What was read of each task last. */
struct sched_book;
struct sched_book *sched_book_new(void);
void sched_book_free(struct sched_book *);
struct sched_times *sched_book_get(struct sched_book *, pid_t tid); /* NULL: nothing */
struct sched_times *sched_book_put(struct sched_book *, pid_t tid); /* zeroed if it is new; valid until the next put */
void sched_book_drop(struct sched_book *, pid_t tid);
size_t sched_book_size(const struct sched_book *);

#endif
