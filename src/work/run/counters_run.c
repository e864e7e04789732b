#include "work/run/counters_run.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/run/counter_list.h"
#include "work/run/counter_plan.h"
#include "work/run/counter_remarks.h"
#include "work/run/counter_rows.h"
#include "work/run/run_source.h"
#include "work/run/run_subject.h"

struct counters_run {
	struct run run;
	int held;                      /* the command, while it waits */
	struct counter_list *counters; /* owned */
	bool *chosen;                  /* counters of the list that were asked for, owned; NULL: all */
	struct counter_plan *plan;
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
	l->plan = counter_plan_new(l->counters, &l->opt);
	counter_rows_fit(l->rows, l->plan);
	l->run.table = counter_rows_state(l->rows).table;
	l->planned = true;
}

struct counters_run *
counters_run_new(struct counter_list *c, const struct counters_run_options *o)
{
	struct counters_run *l = mem_new(sizeof *l);

	l->run.ops = &counters_run_ops;
	l->counters = c;
	l->opt = *o;
	if (o->counter)
		l->opt.counter = l->chosen = mem_copy(o->counter, c->n * sizeof *o->counter);
	set_subject(l, o);
	l->rows = counter_rows_new();
	l->run.table = counter_rows_state(l->rows).table;
	l->plan = mem_new(sizeof *l->plan);
	counter_rows_fit(l->rows, l->plan);
	if (counter_plan_is_fixed(c))
		plan(l);
	return l;
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
counters_run_set_command(struct counters_run *l, const struct counters_run_options *o)
{
	struct counters_run_options was = l->opt;

	counters_run_stop(l);
	l->opt = *o;
	l->opt.ops = was.ops;
	l->opt.counter = was.counter;
	l->opt.cells_max = was.cells_max;
	l->opt.keep = was.keep;
	set_subject(l, o);
	l->planned = counter_plan_is_fixed(l->counters);
	l->runs = 0;
}

/* --- start to end ------------------------------------------------------------------------------------------------ */

static bool
counters_run_open(struct run *r, struct err *e)
{
	struct counters_run *l = (struct counters_run *)r;
	const struct counters_run_options *o = &l->opt;
	struct source_spec spec = {
		.argv = o->argv, .target = o->target, .interval_ms = o->interval_ms, .by_hand = o->by_hand,
		.out_fd = o->out_fd, .err_fd = o->err_fd, .no_input = o->no_input, .own_group = o->own_group,
		.setup = o->setup, .held = o->held, .rotation = o->rotation, .rotation_given = o->rotation_given,
		.lose_cpus = l->counters->kind != TEXT_MODEL, .keep = o->keep, .run = l->runs++,
	};

	counters_run_stop(l);
	if (!l->planned)
		plan(l);
	spec.counter = l->plan->counter;
	spec.n_counters = l->plan->n;
	if (l->plan->n == 0 && (l->opt.interval_ms || l->counters->kind != TEXT_MODEL))
		return counter_list_refuse(l->counters, l->chosen, e);
	l->run.limits = (struct run_limits){0};
	l->end = (struct source_end){0};
	l->trouble = (struct err){0};
	if (!run_source_open(&l->from, o->ops, &spec, e))
		return false;
	if (counter_plan_name_modes(l->plan, l->counters, l->from.ops->status(l->from.source))) {
		counter_rows_fit(l->rows, l->plan);
		l->run.table = counter_rows_state(l->rows).table;
	}
	counter_rows_begin(l->rows, l->from.ops, l->from.source, &(struct counter_rows_how){
		.name = l->subject.name, .asked = l->subject.asked, .sampled = o->interval_ms != 0,
		.totals = o->totals, .folds = o->folds, .peeked = o->peeked, .alone = !o->target,
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
counters_run_take_rows(struct counters_run *l)
{
	enum source_news news;
	struct err e;

	do {
		bool wanted = !*l->trouble.what && run_limits_want(&l->run.limits, counter_rows_state(l->rows).n);

		news = counter_rows_take(l->rows, wanted, &e);
	} while (news == SOURCE_ROW);
	if (news != SOURCE_ROW_FAILED || *l->trouble.what)
		return;
	l->trouble = e;
	run_finish(&l->run);
}

static bool
counters_run_is_full(const struct counters_run *l, size_t n)
{
	size_t most = l->opt.cells_max ? l->opt.cells_max : COUNTERS_RUN_CELLS_MAX;

	return !l->opt.folds && n * l->plan->n_columns >= most;
}

/* Always reads the totals of a command: they show whether the kernel counted until the end. */
static void
counters_run_take_end(struct counters_run *l, struct err *e)
{
	const struct obs_table *t = l->run.table;
	char number[NUMBER_TEXT];

	counters_run_take_rows(l);
	if (!l->opt.argv || counter_rows_add_totals(l->rows, &l->end, e)) {
		bool none = !counter_rows_state(l->rows).growing;

		if (*l->trouble.what && none)
			*e = l->trouble;
		else if (l->opt.interval_ms && !l->opt.totals && none)
			err_set(e, "%s was watched for %s s: no sample came of it", l->subject.name,
				number_digits(number, l->end.seconds, 3, false));
	}
	end_source(l);
	run_announce(&l->run, &(struct run_sign){.kind = RUN_OVER, .row = t->n ? t->obs[t->n - 1] : NULL});
}

static enum run_step
counters_run_poll(struct run *r, struct err *e)
{
	struct counters_run *l = (struct counters_run *)r;
	size_t before = counter_rows_state(l->rows).n, n;
	const struct obs *news;

	counters_run_take_rows(l);
	n = counter_rows_state(l->rows).n;
	run_keep_limits(r, n, counters_run_is_full(l, n));
	news = counter_rows_news(l->rows);
	if (news) /* several rows that came at once are announced as one */
		run_announce(r, &(struct run_sign){.kind = RUN_ROW, .row = news});
	if (!l->from.ops->poll(l->from.source, &l->end))
		return n != before ? RUN_NEWS : RUN_GOES_ON;
	counters_run_take_end(l, e);
	return RUN_ENDED;
}

/* --- what it found ----------------------------------------------------------------------------------------------- */

static void
counters_run_fill_facts(const struct run *r, struct run_facts *f)
{
	const struct counters_run *l = (const struct counters_run *)r;
	struct counter_rows_state rows = counter_rows_state(l->rows);

	f->seconds = r->running ? clock_seconds() - r->limits.started_at : l->end.seconds;
	f->label = l->subject.name;
	f->rows = rows.n;
	f->missed = rows.missed;
	f->growing = rows.growing;
	f->status = rows.status;
	f->ending = r->limits.ending;
	f->end = l->end;
}

static bool
counters_run_peek(struct run *r, long long *count, bool *counted)
{
	struct counters_run *l = (struct counters_run *)r;
	size_t n = l->plan->n_columns;
	int64_t *now = mem_new_array(n, sizeof *now);
	unsigned char *open = mem_new_array(n, 1);
	bool good = r->running && counter_rows_read(l->rows, now, open, NULL);

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
