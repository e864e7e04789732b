#include "work/run/spec_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/obs.h"
#include "work/run/counter_rows.h"
#include "work/run/counters_run.h"

struct part {
	struct spec_table_part of;
	size_t *column;  /* column of the table, for each column of the run */
	struct obs *obs; /* in the table; NULL: none yet, or none of its own */
	size_t rows;     /* rows of the run that were taken */
};

struct spec_table {
	struct spec_table_how how;
	char *name, *source; /* of `whole` */
	struct part *part;
	size_t n;
	struct obs_table *table;
	struct obs *whole;
	/* of each column: sums since the last row of `whole` */
	int64_t *sum;
	unsigned char *counted; /* 0: no part; 1: all parts with rows; 2: some of them */
	double *share;
	double tasks;
	size_t summed; /* rows */
};

struct spec_table *
spec_table_new(const struct spec_table_how *how, const struct spec_table_part *part, size_t n)
{
	struct spec_table *table = mem_new(sizeof *table);
	struct names all = {0};

	table->how = *how;
	table->name = mem_str(how->name);
	table->source = mem_str(how->source);
	table->part = mem_new_array(n, sizeof *table->part);
	table->n = n;
	for (size_t i = 0; i < n; i++) {
		const struct obs_table *obs_table = run_table(counters_as_run(part[i].live));

		table->part[i] = (struct part){
			.of = part[i], .column = mem_new_array(obs_table->n_columns, sizeof(size_t))};
		for (size_t c = 0; c < obs_table->n_columns; c++)
			table->part[i].column[c] = names_add(&all, obs_table->column[c], strlen(obs_table->column[c]));
	}
	table->table = obs_table_new((const char *const *)all.name, all.n);
	table->sum = mem_new_array(all.n, sizeof *table->sum);
	table->counted = mem_new_array(all.n, 1);
	table->share = mem_new_array(all.n, sizeof *table->share);
	names_free(&all);
	return table;
}

void
spec_table_free(struct spec_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->n; i++)
		free(table->part[i].column);
	free(table->part);
	free(table->name);
	free(table->source);
	obs_table_free(table->table);
	free(table->sum);
	free(table->counted);
	free(table->share);
	free(table);
}

static void
add_up(struct spec_table *r, size_t column, int64_t count, bool counted, double share)
{
	if (!counted) {
		r->counted[column] = 2;
		return;
	}
	if (!r->counted[column])
		r->counted[column] = 1;
	r->share[column] =
		r->counted[column] && r->share[column] > 0 && r->share[column] < share ? r->share[column] : share;
	r->sum[column] += count;
}

static void
copy_health(struct obs *to, const struct obs *from, const struct part *p)
{
	for (size_t c = 0; c < from->n_columns; c++)
		if (from->health[c] != OBS_ABSENT)
			to->health[p->column[c]] = from->health[c];
}

/* Makes room for a row. When old rows are folded, all observations of a profile share the room of one. */
static void
spec_table_make_room(const struct spec_table *r, struct obs *o)
{
	if (r->how.folds && o->time)
		obs_keep(o, counter_rows_most(o->n_columns * (r->n + 1)));
}

/* Adds a row. The sum includes each counter that this part counts. */
static void
spec_table_take_row(struct spec_table *table, struct part *part, const struct obs *from, size_t row, double seconds)
{
	size_t n = table->table->n_columns, at = row * from->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t c = 0; c < from->n_columns; c++) {
		count[part->column[c]] = from->count[at + c];
		counted[part->column[c]] = from->counted[at + c];
		if (table->how.whole && from->health[c] != OBS_ABSENT)
			add_up(table, part->column[c], from->count[at + c], from->counted[at + c],
				from->running ? from->running[at + c] : 1);
	}
	table->summed++;
	if (part->obs) {
		spec_table_make_room(table, part->obs);
		obs_add_row(part->obs, count, counted, seconds);
		for (size_t c = 0; c < from->n_columns && from->running; c++)
			if (counted[part->column[c]] && from->running[at + c] < 1)
				obs_set_quality(part->obs, part->column[c], from->running[at + c], 0);
	}
	free(count);
	free(counted);
}

