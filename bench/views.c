/* The cost of views 5 to 7 during a run: the explorer on a pseudo-terminal at 10 snapshots a second, compared with a
 * process that only counts the same: `make bench-views`. Run it as root (tracepoints, records) on an idle machine. CPU
 * time is the kernel's account of all threads (schedstat). Own memory is the anonymous memory in smaps_rollup, where
 * memory shared after a fork counts once; the kernel's rings are not in it. Then a day's recording: bench/day. */

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "work/run/counter_list.h"
#include "work/run/counters_run.h"
#include "work/run/run.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/network_data.h"

#define WARM_SECONDS 3.0
#define SECONDS 8.0

static const char *const load[] = {"sh", "-c", "while sleep 0.01; do :; done", NULL}; /* a hundred processes a second */

struct figures {
	double cpu, user, system; /* seconds */
	double own, all;          /* MB */
	size_t processes;
	double seconds, bytes;    /* seconds observed; bytes written to the terminal meanwhile */
};

/* --- what the kernel says of the processes of a session ---------------------------------------------------------- */

static bool
read_text(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(text, 1, size - 1, f) : 0;

	text[n] = '\0';
	if (f)
		fclose(f);
	return n > 0;
}

static double
kilobytes(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtod(at + strlen(key), NULL) : 0;
}

/* Nanoseconds on a CPU, of all threads. */
static double
run_ns(const char *pid)
{
	char path[600], text[128];
	struct dirent *e;
	double sum = 0;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%.100s/task", pid);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		snprintf(path, sizeof path, "/proc/%.100s/task/%.200s/schedstat", pid, e->d_name);
		if (*e->d_name != '.' && read_text(path, text, sizeof text))
			sum += strtod(text, NULL);
	}
	if (d)
		closedir(d);
	return sum;
}

