#include "app/run/counters_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/counters_run_state.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/liveness.h"
#include "collect/process/target.h"
#include "core/obs/obs.h"

static void
set_target(struct counters_run *l, const struct source_target *t)
{
	free((void *)(uintptr_t)l->target.id);
	l->target = (struct source_target){0};
	l->opt.target = NULL;
	if (!t)
		return;
	l->target = *t;
	l->target.id = mem_copy(t->id, t->n * sizeof *t->id);
	l->opt.target = &l->target;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Copies the command or the target, and names it. */
static void
set_subject(struct counters_run *l, const struct counters_run_options *o)
{
	struct str name = {0}, asked = {0};
	size_t n = 0;

	while (o->argv && o->argv[n])
		n++;
	str_split_free(l->argv);
	l->argv = o->argv ? mem_new_array(n + 1, sizeof *l->argv) : NULL;
	for (size_t i = 0; i < n; i++) {
		l->argv[i] = mem_str(o->argv[i]);
		str_addf(&asked, "%s%s", i ? " " : "", o->argv[i]);
	}
	l->opt.argv = l->argv;
	set_target(l, o->argv && o->target && o->target->kind != SOURCE_CPUS ? NULL : o->target);
	if (o->name)
		str_add(&name, o->name);
	if (l->opt.target && !o->argv) {
		if (!o->name)
			target_name(l->opt.target, &name);
		target_option(l->opt.target, &asked);
	} else if (!o->name) {
		str_add(&name, n ? base_name(l->argv[0]) : "");
	}
	if (l->opt.target && o->argv)
		str_add(&asked, " with "), target_option(l->opt.target, &asked);
	free(l->name);
	free(l->asked);
	l->name = str_take(&name);
	l->asked = str_take(&asked);
	l->opt.name = NULL; /* the caller's; not kept */
}

/* Allocates what the plan opens and the columns that it fills. */
static void
make_room(struct counters_run *l)
{
	size_t n = l->plan->n, columns = l->plan->n_columns;

	free(l->row.count);
	free(l->row.counted);
	free(l->row.running);
	free(l->status);
	free(l->count);
	free(l->counted);
	l->row.count = mem_new_array(n, sizeof *l->row.count);
	l->row.counted = mem_new_array(n, 1);
	l->row.running = mem_new_array(n, sizeof *l->row.running);
	l->status = mem_new_array(columns, sizeof *l->status);
	l->count = mem_new_array(columns, sizeof *l->count);
	l->counted = mem_new_array(columns, 1);
	for (size_t i = 0; i < columns; i++)
		l->status[i].health = OBS_ABSENT;
	l->known = false;
}

static void
plan(struct counters_run *l, const struct counters_run_options *o)
{
	counter_plan_free(l->plan);
	l->plan = counter_plan_new(l->counters, o);
	counter_plan_fit(l->plan, &l->table);
	make_room(l);
}

struct counters_run *
counters_run_new_of(struct counter_list *c, const struct counters_run_options *o)
{
	struct counters_run *l = mem_new(sizeof *l);

	l->run.ops = &counters_run_ops;
	l->counters = c;
	l->opt = *o;
	if (o->counter)
		l->opt.counter = l->chosen = mem_copy(o->counter, c->n * sizeof *o->counter);
	set_subject(l, o);
	l->table = obs_table_new(NULL, 0);
	l->planned = counter_plan_is_fixed(c);
	if (l->planned)
		plan(l, &l->opt);
	else
		l->plan = mem_new(sizeof *l->plan);
	return l;
}

struct counters_run *
counters_run_new(const struct udd_model *m, const struct counters_run_options *o)
{
	return counters_run_new_of(counter_list_of_model(m), o);
}

static void
end_source(struct counters_run *l)
{
	if (l->source)
		l->opt.ops->close(l->source);
	l->source = NULL;
	l->running = false;
	liveness_free(l->liveness);
	l->liveness = NULL;
	l->growing = NULL;
}

void
counters_run_free(struct counters_run *l)
{
	if (!l)
		return;
	run_leave(&l->run);
	end_source(l);
	counter_plan_free(l->plan);
	counter_list_free(l->counters);
	free(l->chosen);
	free(l->status);
	free(l->row.count);
	free(l->row.counted);
	free(l->row.running);
	free(l->count);
	free(l->counted);
	free(l->name);
	free(l->asked);
	set_target(l, NULL);
	str_split_free(l->argv);
	obs_table_free(l->table);
	free(l);
}

/* Drops the rows of the present run. */
static void
drop_rows(struct counters_run *l)
{
	if (l->growing)
		obs_table_drop(l->table, l->table->n - 1);
	l->growing = NULL;
}

void
counters_run_stop(struct counters_run *l)
{
	bool ran = l->running;

	drop_rows(l);
	end_source(l);
	if (ran)
		run_announce(&l->run, &(struct run_sign){.kind = RUN_OVER});
}

static void
finish(struct counters_run *l, enum run_ending why)
{
	if (!l->finishing)
		l->ending = why;
	l->finishing = true;
	l->finish_at = clock_seconds() + RUN_GRACE_SECONDS;
	l->opt.ops->stop(l->source);
}

void
counters_run_finish(struct counters_run *l)
{
	if (l->running && !l->finishing)
		finish(l, RUN_END_ASKED);
}

void
counters_run_set_command(struct counters_run *l, const struct counters_run_options *o)
{
	counters_run_stop(l);
	set_subject(l, o);
	l->planned = counter_plan_is_fixed(l->counters);
	l->runs = 0;
	l->opt.interval_ms = o->interval_ms;
	l->opt.samples = o->samples;
	l->opt.duration = o->duration;
	l->opt.totals = o->totals;
	l->opt.peeked = o->peeked;
	l->opt.folds = o->folds;
	l->opt.out_fd = o->out_fd;
	l->opt.err_fd = o->err_fd;
	l->opt.no_input = o->no_input;
	l->opt.own_group = o->own_group;
	l->opt.setup = o->setup;
	l->opt.held = o->held;
	l->opt.by_hand = o->by_hand;
	l->opt.rotation = o->rotation;
	l->opt.rotation_said = o->rotation_said;
}

static bool
refuse_nothing(const struct counters_run *l, struct err *e)
{
	bool asked = false;

	for (size_t i = 0; i < l->counters->n; i++)
		asked |= !l->opt.counter || l->opt.counter[i];
	if (asked)
		err_set(e, "nothing of the %s can be opened: none of its counters has an event", l->counters->of);
	else
		err_set(e, "the %s has no counter that was asked for: there is nothing to sample", l->counters->of);
	return err_hint(e, "%s shows its counters, hecate doctor what can be counted here", l->counters->show);
}

bool
counters_run_open(struct counters_run *l, struct err *e)
{
	struct source_spec spec = {
		.argv = l->opt.argv,
		.target = l->opt.target,
		.interval_ms = l->opt.interval_ms,
		.out_fd = l->opt.out_fd,
		.err_fd = l->opt.err_fd,
		.no_input = l->opt.no_input,
		.own_group = l->opt.own_group,
		.setup = l->opt.setup,
		.held = l->opt.held,
		.by_hand = l->opt.by_hand,
		.rotation = l->opt.rotation,
		.rotation_said = l->opt.rotation_said,
		.lose_cpus = l->counters->kind != TEXT_MODEL,
		.keep = l->opt.keep,
		.run = l->runs++,
	};

	counters_run_stop(l);
	if (!l->planned)
		plan(l, &l->opt);
	l->planned = true;
	spec.counter = l->plan->counter;
	spec.n_counters = l->plan->n;
	if (l->plan->n == 0 && (l->opt.interval_ms || l->counters->kind != TEXT_MODEL))
		return refuse_nothing(l, e);
	l->finishing = false;
	l->ending = RUN_END_ITSELF;
	l->rows = l->missed = 0;
	l->end = (struct source_end){0};
	l->trouble = (struct err){0};
	l->source = l->opt.ops->open(&spec, e);
	if (!l->source)
		return false;
	for (size_t k = 0; k < l->plan->n; k++)
		l->status[l->plan->column[k]] = l->opt.ops->status(l->source)[k];
	l->known = true;
	l->liveness = liveness_new(l->opt.ops->status(l->source), l->plan->n);
	return true;
}

bool
counters_run_go(struct counters_run *l, struct err *e)
{
	if (!l->opt.ops->start(l->source, e)) {
		end_source(l);
		return false;
	}
	l->running = true;
	l->started_at = clock_seconds();
	return true;
}

bool
counters_run_start(struct counters_run *l, struct err *e)
{
	return counters_run_open(l, e) && counters_run_go(l, e);
}

void
counters_run_tick(struct counters_run *l)
{
	if (l->running && l->opt.ops->tick)
		l->opt.ops->tick(l->source);
}

void
counters_run_taken(struct counters_run *l)
{
	const double all = INFINITY;

	if (l->growing && l->growing->n_rows > 1)
		obs_fold(l->growing, &all, 1);
}

bool
counters_run_running(const struct counters_run *l)
{
	return l->running;
}

int
counters_run_wait_fd(const struct counters_run *l)
{
	return l->running ? l->opt.ops->wait_fd(l->source) : -1;
}

double
counters_run_patience(const struct counters_run *l)
{
	double at = l->finishing ? l->finish_at : l->opt.duration > 0 ? l->started_at + l->opt.duration : INFINITY;

	return l->running ? fmax(0, at - clock_seconds()) : INFINITY;
}

static bool
read_totals(struct counters_run *l, int64_t *count, unsigned char *counted, struct err *e)
{
	int64_t *some = mem_new_array(l->plan->n, sizeof *some);
	unsigned char *open = mem_new_array(l->plan->n, 1);
	bool good = l->opt.ops->read(l->source, some, open, e);

	for (size_t k = 0; good && k < l->plan->n; k++) {
		count[l->plan->column[k]] = some[k];
		counted[l->plan->column[k]] = open[k];
	}
	free(some);
	free(open);
	return good;
}

/* Counters that were not asked for stay absent: no row counts them. */
static void
copy_health(const struct counters_run *l, struct obs *o)
{
	for (size_t k = 0; k < l->plan->n; k++)
		o->health[l->plan->column[k]] = l->status[l->plan->column[k]].health;
}

static void
add_totals(struct counters_run *l, const char *name, const int64_t *count, const unsigned char *counted)
{
	struct obs *o = obs_table_add(l->table, name, l->asked);

	/* a process that still runs may be inside a fault: counted in one counter, not yet in another */
	o->exact = l->end.left_behind == 0 && !l->opt.target;
	copy_health(l, o);
	o->tasks = l->end.tasks;
	o->since_start = true;
	obs_add_row(o, count, counted, l->end.seconds > 0 ? l->end.seconds : NAN);
}

size_t
counters_run_fold_rows(size_t n_columns)
{
	size_t most = COUNTERS_RUN_FOLD_ROWS;

	while (most > COUNTERS_RUN_FOLD_LEAST && most * n_columns > COUNTERS_RUN_FOLD_CELLS)
		most /= 2;
	return most;
}

static void
add_row(struct counters_run *l)
{
	const struct source_row *r = &l->row;
	struct obs *o = l->growing;

	if (!o)
		o = l->growing = obs_table_add(l->table, l->name, l->asked);
	o->peeked = l->opt.peeked;
	o->since_start = true;
	memset(l->counted, 0, l->plan->n_columns);
	for (size_t k = 0; k < l->plan->n; k++) {
		l->count[l->plan->column[k]] = r->count[k];
		l->counted[l->plan->column[k]] = r->counted[k];
	}
	liveness_row(l->liveness, r);
	for (size_t k = 0; k < l->plan->n; k++)
		l->status[l->plan->column[k]].health = liveness_health(l->liveness, k);
	if (l->opt.folds)
		obs_keep(o, counters_run_fold_rows(o->n_columns)); /* room for the next row */
	obs_add_row(o, l->count, l->counted, r->seconds);
	copy_health(l, o);
	for (size_t k = 0; k < l->plan->n; k++) {
		struct source_status *s = &l->status[l->plan->column[k]];

		if (!r->counted[k] || r->running[k] >= 1)
			continue;
		obs_set_quality(o, l->plan->column[k], r->running[k], 0);
		s->running = r->running[k] < s->running ? r->running[k] : s->running;
	}
	o->tasks = r->tasks > o->tasks ? r->tasks : o->tasks;
	o->rotation = r->rotation;
	l->rows++;
	l->missed += r->missed;
}

/* Takes all rows that are due. Rows past the limit come while a command is ending, and are dropped. */
static void
take_rows(struct counters_run *l)
{
	enum source_news news;
	struct err e;

	while ((news = l->opt.ops->row(l->source, &l->row, &e)) == SOURCE_ROW)
		if (!*l->trouble.what && (!l->opt.samples || l->rows < l->opt.samples) && l->ending != RUN_END_FULL)
			add_row(l);
	if (news == SOURCE_ROW_FAILED && !*l->trouble.what) {
		l->trouble = e;
		finish(l, RUN_END_ASKED);
	}
}

static void
keep_limits(struct counters_run *l)
{
	double now = clock_seconds();
	size_t cells = l->opt.cells_max ? l->opt.cells_max : COUNTERS_RUN_CELLS_MAX;

	if (l->finishing) {
		if (now >= l->finish_at)
			finish(l, l->ending);
	} else if (l->opt.samples && l->rows >= l->opt.samples) {
		finish(l, RUN_END_SAMPLES);
	} else if (l->opt.duration > 0 && now - l->started_at >= l->opt.duration) {
		finish(l, RUN_END_DURATION);
	} else if (!l->opt.folds && l->rows * l->plan->n_columns >= cells) {
		finish(l, RUN_END_FULL);
	}
}

/* Ends a command. Always reads its totals: they show whether the kernel counted until the end. */
static bool
end_command(struct counters_run *l, struct err *e)
{
	size_t n = l->plan->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);
	bool good = read_totals(l, count, counted, e), sampled = l->opt.interval_ms != 0;
	char *name = sampled ? str_format("%s total", l->name) : mem_str(l->name);

	if (!good)
		drop_rows(l);
	if (good && (!sampled || l->opt.totals)) {
		/* known only at the end: which counters were multiplexed, which never rose */
		for (size_t k = 0; k < l->plan->n; k++)
			l->status[l->plan->column[k]] = l->opt.ops->status(l->source)[k];
		if (l->rows < COUNTERS_RUN_ROWS_WORTH) {
			drop_rows(l);
			free(name);
			name = mem_str(l->name);
		}
		add_totals(l, name, count, counted);
	}
	free(name);
	free(count);
	free(counted);
	return good;
}

