#include "work/run/tasktime_run.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/obs/source_data.h"
#include "core/stack/stack.h"
#include "work/run/run_subject.h"
#include "work/run/tasktime_rows.h"

/* of windows when only totals are wanted: each looks for threads without records, and a loss costs one window */
#define TOTALS_TICK_MS 100
/* between two readings of rings that are not half full: records are then still in the caches, and a busy machine is
 * noticed early (records.c) */
#define DRAIN_SECONDS 0.02
#define BY_HAND UINT64_MAX
#define LOOK_SECONDS 0.2   /* between two checks whether processes that are not our children have ended */

/* --- remarks ----------------------------------------------------------------------------------------------------- */

#define WAKEUPS_WORTH 100 /* sleeps for each missing wake-up; fewer are worth a line */

static void
add_variant(const struct tasktime_run_state *s, struct str *out)
{
	static const char *const words[] = {
		[TASKTIME_SOURCE_RECORDS] = "",
		[TASKTIME_SOURCE_SWITCHES] =
			("without privilege: the cause of a sleep is unknown, and the wait for a CPU after a wake-up "
			 "is known only by the scheduler's books"),
		[TASKTIME_SOURCE_COUNTERS] =
			"without records: only running, waiting for a CPU and asleep are known",
	};

	if (s->coverage.io)
		str_add(out,
			"less is known: without records: only running, waiting for a CPU, asleep, and I/O in ticks "
			"of 10 ms\n");
	else if (*words[s->variant])
		str_addf(out, "less is known: %s%s%s\n", words[s->variant], *s->note ? ": " : "", s->note);
	else if (*s->note)
		str_addf(out, "not recorded: %s\n", s->note);
}

/* Adds a line for each loss and each doubt. */
static void
add_trouble(const struct tasktime_run_state *s, const struct tasktime_run_task *task, size_t n, struct str *out)
{
	uint64_t sleeps = 0;

	if (!s->believed)
		str_addf(out,
			"not to be believed: %s; in %zu of %zu windows the scheduler's run and wait stand instead of "
			"classes; larger rings (--ring) may help\n",
			s->why, s->doubted, s->windows);
	for (size_t i = 0; i < n; i++)
		sleeps += task[i].row.unwoken;
	if (s->figures.missing_wakeups > WAKEUPS_WORTH)
		str_addf(out,
			"wake-ups missing: the kernel counted %llu more than it recorded; the wait for a CPU after "
			"%llu sleeps is taken from the scheduler's books\n",
			(unsigned long long)s->figures.missing_wakeups, (unsigned long long)sleeps);
	if (s->figures.toggles)
		str_addf(out,
			"busy: above 50 000 switches a second on a CPU call chains and wake-ups are not recorded "
			"(turned off or on %llu times): the causes of sleeps are unknown then\n",
			(unsigned long long)s->figures.toggles);
	if (s->figures.offline || s->figures.new_cpus)
		str_addf(out, "processors: %zu went offline, %zu came and were not recorded\n", s->figures.offline,
			s->figures.new_cpus);
	if (s->trouble.unfollowed)
		str_addf(out, "not followed: %llu tasks, since too many lived at a time\n",
			(unsigned long long)s->trouble.unfollowed);
}

/* Nothing when all is well. `others`: the task that stands for the others; TASKTIME_RUN_NONE. */
static void
tasktime_remarks_add(const struct tasktime_run_state *s, const struct tasktime_run_task *task, size_t n, size_t others,
	struct str *out)
{
	add_variant(s, out);
	add_trouble(s, task, n, out);
	if (s->steal_ns)
		str_addf(out,
			"steal: the host took %.0f ms from all CPUs together, of no task in particular; it is inside "
			"the time on a CPU\n",
			(double)s->steal_ns / 1e6);
	if (others != TASKTIME_RUN_NONE)
		str_addf(out, "others: %zu tasks beyond the first %zu have one observation together\n",
			task[others].n_tasks, s->tasks_max);
	if (s->quiet)
		str_addf(out, "quiet: %zu tasks did not run, and are not shown\n", s->quiet);
	if (s->missed)
		str_addf(out,
			"late: %zu of %zu ticks were missed, and are part of the windows after them; a longer "
			"interval (-I) helps\n",
			s->missed, s->missed + s->windows);
	if (s->ending == RUN_END_FULL)
		str_addf(out, "ended early: %zu cells are all that is kept; a longer interval (-I) lasts longer\n",
			s->cells);
}

