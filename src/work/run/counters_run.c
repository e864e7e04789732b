#include "work/run/counters_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/host/fault_keep.h"
#include "core/obs/obs.h"
#include "work/machine.h"
#include "work/run/counter_list.h"
#include "work/run/counter_plan.h"
#include "work/run/counter_remarks.h"
#include "work/run/counter_rows.h"
#include "work/run/run_source.h"
#include "work/run/run_subject.h"
#include "work/run/stall_counters.h"

struct counters_run {
	struct run run;
	int held;                      /* the command, while it waits */
	struct counter_list *counters; /* owned */
	bool *chosen;                  /* counters of the list that were asked for, owned; NULL: all */
	struct counter_plan *plan;
	char *fault_cost;              /* what page faults cost, as the table's note says; NULL: nobody asked */
	char *waits;                   /* where its amounts of tasks' time come from, likewise; NULL: there are none */
	bool planned;                  /* the plan is for the command or target at hand */
	struct counters_run_options opt;
	struct run_subject subject;    /* opt.argv and opt.target are its own */
	size_t runs;                   /* that were begun on this subject */
	struct run_source from;
	struct counter_rows *rows;
	struct source_end end;
	struct err trouble;            /* what ended the rows early */
};

static void
set_subject(struct counters_run *l, const struct counters_run_options *o)
{
	bool whole = !o->argv || (o->target && o->target->kind == SOURCE_CPUS); /* the target is watched, too */
	struct run_subject s = run_subject_of(o->argv, whole ? o->target : NULL, o->name);

	run_subject_free(&l->subject);
	l->subject = s;
	l->opt.argv = s.argv;
	l->opt.target = s.target;
	l->opt.name = NULL; /* the caller's; not kept */
}

static void
plan(struct counters_run *l)
{
	counter_plan_free(l->plan);
	l->plan = counter_plan_new(l->counters, &l->opt, stall_counters_beside(&l->run));
	counter_rows_fit(l->rows, l->plan);
	l->run.table = counter_rows_state(l->rows).table;
	l->planned = true;
}

struct counters_run *
counters_run_new(struct counter_list *list, const struct counters_run_options *options)
{
	struct counters_run *run = mem_new(sizeof *run);

	run->run.ops = &counters_run_ops;
	run->counters = list;
	run->opt = *options;
	if (options->counter)
		run->opt.counter = run->chosen = mem_copy(options->counter, list->n * sizeof *options->counter);
	set_subject(run, options);
	run->rows = counter_rows_new();
	run->run.table = counter_rows_state(run->rows).table;
	run->plan = mem_new(sizeof *run->plan);
	counter_rows_fit(run->rows, run->plan);
	if (counter_plan_is_fixed(list))
		plan(run);
	return run;
}

static void
end_source(struct counters_run *l)
{
	counter_rows_end(l->rows);
	run_source_close(&l->from);
	l->run.running = false;
}

static void
counters_run_free(struct run *r)
{
	struct counters_run *l = (struct counters_run *)r;

	end_source(l);
	counter_rows_free(l->rows);
	counter_plan_free(l->plan);
	counter_list_free(l->counters);
	run_subject_free(&l->subject);
	free(l->chosen);
	free(l->fault_cost);
	free(l->waits);
	free(l);
}

void
counters_run_stop(struct counters_run *l)
{
	bool ran = l->run.running;

	counter_rows_drop(l->rows);
	end_source(l);
	if (ran)
		run_announce(&l->run, &(struct run_sign){.kind = RUN_OVER});
}

void
counters_run_set_command(struct counters_run *run, const struct counters_run_options *options)
{
	struct counters_run_options was = run->opt;

	counters_run_stop(run);
	run->opt = *options;
	run->opt.ops = was.ops;
	run->opt.counter = was.counter;
	run->opt.cells_max = was.cells_max;
	run->opt.keep = was.keep;
	set_subject(run, options);
	run->planned = counter_plan_is_fixed(run->counters);
	run->runs = 0;
}

