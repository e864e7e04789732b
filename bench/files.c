/* The cost of reading the kernel's files for a row: `make bench-files`. Processor time of this process; the files of
 * linux-vm, then the accounts of trees of processes. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "collect/proc/counters.h"
#include "collect/source.h"

#define LOOKS 2000

static double
own_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
measure(const char *what, const char *const *name, const struct proc_subject *subject)
{
	struct event_item event[16];
	struct source_counter counter[16];
	struct source_status status[16];
	bool mine[16];
	size_t n = 0;
	struct source_spec spec = {.counter = counter};
	struct proc_counters *c;
	double begin, each;

	for (; name[n]; n++) {
		event[n] = (struct event_item){.name = name[n]};
		counter[n] = (struct source_counter){.name = name[n], .event = &event[n], .n_events = 1};
		mine[n] = true;
	}
	spec.n_counters = n;
	c = proc_counters_new(&spec, mine, subject, status);
	proc_counters_begin(c);
	begin = own_seconds();
	for (int i = 0; i < LOOKS; i++)
		proc_counters_read(c);
	each = (own_seconds() - begin) / LOOKS;
	printf("%-58s %8.1f µs   %6.3f %% of a CPU at 10 rows/s   %zu of %zu counters live\n", what, each * 1e6,
		each * 10 * 100, proc_counters_live(c), n);
	proc_counters_free(c);
}

/* A tree of `n` sleeping processes, and its root. */
static pid_t
grow(int n)
{
	pid_t first = fork();

	if (first != 0)
		return first;
	setpgid(0, 0);
	for (int i = 1; i < n; i++)
		if (fork() == 0)
			break;
	for (;;)
		pause();
}

int
main(void)
{
	static const char *const machine[] = {"disk:*/reads", "disk:*/writes", "disk:*/read_ns", "disk:*/write_ns",
		"disk:*/busy_ns", "vmstat:pswpin", "vmstat:nr_written", "vmstat:workingset_refault_file",
		"psi:cpu/some_ns", "psi:memory/some_ns", "psi:io/some_ns", "stat:steal_ns", NULL};
	static const char *const tasks[] = {
		"task:run_ns", "task:wait_ns", "task:slices", NULL}, *const io[] = {"io:rchar", "io:read_bytes", NULL
	};
	static const struct proc_subject nobody;

	measure("files of the machine, as linux-vm has them", machine, &nobody);
	for (int n = 1; n <= 64; n *= 8) {
		pid_t pid = grow(n);
		int id = (int)pid;
		struct proc_subject tree = {.kind = PROC_PROCESSES, .id = &id, .n = 1};
		char what[64];

		usleep(100000); /* until all have started */
		snprintf(what, sizeof what, "run times and waits of %d process%s", n, n > 1 ? "es" : "");
		measure(what, tasks, &tree);
		snprintf(what, sizeof what, "I/O accounts of %d process%s", n, n > 1 ? "es" : "");
		measure(what, io, &tree);
		kill(-pid, SIGKILL);
		while (waitpid(pid, NULL, 0) == pid)
			continue;
	}
	return 0;
}
