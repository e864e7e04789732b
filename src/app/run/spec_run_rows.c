/* Rows of several lives into one table: one observation for each program, and one of all together. */
#include "app/run/spec_run_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/obs/obs.h"

void
spec_run_make_table(struct spec_run *r)
{
	struct names all = {0};

	for (size_t i = 0; i < r->n; i++) {
		const struct obs_table *t = counters_run_table(r->part[i].live);

		r->part[i].column = mem_new_array(t->n_columns, sizeof *r->part[i].column);
		for (size_t c = 0; c < t->n_columns; c++)
			r->part[i].column[c] = names_add(&all, t->column[c], strlen(t->column[c]));
	}
	r->table = obs_table_new((const char *const *)all.name, all.n);
	r->sum = mem_new_array(all.n, sizeof *r->sum);
	r->counted = mem_new_array(all.n, 1);
	r->share = mem_new_array(all.n, sizeof *r->share);
	names_free(&all);
}

static void
add_up(struct spec_run *r, size_t column, int64_t count, bool counted, double share)
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
copy_health(struct obs *to, const struct obs *from, const struct spec_part *p)
{
	for (size_t c = 0; c < from->n_columns; c++)
		if (from->health[c] != OBS_ABSENT)
			to->health[p->column[c]] = from->health[c];
}

/* Where old rows are taken together all observations of a profile share what is given to one. */
static void
make_room(const struct spec_run *r, struct obs *o)
{
	if (r->opt.folds && o->time)
		obs_keep(o, counters_run_fold_rows(o->n_columns * (r->n + 1)));
}

/* A cell that the part counts at all belongs to the sum; what it was not asked for does not. */
static void
take_row(struct spec_run *r, struct spec_part *p, const struct obs *from, size_t row, double seconds)
{
	size_t n = r->table->n_columns, at = row * from->n_columns;
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t c = 0; c < from->n_columns; c++) {
		count[p->column[c]] = from->count[at + c];
		counted[p->column[c]] = from->counted[at + c];
		if (r->state.whole && from->health[c] != OBS_ABSENT)
			add_up(r, p->column[c], from->count[at + c], from->counted[at + c],
				from->running ? from->running[at + c] : 1);
	}
	r->summed++;
	if (p->obs) {
		make_room(r, p->obs);
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
begin_obs(struct spec_run *r, struct spec_part *p, const struct obs *from)
{
	if (p->obs || (r->state.whole && p->program == SPEC_RUN_NONE))
		return;
	p->obs = obs_table_add(r->table, from->name, from->source);
	p->obs->exact = from->exact;
	p->obs->peeked = from->peeked;
	/* On the profile's own clock the first interval of who comes later does not begin with the profile. */
	p->obs->since_start = from->since_start &&
		!(r->common && p->program != SPEC_RUN_NONE && programs_at(r->programs, p->program)->of->delay > 0);
	for (size_t c = 0; c < r->table->n_columns; c++)
		p->obs->health[c] = OBS_ABSENT;
}

/* `seconds`: when all rows of this look end; NAN: each by its own time. */
static void
take(struct spec_run *r, struct spec_part *p, double seconds)
{
	const struct obs_table *t = counters_run_table(p->live);
	const struct obs *from = t->n ? t->obs[t->n - 1] : NULL;

	if (!from || p->rows >= from->n_rows)
		return;
	begin_obs(r, p, from);
	for (; p->rows < from->n_rows; p->rows++)
		take_row(r, p, from, p->rows, isnan(seconds) ? from->time ? from->time[p->rows] : NAN : seconds);
	if (p->obs) {
		copy_health(p->obs, from, p);
		p->obs->tasks = from->tasks;
		p->obs->rotation = from->rotation;
	}
	r->tasks += from->tasks;
	if (!p->counts_rows)
		return;
	counters_run_taken(p->live);
	p->rows = from->n_rows;
}

void
spec_run_take(struct spec_run *r, struct spec_part *p)
{
	if (!r->common)
		take(r, p, NAN);
}

static void
whole_health(struct spec_run *r)
{
	for (size_t c = 0; c < r->table->n_columns; c++)
		r->whole->health[c] = OBS_ABSENT;
	for (size_t i = 0; i < r->n; i++) {
		const struct obs_table *t = counters_run_table(r->part[i].live);

		if (t->n)
			copy_health(r->whole, t->obs[t->n - 1], &r->part[i]);
	}
}

void
spec_run_flush(struct spec_run *r, double seconds)
{
	size_t n = r->table->n_columns;

	for (size_t i = 0; i < r->n && r->common; i++)
		if (r->part[i].going)
			take(r, &r->part[i], seconds);
	if (r->state.whole && r->summed) {
		if (!r->whole) {
			struct str name = {0};

			spec_run_name_again(r, r->opt.spec->name, &name);
			r->whole = obs_table_add(r->table, str_text(&name),
				r->opt.spec->text && *r->opt.spec->text ? r->opt.spec->text : "profile");
			r->whole->since_start = true;
			str_free(&name);
		}
		for (size_t c = 0; c < n; c++)
			r->counted[c] = r->counted[c] == 1;
		make_room(r, r->whole);
		obs_add_row(r->whole, r->sum, r->counted, seconds);
		for (size_t c = 0; c < n; c++)
			if (r->counted[c] && r->share[c] < 1)
				obs_set_quality(r->whole, c, r->share[c], 0);
		whole_health(r);
		r->whole->tasks = r->tasks > r->whole->tasks ? r->tasks : r->whole->tasks;
	}
	memset(r->sum, 0, n * sizeof *r->sum);
	memset(r->counted, 0, n);
	memset(r->share, 0, n * sizeof *r->share);
	r->summed = 0;
	r->tasks = 0;
}