void
counters_run_set_list(struct counters_run *run, struct counter_list *list, const bool *asked)
{
	counters_run_stop(run);
	counter_list_free(run->counters);
	run->counters = list;
	free(run->chosen);
	run->opt.counter = run->chosen = asked ? mem_copy(asked, list->n * sizeof *asked) : NULL;
	run->planned = false;
	if (counter_plan_is_fixed(list))
		plan(run);
}

/* --- start to end ------------------------------------------------------------------------------------------------ */

/* Notes what a page fault costs here, or that this is not known, for a network with such constants. */
static void
note_fault_cost(struct counters_run *run)
{
	struct fault_cost cost;
	struct str text = {0};

	if (!run->counters->calibrated || run->fault_cost || run->opt.ops)
		return;
	if (!run->opt.no_calibrate && fault_keep_find(&cost))
		fault_cost_write(&cost, &text);
	else
		fault_cost_write_missing(!run->opt.no_calibrate, &text);
	run->fault_cost = str_take(&text);
	counter_rows_note(run->rows, mem_str(run->fault_cost));
}

/* Notes which counters have been replaced by an alternative, once. */
static void
note_alternatives(struct counters_run *run)
{
	const struct obs_table *table = counter_rows_state(run->rows).table;
	struct str text = {0};

	counter_plan_note(run->plan, run->counters, &text);
	for (size_t i = 0; i < table->n_notes && text.n; i++)
		if (str_eq(table->note[i], str_text(&text)))
			str_clear(&text);
	if (text.n)
		counter_rows_note(run->rows, str_take(&text));
	str_free(&text);
}

/* Notes whether the rows have the amounts of tasks' time that are asked for, and why not. */
static void
note_waits(struct counters_run *run)
{
	struct str text = {0};
	bool some = false;

	for (size_t i = 0; i < run->counters->n; i++)
		some |= run->counters->counter[i].amount >= 0 && (!run->chosen || run->chosen[i]);
	if (!some || run->opt.ops || run->from.simulated)
		return;
	stall_counters_explain(&run->run, counter_rows_state(run->rows).amounts, &text);
	if (!run->waits || !str_eq(run->waits, str_text(&text)))
		counter_rows_note(run->rows, mem_str(str_text(&text)));
	free(run->waits);
	run->waits = str_take(&text);
}

static struct set_constraints
counters_run_constraints(void *run)
{
	const struct counters_run *l = run;

	return counter_list_constraints(l->counters, l->chosen);
}

static bool
counters_run_open(struct run *r, struct err *e)
{
	struct counters_run *run = (struct counters_run *)r;
	const struct counters_run_options *options = &run->opt;
	struct source_spec spec = {
		.argv = options->argv,
		.target = options->target,
		.interval_ms = options->interval_ms,
		.by_hand = options->by_hand,
		.out_fd = options->out_fd,
		.err_fd = options->err_fd,
		.no_input = options->no_input,
		.own_group = options->own_group,
		.runs_on = options->runs_on,
		.setup = options->setup,
		.held = options->held,
		.rotation = options->rotation,
		.rotation_given = options->rotation_given,
		.constraints = {counters_run_constraints, run},
		.lose_cpus = run->counters->kind != TEXT_MODEL,
		.keep = options->keep,
		.run = run->runs++,
	};

	counters_run_stop(run);
	if (!run->planned)
		plan(run);
	spec.counter = run->plan->counter;
	spec.n_counters = run->plan->n;
	if (run->plan->n == 0 && (run->opt.interval_ms || run->counters->kind != TEXT_MODEL))
		return counter_list_refuse(run->counters, run->chosen, e);
	run->run.limits = (struct run_limits){0};
	run->end = (struct source_end){0};
	run->trouble = (struct err){0};
	if (!run_source_open(&run->from, options->ops, &spec, e))
		return false;
	if (counter_plan_name_modes(run->plan, run->counters, run->from.ops->status(run->from.source))) {
		counter_rows_fit(run->rows, run->plan);
		run->run.table = counter_rows_state(run->rows).table;
	}
	note_fault_cost(run);
	note_alternatives(run);
	counter_rows_begin(run->rows, run->from.ops, run->from.source,
		&(struct counter_rows_how){
			.name = run->subject.name,
			.asked = run->subject.asked,
			.sampled = options->interval_ms != 0,
			.totals = options->totals,
			.folds = options->folds,
			.peeked = options->peeked,
			.alone = !options->target,
			.run = r,
		});
	return true;
}

