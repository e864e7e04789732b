/* The workload with perf events: one held child a run, pinned, without address randomisation, and in a process group of
 * its own, so that Ctrl-C lets the present run end. */
#include "collect/workload/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"
#include "collect/workload/workload.h"

#define PATIENCE_S 120 /* a run that takes longer is ended */

struct perf_probe {
	char *path;
	int cpu;
	size_t n;
	struct perf_world world;
	struct event_code *code; /* n */
	bool *good;              /* n */
	int *fd;                 /* n; -1 */
};

int
probe_first_cpu(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &set))
			return cpu;
	return -1;
}

static void
probe_perf_close(void *probe)
{
	struct perf_probe *p = probe;
	if (p == NULL)
		return;
	free(p->path);
	free(p->code);
	free(p->good);
	free(p->fd);
	free(p);
}

/* Opens each event once, on this process, to know which can be counted. */
static void *
probe_perf_open(const char *const *event, size_t n, int cpu, struct source_status *status, struct err *e)
{
	char *path = workload_path(e);
	if (path == NULL)
		return NULL;
	struct perf_probe *probe = mem_new(sizeof *probe);
	*probe = (struct perf_probe){.path = path, .cpu = cpu, .n = n, .code = mem_new_array(n, sizeof *probe->code),
		.good = mem_new_array(n, sizeof *probe->good), .fd = mem_new_array(n, sizeof *probe->fd)};
	perf_world_probe(&probe->world);
	for (size_t k = 0; k < n; k++) {
		status[k] = (struct source_status){.health = OBS_LIVE};
		probe->fd[k] = -1;
		if (!event_by_name(event[k], &probe->world, &probe->code[k], &status[k]))
			continue;
		int fd = perf_open_event(&probe->code[k], NULL, 0, OPEN_SELF, &probe->world, &status[k]);
		probe->good[k] = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	for (size_t k = 0; k < n; k++)
		if (!probe->good[k])
			status[k].health = OBS_UNSUPPORTED;
	return probe;
}

/* The child waits for a byte before it becomes the workload. */
static void
become_workload(const struct perf_probe *probe, const char *argument, int go)
{
	char byte;
	sigset_t none;
	int null = open("/dev/null", O_RDWR);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	if (null >= 0) {
		dup2(null, 0);
		dup2(null, 1);
	}
	if (probe->cpu >= 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET((size_t)probe->cpu, &set);
		sched_setaffinity(0, sizeof set, &set);
	}
	personality(ADDR_NO_RANDOMIZE);
	alarm(PATIENCE_S);
	char *const argv[] = {(char[]){"hecate-workload"}, mem_str(argument), NULL};
	char *const environment[] = {NULL};
	if (read(go, &byte, 1) == 1)
		execve(probe->path, argv, environment);
	_exit(127);
}

/* Sums of the CPU's column of /proc/interrupts: all, and local timer interrupts. */
static void
read_interrupts(int cpu, double *all, double *timer)
{
	char *line = NULL;
	size_t cap = 0;
	int column = -1;
	FILE *f = cpu >= 0 ? fopen("/proc/interrupts", "re") : NULL;
	*all = *timer = (double)NAN;
	if (f != NULL && getline(&line, &cap, f) > 0) {
		int k = 0;
		for (char *s = strstr(line, "CPU"); s != NULL; s = strstr(s + 3, "CPU"), k++)
			if (atoi(s + 3) == cpu)
				column = k;
		*all = column >= 0 ? 0.0 : (double)NAN;
	}
	while (column >= 0 && getline(&line, &cap, f) > 0) {
		char *s = strchr(line, ':'), *end = s;
		double count = 0.0;
		bool numbers = s != NULL;
		for (int k = 0; numbers && k <= column; k++, s = end) {
			s += k == 0; /* the colon */
			count = strtod(s, &end);
			numbers = end != s;
		}
		if (!numbers)
			continue;
		*all += count;
		if (strstr(line, "LOC:") || strstr(line, "arch_timer") || strstr(line, "riscv-timer"))
			*timer = (isnan(*timer) ? 0.0 : *timer) + count;
	}
	free(line);
	if (f != NULL)
		fclose(f);
}

/* The CPU's stolen time in /proc/stat (proc_stat(5)), seconds; NAN: unknown. */
static double
read_steal(int cpu)
{
	char *line = NULL, *name = str_format("cpu%d ", cpu);
	size_t cap = 0;
	FILE *f = cpu >= 0 ? fopen("/proc/stat", "re") : NULL;
	double ticks = (double)NAN;
	while (f != NULL && isnan(ticks) && getline(&line, &cap, f) > 0)
		if (str_starts(line, name))
			sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %lf", &ticks);
	free(line);
	free(name);
	if (f != NULL)
		fclose(f);
	return ticks / (double)sysconf(_SC_CLK_TCK);
}

static bool
open_events(struct perf_probe *probe, const bool *on, pid_t pid, struct err *e)
{
	for (size_t k = 0; k < probe->n; k++) {
		struct source_status status = {.health = OBS_LIVE};
		probe->fd[k] = -1;
		if (!on[k] || !probe->good[k])
			continue;
		probe->fd[k] = perf_open_event(&probe->code[k], NULL, pid, OPEN_COMMAND, &probe->world, &status);
		if (probe->fd[k] < 0) {
			err_set(e, "%s", status.why);
			return err_hint(e, "%s", status.remedy);
		}
	}
	return true;
}

static void
read_events(struct perf_probe *p, struct probe_sample *out)
{
	for (size_t k = 0; k < p->n; k++) {
		struct perf_reading r = {0};
		out->count[k] = out->running[k] = (double)NAN;
		if (p->fd[k] < 0 || !perf_read(p->fd[k], &r))
			continue;
		out->running[k] = r.enabled_ns > 0 ? (double)r.running_ns / (double)r.enabled_ns : 0.0;
		if (r.running_ns > 0)
			out->count[k] = (double)r.value / out->running[k];
	}
}

static void
close_events(struct perf_probe *p)
{
	for (size_t k = 0; k < p->n; k++)
		if (p->fd[k] >= 0) {
			close(p->fd[k]);
			p->fd[k] = -1;
		}
}

static bool
explain_end(const struct perf_probe *probe, int status, struct err *e)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGILL) {
		err_set(e, "%s was ended by an instruction that this CPU does not execute", probe->path);
		return err_hint(e, "leave the part out: --parts lists those to run");
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
		err_set(e, "%s did not end within %d s", probe->path, PATIENCE_S);
		return err_hint(e, "run fewer parts with --parts, or fewer iterations with --scale");
	}
	if (WIFSIGNALED(status))
		return err_set(e, "%s was ended by signal %d (%s)", probe->path, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	err_set(e, "%s ended with exit status %d", probe->path, WEXITSTATUS(status));
	const char *hint = WEXITSTATUS(status) == 2 ? "the program is of another build than hecate: run make again"
						    : "the program cannot be executed here";
	return err_hint(e, "%s", hint);
}

