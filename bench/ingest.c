/* The speed of reading recorded data: `make bench-ingest`. hecate check reads wide CSV and perf stat -x -I of Haswell's
 * 26 counters from a file, a pipe and several files, and hecate import imports them; pandas reads the same file in the
 * same run. Then as many samples as in CounterPoint's study go to verdicts.
 *
 *     ingest [MB [MILLIONS]]      MB of each format (default 1000), millions of samples of the long run
 *                                 (default 20: 5 GB)
 *
 * $HECATE_OLD=TREE compares with the hecate that was built in TREE/build, run by run.
 *
 * "MB/s per core" is megabytes by processor time of hecate and its children, system time included, so that other users
 * of the machine do not count. Each file has just been written and is in memory. The text repeats 8192 different rows,
 * each with a time of its own. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/obs/obs.h"
#include "signature_file.h"

#define DIFFERENT 8192
#define PARTS 4
#define TURNS 7
#define LARGER 99991 /* so that 20 million rows are 5 GB */
#define TIME_DIGITS 16 /* "000012345.600000" */

enum format { WIDE_CSV, PERF_STAT };

/* Text of DIFFERENT rows, and the places of their times. */
struct text {
	enum format format;
	struct str head, rows;
	size_t *time, n_times, cap; /* offsets in rows, `each` of them in every row */
	size_t each;
};

static void
put_time(struct text *x)
{
	mem_grow(&x->time, &x->cap, x->n_times + 1, sizeof *x->time);
	x->time[x->n_times++] = x->rows.n;
	str_addf(&x->rows, "%*s", TIME_DIGITS, "");
}

static struct text
make_text(enum format format, const struct obs_table *t)
{
	const struct obs *o = t->obs[0];
	struct text x = {.format = format, .each = format == PERF_STAT ? t->n_columns : 1};

	if (format == WIDE_CSV) {
		str_add(&x.head, "time");
		for (size_t i = 0; i < t->n_columns; i++)
			str_addf(&x.head, ",%s", t->column[i]);
		str_add(&x.head, "\n");
	}
	for (size_t row = 0; row < o->n_rows; row++) {
		if (format == WIDE_CSV)
			put_time(&x);
		for (size_t i = 0; i < t->n_columns; i++) {
			long long count = o->count[row * t->n_columns + i] * LARGER;

			if (format == WIDE_CSV) {
				str_addf(&x.rows, ",%lld", count);
				continue;
			}
			put_time(&x);
			str_addf(&x.rows, ",%lld,,%s,%zu,100.00,,\n", count, t->column[i],
				 (size_t)100000000 + (row * 7919 + i * 104729) % 100000);
		}
		if (format == WIDE_CSV)
			str_add(&x.rows, "\n");
	}
	return x;
}

static bool
write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t got = write(fd, p, n);

		if (got < 0 && errno != EINTR)
			return false;
		p += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Writes `samples` rows, the first with number `first`. Returns the bytes, 0 if they cannot be written. */
static size_t
write_samples(int fd, struct text *x, size_t first, size_t samples)
{
	size_t bytes = x->head.n;

	if (x->head.n && !write_all(fd, str_text(&x->head), x->head.n))
		return 0;
	for (size_t done = 0; done < samples;) {
		size_t n = samples - done < DIFFERENT ? samples - done : DIFFERENT, end;

		for (size_t k = 0; k < n * x->each; k++) {
			size_t ms = (first + done + k / x->each) * 100;
			char digits[64];

			snprintf(digits, sizeof digits, x->format == WIDE_CSV ? "%09zu.%06zu" : "%9zu.%06zu", ms / 1000,
				 ms % 1000 * 1000);
			memcpy(x->rows.s + x->time[k], digits, TIME_DIGITS);
		}
		end = n * x->each < x->n_times ? x->time[n * x->each] : x->rows.n;
		if (!write_all(fd, x->rows.s, end))
			return 0;
		done += n;
		bytes += end;
	}
	return bytes;
}

/* The cost of a command. */
struct cost {
	double seconds, processor;
	double megabytes; /* largest resident memory */
	bool good;
};

/* Runs a shell command with this input (-1: none), on one processor or on all. */
static struct cost
run(const char *command, int input, bool alone)
{
	struct cost c = {0};
	struct rusage u;
	double begin = clock_seconds();
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		cpu_set_t one;
		int nothing = open("/dev/null", O_RDWR);

		CPU_ZERO(&one);
		CPU_SET((size_t)sched_getcpu(), &one);
		if (alone)
			sched_setaffinity(0, sizeof one, &one);
		dup2(input >= 0 ? input : nothing, STDIN_FILENO);
		dup2(nothing, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) != pid)
		return c;
	c.seconds = clock_seconds() - begin;
	c.processor = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		      (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
	c.megabytes = (double)u.ru_maxrss / 1024;
	/* Exit status of verdicts: 0 feasible, 1 some are infeasible. */
	c.good = WIFEXITED(status) && WEXITSTATUS(status) <= 1;
	return c;
}

