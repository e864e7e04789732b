#include "cli/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/parallel.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/files/recording.h"

#define QUIET_SECONDS 0.7  /* s; shorter reading shows nothing */
#define EVERY_SECONDS 0.2
#define WAITING_SECONDS 2.0
#define LINE_MOST 200

void
reading_begin(struct reading *r, const struct options *o, bool holds)
{
	*r = (struct reading){.shows = !o->quiet && isatty(STDERR_FILENO),
		.quiet = o->quiet,
		.holds = holds,
		.begin = clock_seconds()};
	pthread_mutex_init(&r->lock, NULL);
	if (holds)
		signals_hold(&r->signals);
}

static void
show(struct reading *r, const char *text)
{
	struct winsize w = {0};
	size_t columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col - 1U : 79,
	       n = strlen(text);

	n = n < columns ? n : columns;
	fprintf(stderr, "\r%.*s%*s\r%.*s", (int)n, text, r->width > n ? (int)(r->width - n) : 0, "", (int)n, text);
	fflush(stderr);
	r->width = n;
}

static void
reading_clear(struct reading *r)
{
	if (r->width)
		fprintf(stderr, "\r%*s\r", (int)r->width, "");
	r->width = 0;
}

void
reading_end(struct reading *r)
{
	reading_clear(r);
	if (r->holds)
		signals_let_go(&r->signals);
	pthread_mutex_destroy(&r->lock);
}

static void
say_waiting(struct reading *r, const struct data_progress *p)
{
	if (!r->said_waiting && !r->quiet) {
		reading_clear(r);
		log_line(NULL, "no data from %s for %.0f s, although a program still holds it open%s",
			str_eq(p->name, "stdin") ? "standard input" : p->name, p->waiting,
			r->holds ? "; Ctrl-C continues with the data so far" : "");
	}
	r->said_waiting = true;
}

/* "hecate: big.csv 43 %, 8 600 000 rows, 610 MB/s, 5 s left". In ASCII, because --color was not evaluated yet. */
static void
reading_show_progress(struct reading *reading, const struct data_progress *progress, double now)
{
	double seconds = now - reading->begin, bytes = (double)(reading->done + progress->bytes),
	       of = (double)(reading->of > progress->size ? reading->of : progress->size), rate = bytes / seconds;
	char number[NUMBER_TEXT], line[LINE_MOST];
	int n = snprintf(line, sizeof line, "hecate: %.60s", progress->name);

	if (of > 0)
		n += snprintf(line + n, sizeof line - (size_t)n, " %.0f %%", bytes < of ? 100 * bytes / of : 100);
	else
		n += snprintf(line + n, sizeof line - (size_t)n, " %.0f MB", bytes / 1e6);
	if (progress->rows)
		n += snprintf(line + n, sizeof line - (size_t)n, ", %s rows",
			number_exact(number, (long long)progress->rows, false, true));
	n += snprintf(line + n, sizeof line - (size_t)n, ", %.0f MB/s", rate / 1e6);
	if (of > bytes && rate > 0)
		snprintf(line + n, sizeof line - (size_t)n, ", %s left",
			number_seconds(number, (of - bytes) / rate, true));
	show(reading, line);
}

/* Is it time for another line? */
static bool
reading_is_due(struct reading *reading, double now)
{
	bool due = reading->shows && now - reading->begin > QUIET_SECONDS && now - reading->shown_at >= EVERY_SECONDS;

	if (due)
		reading->shown_at = now;
	return due;
}

void
reading_line(struct reading *reading, const char *text)
{
	if (reading_is_due(reading, clock_seconds()))
		show(reading, text);
}

bool
reading_go_on(void *ctx, const struct data_progress *progress)
{
	struct reading *reading = ctx;
	double now = clock_seconds();

	pthread_mutex_lock(&reading->lock);
	if (progress->waiting >= WAITING_SECONDS) {
		say_waiting(reading, progress);
	} else if (progress->waiting == 0) {
		reading->said_waiting = false;
		if (reading_is_due(reading, now))
			reading_show_progress(reading, progress, now);
	}
	pthread_mutex_unlock(&reading->lock);
	return !reading->holds || !signals_interrupted();
}

/* Adds what one of several files has read since its last report. */
struct one_of_many {
	struct reading *r;
	uint64_t reported;
};

static bool
go_on_of_many(void *ctx, const struct data_progress *p)
{
	struct one_of_many *one = ctx;
	struct data_progress all = *p;

	pthread_mutex_lock(&one->r->lock);
	one->r->done += p->bytes - one->reported;
	one->reported = p->bytes;
	pthread_mutex_unlock(&one->r->lock);
	all.bytes = 0;
	return reading_go_on(one->r, &all);
}

struct readers {
	const struct options *o;
	const char *const *path;
	struct obs_table **table;
	struct err *error;
	struct reading r;
};

static void
read_one(void *ctx, size_t i)
{
	struct readers *x = ctx;
	struct one_of_many one = {.r = &x->r};
	const struct data_watch watch = {.go_on = go_on_of_many, .ctx = &one, .totals = x->o->totals};

	x->table[i] = data_read_watched(x->path[i], x->o->exact, &watch, &x->error[i]);
}

/* True when the data come through a pipe: then Ctrl-C ends it. */
static bool
is_pipe(const char *path)
{
	struct stat st;

	return (str_eq(path, "-") ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 && !S_ISREG(st.st_mode) &&
		!S_ISDIR(st.st_mode);
}

static uint64_t
size_of(const char *path)
{
	struct stat st;

	return !str_eq(path, "-") && stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

bool
reading_tables(const struct options *options, const char *const *path, size_t n, struct obs_table **table)
{
	struct readers x = {.o = options, .path = path, .table = table, .error = mem_new_array(n, sizeof *x.error)};
	const struct parallel how = {.each = read_one, .ctx = &x};
	bool pipe = false, good = true;

	for (size_t i = 0; i < n; i++)
		pipe |= is_pipe(path[i]);
	reading_begin(&x.r, options, pipe);
	for (size_t i = 0; i < n; i++)
		x.r.of += size_of(path[i]);
	parallel_each(&how, n);
	if (pipe && signals_interrupted())
		log_line(NULL, "the data were not read to their end: the rows until Ctrl-C are used");
	reading_end(&x.r);
	for (size_t i = 0; i < n && good; i++) {
		good = table[i] != NULL;
		if (!good)
			print_failure(&x.error[i]);
	}
	for (size_t i = 0; i < n && !good; i++) {
		obs_table_free(table[i]);
		table[i] = NULL;
	}
	free(x.error);
	return good;
}

size_t
reading_first(const struct options *o)
{
	return o->n_args == 0 || recording_is(o->arg[0]) ? 0 : 1;
}

struct obs_table *
reading_table(const struct options *o, const char *path)
{
	struct obs_table *t;

	reading_tables(o, &path, 1, &t);
	return t;
}

struct obs_table *
reading_open(const struct options *o, const char *path)
{
	struct err e = {0};
	struct obs_table *t;

	if (str_eq(path, "-") || o->totals)
		return reading_table(o, path);
	t = data_open(path, o->exact, &e);
	if (!t)
		print_failure(&e);
	return t;
}

bool
reading_is_whole(const struct obs_table *t)
{
	const struct err *e = obs_table_failure(t);

	if (e)
		print_failure(e);
	return !e;
}