/* --- the run ----------------------------------------------------------------------------------------------------- */

struct tasktime_run {
	struct run run;
	struct tasktime_run_options opt;
	struct run_subject subject;      /* opt.argv and opt.target are its own */
	bool follows;                    /* it has no subject of its own */
	int *held;                       /* processes of the leader; NULL: it does not follow one */
	char **held_name;                /* of each, NULL-terminated; NULL: none */
	size_t n_held;
	bool one_by_one;                 /* the leader announces when each starts */
	struct tasktime_source *source;  /* NULL before the start and after the end */
	bool started, closing;           /* closing: a window is being closed, which takes several polls */
	uint64_t next_ns, tick_ns;       /* end of the window, and its length */
	struct tasktime_rows *rows;
	/* how it went, without what the rows say */
	char note[512];
	enum tasktime_source_variant variant;
	struct tasktime_source_figures figures;
	size_t missed;
	int status;
	double cpu_before, reader_seconds;
};

bool
tasktime_run_serves(struct stack *const *stack, size_t n)
{
	size_t classes = 0;

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < stack[k]->n_counters; i++) {
			const struct counter_item *c = &stack[k]->counter[i];
			bool ours = false;

			for (size_t v = 0; v < c->n_choices; v++)
				ours |= c->choice[v].source && str_starts(c->choice[v].event[0], TASKTIME_PREFIX);
			if (!ours && c->n_choices)
				return false;
			classes += ours;
		}
	return classes > 0;
}

struct tasktime_run *
tasktime_run_new(const struct tasktime_run_options *o)
{
	struct tasktime_run *r = mem_new(sizeof *r);

	r->run.ops = &tasktime_run_ops;
	r->opt = *o;
	r->follows = o->name && !o->argv && !o->target;
	r->subject = run_subject_of(o->argv, o->argv ? NULL : o->target, o->name);
	r->opt.argv = r->subject.argv;
	r->opt.target = r->subject.target;
	r->opt.name = NULL; /* the caller's; not kept */
	if (!o->tasks_max)
		r->opt.tasks_max = o->interval_ms ? TASKTIME_RUN_TASKS : TASKTIME_RUN_TOTALS;
	if (!o->cells_max)
		r->opt.cells_max = o->folds ? TASKTIME_RUN_FOLD_CELLS : TASKTIME_RUN_CELLS;
	r->rows = tasktime_rows_new();
	r->run.table = tasktime_rows_table(r->rows);
	return r;
}

static void
tasktime_run_free(struct run *run)
{
	struct tasktime_run *r = (struct tasktime_run *)run;

	tasktime_source_free(r->source);
	tasktime_rows_free(r->rows);
	run_subject_free(&r->subject);
	str_split_free(r->held_name);
	free(r->held);
	free(r);
}

/* --- start to end ------------------------------------------------------------------------------------------------ */

/* What the source follows. False and *e: time is not divided for such a target. */
static bool
find_tasks(const struct tasktime_run *r, struct tasktime_source_spec *spec, struct err *e)
{
	const struct source_target *t = r->opt.target;

	if (r->held) {
		spec->pid = r->held;
		spec->n_pids = r->n_held;
	} else if (t && t->kind == SOURCE_PROCESSES) {
		spec->pid = t->id;
		spec->n_pids = t->n;
	} else if (t && (t->kind == SOURCE_THREADS || t->n)) {
		err_set(e,
			"the time of tasks is divided for commands, processes and the whole machine, not for single "
			"threads or CPUs");
		return err_hint(e, "use -p with the process, or -a; each thread has its own bar in any case");
	}
	return true;
}

/* RUN_INTERVAL ends a window, not the clock. */
static bool
is_by_hand(const struct tasktime_run *r)
{
	return r->opt.by_hand && r->opt.interval_ms;
}

static void
begin_rows(struct tasktime_run *r)
{
	const struct tasktime_run_options *o = &r->opt;
	uint64_t now = clock_ns();

	r->tick_ns = (uint64_t)(o->interval_ms ? o->interval_ms : TOTALS_TICK_MS) * 1000000;
	r->next_ns = is_by_hand(r) ? BY_HAND : now + r->tick_ns;
	tasktime_rows_begin(r->rows, &(struct tasktime_rows_how){
		.asked = *r->subject.asked ? r->subject.asked : r->subject.name,
		.sampled = o->interval_ms != 0, .folds = o->folds,
		.machine = !o->argv && !r->held && (!o->target || o->target->kind == SOURCE_CPUS),
		.tasks_max = o->tasks_max, .cells_max = o->cells_max,
		.coverage = tasktime_source_coverage(r->source), .start_ns = now,
	});
	r->run.limits = run_limits_begin(o->samples, o->duration);
}

