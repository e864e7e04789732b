/* A day of spr-cxl's counters at one snapshot a second, each of all owners together: the size of its file, the time to
 * open it, and a step of `[` in views 5 to 7. Then as many snapshots counted here: the memory that they keep, and the
 * cost of each. `make bench-views` runs it. With a file's name the file is made there, or used if it exists, and
 * kept. DAYS=7 makes a week of it. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench.h"
#include "core/obs/obs.h"
#include "draw/cell.h"
#include "draw/view/view.h"
#include "explorer/state/state_timeline.h"
#include "test.h"
#include "text/diag.h"
#include "work/files/data.h"
#include "work/files/recording.h"
#include "work/files/texts.h"
#include "work/run/counter_rows.h"
#include "work/run/counters_run.h"
#include "work/timeline/network_data.h"
#include "work/timeline/timeline.h"

#define DAY 86400
#define STEPS 301
#define FRAME 16.7e-3
#define MEGABYTES 16.0 /* an explorer's own memory, also with a reopened day */

/* Rows of the recording: DAYS days, or one. */
static size_t
recorded_rows(void)
{
	const char *days = getenv("DAYS");
	uint64_t n = 1;

	if (days && !str_to_u64(days, &n))
		n = 1;
	return (size_t)n * DAY;
}

struct load {
	double *level; /* for each counter: events a second */
	size_t n;
	uint64_t seed;
};

static struct network *
network(struct text *text)
{
	struct diags d = {0};
	struct err e = {0};
	struct network *n = text_load("spr-cxl", TEXT_NETWORK, text, &e) ? text_network(text, &d) : NULL;

	diags_free(&d);
	return n;
}

static struct obs_table *
table_of(const struct network *n)
{
	const char **name = mem_new_array(n->n_counters, sizeof *name);
	struct obs_table *t;

	for (size_t i = 0; i < n->n_counters; i++)
		name[i] = n->counter[i].name;
	t = obs_table_new(name, n->n_counters);
	free(name);
	return t;
}

/* Levels from hundreds to billions, which rise and fall together over the day, with a noise of a fifth. */
static void
next_row(struct load *l, struct obs *o, size_t second)
{
	int64_t *count = mem_new_array(l->n, sizeof *count);
	double phase = 1 + 0.8 * sin((double)second * 2 * M_PI / 7200);

	if (!l->level) {
		l->level = mem_new_array(l->n, sizeof *l->level);
		for (size_t i = 0; i < l->n; i++)
			l->level[i] = pow(10, 2 + 7.5 * test_uniform(&l->seed));
	}
	for (size_t i = 0; i < l->n; i++)
		count[i] = llround(l->level[i] * phase * (0.9 + 0.2 * test_uniform(&l->seed)));
	obs_add_row(o, count, NULL, (double)(second + 1));
	free(count);
}

/* In a process of its own, so that the memory of this one is the reader's. */
static bool
write_day(const char *path)
{
	struct text text = {0};
	struct network *n = network(&text);
	struct obs_table *t = n ? table_of(n) : NULL;
	struct load l = {.n = n ? n->n_counters : 0};
	struct err e = {0};
	struct recording *r = n ? recording_open_text(path, TEXT_NETWORK, n->name, &text, NULL, &e) : NULL;
	struct obs *o = t ? obs_table_add(t, "day", "bench") : NULL;
	bool good = r != NULL;

	for (size_t i = 0, rows = recorded_rows(); i < rows && good; i++) {
		o->since_start = true;
		next_row(&l, o, i);
		good = i % 3600 != 3599 || recording_follow(r, t, &e);
	}
	if (!good)
		printf("%s: %s\n", path, e.what);
	recording_close(r);
	return good;
}

static bool
in_child(bool (*what)(const char *), const char *path)
{
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		bool good = what(path);

		fflush(stdout);
		_exit(!good);
	}
	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* A subcommand on the file, and its largest memory, with libraries and mapped files. */
static void
run_command(const char *name, const char *const *word)
{
	const char *program = getenv("HECATE");
	double start = clock_seconds();
	struct rusage used = {0};
	int status = 1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (program && freopen("/dev/null", "w", stdout))
			execv(program, (char *const *)(uintptr_t)word);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &used) != pid)
		status = 1;
	printf("hecate %-16s %6.2f s, %5.1f MB in all%s\n", name, clock_seconds() - start,
		(double)used.ru_maxrss / 1024, status == 0 ? "" : ", and it failed");
}

static void
run_commands(const char *path)
{
	run_command("net FILE", (const char *const[]){"hecate", "net", path, NULL});
	run_command("stack naive-spr", (const char *const[]){"hecate", "stack", "naive-spr", path, NULL});
	run_command("report FILE", (const char *const[]){"hecate", "report", path, NULL});
	run_command("export --csv", (const char *const[]){"hecate", "export", path, "--csv", NULL});
	run_command("export --json", (const char *const[]){"hecate", "export", path, "--json", NULL});
}

/* Steps of `[`, each with a drawing. */
static void
scrub(struct state *s, enum action view, const char *name, int w, int h)
{
	struct grid *g = grid_new(w, h, false);
	double t[STEPS], first = clock_seconds(), median;
	struct drawn d;

	state_act(s, view);
	state_timeline_show(s);
	draw_screen(s, g, &d);
	first = clock_seconds() - first;
	for (size_t i = 0; i < STEPS; i++) {
		double start = clock_seconds();

		state_act(s, ACTION_snapshot_back);
		state_timeline_show(s);
		draw_screen(s, g, &d);
		t[i] = clock_seconds() - start;
	}
	median = bench_median(t, STEPS);
	printf("view %s, %3d x %-2d       first drawing %6.2f ms, a step of [ %6.2f ms, the slowest of %d %6.2f ms   "
	       "reach %.1f ms   %s\n",
		name, w, h, first * 1e3, median * 1e3, STEPS, t[STEPS - 1] * 1e3, FRAME * 1e3,
		median <= FRAME ? "yes" : "no");
	grid_free(g);
}

