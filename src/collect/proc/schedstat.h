/* The scheduler's own accounts: how long a task ran and waited for a CPU. Every kernel with CONFIG_SCHED_INFO keeps
 * them, whatever the value of kernel.sched_schedstats, and every user may read them. */
#ifndef COLLECT_PROC_SCHEDSTAT_H
#define COLLECT_PROC_SCHEDSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sched_times {
	uint64_t run_ns, wait_ns, slices; /* since the task was created */
	uint64_t io_ns;                   /* delay of block I/O (taskstats.h); UINT64_MAX: unknown */
	/* for the caller's use: run_ns and wait_ns in excess of other sources, to be carried over; a wait that was not
	 * over at the reading */
	int64_t owed_ns, owed_wait_ns;
	uint64_t pending_ns;
};

/* Reads /proc/PID/task/TID/stat (proc(5)). Returns false if the thread has ended. */
struct sched_stat {
	char state;         /* "R", "S", "D" … */
	char name[16];
	/* creation time, CLOCK_MONOTONIC, cut to a tick of 10 ms; 0: unknown, or before this clock began */
	uint64_t start_ns;
	bool kernel;        /* a thread of the kernel */
	uint64_t delay_ns;  /* delay of block I/O since the creation, in ticks of 10 ms; valid if schedstat_delays() */
};
bool schedstat_read_stat(pid_t pid, pid_t tid, struct sched_stat *);
bool schedstat_state(pid_t pid, pid_t tid, char *state, char name[16]);

/* Returns true when the kernel accounts for delays (kernel.task_delayacct). */
bool schedstat_delays(void);

/* Reads the time that the host took away from all CPUs of this machine, in ns, in steps of 10 ms (/proc/stat, steal).
 * It is unknown which tasks lost it. Returns false if the time is unknown. */
bool schedstat_steal(uint64_t *ns);

/* The last reading of each task. */
struct sched_accounts;
struct sched_accounts *sched_accounts_new(void);
void sched_accounts_free(struct sched_accounts *);
/* Reads /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst). Returns false if the thread has ended
 * or there is no such file. A zombie still has it. The files of up to 64 tasks stay open, which spares most of
 * the time. */
bool sched_accounts_read(struct sched_accounts *, pid_t pid, pid_t tid, struct sched_times *);
struct sched_times *sched_accounts_get(struct sched_accounts *, pid_t tid); /* returns a task's reading; NULL: none */
/* returns the same, zeroed if it is new; valid until it is dropped */
struct sched_times *sched_accounts_put(struct sched_accounts *, pid_t tid);
void sched_accounts_drop(struct sched_accounts *, pid_t tid);
size_t sched_accounts_size(const struct sched_accounts *);

#endif