static void
print_cost(const char *what, double mb, size_t samples, const struct cost *c)
{
	if (!c->good)
		printf("  %-40s failed\n", what);
	else
		printf("  %-40s %5.0f MB in %6.2f s, %6.2f s of processors: %4.0f MB/s, %4.0f MB/s per core; "
		       "%4.2f million rows/s; %4.0f MB of memory\n",
		       what, mb, c->seconds, c->processor, mb / c->seconds, mb / c->processor,
		       (double)samples / c->seconds / 1e6, c->megabytes);
	fflush(stdout);
}

struct place {
	const char *hecate;
	char *folder;
};

static char *
path_of(const struct place *p, const char *name, size_t number)
{
	return str_format("%s/%s-%zu", p->folder, name, number);
}

/* Writes a file of so many samples; returns its size in MB. */
static double
make_file(const char *path, struct text *x, size_t first, size_t samples)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t bytes = fd >= 0 ? write_samples(fd, x, first, samples) : 0;

	if (fd < 0 || close(fd) != 0 || !bytes) {
		fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
		exit(1);
	}
	return (double)bytes / 1e6;
}

/* A process makes samples and writes them into a pipe. */
static struct cost
run_from_maker(const char *command, struct text *x, size_t samples, double *mb)
{
	int end[2];
	size_t bytes = 0;
	struct cost c = {0};
	pid_t pid;

	for (size_t done = 0; done < samples; done += DIFFERENT)
		bytes += done + DIFFERENT <= samples ? x->rows.n : x->time[(samples - done) * x->each];
	*mb = (double)(bytes + x->head.n) / 1e6;
	if (pipe(end) != 0)
		return c;
	fcntl(end[1], F_SETPIPE_SZ, 1 << 20);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(end[0]);
		_exit(write_samples(end[1], x, 0, samples) ? 0 : 1);
	}
	close(end[1]);
	c = run(command, end[0], false);
	close(end[0]);
	waitpid(pid, NULL, 0);
	return c;
}

/* Runs a command, frees its text, and prints its cost. */
static void
measure(const char *what, char *command, bool alone, double mb, size_t samples)
{
	struct cost c = run(command, -1, alone);

	print_cost(what, mb, samples, &c);
	free(command);
}

/* Runs two commands in turn, and prints the ratio of their least costs, per megabyte: so other users of the machine
 * count little. Frees both. */
static void
compare(const char *what, char *command, double mb, char *other, double other_mb)
{
	struct cost best = {0}, least = {0};
	bool good = true;

	for (size_t k = 0; k < TURNS; k++) {
		struct cost a = run(command, -1, false), b = run(other, -1, false);

		good &= a.good && b.good;
		best.processor = k && best.processor < a.processor ? best.processor : a.processor;
		least.processor = k && least.processor < b.processor ? least.processor : b.processor;
		best.seconds = k && best.seconds < a.seconds ? best.seconds : a.seconds;
		least.seconds = k && least.seconds < b.seconds ? least.seconds : b.seconds;
	}
	if (!good)
		printf("  %-40s failed\n", what);
	else
		printf("  %-40s %4.2f times the speed per core, %4.2f times in wall time (least of %d each)\n", what,
		       least.processor / other_mb * mb / best.processor, least.seconds / other_mb * mb / best.seconds,
		       TURNS);
	fflush(stdout);
	free(command);
	free(other);
}

static char *
check_of(const char *tree, const char *hecate, const char *files)
{
	return str_format("exec env %s%s %s check -q haswell-mmu %s", tree ? "HECATE_MODELS=" : "", tree ? tree : "",
		hecate, files);
}

/* Against another version of hecate, which was built in the folder build/ of its tree, if $HECATE_OLD names one. */
static void
compare_with_old(const struct place *p, const char *files, double mb)
{
	const char *old = getenv("HECATE_OLD");
	char *program;

	if (!old || !*old)
		return;
	program = str_format("%s/build/hecate", old);
	compare("  against that in $HECATE_OLD", check_of(NULL, p->hecate, files), mb,
		check_of(old, program, files), mb);
	free(program);
}