static bool
tasktime_run_go(struct run *run, struct err *e)
{
	struct tasktime_run *r = (struct tasktime_run *)run;
	const struct tasktime_run_options *o = &r->opt;
	struct tasktime_source_spec spec = {
		.argv = r->held ? NULL : o->argv, .variant_given = o->variant_given, .variant = o->variant,
		.out_fd = o->out_fd, .err_fd = o->err_fd, .no_input = o->no_input, .own_group = o->own_group,
		.ring_kb = o->ring_kb, .setup = o->setup, .from_exec = r->held != NULL, .held = r->one_by_one,
	};

	if (r->started)
		return err_set(e, "this run was started already");
	if (!find_tasks(r, &spec, e))
		return false;
	r->source = tasktime_source_open(&spec, e);
	if (!r->source)
		return false;
	r->variant = tasktime_source_variant(r->source);
	strncpy(r->note, tasktime_source_note(r->source), sizeof r->note - 1);
	begin_rows(r);
	r->started = tasktime_source_start(r->source, e);
	if (!r->started) {
		tasktime_source_free(r->source);
		r->source = NULL;
	}
	r->cpu_before = clock_process_seconds(); /* looking up the kernel's symbols and opening tracepoints is done */
	return r->started;
}

static bool
tasktime_run_join(struct run *run, const struct run_held *h, struct err *e)
{
	struct tasktime_run *r = (struct tasktime_run *)run;

	if (!h->n && r->follows)
		return err_set(e, "it is not known which process the command is");
	if (h->n) {
		r->held = mem_copy(h->pid, h->n * sizeof *h->pid);
		r->n_held = h->n;
		r->one_by_one = h->one_by_one;
	}
	if (h->n && h->name)
		r->held_name = mem_new_array(h->n + 1, sizeof *r->held_name);
	for (size_t i = 0; r->held_name && i < h->n; i++)
		r->held_name[i] = mem_str(h->name[i]);
	return tasktime_run_go(run, e);
}

const char *
tasktime_run_held_name(const struct tasktime_run *r, int pid)
{
	for (size_t i = 0; i < r->n_held && r->held_name; i++)
		if (r->held[i] == pid)
			return r->held_name[i];
	return NULL;
}

static int
tasktime_run_fd(const struct run *run)
{
	return tasktime_source_wait_fd(((const struct tasktime_run *)run)->source);
}

static double
tasktime_run_patience(const struct run *run)
{
	const struct tasktime_run *r = (const struct tasktime_run *)run;
	uint64_t now = clock_ns();
	double wait = INFINITY;

	if (!r->closing)
		wait = r->next_ns > now ? (double)(r->next_ns - now) / 1e9 : 0;
	if (tasktime_rows_state(r->rows).coverage.classes)
		wait = fmin(wait, DRAIN_SECONDS);
	return r->opt.argv ? wait : fmin(wait, LOOK_SECONDS);
}

static void
tasktime_run_end(struct run *run, bool hard)
{
	const struct tasktime_run *r = (const struct tasktime_run *)run;

	if (r->opt.argv)
		tasktime_source_stop(r->source, hard);
}

/* Processes that start when the leader's command does end by themselves; descendants may outlive the leader. */
static void
tasktime_run_sign(struct run *run, const struct run_sign *sign)
{
	struct tasktime_run *r = (struct tasktime_run *)run;

	switch (sign->kind) {
	case RUN_STARTS:
		if (r->source)
			tasktime_source_begins(r->source, sign->pid);
		break;
	case RUN_INTERVAL:
		if (is_by_hand(r))
			r->next_ns = clock_ns();
		break;
	case RUN_OVER:
		if (r->one_by_one)
			run_finish(run);
		break;
	case RUN_ROW:
		break;
	}
}

static void
take_window(struct tasktime_run *r, bool last)
{
	struct tasktime_source_window w;

	tasktime_source_window(r->source, last, &w);
	tasktime_rows_take(r->rows, &w, run_limits_want(&r->run.limits, tasktime_rows_state(r->rows).windows));
	tasktime_source_figures(r->source, &r->figures);
}