static struct run_held
counters_run_held(struct run *r)
{
	struct counters_run *l = (struct counters_run *)r;

	l->held = l->from.ops->pid ? l->from.ops->pid(l->from.source) : 0;
	return (struct run_held){.pid = &l->held, .n = l->held != 0};
}

static bool
counters_run_go(struct run *r, struct err *e)
{
	struct counters_run *l = (struct counters_run *)r;
	bool good = l->from.ops->start(l->from.source, e);

	if (!good)
		end_source(l);
	r->limits = run_limits_begin(l->opt.samples, l->opt.duration);
	return good;
}

void
counters_run_tick(struct counters_run *l)
{
	if (l->run.running && l->from.ops->tick)
		l->from.ops->tick(l->from.source);
}

void
counters_run_taken(struct counters_run *l)
{
	counter_rows_fold(l->rows);
}

static int
counters_run_fd(const struct run *r)
{
	const struct counters_run *l = (const struct counters_run *)r;

	return l->from.ops->wait_fd(l->from.source);
}

/* The source knows by itself that the second stop is the hard one. */
static void
counters_run_end(struct run *r, bool hard)
{
	const struct counters_run *l = (const struct counters_run *)r;

	(void)hard;
	l->from.ops->stop(l->from.source);
}

static void
counters_run_take_rows(struct counters_run *run)
{
	enum source_news news;
	struct err e;

	do {
		bool wanted = !*run->trouble.what && run_limits_want(&run->run.limits, counter_rows_state(run->rows).n);

		news = counter_rows_take(run->rows, wanted, &e);
	} while (news == SOURCE_ROW);
	if (news != SOURCE_ROW_FAILED || *run->trouble.what)
		return;
	run->trouble = e;
	run_finish(&run->run);
}

static bool
counters_run_is_full(const struct counters_run *l, size_t n)
{
	size_t most = l->opt.cells_max ? l->opt.cells_max : COUNTERS_RUN_CELLS_MAX;

	return !l->opt.folds && n * l->plan->n_columns >= most;
}

/* Keeps what became of the events, for `hecate events`. Of a sum it is not known which of its events counted. */
static void
keep_health(const struct counters_run *run)
{
	const struct source_status *status = counter_rows_state(run->rows).status;
	struct machine_seen *seen = mem_new_array(run->plan->n, sizeof *seen);
	size_t n = 0;

	for (size_t k = 0; k < run->plan->n && status && !run->opt.ops && run->from.ops == &source_all; k++) {
		const struct source_counter *counter = &run->plan->counter[k];
		const struct source_status *of = &status[run->plan->column[k]];

		if (counter->n_events != 1 || counter->event->filter || of->health == OBS_UNSUPPORTED ||
			of->health == OBS_ABSENT)
			continue;
		seen[n++] = (struct machine_seen){counter->event->name,
			of->health == OBS_DEAD                   ? HEALTH_NEVER
				: of->health == OBS_ZERO_SUSPECT ? HEALTH_ZERO
								 : HEALTH_COUNTS,
			of->running};
	}
	machine_note_health(seen, n);
	free(seen);
}

/* Always reads the totals of a command: they show whether the kernel counted until the end. */
static void
counters_run_take_end(struct counters_run *run, struct err *e)
{
	const struct obs_table *table = run->run.table;
	char number[NUMBER_TEXT];

	counters_run_take_rows(run);
	if (!run->opt.argv || counter_rows_add_totals(run->rows, &run->end, e)) {
		bool none = !counter_rows_state(run->rows).growing;

		if (*run->trouble.what && none)
			*e = run->trouble;
		else if (run->opt.interval_ms && !run->opt.totals && none)
			err_set(e, "%s was watched for %s s: no sample came of it", run->subject.name,
				number_digits(number, run->end.seconds, 3, false));
	}
	note_waits(run);
	keep_health(run);
	end_source(run);
	run_announce(
		&run->run, &(struct run_sign){.kind = RUN_OVER, .row = table->n ? table->obs[table->n - 1] : NULL});
}