/* Copies the remarks that the source made while it counted. */
static void
refresh_remarks(struct counters_run *l)
{
	for (size_t k = 0; k < l->plan->n; k++) {
		const struct source_status *now = &l->opt.ops->status(l->source)[k];
		struct source_status *s = &l->status[l->plan->column[k]];

		memcpy(s->why, now->why, sizeof s->why);
		memcpy(s->remedy, now->remedy, sizeof s->remedy);
	}
}

/* Announces new rows; several that came at once are announced as one. */
static void
announce_rows(struct counters_run *l)
{
	struct obs *o = l->growing;

	if (!o || (o == l->announced && o->n_rows + o->folded == l->n_announced))
		return;
	l->announced = o;
	l->n_announced = o->n_rows + o->folded;
	run_announce(&l->run, &(struct run_sign){.kind = RUN_ROW, .row = o});
}

bool
counters_run_poll(struct counters_run *l, struct err *e)
{
	char number[NUMBER_TEXT];

	err_set(e, "%s", "");
	if (!l->running)
		return false;
	take_rows(l);
	keep_limits(l);
	announce_rows(l);
	if (!l->opt.ops->poll(l->source, &l->end))
		return false;
	take_rows(l);
	if (l->opt.argv ? end_command(l, e) : true) {
		if (*l->trouble.what && !l->growing)
			*e = l->trouble;
		else if (l->opt.interval_ms && !l->opt.totals && !l->growing)
			err_set(e, "%s was watched for %s s: no sample came of it", l->name,
				number_digits(number, l->end.seconds, 3, false));
	}
	refresh_remarks(l);
	end_source(l);
	run_announce(&l->run,
		&(struct run_sign){.kind = RUN_OVER, .row = l->table->n ? l->table->obs[l->table->n - 1] : NULL});
	return true;
}

