#include "app/run/tasktime_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "app/run/tasktime_run_state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/process/target.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"

/* of windows when only totals are wanted: each looks for threads without records, and a loss costs one window */
#define TOTALS_TICK_MS 100
/* between two readings of rings that are not half full: records are then still in the caches, and a busy machine is
 * noticed early (records.c) */
#define DRAIN_SECONDS 0.02
#define BY_HAND UINT64_MAX
#define LOOK_SECONDS 0.2   /* between two checks whether processes that are not our children have ended */

static double
cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void
set_command(struct tasktime_run *r, char *const *argv)
{
	struct str asked = {0};
	size_t n = 0;
	char **own;

	while (argv[n])
		n++;
	own = mem_new_array(n + 1, sizeof *own);
	for (size_t i = 0; i < n; i++) {
		own[i] = mem_str(argv[i]);
		str_addf(&asked, "%s%s", i ? " " : "", argv[i]);
	}
	r->opt.argv = own;
	r->asked = str_take(&asked);
}

static void
set_target(struct tasktime_run *r, const struct source_target *t)
{
	struct source_target *own = mem_copy(t, sizeof *t);
	struct str asked = {0};

	r->id = mem_copy(t->id, t->n * sizeof *t->id);
	own->id = r->id;
	r->opt.target = own;
	target_option(own, &asked);
	r->asked = str_take(&asked);
}

static void
set_held(struct tasktime_run *r, const struct run_held *h)
{
	r->held = mem_copy(h->pid, h->n * sizeof *h->pid);
	r->n_held = h->n;
	r->one_by_one = h->one_by_one;
	if (!h->name)
		return;
	r->held_name = mem_new_array(h->n, sizeof *r->held_name);
	for (size_t i = 0; i < h->n; i++)
		r->held_name[i] = mem_str(h->name[i]);
}

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
	const char *column[TASKTIME_AMOUNTS];
	struct tasktime_run *r = mem_new(sizeof *r);

	r->run.ops = &tasktime_run_ops;
	r->opt = *o;
	r->opt.name = NULL;
	r->follows = o->name && !o->argv && !o->target;
	r->opt.target = NULL;
	r->others = TASKTIME_RUN_NONE;
	r->state.believed = true;
	if (!o->tasks_max)
		r->opt.tasks_max = o->interval_ms ? TASKTIME_RUN_TASKS : TASKTIME_RUN_TOTALS;
	if (!o->cells_max)
		r->opt.cells_max = o->folds ? TASKTIME_RUN_FOLD_CELLS : TASKTIME_RUN_CELLS;
	if (o->argv)
		set_command(r, o->argv);
	else if (o->target)
		set_target(r, o->target);
	else
		r->asked = mem_str(o->name ? o->name : "");
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		column[i] = str_format(TASKTIME_PREFIX "%s", tasktime_amount_name(i));
	r->table = obs_table_new(column, TASKTIME_AMOUNTS);
	for (int i = 0; i < TASKTIME_AMOUNTS; i++)
		free((void *)(uintptr_t)column[i]);
	return r;
}

void
tasktime_run_free(struct tasktime_run *r)
{
	if (!r)
		return;
	run_leave(&r->run);
	tasktime_source_free(r->stalls);
	for (char *const *s = r->opt.argv; s && *s; s++)
		free(*s);
	free((void *)(uintptr_t)r->opt.argv);
	free((void *)(uintptr_t)r->opt.target);
	free(r->id);
	for (size_t i = 0; i < r->n_held && r->held_name; i++)
		free(r->held_name[i]);
	free(r->held_name);
	free(r->held);
	free(r->asked);
	obs_table_free(r->table);
	free(r->task);
	free(r->seat);
	free(r->end);
	free(r->cpu);
	free(r);
}

bool
tasktime_run_start(struct tasktime_run *r, struct err *e)
{
	const struct tasktime_run_options *o = &r->opt;
	struct tasktime_source_spec spec = {
		.argv = r->held ? NULL : o->argv, .variant_given = o->variant_given, .variant = o->variant,
		.out_fd = o->out_fd,
		.err_fd = o->err_fd, .no_input = o->no_input,
		.own_group = o->own_group, .ring_kb = o->ring_kb, .setup = o->setup, .from_exec = r->held != NULL,
		.held = r->one_by_one,
	};

	if (r->started)
		return err_set(e, "this run was started already");
	if (r->held) {
		spec.pid = r->held;
		spec.n_pids = r->n_held;
	} else if (o->target && o->target->kind == SOURCE_PROCESSES) {
		spec.pid = o->target->id;
		spec.n_pids = o->target->n;
	} else if (o->target && (o->target->kind == SOURCE_THREADS || o->target->n)) {
		err_set(e,
			"the time of tasks is divided for commands, processes and the whole machine, not for single "
			"threads or CPUs");
		return err_hint(e, "use -p with the process, or -a; each thread has its own bar in any case");
	}
	r->stalls = tasktime_source_open(&spec, e);
	if (!r->stalls)
		return false;
	r->coverage = r->state.coverage = tasktime_source_coverage(r->stalls);
	r->state.variant = tasktime_source_variant(r->stalls);
	strncpy(r->note, tasktime_source_note(r->stalls), sizeof r->note - 1);
	r->tick_ns = (uint64_t)(o->interval_ms ? o->interval_ms : TOTALS_TICK_MS) * 1000000;
	if (o->by_hand && o->interval_ms)
		r->tick_ns = BY_HAND;
	r->start_ns = clock_ns();
	if (!tasktime_source_start(r->stalls, e)) {
		tasktime_source_free(r->stalls);
		r->stalls = NULL;
		return false;
	}
	r->started = true;
	r->cpu_before = cpu_seconds(); /* looking up the kernel's symbols and opening tracepoints is done */
	r->next_ns = r->tick_ns == BY_HAND ? BY_HAND : r->start_ns + r->tick_ns;
	return true;
}