static void
measure_format(const struct place *p, struct text *x, double mb_wanted)
{
	const char *name = x->format == WIDE_CSV ? "wide.csv" : "perf.txt";
	size_t samples = (size_t)(mb_wanted * 1e6 / ((double)x->rows.n / DIFFERENT)), part = samples / PARTS;
	char *path = path_of(p, name, 0), *check = str_format("exec %s check -q haswell-mmu", p->hecate), *command;
	struct str several = {0};
	double mb = make_file(path, x, 0, samples), parts = 0;

	printf("%s: %zu samples of 26 counters\n", x->format == WIDE_CSV ? "wide CSV" : "perf stat -x, -I", samples);
	measure("a file, on one processor", str_format("%s %s", check, path), true, mb, samples);
	measure("a file, on all", str_format("%s %s", check, path), false, mb, samples);
	measure("a pipe (cat's time included)", str_format("cat %s | { %s -; }", path, check + strlen("exec ")), false,
		mb, samples);
	if (x->format == WIDE_CSV) {
		char *session = path_of(p, "session.hct", 0);

		measure("import into a session file",
			str_format("exec %s import -q -o %s %s", p->hecate, session, path), false, mb, samples);
		unlink(session);
		free(session);
	}
	compare_with_old(p, path, mb);
	for (size_t k = 0; k < PARTS; k++) {
		char *one = path_of(p, name, k + 1);

		parts += make_file(one, x, k * part, part);
		str_addf(&several, " %s", one);
		free(one);
	}
	measure("four files, on all", str_format("%s%s", check, str_text(&several)), false, parts, PARTS * part);
	compare("  against a file", check_of(NULL, p->hecate, str_text(&several)), parts,
		check_of(NULL, p->hecate, path), mb);
	compare_with_old(p, str_text(&several), parts);
	unlink(path);
	free(path);
	command = str_format("rm -f%s", str_text(&several));
	run(command, -1, false);
	free(command);
	str_free(&several);
	free(check);
}

/* pandas reads the same file and computes the means. */
static void
measure_pandas(const struct place *p, struct text *x, double mb_wanted)
{
	const char *python = getenv("PYTHON");
	size_t samples = (size_t)(mb_wanted * 1e6 / ((double)x->rows.n / DIFFERENT));
	char *path = path_of(p, "pandas.csv", 0), *command;
	double mb;
	struct cost c;

	python = python && *python ? python : "/usr/bin/python3";
	command = str_format("exec %s -c 'import pandas' 2>/dev/null", python);
	c = run(command, -1, false);
	free(command);
	if (!c.good || c.processor <= 0) {
		printf("pandas: skipped, %s has no pandas (Debian's python3-pandas)\n", python);
		free(path);
		return;
	}
	mb = make_file(path, x, 0, samples);
	measure("pandas.read_csv().mean(), one processor",
		str_format("exec %s -c 'import pandas, sys; pandas.read_csv(sys.argv[1]).mean()' %s", python, path),
		true, mb, samples);
	unlink(path);
	free(path);
}

static void
measure_long(const struct place *p, struct text *x, size_t samples)
{
	double mb = (double)x->rows.n / DIFFERENT * (double)samples / 1e6;
	char *check = str_format("exec %s check -q haswell-mmu", p->hecate), *command, *path;
	struct statvfs disk;
	struct cost c;

	printf("%zu samples of 26 counters, wide CSV, to verdicts\n", samples);
	command = str_format("%s -", check);
	c = run_from_maker(command, x, samples, &mb);
	print_cost("made meanwhile, through a pipe", mb, samples, &c);
	free(command);
	if (statvfs(p->folder, &disk) != 0 || (double)disk.f_bavail * (double)disk.f_frsize < 1.2e6 * mb) {
		printf("  a file: skipped, %.0f MB do not fit into %s\n", mb, p->folder);
	} else {
		path = path_of(p, "long.csv", 0);
		mb = make_file(path, x, 0, samples);
		measure("a file, on all processors", str_format("%s %s", check, path), false, mb, samples);
		unlink(path);
		free(path);
	}
	free(check);
}

int
main(int argc, char **argv)
{
	double mb = argc > 1 ? strtod(argv[1], NULL) : 1000, millions = argc > 2 ? strtod(argv[2], NULL) : 20, load[3];
	const char *tmp = getenv("TMPDIR");
	struct place p = {.hecate = getenv("HECATE"),
			  .folder = str_format("%s/hecate-bench-XXXXXX", tmp ? tmp : "/tmp")};
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct obs_table *t = bench_observations(f, 1, DIFFERENT);
	struct text csv = make_text(WIDE_CSV, t), perf = make_text(PERF_STAT, t);

	signal(SIGPIPE, SIG_IGN);
	if (!p.hecate || !mkdtemp(p.folder)) {
		fprintf(stderr, "%s\n", p.hecate ? "no temporary folder can be made" :
						   "HECATE is not set: run make bench-ingest");
		return 1;
	}
	printf("%ld processors; load %.1f before\n", sysconf(_SC_NPROCESSORS_ONLN),
	       getloadavg(load, 1) == 1 ? load[0] : NAN);
	measure_format(&p, &csv, mb);
	measure_pandas(&p, &csv, mb);
	measure_format(&p, &perf, mb);
	measure_long(&p, &csv, (size_t)(millions * 1e6));
	printf("load %.1f after\n", getloadavg(load, 1) == 1 ? load[0] : NAN);
	rmdir(p.folder);
	free(p.folder);
	obs_table_free(t);
	signature_file_free(f);
	str_free(&csv.head);
	str_free(&csv.rows);
	free(csv.time);
	str_free(&perf.head);
	str_free(&perf.rows);
	free(perf.time);
	return 0;
}