static bool
open_session(struct state *s)
{
	struct text text = {0}, none = {0};
	struct network *n = network(&text);

	state_init(s);
	s->view.frame.program = "hecate";
	if (n)
		state_open_timeline(s, n, &text, NULL, &none);
	return n != NULL;
}

static bool
throw_away(void *ctx, struct str *text, struct err *e)
{
	size_t *bytes = ctx;

	(void)e;
	*bytes += text->n;
	str_clear(text);
	return true;
}

static void
export_day(const struct obs_table *t)
{
	double start = clock_seconds();
	size_t bytes = 0;
	const struct recording_drain d = {throw_away, &bytes};
	struct str text = {0};
	struct err e = {0};
	bool good = recording_csv(t, &d, &text, &e);

	printf("exported as CSV         %6.2f s, %.0f MB of text%s%s\n", clock_seconds() - start,
		(double)(bytes + text.n) / 1e6, good ? "" : ", and it failed: ", e.what);
	str_free(&text);
}

static bool
read_day(const char *path)
{
	struct state s;
	struct err e = {0};
	double start = clock_seconds();

	if (!open_session(&s))
		return false;
	s.data.table = mem_new(sizeof *s.data.table);
	s.data.table[0] = data_open(path, false, &e);
	s.data.n_tables = s.data.table[0] != NULL;
	if (!s.data.n_tables) {
		printf("%s\n", e.what);
		return false;
	}
	printf("opened                  %6.2f s, own memory %.1f MB\n", clock_seconds() - start, bench_megabytes());
	state_timeline_follow(&s);
	printf("… and analysed          %6.2f s, %zu snapshots, own memory %.1f MB\n", clock_seconds() - start,
		timeline_snapshots(s.data.timeline), bench_megabytes());
	scrub(&s, ACTION_paths, "5", 80, 24);
	scrub(&s, ACTION_paths, "5", 200, 60);
	scrub(&s, ACTION_stalls, "6", 200, 60);
	scrub(&s, ACTION_queues, "7", 200, 60);
	s.view.cursor[PANE_SNAPSHOTS] = 1000;
	start = clock_seconds();
	state_act(&s, ACTION_to_snapshot);
	state_timeline_show(&s);
	printf("from there to the 1001st snapshot, with the %d queues before it: %.2f ms\n", TIMELINE_HISTORY,
		(clock_seconds() - start) * 1e3);
	export_day(s.data.table[0]);
	printf("after all this, own memory %.1f MB   reach %.0f MB   %s\n", bench_megabytes(), MEGABYTES,
		bench_megabytes() <= MEGABYTES ? "yes" : "no");
	state_free(&s);
	return true;
}

/* The same counters, counted here: rows come one by one, and old ones are folded as work/run/counters_run.c does. */
static bool
grow(const char *unused)
{
	struct state s;
	struct drawn d;
	struct grid *g = grid_new(200, 60, false);
	double worst = 0, sum = 0, drawn = 0;
	struct load l = {0};
	struct obs *o;

	(void)unused;
	if (!open_session(&s))
		return false;
	s.data.table = mem_new(sizeof *s.data.table);
	s.data.table[0] = table_of(timeline_network(s.data.timeline));
	s.data.n_tables = 1;
	l.n = s.data.table[0]->n_columns;
	o = obs_table_add(s.data.table[0], "live", "bench");
	o->since_start = true;
	printf("the same, counted here: at most %zu rows are kept\n", counter_rows_most(l.n));
	for (size_t i = 0; i < DAY; i++) {
		double start, took;

		obs_keep(o, counter_rows_most(l.n));
		next_row(&l, o, i);
		start = clock_seconds();
		state_timeline_take(&s);
		state_timeline_show(&s);
		took = clock_seconds() - start;
		if (i % 100 == 0) {
			draw_screen(&s, g, &d);
			drawn += clock_seconds() - start;
		}
		sum += took;
		worst = took > worst ? took : worst;
		if (i + 1 == DAY / 24 || i + 1 == DAY)
			printf("after %5zu snapshots: %4zu rows, own memory %5.1f MB, a snapshot analysed in %.3f ms "
			       "(with the drawing of view 5 %.2f ms), the slowest %.1f ms\n",
				i + 1, o->n_rows, bench_megabytes(), sum / (double)(i + 1) * 1e3,
				drawn / (double)(i / 100 + 1) * 1e3, worst * 1e3);
	}
	grid_free(g);
	state_free(&s);
	return true;
}

int
main(int argc, char **argv)
{
	const char *dir = getenv("TMPDIR");
	char *path = argc > 1 ? mem_str(argv[1])
			      : str_format("%s/hecate-day-%d.hecate", dir && *dir ? dir : "/tmp", (int)getpid());
	double start = clock_seconds();
	struct stat st;
	bool there = argc > 1 && access(path, F_OK) == 0,
	     good = (there || in_child(write_day, path)) && stat(path, &st) == 0;

	if (good) {
		printf("%zu rows at 1 Hz of spr-cxl's counters: %.0f MB   reach 500 MB a day   %s\n", recorded_rows(),
			(double)st.st_size / 1e6,
			(double)st.st_size <= 500e6 * (double)recorded_rows() / DAY ? "yes" : "no");
		if (!there)
			printf("written                 %6.2f s\n", clock_seconds() - start);
		run_commands(path);
		good = in_child(read_day, path);
	}
	if (argc == 1)
		unlink(path);
	free(path);
	return good && in_child(grow, "") ? 0 : 1;
}