static enum run_step
counters_run_poll(struct run *r, struct err *e)
{
	struct counters_run *run = (struct counters_run *)r;
	size_t before = counter_rows_state(run->rows).n, n;
	const struct obs *news;

	counters_run_take_rows(run);
	n = counter_rows_state(run->rows).n;
	run_keep_limits(r, n, counters_run_is_full(run, n));
	news = counter_rows_news(run->rows);
	if (news) /* several rows that came at once are announced as one */
		run_announce(r, &(struct run_sign){.kind = RUN_ROW, .row = news});
	if (!run->from.ops->poll(run->from.source, &run->end))
		return n != before ? RUN_NEWS : RUN_GOES_ON;
	counters_run_take_end(run, e);
	return RUN_ENDED;
}

/* --- what it found ----------------------------------------------------------------------------------------------- */

static void
counters_run_fill_facts(const struct run *r, struct run_facts *facts)
{
	const struct counters_run *run = (const struct counters_run *)r;
	struct counter_rows_state rows = counter_rows_state(run->rows);

	facts->seconds = r->running ? clock_seconds() - r->limits.started_at : run->end.seconds;
	facts->label = run->subject.name;
	facts->rows = rows.n;
	facts->missed = rows.missed;
	facts->growing = rows.growing;
	facts->status = rows.status;
	facts->ending = r->limits.ending;
	facts->end = run->end;
}

static bool
counters_run_peek(struct run *r, long long *count, bool *counted)
{
	struct counters_run *run = (struct counters_run *)r;
	size_t n = run->plan->n_columns;
	int64_t *now = mem_new_array(n, sizeof *now);
	unsigned char *open = mem_new_array(n, 1);
	bool good = r->running && counter_rows_read(run->rows, now, open, NULL);

	for (size_t i = 0; i < n; i++) {
		count[i] = now[i];
		counted[i] = good && open[i];
	}
	free(now);
	free(open);
	return good;
}

static void
counters_run_explain(struct run *r, struct str *out)
{
	const struct counters_run *l = (const struct counters_run *)r;

	counter_remarks_add(&(struct counter_remarks){
		.list = l->counters, .asked = l->chosen, .plan = l->plan, .rows = l->rows,
		.sampled = l->opt.interval_ms != 0, .name = l->subject.name, .end = &l->end,
		.full = r->limits.ending == RUN_END_FULL, .trouble = l->trouble.what,
	}, out);
	if (l->fault_cost)
		str_addf(out, "%s\n", l->fault_cost);
	if (l->waits)
		str_addf(out, "%s\n", l->waits);
}

const char *
counters_run_explain_code(const char *line)
{
	static const struct { const char *begin, *code; } row[] = {
		{"not counted", "not-counted"}, {"not open to counting", "not-open"}, {"user side only", "user-only"},
		{"remark", "remark"}, {"multiplexed", "multiplexed"}, {"turns", "turns"}, {"late", "late"},
		{"went offline", "offline"}, {"not whole", "not-whole"}, {"ended early", "ended-early"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (str_starts(line, row[i].begin))
			return row[i].code;
	return "note";
}

struct run *
counters_as_run(struct counters_run *l)
{
	return l ? &l->run : NULL;
}

struct counters_run *
run_as_counters(struct run *r)
{
	return r && r->ops == &counters_run_ops ? (struct counters_run *)r : NULL;
}

const struct run_ops counters_run_ops = {
	.name = "counters",
	.judged = true,
	.shown = true,
	.open = counters_run_open,
	.held = counters_run_held,
	.go = counters_run_go,
	.fd = counters_run_fd,
	.poll = counters_run_poll,
	.end = counters_run_end,
	.facts = counters_run_fill_facts,
	.peek = counters_run_peek,
	.explain = counters_run_explain,
	.free = counters_run_free,
};
