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
	struct spec_table *r = mem_new(sizeof *r);
	struct names all = {0};

	r->how = *how;
	r->name = mem_str(how->name);
	r->source = mem_str(how->source);
	r->part = mem_new_array(n, sizeof *r->part);
	r->n = n;
	for (size_t i = 0; i < n; i++) {
		const struct obs_table *t = run_table(counters_as_run(part[i].live));

		r->part[i] = (struct part){.of = part[i], .column = mem_new_array(t->n_columns, sizeof(size_t))};
		for (size_t c = 0; c < t->n_columns; c++)
			r->part[i].column[c] = names_add(&all, t->column[c], strlen(t->column[c]));
	}
	r->table = obs_table_new((const char *const *)all.name, all.n);
	r->sum = mem_new_array(all.n, sizeof *r->sum);
	r->counted = mem_new_array(all.n, 1);
	r->share = mem_new_array(all.n, sizeof *r->share);
	names_free(&all);
	return r;
}

void
spec_table_free(struct spec_table *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free(r->part[i].column);
	free(r->part);
	free(r->name);
	free(r->source);
	obs_table_free(r->table);
	free(r->sum);
	free(r->counted);
	free(r->share);
	free(r);
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
spec_table_take_row(struct spec_table *r, struct part *p, const struct obs *from, size_t row, double seconds)
{
	size_t n = r->table->n_columns, at = row * from->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t c = 0; c < from->n_columns; c++) {
		count[p->column[c]] = from->count[at + c];
		counted[p->column[c]] = from->counted[at + c];
		if (r->how.whole && from->health[c] != OBS_ABSENT)
			add_up(r, p->column[c], from->count[at + c], from->counted[at + c],
				from->running ? from->running[at + c] : 1);
	}
	r->summed++;
	if (p->obs) {
		spec_table_make_room(r, p->obs);
		obs_add_row(p->obs, count, counted, seconds);
		for (size_t c = 0; c < from->n_columns && from->running; c++)
			if (counted[p->column[c]] && from->running[at + c] < 1)
				obs_set_quality(p->obs, p->column[c], from->running[at + c], 0);
	}
	free(count);
	free(counted);
}

/* Its observation begins with its first rows. */
static void
begin_obs(struct spec_table *r, struct part *p, const struct obs *from)
{
	if (p->obs || (r->how.whole && p->of.machine))
		return;
	p->obs = obs_table_add(r->table, from->name, from->source);
	p->obs->exact = from->exact;
	p->obs->peeked = from->peeked;
	obs_set_cpu(p->obs, from->cpu);
	/* by the profile's clock, the first interval of a program with a delay does not begin with the profile */
	p->obs->since_start = from->since_start && !(r->how.common && p->of.delayed);
	for (size_t c = 0; c < r->table->n_columns; c++)
		p->obs->health[c] = OBS_ABSENT;
}

/* `seconds`: the end of all rows of this sample; NAN: each row has its own time. */
static void
take(struct spec_table *r, struct part *p, double seconds)
{
	const struct obs_table *t = run_table(counters_as_run(p->of.live));
	const struct obs *from = t->n ? t->obs[t->n - 1] : NULL;

	if (!from || p->rows >= from->n_rows)
		return;
	begin_obs(r, p, from);
	for (; p->rows < from->n_rows; p->rows++)
		spec_table_take_row(
			r, p, from, p->rows, isnan(seconds) ? from->time ? from->time[p->rows] : NAN : seconds);
	if (p->obs) {
		copy_health(p->obs, from, p);
		p->obs->tasks = from->tasks;
		p->obs->rotation = from->rotation;
	}
	r->tasks += from->tasks;
	if (!p->of.samples)
		return;
	counters_run_taken(p->of.live);
	p->rows = from->n_rows;
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
spec_table_add_whole(struct spec_table *r, double seconds)
{
	size_t n = r->table->n_columns;

	if (!r->whole) {
		r->whole = obs_table_add(r->table, r->name, r->source);
		r->whole->since_start = true;
	}
	for (size_t c = 0; c < n; c++)
		r->counted[c] = r->counted[c] == 1;
	spec_table_make_room(r, r->whole);
	obs_add_row(r->whole, r->sum, r->counted, seconds);
	for (size_t c = 0; c < n; c++)
		if (r->counted[c] && r->share[c] < 1)
			obs_set_quality(r->whole, c, r->share[c], 0);
	whole_health(r);
	r->whole->tasks = r->tasks > r->whole->tasks ? r->tasks : r->whole->tasks;
}

void
spec_table_flush(struct spec_table *r, double seconds)
{
	size_t n = r->table->n_columns;

	for (size_t i = 0; i < r->n && r->how.common; i++)
		take(r, &r->part[i], seconds);
	if (r->how.whole && r->summed)
		spec_table_add_whole(r, seconds);
	memset(r->sum, 0, n * sizeof *r->sum);
	memset(r->counted, 0, n);
	memset(r->share, 0, n * sizeof *r->share);
	r->summed = 0;
	r->tasks = 0;
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
