#include "work/run/counter_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/liveness.h"
#include "core/obs/obs.h"
#include "work/run/counter_plan.h"
#include "work/run/counters_run.h"
#include "work/run/stall_counters.h"

struct counter_rows {
	struct counter_plan *plan;
	struct obs_table *table;
	struct source_status *status; /* of each column of the table */
	bool known;                   /* status was filled */
	int64_t *count;               /* of each column: the row that is added */
	unsigned char *counted;
	struct source_row row; /* of each counter of the plan: the row that is taken; arrays owned */
	/* of the present run */
	struct counter_rows_how how;
	const struct source_ops *ops;
	struct source *source;      /* NULL: none */
	const struct obs_origin *origin; /* of what it counts; the source's */
	struct liveness *liveness;
	struct obs *growing;        /* the last one of the table; NULL: no row yet */
	int64_t *given;             /* of each column of tasks' time: what its rows have so far */
	bool lacks_amounts;
	size_t n, missed;
	/* by counter_rows_news(): an observation, and how many rows with those that were folded */
	const struct obs *reported;
	size_t n_reported;
};

static const struct obs_origin unknown;

struct counter_rows *
counter_rows_new(void)
{
	struct counter_rows *r = mem_new(sizeof *r);

	r->table = obs_table_new(NULL, 0);
	return r;
}

static void
free_room(struct counter_rows *r)
{
	free(r->row.count);
	free(r->row.counted);
	free(r->row.running);
	free(r->status);
	free(r->count);
	free(r->counted);
	free(r->given);
}

void
counter_rows_free(struct counter_rows *r)
{
	if (!r)
		return;
	liveness_free(r->liveness);
	free_room(r);
	obs_table_free(r->table);
	free(r);
}

void
counter_rows_fit(struct counter_rows *rows, struct counter_plan *plan)
{
	counter_plan_fit(plan, &rows->table);
	rows->plan = plan;
	free_room(rows);
	rows->row = (struct source_row){.count = mem_new_array(plan->n, sizeof *rows->row.count),
		.counted = mem_new_array(plan->n, 1),
		.running = mem_new_array(plan->n, sizeof *rows->row.running)};
	rows->status = mem_new_array(plan->n_columns, sizeof *rows->status);
	rows->count = mem_new_array(plan->n_columns, sizeof *rows->count);
	rows->counted = mem_new_array(plan->n_columns, 1);
	rows->given = mem_new_array(plan->n_columns, sizeof *rows->given);
	for (size_t i = 0; i < plan->n_columns; i++)
		rows->status[i].health = OBS_ABSENT;
	rows->known = false;
}

static void
copy_status(struct counter_rows *r)
{
	for (size_t k = 0; k < r->plan->n; k++)
		r->status[r->plan->column[k]] = r->ops->status(r->source)[k];
}

void
counter_rows_begin(struct counter_rows *r, const struct source_ops *ops, struct source *s,
	const struct counter_rows_how *how)
{
	r->how = *how;
	r->ops = ops;
	r->source = s;
	r->origin = ops->origin ? ops->origin(s) : &unknown;
	r->n = r->missed = 0;
	r->lacks_amounts = false;
	memset(r->given, 0, r->plan->n_columns * sizeof *r->given);
	copy_status(r);
	r->known = true;
	r->liveness = liveness_new(ops->status(s), r->plan->n);
}

/* Counters that were not asked for stay absent: no row counts them. */
static void
copy_health(const struct counter_rows *r, struct obs *o)
{
	for (size_t k = 0; k < r->plan->n; k++) {
		const struct source_status *s = &r->status[r->plan->column[k]];

		o->health[r->plan->column[k]] = source_health(s->health, s->zero);
	}
	for (size_t c = 0; c < r->plan->n_columns; c++)
		if (r->plan->amount[c] >= 0)
			o->health[c] = r->status[c].health;
}

size_t
counter_rows_most(size_t n_columns)
{
	size_t most = COUNTER_ROWS_FOLD_ROWS;

	while (most > COUNTER_ROWS_FOLD_LEAST && most * n_columns > COUNTER_ROWS_FOLD_CELLS)
		most /= 2;
	return most;
}

/* Fills the columns that are amounts of tasks' time. `total`: since the start, to the end; otherwise since the row
 * before. If an amount turns out smaller than it seemed, the rows after that have less. */
static void
add_amounts(struct counter_rows *rows, bool total, int64_t *count, unsigned char *counted)
{
	for (size_t c = 0; c < rows->plan->n_columns; c++) {
		int64_t ns;

		if (rows->plan->amount[c] < 0)
			continue;
		counted[c] = stall_counters_read(rows->how.run, rows->plan->amount[c], total, &ns);
		rows->lacks_amounts |= !counted[c];
		rows->status[c].health = counted[c] ? OBS_HONEST : OBS_UNSUPPORTED;
		rows->status[c].running = 1;
		if (!counted[c])
			continue;
		count[c] = total ? ns : ns > rows->given[c] ? ns - rows->given[c] : 0;
		rows->given[c] += total ? 0 : count[c];
	}
}