static void
add_process(const char *pid, pid_t session, const char *program, struct figures *f)
{
	char path[300], text[4096], exe[4096];
	unsigned long user, system;
	const char *rest;
	ssize_t n;
	int sid;

	snprintf(path, sizeof path, "/proc/%.200s/exe", pid);
	n = readlink(path, exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = '\0';
	snprintf(path, sizeof path, "/proc/%.200s/stat", pid);
	if (!str_eq(exe, program) || !read_text(path, text, sizeof text) || !(rest = strrchr(text, ')')))
		return;
	if (sscanf(rest + 1, " %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &sid, &user, &system) != 3 ||
		sid != session)
		return;
	f->processes++;
	f->user += (double)user / (double)sysconf(_SC_CLK_TCK);
	f->system += (double)system / (double)sysconf(_SC_CLK_TCK);
	f->cpu += run_ns(pid) / 1e9;
	snprintf(path, sizeof path, "/proc/%.200s/smaps_rollup", pid);
	if (read_text(path, text, sizeof text)) {
		f->own += kilobytes(text, "Pss_Anon:") / 1024;
		f->all += kilobytes(text, "\nPss:") / 1024;
	}
}

static struct figures
look_at(pid_t session, const char *program)
{
	struct figures f = {0};
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (*e->d_name >= '1' && *e->d_name <= '9')
			add_process(e->d_name, session, program, &f);
	if (d)
		closedir(d);
	return f;
}

/* Reads the drawings, so that the program never has to wait. */
static double
watch(int terminal, double seconds)
{
	static char text[65536];
	double end = clock_seconds() + seconds, left, bytes = 0;

	while ((left = end - clock_seconds()) > 0) {
		struct pollfd p = {.fd = terminal, .events = POLLIN};

		if (poll(&p, terminal >= 0, (int)(left * 1e3) + 1) > 0) {
			ssize_t n = read(terminal, text, sizeof text);

			bytes += n > 0 ? (double)n : 0;
			if (n <= 0)
				terminal = -1;
		}
	}
	return bytes;
}

static struct figures
measure(pid_t pid, const char *program, int terminal)
{
	struct figures a = look_at(pid, program), b;
	double start = clock_seconds(), bytes = watch(terminal, SECONDS);

	b = look_at(pid, program);
	b.cpu -= a.cpu;
	b.user -= a.user;
	b.system -= a.system;
	b.seconds = clock_seconds() - start;
	b.bytes = bytes;
	return b;
}

/* --- counting alone ---------------------------------------------------------------------------------------------- */

/* Both runs as the explorer has them: the time of tasks joins the command's counters, or watches all that runs. */
static void __attribute__((noreturn))
count(bool machine)
{
	static const struct source_target all = {.kind = SOURCE_CPUS};
	struct diags d = {0};
	struct err e = {0};
	char *path;
	struct network *net = network_load("linux-vm", &path, &d, &e);
	struct counters_run_options how = {
		.argv = machine ? NULL : (char *const *)(uintptr_t)load,
		.target = machine ? &all : NULL, .interval_ms = 100, .folds = true,
		.out_fd = -1, .err_fd = -1, .no_input = true, .own_group = true,
	};
	struct tasktime_run_options time = {.name = machine ? NULL : "load", .target = machine ? &all : NULL,
		.interval_ms = 100, .folds = true, .out_fd = -1, .err_fd = -1};
	struct runs *runs = runs_new();

	if (net) {
		runs_add(runs, counters_as_run(counters_run_new(counter_list_of_network(net, "linux-vm"), &how)),
			false);
		runs_add(runs, tasktime_as_run(tasktime_run_new(&time)), false);
	}
	if (!net || !runs_begin(runs, &e)) {
		fprintf(stderr, "%s\n", e.what);
		_exit(1);
	}
	for (;;) {
		runs_wait(runs, 1, NULL);
		runs_poll(runs, NULL, NULL);
	}
}

static void
end(pid_t pid)
{
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

static struct figures
count_alone(bool machine)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	struct figures f;
	pid_t pid;

	self[n > 0 ? n : 0] = '\0';
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		setsid();
		count(machine);
	}
	watch(-1, WARM_SECONDS);
	f = measure(pid, self, -1);
	end(pid);
	return f;
}

/* --- the explorer ------------------------------------------------------------------------------------------------ */

static int
start(const char *program, bool machine, int w, int h, pid_t *pid)
{
	struct winsize size = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char *name;

	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 || !(name = ptsname(terminal)))
		return -1;
	ioctl(terminal, TIOCSWINSZ, &size);
	fflush(NULL);
	*pid = fork();
	if (*pid == 0) {
		const char *argv[12] = {program, "linux-vm", "-I", "100", machine ? "-a" : "--"};
		int fd;

		setsid();
		fd = open(name, O_RDWR);
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
		for (int i = 0; !machine && load[i]; i++)
			argv[5 + i] = load[i];
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		execv(program, (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	return terminal;
}

static void
print(const char *what, const struct figures *f, double least)
{
	printf("%-22s %5.2f %%  (user %5.2f, kernel %5.2f)", what, f->cpu / f->seconds * 100,
		f->user / f->seconds * 100, f->system / f->seconds * 100);
	if (least >= 0)
		printf("   beyond counting %5.2f %%   reach 1 %%   own memory %5.1f MB (all %5.1f MB, %zu processes)   "
		       "reach 16 MB   drawn %5.1f KB/s",
			(f->cpu / f->seconds - least) * 100, f->own, f->all, f->processes, f->bytes / f->seconds / 1e3);
	printf("\n");
	fflush(stdout);
}

static bool
explore_alone(const char *program, bool machine, int w, int h, double least)
{
	pid_t pid = -1;
	int terminal = start(program, machine, w, h, &pid);

	if (terminal < 0)
		return false;
	watch(terminal, WARM_SECONDS);
	for (int view = 5; view <= 7; view++) {
		char key = (char)('0' + view), what[64];
		struct figures f;

		if (write(terminal, &key, 1) != 1)
			return false;
		watch(terminal, 0.5);
		f = measure(pid, program, terminal);
		snprintf(what, sizeof what, "view %d, %d x %d", view, w, h);
		print(what, &f, least);
	}
	if (write(terminal, "qq", 2) == 2)
		watch(terminal, 0.5);
	end(pid);
	close(terminal);
	return true;
}

/* The cost of counting differs between runs as much as that of the views. */
static double
count_twice(bool machine, struct figures *f)
{
	double share = 0;

	for (int i = 0; i < 2; i++) {
		*f = count_alone(machine);
		print("counting alone", f, -1);
		share += f->cpu / f->seconds / 2;
	}
	return share;
}

int
main(void)
{
	const char *hecate = getenv("HECATE");
	char *program = hecate ? realpath(hecate, NULL) : NULL;
	bool good = program != NULL;

	for (int machine = 1; machine >= 0 && good; machine--) {
		struct figures f;
		double least;

		printf("linux-vm and stall-sources, 10 snapshots/s, %s: shares of one core\n",
			machine ? "-a" : "of a command that starts 100 processes a second");
		least = count_twice(machine, &f);
		good = f.processes > 0 && explore_alone(program, machine, 80, 24, least) &&
			explore_alone(program, machine, 200, 60, least);
	}
	if (!good)
		printf("it cannot be measured here: HECATE must name the program, a pseudo-terminal is needed, and "
		       "something that can be counted (hecate doctor)\n");
	free(program);
	return good ? 0 : 1;
}
