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
#include "collect/host/fault_keep.h"
#include "collect/host/machine.h"
#include "core/obs/obs.h"
#include "core/obs/source_data.h"
#include "core/stack/stack.h"
#include "work/run/run_subject.h"
#include "work/run/tasktime_rows.h"

/* of windows when only totals are wanted: each looks for threads without records, and a loss costs one window */
#define TOTALS_TICK_MS 100
#define SUMS_TICK_MS 1000
/* between two readings of rings that are not half full, unless records are sparse: they are then still in the caches,
 * and a busy machine is noticed early (records.c) */
#define DRAIN_SECONDS 0.02
#define SPARSE_SECONDS 0.1
#define BY_HAND UINT64_MAX
#define LOOK_SECONDS 0.2   /* between two checks whether processes that are not our children have ended */

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
	struct obs_origin origin;        /* of its observations; the texts are owned */
	/* how it went, without what the rows say */
	char note[512];
	enum tasktime_source_variant variant;
	struct tasktime_source_figures figures;
	struct fault_cost fault;
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
			const struct counter_item *item = &stack[k]->counter[i];
			bool ours = false;

			for (size_t v = 0; v < item->n_choices; v++)
				ours |= item->choice[v].source &&
					str_starts(item->choice[v].event[0].name, TASKTIME_PREFIX);
			if (!ours && item->n_choices)
				return false;
			classes += ours;
		}
	return classes > 0;
}

struct tasktime_run *
tasktime_run_new(const struct tasktime_run_options *options)
{
	struct tasktime_run *run = mem_new(sizeof *run);

	run->run.ops = options->sums ? &tasktime_sums_ops : &tasktime_run_ops;
	run->opt = *options;
	run->follows = options->name && !options->argv && !options->target;
	run->subject = run_subject_of(options->argv, options->argv ? NULL : options->target, options->name);
	run->opt.argv = run->subject.argv;
	run->opt.target = run->subject.target;
	run->opt.name = NULL; /* the caller's; not kept */
	if (!options->tasks_max)
		run->opt.tasks_max = options->interval_ms ? TASKTIME_RUN_TASKS : TASKTIME_RUN_TOTALS;
	if (!options->cells_max)
		run->opt.cells_max = options->folds ? TASKTIME_RUN_FOLD_CELLS : TASKTIME_RUN_CELLS;
	run->rows = tasktime_rows_new();
	run->run.table = options->sums ? NULL : tasktime_rows_table(run->rows);
	return run;
}

static void
tasktime_run_free(struct run *run)
{
	struct tasktime_run *r = (struct tasktime_run *)run;

	tasktime_source_free(r->source);
	tasktime_rows_free(r->rows);
	free(r->origin.cpu);
	free(r->origin.machine);
	run_subject_free(&r->subject);
	str_split_free(r->held_name);
	free(r->held);
	free(r);
}

/* --- start to end ------------------------------------------------------------------------------------------------ */