const struct obs_table *
counters_run_table(const struct counters_run *l)
{
	return l->table;
}

const struct obs *
counters_run_growing(const struct counters_run *l)
{
	return l->growing;
}

const struct source_end *
counters_run_end(const struct counters_run *l)
{
	return &l->end;
}

enum run_ending
counters_run_ending(const struct counters_run *l)
{
	return l->ending;
}

const struct source_status *
counters_run_status(const struct counters_run *l)
{
	return l->known ? l->status : NULL;
}

double
counters_run_seconds(const struct counters_run *l)
{
	return l->running ? clock_seconds() - l->started_at : l->end.seconds;
}

const char *
counters_run_name(const struct counters_run *l)
{
	return l->name;
}

size_t
counters_run_rows(const struct counters_run *l)
{
	return l->rows;
}

size_t
counters_run_missed(const struct counters_run *l)
{
	return l->missed;
}

bool
counters_run_peek(struct counters_run *l, long long *count, bool *counted)
{
	size_t n = l->plan->n_columns;
	int64_t *now = mem_new_array(n, sizeof *now);
	unsigned char *open = mem_new_array(n, 1);
	bool good = l->running && read_totals(l, now, open, NULL);

	for (size_t i = 0; i < n; i++) {
		count[i] = now[i];
		counted[i] = good && open[i];
	}
	free(now);
	free(open);
	return good;
}