static void
counter_rows_add_row(struct counter_rows *rows)
{
	const struct source_row *row = &rows->row;
	struct obs *obs = rows->growing;

	if (!obs) {
		obs = rows->growing = obs_table_add(rows->table, rows->how.name, rows->how.asked);
		obs_copy_origin(obs, rows->origin);
	}
	obs->peeked = rows->how.peeked;
	obs->since_start = true;
	memset(rows->counted, 0, rows->plan->n_columns);
	liveness_row(rows->liveness, row);
	for (size_t k = 0; k < rows->plan->n; k++) {
		size_t c = rows->plan->column[k];

		rows->count[c] = row->count[k];
		rows->counted[c] = row->counted[k];
		rows->status[c].health = liveness_health(rows->liveness, k);
	}
	add_amounts(rows, false, rows->count, rows->counted);
	if (rows->how.folds)
		obs_keep(obs, counter_rows_most(obs->n_columns)); /* room for the next row */
	obs_add_row(obs, rows->count, rows->counted, row->seconds);
	copy_health(rows, obs);
	for (size_t k = 0; k < rows->plan->n; k++) {
		struct source_status *status = &rows->status[rows->plan->column[k]];

		if (!row->counted[k] || row->running[k] >= 1)
			continue;
		obs_set_quality(obs, rows->plan->column[k], row->running[k], 0);
		status->running = row->running[k] < status->running ? row->running[k] : status->running;
	}
	obs->tasks = row->tasks > obs->tasks ? row->tasks : obs->tasks;
	obs->rotation = row->rotation;
	rows->n++;
	rows->missed += row->missed;
}

enum source_news
counter_rows_take(struct counter_rows *r, bool wanted, struct err *e)
{
	enum source_news news = r->ops->row(r->source, &r->row, e);

	if (news == SOURCE_ROW && wanted)
		counter_rows_add_row(r);
	return news;
}

void
counter_rows_fold(struct counter_rows *r)
{
	const double all = INFINITY;

	if (r->growing && r->growing->n_rows > 1)
		obs_fold(r->growing, &all, 1);
}

bool
counter_rows_read(struct counter_rows *rows, int64_t *count, unsigned char *counted, struct err *e)
{
	int64_t *some = mem_new_array(rows->plan->n, sizeof *some);
	unsigned char *open = mem_new_array(rows->plan->n, 1);
	bool good = rows->ops->read(rows->source, some, open, e);

	for (size_t k = 0; good && k < rows->plan->n; k++) {
		count[rows->plan->column[k]] = some[k];
		counted[rows->plan->column[k]] = open[k];
	}
	free(some);
	free(open);
	return good;
}

/* The status of multiplexed counters, and of those that never rose, is known only at the end. */
static void
add_totals(struct counter_rows *r, const struct source_end *end, const int64_t *count, const unsigned char *counted)
{
	bool beside_rows = r->how.sampled && r->n >= COUNTERS_RUN_ROWS_WORTH;
	char *name = str_format("%s%s", r->how.name, beside_rows ? " total" : "");
	struct obs *obs;

	copy_status(r);
	if (!beside_rows)
		counter_rows_drop(r);
	obs = obs_table_add(r->table, name, r->how.asked);
	obs_copy_origin(obs, r->origin);
	/* a process that still runs may be inside a fault: counted in one counter, not yet in another */
	obs->exact = r->how.alone && end->left_behind == 0;
	copy_health(r, obs);
	obs->tasks = end->tasks;
	obs->since_start = true;
	obs_add_row(obs, count, counted, end->seconds > 0 ? end->seconds : NAN);
	free(name);
}

bool
counter_rows_add_totals(struct counter_rows *rows, const struct source_end *end, struct err *e)
{
	int64_t *count = mem_new_array(rows->plan->n_columns, sizeof *count);
	unsigned char *counted = mem_new_array(rows->plan->n_columns, 1);
	bool good = counter_rows_read(rows, count, counted, e);

	if (!good) {
		counter_rows_drop(rows);
	} else if (!rows->how.sampled || rows->how.totals) {
		add_amounts(rows, true, count, counted);
		add_totals(rows, end, count, counted);
	}
	free(count);
	free(counted);
	return good;
}

void
counter_rows_drop(struct counter_rows *r)
{
	if (r->growing)
		obs_table_drop(r->table, r->table->n - 1);
	r->growing = NULL;
}

void
counter_rows_end(struct counter_rows *rows)
{
	for (size_t k = 0; rows->source && k < rows->plan->n; k++) {
		const struct source_status *now = &rows->ops->status(rows->source)[k];
		struct source_status *status = &rows->status[rows->plan->column[k]];

		memcpy(status->why, now->why, sizeof status->why);
		memcpy(status->remedy, now->remedy, sizeof status->remedy);
	}
	rows->source = NULL;
	rows->origin = NULL;
	liveness_free(rows->liveness);
	rows->liveness = NULL;
	rows->growing = NULL;
}

const struct obs *
counter_rows_news(struct counter_rows *r)
{
	const struct obs *o = r->growing;

	if (!o || (o == r->reported && o->n_rows + o->folded == r->n_reported))
		return NULL;
	r->reported = o;
	r->n_reported = o->n_rows + o->folded;
	return o;
}

void
counter_rows_note(struct counter_rows *r, char *text)
{
	obs_table_note(r->table, OBS_NOTE_OTHER, text);
}

struct counter_rows_state
counter_rows_state(const struct counter_rows *r)
{
	return (struct counter_rows_state){r->table, r->growing, r->known ? r->status : NULL, !r->lacks_amounts, r->n,
		r->missed, r->row.rotation};
}