/* What the source follows. False and *e: time is not divided for such a target. */
static bool
find_tasks(const struct tasktime_run *run, struct tasktime_source_spec *spec, struct err *e)
{
	const struct source_target *target = run->opt.target;

	if (run->held) {
		spec->pid = run->held;
		spec->n_pids = run->n_held;
	} else if (target && target->kind == SOURCE_PROCESSES) {
		spec->pid = target->id;
		spec->n_pids = target->n;
	} else if (target && (target->kind == SOURCE_THREADS || target->n)) {
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

/* What a page fault costs here, if faults are recorded. */
static void
find_fault_cost(struct tasktime_run *run, struct tasktime_coverage *coverage)
{
	if (run->opt.sums || !coverage->classes || !coverage->faults || run->variant != TASKTIME_SOURCE_RECORDS)
		return;
	if (run->opt.no_calibrate || !fault_keep_find(&run->fault))
		run->fault = (struct fault_cost){0};
	coverage->exceptions = run->fault.pages != 0;
}

static void
begin_rows(struct tasktime_run *run)
{
	const struct tasktime_run_options *options = &run->opt;
	struct tasktime_coverage coverage = tasktime_source_coverage(run->source);
	uint64_t now;

	find_fault_cost(run, &coverage);
	now = clock_ns();

	if (!run->origin.machine)
		host_machine(&run->origin, NULL, NULL);
	run->tick_ns = 1000000u *
		(uint64_t)(options->sums ? SUMS_TICK_MS : options->interval_ms ? options->interval_ms : TOTALS_TICK_MS);
	run->next_ns = is_by_hand(run) ? BY_HAND : now + run->tick_ns;
	tasktime_rows_begin(run->rows, &(struct tasktime_rows_how){
		.asked = *run->subject.asked ? run->subject.asked : run->subject.name,
		.origin = &run->origin,
		.sampled = options->interval_ms != 0, .folds = options->folds, .sums = options->sums,
		.machine = !options->argv && !run->held && (!options->target || options->target->kind == SOURCE_CPUS),
		.tasks_max = options->tasks_max, .cells_max = options->cells_max,
		.coverage = coverage, .exception_ns = run->fault.unrecorded_ns, .start_ns = now,
	});
	run->run.limits = run_limits_begin(options->samples, options->duration);
}

static bool
tasktime_run_go(struct run *run, struct err *e)
{
	struct tasktime_run *tasktime_run = (struct tasktime_run *)run;
	const struct tasktime_run_options *options = &tasktime_run->opt;
	struct tasktime_source_spec spec = {
		.argv = tasktime_run->held ? NULL : options->argv,
		.variant_given = options->variant_given,
		.variant = options->variant,
		.out_fd = options->out_fd,
		.err_fd = options->err_fd,
		.no_input = options->no_input,
		.own_group = options->own_group,
		.runs_on = options->runs_on,
		.ring_kb = options->ring_kb,
		.no_faults = options->no_faults,
		.no_scheduler = options->sums,
		.setup = options->setup,
		.from_exec = tasktime_run->held != NULL,
		.held = tasktime_run->one_by_one,
	};

	if (tasktime_run->started)
		return err_set(e, "this run was started already");
	if (!find_tasks(tasktime_run, &spec, e))
		return false;
	tasktime_run->source = tasktime_source_open(&spec, e);
	if (!tasktime_run->source)
		return false;
	tasktime_run->variant = tasktime_source_variant(tasktime_run->source);
	strncpy(tasktime_run->note, tasktime_source_note(tasktime_run->source), sizeof tasktime_run->note - 1);
	begin_rows(tasktime_run);
	tasktime_run->started = tasktime_source_start(tasktime_run->source, e);
	if (!tasktime_run->started) {
		tasktime_source_free(tasktime_run->source);
		tasktime_run->source = NULL;
	}
	tasktime_run->cpu_before =
		clock_process_seconds(); /* looking up the kernel's symbols and opening tracepoints is done */
	return tasktime_run->started;
}

static bool
tasktime_run_join(struct run *run, const struct run_held *held, struct err *e)
{
	struct tasktime_run *tasktime_run = (struct tasktime_run *)run;

	if (!held->n && tasktime_run->follows)
		return err_set(e, "it is not known which process the command is");
	if (tasktime_run->opt.target)
		return tasktime_run_go(run, e);
	if (held->n) {
		tasktime_run->held = mem_copy(held->pid, held->n * sizeof *held->pid);
		tasktime_run->n_held = held->n;
		tasktime_run->one_by_one = held->one_by_one;
	}
	if (held->n && held->name)
		tasktime_run->held_name = mem_new_array(held->n + 1, sizeof *tasktime_run->held_name);
	for (size_t i = 0; tasktime_run->held_name && i < held->n; i++)
		tasktime_run->held_name[i] = mem_str(held->name[i]);
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
		wait = fmin(wait, tasktime_source_sparse(r->source) ? SPARSE_SECONDS : DRAIN_SECONDS);
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
	struct tasktime_run *tasktime_run = (struct tasktime_run *)run;

	switch (sign->kind) {
	case RUN_STARTS:
		if (tasktime_run->source)
			tasktime_source_begins(tasktime_run->source, sign->pid);
		break;
	case RUN_INTERVAL:
		if (is_by_hand(tasktime_run))
			tasktime_run->next_ns = clock_ns();
		break;
	case RUN_OVER:
		if (tasktime_run->one_by_one || tasktime_run->opt.sums)
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
keep_time(struct tasktime_run *run)
{
	uint64_t now = clock_ns();

	if (!run->closing) {
		if (now < run->next_ns)
			return;
		if (is_by_hand(run))
			run->next_ns = BY_HAND;
		else
			run->next_ns += run->tick_ns;
		for (; run->next_ns <= now; run->next_ns += run->tick_ns)
			run->missed += run->opt.interval_ms != 0;
		tasktime_source_window_begin(run->source);
	}
	run->closing = !tasktime_source_window_ready(run->source);
	if (!run->closing)
		take_window(run, false);
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
	struct tasktime_run *tasktime_run = (struct tasktime_run *)run;
	size_t before = tasktime_rows_state(tasktime_run->rows).windows;
	char *who;

	(void)e;
	tasktime_source_pump(tasktime_run->source);
	run_keep_limits(run, before, tasktime_rows_full(tasktime_run->rows));
	if (!has_ended(tasktime_run)) {
		keep_time(tasktime_run);
		return tasktime_rows_state(tasktime_run->rows).windows != before ? RUN_NEWS : RUN_GOES_ON;
	}
	take_window(tasktime_run, true);
	if (!tasktime_run->opt.sums)
		tasktime_rows_take_end(tasktime_run->rows);
	tasktime_run->reader_seconds = clock_process_seconds() - tasktime_run->cpu_before;
	who = str_format("stall-sources of %s: ",
		*tasktime_run->subject.asked ? tasktime_run->subject.asked : tasktime_run->subject.name);
	if (!tasktime_run->opt.sums)
		run_note_remarks(run, who, tasktime_rows_table(tasktime_run->rows));
	free(who);
	tasktime_source_free(tasktime_run->source);
	tasktime_run->source = NULL;
	return RUN_ENDED;
}

/* --- what it found ----------------------------------------------------------------------------------------------- */

const struct tasktime_run_task *
tasktime_run_tasks(const struct tasktime_run *r, size_t *n)
{
	return tasktime_rows_tasks(r->rows, n);
}

bool
tasktime_run_amount(struct tasktime_run *run, int amount, bool settle, int64_t *ns)
{
	struct tasktime_run_state state = tasktime_rows_state(run->rows);
	struct tasktime_amounts open;
	struct tasktime_row sum;

	if (!run->started || !state.believed || !tasktime_covers(&state.coverage, amount))
		return false;
	*ns = tasktime_rows_sum(run->rows)->ns[amount];
	if (!run->source)
		return true;
	tasktime_source_sum(run->source, settle, &sum);
	tasktime_amounts_of_row(&sum, NULL, run->fault.unrecorded_ns, &open);
	*ns += open.ns[amount];
	return true;
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
	s->fault = r->fault;
	s->no_calibrate = r->opt.no_calibrate;
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

/* The leader's remarks say what the sums are worth. */
static void
explain_nothing(struct run *run, struct str *out)
{
	(void)run;
	(void)out;
}

static void
tasktime_run_fill_facts(const struct run *run, struct run_facts *facts)
{
	const struct tasktime_run *tasktime_run = (const struct tasktime_run *)run;
	struct tasktime_run_state s;

	tasktime_run_state(tasktime_run, &s);
	facts->seconds = facts->end.seconds = (double)s.elapsed_ns / 1e9;
	facts->rows = s.windows;
	facts->missed = s.missed;
	facts->ending = s.ending;
	facts->end.vanished = !tasktime_run->opt.argv && s.ending == RUN_END_ITSELF;
	facts->end.exited = tasktime_run->opt.argv && WIFEXITED(s.status);
	facts->end.signalled = tasktime_run->opt.argv && WIFSIGNALED(s.status);
	facts->end.code = facts->end.signalled ? WTERMSIG(s.status) : facts->end.exited ? WEXITSTATUS(s.status) : 0;
}

struct run *
tasktime_as_run(struct tasktime_run *r)
{
	return r ? &r->run : NULL;
}

struct tasktime_run *
run_as_tasktime(struct run *r)
{
	return r && (r->ops == &tasktime_run_ops || r->ops == &tasktime_sums_ops) ? (struct tasktime_run *)r : NULL;
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

const struct run_ops tasktime_sums_ops = {
	.name = "sums of tasks' time",
	.go = tasktime_run_go,
	.join = tasktime_run_join,
	.sign = tasktime_run_sign,
	.fd = tasktime_run_fd,
	.patience = tasktime_run_patience,
	.poll = tasktime_run_poll,
	.end = tasktime_run_end,
	.explain = explain_nothing,
	.free = tasktime_run_free,
};