bool
tasktime_run_running(const struct tasktime_run *r)
{
	return r->stalls != NULL;
}

int
tasktime_run_wait_fd(const struct tasktime_run *r)
{
	return r->stalls ? tasktime_source_wait_fd(r->stalls) : -1;
}

static double
seconds_until(uint64_t at_ns)
{
	uint64_t now = clock_ns();

	return at_ns > now ? (double)(at_ns - now) / 1e9 : 0;
}

double
tasktime_run_patience(const struct tasktime_run *r)
{
	double wait;

	if (!r->stalls)
		return INFINITY;
	wait = fmin(r->closing ? INFINITY : seconds_until(r->next_ns), r->coverage.classes ? DRAIN_SECONDS : INFINITY);
	if (r->finishing)
		wait = fmin(wait, seconds_until(r->finish_ns));
	else if (r->opt.duration > 0)
		wait = fmin(wait, seconds_until(r->start_ns + (uint64_t)(r->opt.duration * 1e9)));
	return r->opt.argv ? wait : fmin(wait, LOOK_SECONDS);
}

static void
finish(struct tasktime_run *r, enum run_ending why)
{
	if (r->finishing)
		return;
	r->finishing = true;
	r->state.ending = why;
	r->finish_ns = clock_ns() + (uint64_t)(RUN_GRACE_SECONDS * 1e9);
	if (r->opt.argv)
		tasktime_source_stop(r->stalls, false);
}

void
tasktime_run_finish(struct tasktime_run *r)
{
	if (r->stalls)
		finish(r, RUN_END_ASKED);
}

static void
keep_limits(struct tasktime_run *r)
{
	uint64_t now = clock_ns();

	if (r->finishing) {
		if (r->opt.argv && now >= r->finish_ns && !r->killed) {
			r->killed = true;
			tasktime_source_stop(r->stalls, true);
		}
	} else if (r->opt.samples && r->state.windows >= r->opt.samples) {
		finish(r, RUN_END_SAMPLES);
	} else if (r->opt.duration > 0 && (double)(now - r->start_ns) / 1e9 >= r->opt.duration) {
		finish(r, RUN_END_DURATION);
	} else if (r->cells >= r->opt.cells_max && !r->opt.folds) {
		finish(r, RUN_END_FULL);
	}
}

/* Rows past the limit come while a command is ending, and are dropped. */
static bool
is_wanted(const struct tasktime_run *r)
{
	return (!r->opt.samples || r->state.windows < r->opt.samples) && r->state.ending != RUN_END_FULL;
}

static void
take_window(struct tasktime_run *r, bool last)
{
	struct tasktime_source_window w;

	tasktime_source_window(r->stalls, last, &w);
	tasktime_run_take_window(r, &w, is_wanted(r));
	tasktime_source_figures(r->stalls, &r->state.figures);
}

/* Closes the window that is due; it includes ticks that passed meanwhile. */
static void
keep_time(struct tasktime_run *r)
{
	uint64_t now = clock_ns();

	if (now < r->next_ns && !r->closing)
		return;
	if (r->closing) {
		r->closing = !tasktime_source_window_ready(r->stalls);
		if (!r->closing)
			take_window(r, false);
		return;
	}
	if (r->tick_ns == BY_HAND)
		r->next_ns = BY_HAND;
	else
		r->next_ns += r->tick_ns;
	for (; r->next_ns <= now; r->next_ns += r->tick_ns)
		r->state.missed += r->opt.interval_ms != 0;
	tasktime_source_window_begin(r->stalls);
	r->closing = !tasktime_source_window_ready(r->stalls);
	if (!r->closing)
		take_window(r, false);
}

static bool
has_ended(struct tasktime_run *r)
{
	bool ended = tasktime_source_ended(r->stalls, &r->state.status);

	return ended || (r->finishing && !r->opt.argv);
}