static bool
probe_perf_run(void *probe, const bool *on, const uint32_t *loops, struct probe_sample *out, struct err *e)
{
	struct perf_probe *perf_probe = probe;
	struct str argument = {0};
	int go[2], status = 0;
	double all, timer, all_after, timer_after;
	workload_argument(loops, &argument);
	if (pipe2(go, O_CLOEXEC) != 0) {
		str_free(&argument);
		return err_set(e, "cannot run the workload: %s", strerror(errno));
	}
	pid_t pid = fork();
	if (pid == 0)
		become_workload(perf_probe, str_text(&argument), go[0]);
	close(go[0]);
	str_free(&argument);
	if (pid < 0) {
		close(go[1]);
		return err_set(e, "cannot run the workload: %s", strerror(errno));
	}
	bool good = open_events(perf_probe, on, pid, e);
	read_interrupts(perf_probe->cpu, &all, &timer);
	double steal = read_steal(perf_probe->cpu);
	double start = clock_seconds();
	if (good)
		good = write(go[1], "", 1) == 1;
	close(go[1]); /* without a byte the child ends */
	struct rusage used = {0};
	while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	out->seconds = clock_seconds() - start;
	read_interrupts(perf_probe->cpu, &all_after, &timer_after);
	out->steal = read_steal(perf_probe->cpu) - steal;
	out->interrupts = all_after - all;
	out->timer = timer_after - timer;
	out->faults = (double)(used.ru_minflt + used.ru_majflt);
	out->switches = (double)(used.ru_nvcsw + used.ru_nivcsw);
	read_events(perf_probe, out);
	close_events(perf_probe);
	return good && explain_end(perf_probe, status, e);
}

const struct probe_ops probe_perf = {probe_perf_open, probe_perf_run, probe_perf_close};
