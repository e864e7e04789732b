/* One run of a command: its environment, its time, and what else happened on the machine meanwhile. */
#include "work/diff/bench.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/str.h"
#include "collect/proc/files.h"
#include "collect/source.h"

#define STOPPED_LOOKS 3 /* in a row, 0.1 s apart */
#define CPUS_ASKED 8 /* for their clock: with more of them, some, because the kernel asks each by an interrupt */

bool
bench_goes_on(struct bench *b, int fd)
{
	struct pollfd news = {.fd = fd, .events = POLLIN};

	if (b->options->interrupted()) {
		b->out->interrupted = true;
		return false;
	}
	if (clock_seconds() > b->deadline) {
		b->out->out_of_time = true;
		return false;
	}
	ppoll(&news, 1, &(struct timespec){.tv_nsec = 100000000}, b->options->during);
	return true;
}

static bool
is_stopped(int pid)
{
	char path[48], text[512];
	const char *state;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	state = pid > 0 && proc_text_read(path, text, sizeof text) ? strrchr(text, ')') : NULL;
	return state && str_starts(state, ") T");
}

/* False: the run is cut; *e only if it waits for what never comes. */
static bool
bench_wait(struct bench *b, struct source *source, struct source_end *end, const char *what, struct err *e)
{
	unsigned stopped = 0;

	while (!source_all.poll(source, end)) {
		if (!bench_goes_on(b, source_all.wait_fd(source)))
			return false;
		stopped = is_stopped(source_all.pid(source)) ? stopped + 1 : 0;
		if (stopped < STOPPED_LOOKS)
			continue;
		err_set(e, "%s was stopped by a signal, as a program in the background is that uses the terminal",
			what);
		err_hint(e, "script -qec 'COMMAND' /dev/null gives it a terminal of its own");
		return false;
	}
	return true;
}

void
bench_find_folders(struct bench *b)
{
	const char *shell = getenv("PWD");
	struct stat named, here;

	for (int side = 0; side < 2; side++) {
		const char *folder = b->options->folder[side];

		/* the name by which a shell came here may lead over symbolic links */
		if (!folder && shell && *shell == '/' && stat(shell, &named) == 0 && stat(".", &here) == 0 &&
			named.st_dev == here.st_dev && named.st_ino == here.st_ino)
			b->pwd[side] = mem_str(shell);
		else
			b->pwd[side] = realpath(folder ? folder : ".", NULL);
	}
}

/* The name of a folder with a random number of slashes before its last part. Two slashes at the very beginning may mean
 * something else (POSIX), so there is never just one more. */
static void
lengthen(struct bench *b, const char *name, char out[PATH_MAX])
{
	const char *last = strrchr(name, '/');
	size_t slashes = (size_t)random_below(&b->random, BENCH_SLASHES_MOST), before = (size_t)(last - name);

	if (!last[1] || slashes < 2 || strlen(name) + slashes >= PATH_MAX)
		slashes = 0;
	snprintf(out, PATH_MAX, "%.*s", (int)before, name);
	memset(out + before, '/', slashes);
	snprintf(out + before + slashes, PATH_MAX - before - slashes, "%s", last);
}

void
bench_set_up(struct bench *b, enum diff_side side, struct bench_setup *s, double *around)
{
	size_t n = (size_t)random_below(&b->random, BENCH_PADDING_MOST), n_set = 0;
	double ignored[MEASURE_AROUND];

	around = around ? around : ignored;
	around[MEASURE_ENVIRONMENT] = around[MEASURE_FOLDER] = NAN;
	if (!b->options->same_environment) {
		memset(s->padding, 'x', n);
		s->padding[n] = '\0';
		s->set[n_set++] = (struct spec_setting){.name = "HECATE_PADDING", .value = s->padding};
		around[MEASURE_ENVIRONMENT] = (double)n;
	}
	if (!b->options->same_environment && b->pwd[side]) {
		lengthen(b, b->pwd[side], s->pwd);
		s->set[n_set++] = (struct spec_setting){.name = "PWD", .value = s->pwd};
		around[MEASURE_FOLDER] = (double)strlen(s->pwd);
	}
	s->program = (struct spec_program){.name = side == DIFF_A ? "A" : "B",
		.folder = b->options->folder[side],
		.set = s->set,
		.n_set = n_set,
		.cores = b->options->cpus};
}

static bool
cpu_number(const struct proc_roots *at, long cpu, const char *file, uint64_t *v)
{
	char path[sizeof at->sysfs + 80], text[32];

	snprintf(path, sizeof path, "%s/devices/system/cpu/cpu%ld/%s", at->sysfs, cpu, file);
	return proc_text_read(path, text, sizeof text) && proc_number_at(text, 0, v);
}

