/* Perf events and the kernel's files as one source. source_perf runs the command or watches the target, and makes the
 * ticks, with the perf counters, of which there may be none. Each time it returns a row or totals, the files are read
 * immediately afterwards. */
#include "collect/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "collect/host/machine.h"
#include "collect/perf/names.h"
#include "collect/perf/source_perf.h"
#include "collect/proc/counters.h"
#include "collect/proc/names.h"

/* This source's own state; `perf` is source_perf's and only passed to it. */
struct source {
	struct source *perf;
	struct proc_counters *files;
	struct proc_subject subject;
	int *id;                       /* the target's ids */
	struct source_status *status;
	size_t n;
	bool *mine;                    /* per counter: it is read from files */
	size_t *theirs, n_theirs;      /* the numbers of perf's counters here, in perf's order */
	struct source_counter *counter; /* counters that perf counts */
	bool ended;                    /* the files have been read for the last time */
	struct source_row row;         /* perf's row; arrays owned */
	struct obs_origin *origin;     /* with its texts; written when it is asked for */
};

/* Returns the kind of a counter's events: 0 perf, 1 files, −1 both. */
static int
made_of(const struct source_counter *c)
{
	size_t files = 0;

	for (size_t i = 0; i < c->n_events; i++)
		files += proc_name_is(c->event[i].name);
	return files == 0 ? 0 : files == c->n_events ? 1 : -1;
}

static void
source_all_split(struct source *source, const struct source_spec *spec)
{
	source->n = spec->n_counters;
	source->status = mem_new_array(source->n, sizeof *source->status);
	source->mine = mem_new_array(source->n, sizeof *source->mine);
	source->theirs = mem_new_array(source->n, sizeof *source->theirs);
	source->counter = mem_new_array(source->n, sizeof *source->counter);
	for (size_t i = 0; i < source->n; i++)
		switch (made_of(&spec->counter[i])) {
		case 0:
			source->theirs[source->n_theirs] = i;
			source->counter[source->n_theirs++] = spec->counter[i];
			break;
		case 1:
			source->mine[i] = true;
			break;
		case -1:
			source->status[i].running = 1;
			source_status_refuse(&source->status[i], EINVAL, "make two counters of it",
				"%.60s adds perf events "
				"and numbers from the kernel's files, which are read at different times",
				spec->counter[i].name);
			break;
		}
}

static void
find_subject(struct source *source, const struct source_spec *spec)
{
	if (spec->target && spec->target->kind == SOURCE_CPUS)
		return; /* everything on the CPUs is counted, not only the command */
	if (perf_source_command(source->perf, &source->subject.command, &source->subject.minder)) {
		source->subject.kind = PROC_COMMAND;
	} else if (spec->target) {
		source->subject.kind = spec->target->kind == SOURCE_PROCESSES ? PROC_PROCESSES : PROC_THREADS;
		source->id = mem_copy(spec->target->id, spec->target->n * sizeof *source->id);
		source->subject.id = source->id;
		source->subject.n = spec->target->n;
	}
}

static void
all_close(struct source *source)
{
	if (!source)
		return;
	if (source->perf)
		source_perf.close(source->perf);
	proc_counters_free(source->files);
	free(source->id);
	free(source->origin->cpu);
	free(source->origin->machine);
	free(source->origin);
	free(source->status);
	free(source->mine);
	free(source->theirs);
	free(source->counter);
	free(source->row.count);
	free(source->row.counted);
	free(source->row.running);
	free(source);
}

static const struct source_status *
all_status(const struct source *s)
{
	const struct source_status *perf = source_perf.status(s->perf);

	for (size_t i = 0; i < s->n_theirs; i++)
		s->status[s->theirs[i]] = perf[i];
	return s->status;
}

/* Opens the counters. Returns false and sets *e when none at all can be counted. */
static bool
source_all_some_count(const struct source *source, const struct source_spec *spec, struct err *e)
{
	all_status(source);
	for (size_t i = 0; i < source->n; i++)
		if (source->status[i].health != OBS_UNSUPPORTED)
			return true;
	if (source->n == 0 || spec->may_count_nothing)
		return true;
	err_set(e, "none of the %zu counters can be counted here; %s: %s", source->n, spec->counter[0].name,
		source->status[0].why);
	return err_hint(e, "%s%shecate doctor lists what can be counted", source->status[0].remedy,
		*source->status[0].remedy ? "; " : "");
}