/* Its observation begins with its first rows. */
static void
begin_obs(struct spec_table *table, struct part *part, const struct obs *from)
{
	if (part->obs || (table->how.whole && part->of.machine))
		return;
	part->obs = obs_table_add(table->table, from->name, from->source);
	part->obs->exact = from->exact;
	part->obs->peeked = from->peeked;
	obs_copy_origin(part->obs, &from->origin);
	/* by the profile's clock, the first interval of a program with a delay does not begin with the profile */
	part->obs->since_start = from->since_start && !(table->how.common && part->of.delayed);
	for (size_t c = 0; c < table->table->n_columns; c++)
		part->obs->health[c] = OBS_ABSENT;
}

/* `seconds`: the end of all rows of this sample; NAN: each row has its own time. */
static void
take(struct spec_table *table, struct part *part, double seconds)
{
	const struct obs_table *obs_table = run_table(counters_as_run(part->of.live));
	const struct obs *from = obs_table->n ? obs_table->obs[obs_table->n - 1] : NULL;

	if (!from || part->rows >= from->n_rows)
		return;
	begin_obs(table, part, from);
	for (; part->rows < from->n_rows; part->rows++)
		spec_table_take_row(table, part, from, part->rows,
			isnan(seconds) ? from->time ? from->time[part->rows] : NAN : seconds);
	if (part->obs) {
		copy_health(part->obs, from, part);
		part->obs->tasks = from->tasks;
		part->obs->rotation = from->rotation;
	}
	table->tasks += from->tasks;
	if (!part->of.samples)
		return;
	counters_run_taken(part->of.live);
	part->rows = from->n_rows;
}

void
spec_table_take(struct spec_table *r, size_t part)
{
	if (!r->how.common)
		take(r, &r->part[part], NAN);
}

static void
whole_health(struct spec_table *r)
{
	for (size_t c = 0; c < r->table->n_columns; c++)
		r->whole->health[c] = OBS_ABSENT;
	for (size_t i = 0; i < r->n; i++) {
		const struct obs_table *t = run_table(counters_as_run(r->part[i].of.live));

		if (t->n)
			copy_health(r->whole, t->obs[t->n - 1], &r->part[i]);
	}
}

/* Adds the sums as a row of all programs together. */
static void
spec_table_add_whole(struct spec_table *table, double seconds)
{
	size_t n = table->table->n_columns;

	if (!table->whole) {
		table->whole = obs_table_add(table->table, table->name, table->source);
		table->whole->since_start = true;
	}
	for (size_t c = 0; c < n; c++)
		table->counted[c] = table->counted[c] == 1;
	spec_table_make_room(table, table->whole);
	obs_add_row(table->whole, table->sum, table->counted, seconds);
	for (size_t c = 0; c < n; c++)
		if (table->counted[c] && table->share[c] < 1)
			obs_set_quality(table->whole, c, table->share[c], 0);
	whole_health(table);
	table->whole->tasks = table->tasks > table->whole->tasks ? table->tasks : table->whole->tasks;
}

void
spec_table_flush(struct spec_table *table, double seconds)
{
	size_t n = table->table->n_columns;

	for (size_t i = 0; i < table->n && table->how.common; i++)
		take(table, &table->part[i], seconds);
	if (table->how.whole && table->summed)
		spec_table_add_whole(table, seconds);
	memset(table->sum, 0, n * sizeof *table->sum);
	memset(table->counted, 0, n);
	memset(table->share, 0, n * sizeof *table->share);
	table->summed = 0;
	table->tasks = 0;
}

const struct obs_table *
spec_table_obs(const struct spec_table *r)
{
	return r->table;
}

bool
spec_table_has_whole(const struct spec_table *r)
{
	return r->how.whole;
}

const struct obs *
spec_table_whole(const struct spec_table *r)
{
	return r->whole;
}
