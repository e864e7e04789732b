#include "collect/proc/schedstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/tid_table.h"
#include "collect/proc/files.h"

#define SETS ((size_t)16)
#define WAYS ((size_t)4) /* SETS × WAYS files stay open at most */
#define THREAD_OF_KERNEL 0x00200000 /* PF_KTHREAD (include/linux/sched.h) */

/* Converts ticks since the boot into a time of CLOCK_MONOTONIC, which stops while the machine sleeps. */
static uint64_t
monotonic_of(unsigned long long ticks, unsigned long long tick_ns)
{
	struct timespec boot, mono;
	int64_t asleep, ns = (int64_t)(ticks * tick_ns);

	if (clock_gettime(CLOCK_MONOTONIC, &mono) != 0 || clock_gettime(CLOCK_BOOTTIME, &boot) != 0)
		return 0;
	asleep = (boot.tv_sec - mono.tv_sec) * 1000000000 + boot.tv_nsec - mono.tv_nsec;
	asleep = asleep < 1000000 ? 0 : asleep; /* the time between the two readings */
	return ns > asleep ? (uint64_t)(ns - asleep) : 0;
}

/* Fields after the name are numbered from 3. */
static unsigned long long
field_of(const char *rest, unsigned number)
{
	for (unsigned i = 3; i < number && rest; i++)
		rest = strchr(rest + 1, ' ');
	return rest ? strtoull(rest, NULL, 10) : 0;
}

bool
schedstat_read_stat(pid_t pid, pid_t tid, struct sched_stat *look)
{
	char path[96], text[1024], *open, *close;
	long hz = sysconf(_SC_CLK_TCK);
	unsigned long long tick_ns = hz > 0 ? 1000000000u / (unsigned long long)hz : 0;
	size_t n;

	*look = (struct sched_stat){0};
	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	if (!proc_text_read(path, text, sizeof text))
		return false;
	open = strchr(text, '(');
	close = strrchr(text, ')'); /* the name may hold anything */
	if (!open || !close || close < open || sscanf(close + 1, " %c", &look->state) != 1)
		return false;
	n = (size_t)(close - open - 1);
	memcpy(look->name, open + 1, n < 15 ? n : 15);
	look->start_ns = monotonic_of(field_of(close + 1, 22), tick_ns);
	look->kernel = field_of(close + 1, 9) & THREAD_OF_KERNEL;
	look->delay_ns = field_of(close + 1, 42) * tick_ns;
	return true;
}

bool
schedstat_state(pid_t pid, pid_t tid, char *state, char name[16])
{
	struct sched_stat look;

	if (!schedstat_read_stat(pid, tid, &look))
		return false;
	*state = look.state;
	memcpy(name, look.name, sizeof look.name);
	return true;
}

bool
schedstat_delays(void)
{
	char text[16];

	return proc_text_read("/proc/sys/kernel/task_delayacct", text, sizeof text) && text[0] == '1';
}

bool
schedstat_steal(uint64_t *ns)
{
	char text[4096];
	unsigned long long v[8];
	long hz = sysconf(_SC_CLK_TCK);

	if (!proc_text_read("/proc/stat", text, sizeof text) || hz <= 0 ||
		sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
			&v[6], &v[7]) != 8)
		return false;
	*ns = v[7] * (1000000000u / (unsigned long long)hz);
	return true;
}

struct sched_file {
	pid_t pid, tid;
	int fd; /* -1: none */
};

struct sched_accounts {
	struct tid_table times;  /* rows of struct sched_times */
	/* SETS × WAYS, a task's in the set of its number modulo SETS, the last read first; NULL: none yet */
	struct sched_file *file;
};

struct sched_accounts *
sched_accounts_new(void)
{
	return mem_new(sizeof(struct sched_accounts));
}

void
sched_accounts_free(struct sched_accounts *b)
{
	if (!b)
		return;
	for (size_t i = 0; b->file && i < SETS * WAYS; i++)
		if (b->file[i].fd >= 0)
			close(b->file[i].fd);
	free(b->file);
	tid_table_free(&b->times);
	free(b);
}

static bool
take_times(int fd, struct sched_times *t)
{
	char text[128];
	unsigned long long run, wait, slices;
	ssize_t n = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;

	if (n <= 0)
		return false;
	text[n] = '\0';
	if (sscanf(text, "%llu %llu %llu", &run, &wait, &slices) != 3)
		return false;
	*t = (struct sched_times){.run_ns = run, .wait_ns = wait, .slices = slices, .io_ns = UINT64_MAX};
	return true;
}

bool
sched_accounts_read(struct sched_accounts *accounts, pid_t pid, pid_t tid, struct sched_times *t)
{
	struct sched_file *set, now;
	char path[96];
	size_t way = 0;

	if (!accounts->file) {
		accounts->file = mem_new_array(SETS * WAYS, sizeof *accounts->file);
		for (size_t i = 0; i < SETS * WAYS; i++)
			accounts->file[i].fd = -1;
	}
	set = accounts->file + (size_t)tid % SETS * WAYS;
	while (way + 1 < WAYS && (set[way].tid != tid || set[way].pid != pid))
		way++;
	now = set[way];
	memmove(set + 1, set, way * sizeof *set);
	set[0] = now;
	/* The file of a task that ended cannot be read any more, even if another task has its number. */
	if (now.tid == tid && now.pid == pid && take_times(now.fd, t))
		return true;
	if (now.fd >= 0)
		close(now.fd);
	snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", (int)pid, (int)tid);
	set[0] = (struct sched_file){.pid = pid, .tid = tid, .fd = open(path, O_RDONLY | O_CLOEXEC)};
	return take_times(set[0].fd, t);
}

size_t
sched_accounts_size(const struct sched_accounts *b)
{
	return b->times.n;
}

struct sched_times *
sched_accounts_get(struct sched_accounts *b, pid_t tid)
{
	return tid_table_get(&b->times, tid);
}

struct sched_times *
sched_accounts_put(struct sched_accounts *b, pid_t tid)
{
	struct sched_times *t = tid_table_get(&b->times, tid);

	return t ? t : tid_table_add(&b->times, tid, sizeof *t);
}

void
sched_accounts_drop(struct sched_accounts *b, pid_t tid)
{
	tid_table_remove(&b->times, tid);
}