/* The fastest clock of the CPUs now, Hz; and how often they were slowed down because of heat. NAN: not known. */
static void
bench_look_around(struct bench *b, double *frequency, double *throttled)
{
	long step = b->cpus > CPUS_ASKED ? b->cpus / CPUS_ASKED : 1;
	struct proc_roots at;
	uint64_t v;

	proc_roots_find(&at);
	*frequency = *throttled = NAN;
	for (long cpu = 0; cpu < b->cpus; cpu += step) {
		if (!b->no_frequency && cpu_number(&at, cpu, "cpufreq/scaling_cur_freq", &v))
			*frequency = fmax(*frequency, (double)v * 1e3); /* fmax() ignores NAN */
		if (!b->no_throttle && cpu_number(&at, cpu, "thermal_throttle/core_throttle_count", &v))
			*throttled = (isnan(*throttled) ? 0 : *throttled) + (double)v;
	}
	b->no_frequency = isnan(*frequency);
	b->no_throttle = isnan(*throttled);
}

/* Shares of the CPUs' time in this run that the host took, and other programs. */
static void
measure_machine(struct bench *b, struct bench_result *r)
{
	double all = r->time[MEASURE_WALL] * (double)b->cpus, of[BENCH_MACHINE], rest;

	rest = all - r->time[MEASURE_CPU];
	for (size_t i = 0; i < BENCH_MACHINE; i++) {
		size_t k = b->n_counters - BENCH_MACHINE + i;

		of[i] = r->counted[k] && r->count[k] > 0 ? (double)r->count[k] / 1e9 : 0;
		b->sum[i] += of[i];
		rest -= of[i];
	}
	r->around[MEASURE_STEAL] = all > 0 ? of[BENCH_STEAL] / all : NAN;
	r->around[MEASURE_OTHERS] = all > 0 ? fmax(0, rest / all) : NAN;
}

enum bench_end
bench_run(struct bench *b, enum diff_side side, bool loud, struct bench_result *result, struct err *e)
{
	struct bench_setup setup;
	struct source_spec spec = {.counter = b->counter,
		.n_counters = b->n_counters,
		.argv = b->options->argv[side],
		.out_fd = b->null,
		.err_fd = loud ? -1 : b->null,
		.no_input = true,
		.own_group = true,
		.setup = &setup.program,
		.may_count_nothing = true,
		.keep = b->keep};
	struct source *source;
	struct source_end end = {0};
	enum bench_end how = BENCH_IMPOSSIBLE;
	double ignored, throttled, throttled_then;

	bench_set_up(b, side, &setup, result->around);
	source = source_all.open(&spec, e);
	if (!source)
		return BENCH_IMPOSSIBLE;
	bench_look_around(b, &ignored, &throttled);
	if (source_all.start(source, e)) {
		how = bench_wait(b, source, &end, side == DIFF_A ? "A" : "B", e) ? BENCH_GOOD : BENCH_CUT;
		if (how == BENCH_GOOD && !source_all.read(source, result->count, result->counted, e))
			how = BENCH_IMPOSSIBLE;
	}
	bench_look_around(b, &result->around[MEASURE_FREQUENCY], &throttled_then);
	result->around[MEASURE_THROTTLED] = throttled_then - throttled;
	result->time[MEASURE_WALL] = end.seconds;
	result->time[MEASURE_CPU] = end.user + end.system;
	result->time[MEASURE_USER] = end.user;
	result->time[MEASURE_SYSTEM] = end.system;
	result->status = end.signalled ? 128 + end.code : end.code;
	if (how == BENCH_GOOD)
		measure_machine(b, result);
	if (how == BENCH_GOOD && result->status != 0 && !b->options->any_status)
		how = BENCH_BAD_STATUS;
	source_all.close(source);
	return how;
}

bool
bench_prepare(struct bench *b, struct err *e)
{
	struct source_spec spec = {.argv = b->options->prepare,
		.out_fd = b->null,
		.err_fd = -1,
		.no_input = true,
		.own_group = true,
		.may_count_nothing = true,
		.keep = b->keep};
	struct source *source;
	struct source_end end = {0};
	bool good;

	if (!b->options->prepare)
		return true;
	source = source_all.open(&spec, e);
	good = source && source_all.start(source, e) && bench_wait(b, source, &end, "--prepare: the command", e);
	if (source)
		source_all.close(source);
	if (good && (end.signalled || end.code)) {
		err_set(e, "--prepare: the command ended %s %d", end.signalled ? "by signal" : "with status", end.code);
		return false;
	}
	return good;
}