const char *
tasktime_run_held_name(const struct tasktime_run *r, int pid)
{
	for (size_t i = 0; i < r->n_held && r->held_name; i++)
		if (r->held[i] == pid)
			return r->held_name[i];
	return NULL;
}

void
tasktime_run_tick(struct tasktime_run *r)
{
	if (r->tick_ns == BY_HAND)
		r->next_ns = clock_ns();
}

bool
tasktime_run_poll(struct tasktime_run *r)
{
	if (!r->stalls)
		return false;
	tasktime_source_pump(r->stalls);
	keep_limits(r);
	if (!has_ended(r)) {
		keep_time(r);
		return false;
	}
	take_window(r, true);
	tasktime_run_take_end(r);
	r->state.reader_seconds = cpu_seconds() - r->cpu_before;
	tasktime_run_note_table(r);
	tasktime_source_free(r->stalls);
	r->stalls = NULL;
	return true;
}

const struct obs_table *
tasktime_run_table(const struct tasktime_run *r)
{
	return r->table;
}

const struct tasktime_run_task *
tasktime_run_tasks(const struct tasktime_run *r, size_t *n)
{
	*n = r->n_tasks;
	return r->task;
}

size_t
tasktime_run_others(const struct tasktime_run *r)
{
	return r->others;
}

/* --- as a kind of run -------------------------------------------------------------------------------------------- */

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

static bool
run_go(struct run *r, struct err *e)
{
	return tasktime_run_start((struct tasktime_run *)r, e);
}

static bool
run_join(struct run *r, const struct run_held *held, struct err *e)
{
	if (held->n)
		set_held((struct tasktime_run *)r, held);
	else if (((struct tasktime_run *)r)->follows)
		return err_set(e, "it is not known which process the command is");
	return tasktime_run_start((struct tasktime_run *)r, e);
}

/* Processes that start when the leader's command does end by themselves; descendants may outlive the leader. */
static void
run_sign(struct run *run, const struct run_sign *sign)
{
	struct tasktime_run *r = (struct tasktime_run *)run;

	switch (sign->kind) {
	case RUN_STARTS:
		if (r->stalls)
			tasktime_source_begins(r->stalls, sign->pid);
		break;
	case RUN_INTERVAL:
		tasktime_run_tick(r);
		break;
	case RUN_OVER:
		if (r->one_by_one)
			tasktime_run_finish(r);
		break;
	case RUN_ROW:
		break;
	}
}

static bool
run_is_running(const struct run *r)
{
	return tasktime_run_running((const struct tasktime_run *)r);
}

static int
run_fd(const struct run *r)
{
	return tasktime_run_wait_fd((const struct tasktime_run *)r);
}

static double
run_patience(const struct run *r)
{
	return tasktime_run_patience((const struct tasktime_run *)r);
}

static enum run_step
run_poll(struct run *run, struct err *e)
{
	struct tasktime_run *r = (struct tasktime_run *)run;
	size_t before = r->state.windows;

	(void)e;
	return tasktime_run_poll(r) ? RUN_ENDED : r->state.windows != before ? RUN_NEWS : RUN_GOES_ON;
}

static void
run_finish(struct run *r)
{
	tasktime_run_finish((struct tasktime_run *)r);
}

static void
fill_facts(const struct run *r, struct run_facts *f)
{
	const struct tasktime_run *t = (const struct tasktime_run *)r;
	struct tasktime_run_state s;

	tasktime_run_state(t, &s);
	f->seconds = (double)s.elapsed_ns / 1e9;
	f->rows = s.windows;
	f->ending = s.ending;
	f->end.seconds = f->seconds;
	f->end.vanished = !t->opt.argv && s.ending == RUN_END_ITSELF;
	f->end.exited = t->opt.argv && WIFEXITED(s.status);
	f->end.signalled = t->opt.argv && WIFSIGNALED(s.status);
	f->end.code = f->end.signalled ? WTERMSIG(s.status) : f->end.exited ? WEXITSTATUS(s.status) : 0;
}

static void
run_explain(struct run *r, struct str *out)
{
	tasktime_run_explain((struct tasktime_run *)r, out);
}

static const struct obs_table *const *
run_tables(struct run *r, size_t *n)
{
	*n = 1;
	r->table = ((struct tasktime_run *)r)->table;
	return &r->table;
}

static void
free_run(struct run *r)
{
	tasktime_run_free((struct tasktime_run *)r);
}

const struct run_ops tasktime_run_ops = {
	.name = "tasks' time",
	.shown = true,
	.go = run_go,
	.join = run_join,
	.sign = run_sign,
	.running = run_is_running,
	.fd = run_fd,
	.patience = run_patience,
	.poll = run_poll,
	.finish = run_finish,
	.facts = fill_facts,
	.explain = run_explain,
	.tables = run_tables,
	.free = free_run,
};