/* Writes the codes of perf's events. Names of the kernel's files need none. */
static void
describe_events(const void *ctx, struct json_writer *writer)
{
	const struct source *source = ctx;

	perf_source_events(source->perf, source->counter, writer);
}

static struct source *
all_open(const struct source_spec *spec, struct err *e)
{
	struct source *source = mem_new(sizeof *source);
	struct source_spec perf = *spec;
	bool alone;

	source->origin = mem_new(sizeof *source->origin);
	source_all_split(source, spec);
	alone = source->n_theirs == source->n;
	perf.counter = source->counter;
	perf.n_counters = source->n_theirs;
	perf.may_count_nothing |= !alone;
	source->perf = source_perf.open(&perf, e);
	if (source->perf) {
		find_subject(source, spec);
		source->files = proc_counters_new(spec, source->mine, &source->subject, source->status);
		source->row.count = mem_new_array(source->n_theirs, sizeof *source->row.count);
		source->row.counted = mem_new_array(source->n_theirs, sizeof *source->row.counted);
		source->row.running = mem_new_array(source->n_theirs, sizeof *source->row.running);
		if (alone || source_all_some_count(source, spec, e))
			return source;
	}
	all_close(source);
	return NULL;
}

static bool
all_start(struct source *s, struct err *e)
{
	proc_counters_begin(s->files);
	return source_perf.start(s->perf, e);
}

static int
all_wait_fd(const struct source *s)
{
	return source_perf.wait_fd(s->perf);
}

/* Reads the files once more at the end. The machine goes on after the command has ended, so the last row and the totals
 * use this reading. */
static bool
all_poll(struct source *s, struct source_end *end)
{
	if (!source_perf.poll(s->perf, end))
		return false;
	if (!s->ended) {
		uint64_t cpu_ns = perf_source_cpu_ns(s->perf);

		/* an end that is known says what is left behind */
		proc_counters_settle(s->files, cpu_ns, s->subject.kind == PROC_COMMAND && cpu_ns && !end->left_behind);
		proc_counters_read(s->files);
	}
	s->ended = true;
	return true;
}

static bool
all_read(struct source *source, int64_t *count, unsigned char *counted, struct err *e)
{
	if (!source_perf.read(source->perf, source->row.count, source->row.counted, e))
		return false;
	if (!source->ended)
		proc_counters_read(source->files);
	for (size_t i = 0; i < source->n; i++) {
		count[i] = 0;
		counted[i] = 0;
	}
	for (size_t i = 0; i < source->n_theirs; i++) {
		count[source->theirs[i]] = source->row.count[i];
		counted[source->theirs[i]] = source->row.counted[i];
	}
	proc_counters_totals(source->files, count, counted);
	return true;
}

static enum source_news
all_row(struct source *source, struct source_row *row, struct err *e)
{
	enum source_news news = source_perf.row(source->perf, &source->row, e);

	if (news != SOURCE_ROW)
		return news;
	if (!source->ended)
		proc_counters_read(source->files);
	row->seconds = source->row.seconds;
	row->missed = source->row.missed;
	row->tasks = source->row.tasks;
	row->rotation = source->row.rotation;
	for (size_t i = 0; i < source->n; i++) {
		row->count[i] = 0;
		row->counted[i] = 0;
		row->running[i] = 1;
	}
	for (size_t i = 0; i < source->n_theirs; i++) {
		row->count[source->theirs[i]] = source->row.count[i];
		row->counted[source->theirs[i]] = source->row.counted[i];
		row->running[source->theirs[i]] = source->row.running[i];
	}
	proc_counters_row(source->files, row->count, row->counted);
	return SOURCE_ROW;
}

static void
all_tick(struct source *s)
{
	source_perf.tick(s->perf);
}

static void
all_stop(struct source *s)
{
	source_perf.stop(s->perf);
}

static int
all_pid(const struct source *s)
{
	return source_perf.pid(s->perf);
}

static const struct obs_origin *
all_origin(const struct source *s)
{
	if (!s->origin->machine)
		host_machine(s->origin, describe_events, s);
	return s->origin;
}

const struct source_ops source_all = {
	.name = "perf and the kernel's files",
	.open = all_open,
	.status = all_status,
	.pid = all_pid,
	.origin = all_origin,
	.start = all_start,
	.wait_fd = all_wait_fd,
	.poll = all_poll,
	.read = all_read,
	.row = all_row,
	.tick = all_tick,
	.stop = all_stop,
	.close = all_close,
};