/* Closes the window that is due; it includes ticks that passed meanwhile. */
static void
keep_time(struct tasktime_run *r)
{
	uint64_t now = clock_ns();

	if (!r->closing) {
		if (now < r->next_ns)
			return;
		if (is_by_hand(r))
			r->next_ns = BY_HAND;
		else
			r->next_ns += r->tick_ns;
		for (; r->next_ns <= now; r->next_ns += r->tick_ns)
			r->missed += r->opt.interval_ms != 0;
		tasktime_source_window_begin(r->source);
	}
	r->closing = !tasktime_source_window_ready(r->source);
	if (!r->closing)
		take_window(r, false);
}

static bool
has_ended(struct tasktime_run *r)
{
	bool ended = tasktime_source_ended(r->source, &r->status);

	return ended || (r->run.limits.finishing && !r->opt.argv);
}

static enum run_step
tasktime_run_poll(struct run *run, struct err *e)
{
	struct tasktime_run *r = (struct tasktime_run *)run;
	size_t before = tasktime_rows_state(r->rows).windows;
	char *who;

	(void)e;
	tasktime_source_pump(r->source);
	run_keep_limits(run, before, tasktime_rows_full(r->rows));
	if (!has_ended(r)) {
		keep_time(r);
		return tasktime_rows_state(r->rows).windows != before ? RUN_NEWS : RUN_GOES_ON;
	}
	take_window(r, true);
	tasktime_rows_take_end(r->rows);
	r->reader_seconds = clock_process_seconds() - r->cpu_before;
	who = str_format("stall-sources of %s: ", *r->subject.asked ? r->subject.asked : r->subject.name);
	run_note_remarks(run, who, tasktime_rows_table(r->rows));
	free(who);
	tasktime_source_free(r->source);
	r->source = NULL;
	return RUN_ENDED;
}

/* --- what it found ----------------------------------------------------------------------------------------------- */

const struct tasktime_run_task *
tasktime_run_tasks(const struct tasktime_run *r, size_t *n)
{
	return tasktime_rows_tasks(r->rows, n);
}

size_t
tasktime_run_others(const struct tasktime_run *r)
{
	return tasktime_rows_others(r->rows);
}

void
tasktime_run_state(const struct tasktime_run *r, struct tasktime_run_state *s)
{
	*s = tasktime_rows_state(r->rows);
	s->variant = r->variant;
	s->note = r->note;
	s->missed = r->missed;
	s->figures = r->figures;
	s->ending = r->run.limits.ending;
	s->status = r->status;
	s->reader_seconds = r->reader_seconds;
}

static void
tasktime_run_explain(struct run *run, struct str *out)
{
	const struct tasktime_run *r = (const struct tasktime_run *)run;
	struct tasktime_run_state s;
	size_t n;
	const struct tasktime_run_task *task = tasktime_rows_tasks(r->rows, &n);

	tasktime_run_state(r, &s);
	if (r->started)
		tasktime_remarks_add(&s, task, n, tasktime_rows_others(r->rows), out);
}

static void
tasktime_run_fill_facts(const struct run *run, struct run_facts *f)
{
	const struct tasktime_run *r = (const struct tasktime_run *)run;
	struct tasktime_run_state s;

	tasktime_run_state(r, &s);
	f->seconds = f->end.seconds = (double)s.elapsed_ns / 1e9;
	f->rows = s.windows;
	f->missed = s.missed;
	f->ending = s.ending;
	f->end.vanished = !r->opt.argv && s.ending == RUN_END_ITSELF;
	f->end.exited = r->opt.argv && WIFEXITED(s.status);
	f->end.signalled = r->opt.argv && WIFSIGNALED(s.status);
	f->end.code = f->end.signalled ? WTERMSIG(s.status) : f->end.exited ? WEXITSTATUS(s.status) : 0;
}

struct run *
tasktime_as_run(struct tasktime_run *r)
{
	return r ? &r->run : NULL;
}

struct tasktime_run *
run_as_tasktime(struct run *r)
{
	return r && r->ops == &tasktime_run_ops ? (struct tasktime_run *)r : NULL;
}

const struct run_ops tasktime_run_ops = {
	.name = "tasks' time",
	.shown = true,
	.go = tasktime_run_go,
	.join = tasktime_run_join,
	.sign = tasktime_run_sign,
	.fd = tasktime_run_fd,
	.patience = tasktime_run_patience,
	.poll = tasktime_run_poll,
	.end = tasktime_run_end,
	.facts = tasktime_run_fill_facts,
	.explain = tasktime_run_explain,
	.free = tasktime_run_free,
};