/* --- as a kind of run -------------------------------------------------------------------------------------------- */

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

static bool
run_open(struct run *r, struct err *e)
{
	return counters_run_open((struct counters_run *)r, e);
}

static struct run_held
run_held(struct run *r)
{
	struct counters_run *l = (struct counters_run *)r;

	l->held = l->opt.ops->pid ? l->opt.ops->pid(l->source) : 0;
	return (struct run_held){.pid = &l->held, .n = l->held != 0};
}

static bool
run_go(struct run *r, struct err *e)
{
	return counters_run_go((struct counters_run *)r, e);
}

static bool
run_is_running(const struct run *r)
{
	return ((const struct counters_run *)r)->running;
}

static int
run_fd(const struct run *r)
{
	return counters_run_wait_fd((const struct counters_run *)r);
}

static double
run_patience(const struct run *r)
{
	return counters_run_patience((const struct counters_run *)r);
}

static enum run_step
run_poll(struct run *r, struct err *e)
{
	struct counters_run *l = (struct counters_run *)r;
	size_t before = l->rows;

	return counters_run_poll(l, e) ? RUN_ENDED : l->rows != before ? RUN_NEWS : RUN_GOES_ON;
}

static void
run_finish(struct run *r)
{
	counters_run_finish((struct counters_run *)r);
}

static void
fill_facts(const struct run *r, struct run_facts *f)
{
	const struct counters_run *l = (const struct counters_run *)r;

	f->seconds = counters_run_seconds(l);
	f->label = l->name;
	f->rows = l->rows;
	f->growing = l->growing;
	f->status = counters_run_status(l);
	f->ending = counters_run_ending(l);
	f->end = *counters_run_end(l);
}

static bool
run_peek(struct run *r, long long *count, bool *counted)
{
	return counters_run_peek((struct counters_run *)r, count, counted);
}

static void
run_explain(struct run *r, struct str *out)
{
	counters_run_explain((struct counters_run *)r, out);
}

static const struct obs_table *const *
run_tables(struct run *r, size_t *n)
{
	*n = 1;
	r->table = ((struct counters_run *)r)->table;
	return &r->table;
}

static void
free_run(struct run *r)
{
	counters_run_free((struct counters_run *)r);
}

const struct run_ops counters_run_ops = {
	.name = "counters",
	.judged = true,
	.shown = true,
	.open = run_open,
	.held = run_held,
	.go = run_go,
	.running = run_is_running,
	.fd = run_fd,
	.patience = run_patience,
	.poll = run_poll,
	.finish = run_finish,
	.facts = fill_facts,
	.peek = run_peek,
	.explain = run_explain,
	.tables = run_tables,
	.free = free_run,
};
