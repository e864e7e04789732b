/* From the columns of an observation to the region of the model's counters:
 *
 *     columns ──▶ kept counters ──▶ cells: counts, shares, errors ──▶ samples ──▶ region, changes of level, beat
 *
 * A counter is kept when the data have all its columns. A cell is one kept counter in one row. The region is missing,
 * with a reason, where too little was counted to decide anything. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/obs/damage.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/series/beat.h"
#include "core/series/changes.h"
#include "core/stats/counterpoint.h"
#include "core/stats/region.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "work/analysis/describe.h"
#include "work/analysis/gathered.h"
#include "work/analysis/trusted.h"
#include "work/analysis/unrelated.h"
#include "work/analysis/zeros.h"
#include "work/files/data.h"

/* Adds up counter i of one row: the sum of its columns, each times its factor. False where one of them was not counted,
 * or in part of the row only. */
static bool
add_columns(const struct obs *obs, const struct columns_match *match, size_t i, size_t row, int64_t *sum)
{
	*sum = 0;
	for (size_t k = match->first[i]; k < match->first[i + 1]; k++) {
		size_t cell = row * obs->n_columns + match->column[k];
		int64_t part;

		if (obs->counted[cell] != OBS_COUNTED ||
			__builtin_mul_overflow(obs->count[cell], match->times[k], &part) ||
			__builtin_add_overflow(*sum, part, sum))
			return false;
	}
	return true;
}

/* Computes the quality of that sum. The parts' extrapolation errors V (1 − p)/p add up, and so do the squares of their
 * stated errors. *running is the share that would give the sum as large an error. A part without a stated error leaves
 * the sum without one. */
static void
add_quality(
	const struct obs *obs, const struct columns_match *match, size_t i, size_t row, double *running, double *error)
{
	double count = 0, extra = 0, least = 1, square = 0;
	bool stated = true;

	for (size_t k = match->first[i]; k < match->first[i + 1]; k++) {
		size_t cell = row * obs->n_columns + match->column[k];
		double times = (double)match->times[k], v = (double)obs->count[cell] * times,
			p = obs->running ? obs->running[cell] : 1, e = obs->error ? obs->error[cell] * times : 0;

		p = p > 0 && p < 1 ? p : 1;
		count += v;
		extra += fabs(v) * (1 - p) / p;
		least = fmin(least, p);
		square += e * e;
		stated &= e * e > 0 || obs->count[cell] == 0;
	}
	count = fabs(count); /* subtracting from a total may leave a small count, but its error stays as large */
	*running = count > 0 ? count / (count + extra) : least;
	*error = stated || obs->n_rows > 1 ? sqrt(square) : 0;
}

/* Chooses the counters to keep. A counter is kept when the data have all its columns, they were counted, and none is
 * dead: known to be, or 0 throughout while others count (zeros.h). A counter that is 0 because it needs no columns is
 * kept too. */
static void
choose_counters(const struct analysis *analysis, const struct analysis_table *table, const bool *without,
	struct prepared *prepared)
{
	const struct obs *obs = prepared->obs;
	size_t n = analysis->model->n_counters;

	prepared->keep = mem_new_array(n, sizeof *prepared->keep);
	prepared->dead = mem_new_array(n, sizeof *prepared->dead);
	for (size_t i = 0; i < n; i++) {
		bool some = false, dead = without && without[i];
		int64_t v;

		if ((table->match->first[i] == table->match->first[i + 1] && !table->match->silent[i])
			|| (analysis->opt.counter && !analysis->opt.counter[i]) || trusted_is_lost(prepared, i))
			continue;
		for (size_t k = table->match->first[i]; k < table->match->first[i + 1]; k++)
			dead |= obs->health[table->match->column[k]] == OBS_DEAD;
		for (size_t row = 0; row < obs->n_rows && !some; row++)
			some = add_columns(obs, table->match, i, row, &v);
		prepared->dead[i] = some && dead;
		prepared->keep[i] = some && !dead;
		prepared->n_kept += prepared->keep[i];
	}
	unrelated_choose(analysis, prepared);
}

#define RUNNING_TOTALS \
	"every column only rises from row to row, as running totals do: --totals takes their differences, " \
	"--increments says that they are increments"

/* The kept counters' cells; owned. */
struct cells {
	int64_t *count;
	unsigned char *counted;
	double *running, *error; /* NULL: the observation has none */
	size_t *parts;
	struct gathered all;
	bool zero;               /* every counter reads 0 */
	bool estimated;          /* some cell is extrapolated, or has a stated error */
	bool extrapolated;
};

/* Adds up a counter's samples in a row, and their number. Only the columns of exact totals may have been counted in
 * different samples of a row (gathered_choose()); these are scaled one by one. */
static void
gather_cell(const struct obs *obs, const struct columns_match *m, size_t i, size_t row, struct gathered *all, size_t k,
	int64_t count)
{
	size_t n = obs->per_row < 2 ? 1 : obs_samples_in_row(obs, row), least = n, most = 0;
	double whole = 0;

	if (n == 1) { /* one sample, which has all of the counter's columns */
		all->sum[k] += count;
		all->weight[k]++;
		return;
	}
	for (size_t j = m->first[i]; j < m->first[i + 1]; j++) {
		size_t here = obs_samples_in_cell(obs, row, m->column[j]);

		whole += (double)m->times[j] * (double)obs->count[row * obs->n_columns + m->column[j]]
			* ((double)n / (double)here);
		least = here < least ? here : least;
		most = here > most ? here : most;
	}
	all->sum[k] += least == most ? count : llround(whole);
	all->weight[k] += (int64_t)(least == most ? least : n);
}

/* A counter's mean over all samples that counted it. */
static double
mean_of_all(const struct obs *o, const struct columns_match *m, size_t i)
{
	struct gathered all = {.sum = &(i128){0}, .weight = &(int64_t){0}};
	int64_t count;

	for (size_t row = 0; row < o->n_rows; row++)
		if (add_columns(o, m, i, row, &count))
			gather_cell(o, m, i, row, &all, 0, count);
	return (double)*all.sum / (double)*all.weight * pow(10, -o->decimals);
}

#define TILE 256 /* rows that are read once per counter while they are in the cache */

/* Takes a counter's cells in rows first … last − 1. */
static void
prepare_take_rows(const struct obs *obs, const struct columns_match *match, size_t i, size_t k, size_t n, size_t first,
	size_t last, struct cells *cells)
{
	for (size_t row = first; row < last; row++) {
		size_t cell = row * n + k;
		double running = 1, error = 0;

		cells->counted[cell] = add_columns(obs, match, i, row, &cells->count[cell]);
		if (!cells->counted[cell])
			cells->count[cell] = 0;
		else if (obs->running || obs->error)
			add_quality(obs, match, i, row, &running, &error);
		if (cells->counted[cell])
			gather_cell(obs, match, i, row, &cells->all, k, cells->count[cell]);
		if (cells->running)
			cells->running[cell] = running;
		if (cells->error)
			cells->error[cell] = error;
		cells->estimated |= running < 1 || error > 0;
		cells->extrapolated |= running < 1;
		cells->zero &= cells->count[cell] == 0;
	}
}

/* Takes what is known of a counter, once its cells are taken. */
static void
take_counter(const struct obs *o, const struct columns_match *m, size_t i, size_t k, struct cells *c,
	struct prepared *p)
{
	double times = m->first[i] < m->first[i + 1] ? (double)m->times[m->first[i]] : 1;

	c->all.scatter[k] = o->total && m->first[i] + 1 == m->first[i + 1]
		? obs_total_scatter(&o->total[m->column[m->first[i]]]) * times * times : NAN;
	c->parts[k] = m->first[i + 1] - m->first[i];
	p->value[i] = o->counted == p->obs->counted
		? (double)c->all.sum[k] / (double)c->all.weight[k] * pow(10, -o->decimals) : mean_of_all(p->obs, m, i);
}

static struct cells
take_cells(const struct analysis *analysis, const struct analysis_table *table, struct prepared *prepared,
	const struct obs *obs)
{
	struct cells c = {.zero = true, .all = {.per_row = obs->per_row, .samples = obs_samples(obs)}};

	c.all.sum = mem_new_array(prepared->n_kept, sizeof *c.all.sum);
	c.all.weight = mem_new_array(prepared->n_kept, sizeof *c.all.weight);
	c.all.scatter = mem_new_array(prepared->n_kept, sizeof *c.all.scatter);
	c.count = mem_new_array(obs->n_rows * prepared->n_kept, sizeof *c.count);
	c.counted = mem_new_array(obs->n_rows * prepared->n_kept, 1);
	c.parts = mem_new_array(prepared->n_kept, sizeof *c.parts);
	if (obs->running)
		c.running = mem_new_array(obs->n_rows * prepared->n_kept, sizeof *c.running);
	if (obs->error)
		c.error = mem_new_array(obs->n_rows * prepared->n_kept, sizeof *c.error);
	for (size_t row = 0; row < obs->n_rows; row += TILE)
		for (size_t i = 0, k = 0; i < analysis->model->n_counters; i++)
			if (prepared->keep[i])
				prepare_take_rows(obs, table->match, i, k++, prepared->n_kept, row,
					row + TILE < obs->n_rows ? row + TILE : obs->n_rows, &c);
	for (size_t i = 0, k = 0; i < analysis->model->n_counters; i++)
		if (prepared->keep[i])
			take_counter(obs, table->match, i, k++, &c, prepared);
	return c;
}

static void
free_cells(struct cells *c)
{
	free(c->count);
	free(c->counted);
	free(c->running);
	free(c->error);
	free(c->parts);
	gathered_free(&c->all);
}

static void
find_beat(const struct samples *s, const size_t *which, struct prepared *p)
{
	bool *turned = mem_new_array(s->n_counters, sizeof *turned);

	for (size_t cell = 0; cell < s->n_rows * s->n_counters; cell++)
		turned[cell % s->n_counters] |= s->running[cell] < 1;
	p->beat = beat_find(s, turned);
	for (size_t k = 0; k < 2; k++)
		p->beat.counter[k] = which[p->beat.counter[k]];
	free(turned);
}

/* Renumbers the changes and the beat from the kept counters to the model's. */
static void
prepare_find_changes(const struct analysis *analysis, const struct samples *samples, struct prepared *prepared)
{
	size_t *which = mem_new_array(prepared->n_kept, sizeof *which);

	for (size_t i = 0, k = 0; i < analysis->model->n_counters; i++)
		if (prepared->keep[i])
			which[k++] = i;
	prepared->changes = changes_find(samples, prepared->region);
	for (size_t c = 0; c < prepared->changes->n; c++)
		prepared->changes->change[c].counter = which[prepared->changes->change[c].counter];
	if (samples->running && !(prepared->obs->rotation.period > 0))
		find_beat(samples, which, prepared);
	free(which);
}

/* Returns why a single row makes no region. */
static const char *
why_no_region(const struct prepared *p)
{
	if (p->was_exact)
		return "one row that was extrapolated from part of the time is not an exact total, and does not show "
			"its noise; take more rows";
	return "one noisy sample says nothing about noise; give more rows, or --exact if it is an exact total";
}

/* Makes CounterPoint's region of the kept counters, or sets the reason why there is none. Rows count as samples even
 * where the data call them totals. */
static void
prepare_counterpoint(const struct samples *s, struct prepared *p)
{
	p->exact = p->was_exact = false;
	p->region = counterpoint_region(s);
	if (region_has_noise_model(p->region))
		return;
	region_free(p->region);
	p->region = NULL;
	_Static_assert(COUNTERPOINT_SAMPLES == 30, "the sentence contains this number");
	p->reason = "fewer than 30 of its samples have every counter, and CounterPoint needs 30";
}

/* Are its rows exact totals? The data or the user may say so. A single total of which every counter is the kernel's is
 * exact by itself: the kernel counts each event once, and never in turns. */
static bool
prepare_is_exact(const struct analysis *analysis, const struct analysis_table *table, struct prepared *p)
{
	p->kernel_total = !p->obs->exact && !analysis->opt.exact && zeros_kernel_total(analysis, table, p);
	return p->obs->exact || analysis->opt.exact || p->kernel_total;
}

static const char NEVER_TOGETHER[] = "its samples were added up to fit in memory, and in nearly all sums some samples "
				     "lack a counter that the others have, so its means are of different moments; "
				     "count all counters in each sample, or judge it in a file of its own";

/* Makes the region of an observation whose cells are in memory. */
static void
prepare_near_region(const struct analysis *analysis, const struct analysis_table *table, struct prepared *p)
{
	const struct obs *obs = p->obs;
	bool exact = prepare_is_exact(analysis, table, p), totals = exact && !analysis->opt.counterpoint;
	enum gathered_rows how = totals ? GATHERED_ALL : gathered_choose(obs, table->match, p->keep);
	struct obs view = gathered_view(obs, table->match, p->keep, how == GATHERED_NONE ? GATHERED_ALL : how);
	struct cells c = take_cells(analysis, table, p, &view);
	double *tolerance = prepare_tolerances(analysis, p), *bias = trusted_bias(analysis, p);
	struct samples s = {.n_counters = p->n_kept,
		.n_rows = totals ? obs->n_rows : gathered_rows(obs),
		.count = c.count,
		.counted = c.counted,
		.decimals = obs->decimals,
		.per_row = obs->per_row,
		.running = c.running,
		.error = c.error,
		.tasks = obs->tasks,
		.parts = c.parts,
		.peeked = obs->peeked || analysis->opt.peeking,
		.runs = analysis->opt.runs > 0 ? analysis->opt.runs : obs->runs,
		.independent = analysis->opt.independent_rows,
		.tolerance = tolerance,
		.bias = bias,
		.locked = c.extrapolated && obs->rotation.locked > 0,
		.random_turns = c.extrapolated && obs->rotation.seed != 0,
		.book = analysis->forms};

	if (how == GATHERED_COMPLETE)
		gathered_take_complete(&c.all, obs, table->match, p->keep, p->n_kept);
	p->was_exact = exact && c.estimated && !p->kernel_total;
	p->exact = exact && !c.estimated;
	if (how == GATHERED_NONE) {
		p->reason = NEVER_TOGETHER;
	} else if (analysis->opt.counterpoint) {
		prepare_counterpoint(&s, p);
	} else if (c.zero) {
		p->reason = "every counter reads 0: none of the model's events happened";
	} else {
		p->region = region_new(&s, p->exact);
		if (obs->n_rows == 1 && !p->exact && !region_has_noise_model(p->region)) {
			region_free(p->region);
			p->region = NULL;
			p->reason = why_no_region(p);
		}
	}
	if (p->region && region_has_noise_model(p->region) && !analysis->opt.counterpoint)
		prepare_find_changes(analysis, &s, p);
	if (p->region && obs->per_row > 1)
		gathered_finish(&c.all, &s, p->region);
	p->added = p->region && totals ? region_add_up(p->region) : 1;
	free_cells(&c);
	gathered_drop(&view, obs);
	free(tolerance);
	free(bias);
}

void
prepare_region(const struct analysis *analysis, const struct analysis_table *table, struct prepared *p)
{
	const struct obs *obs = p->obs;
	struct obs near = obs_near(obs);

	p->obs = &near;
	prepare_near_region(analysis, table, p);
	p->obs = obs;
	obs_near_free(&near, obs);
}

static bool
all_cells_empty(const struct columns_match *m, const struct obs *o)
{
	for (size_t k = 0; k < m->first[m->n_counters]; k++)
		for (size_t row = 0; row < o->n_rows; row++)
			if (o->counted[row * o->n_columns + m->column[k]])
				return false;
	return true;
}

static const char *
why_none_is_kept(const struct analysis *a, const struct analysis_table *t, const struct prepared *p, bool any_dead)
{
	if (any_dead)
		return "every counter it shares with the model is dead";
	if (t->match->first[t->match->n_counters] && !a->opt.counter && all_cells_empty(t->match, p->obs))
		return "no counter that it shares with the model was ever counted";
	return "it shares no counter with the model";
}

/* Makes the region of the same counters as they were counted. */
static void
prepare_raw(const struct analysis *a, const struct analysis_table *t, struct prepared *p)
{
	struct prepared raw = {.obs = p->given, .given = p->given, .match = p->match, .keep = p->keep,
		.n_kept = p->n_kept, .value = mem_copy(p->value, a->model->n_counters * sizeof *p->value)};

	prepare_region(a, t, &raw);
	p->trust->raw = raw.region;
	raw.keep = NULL;
	raw.region = NULL;
	prepared_clear(&raw);
}

/* Makes an observation ready, without some counters (NULL: with all). */
static void
prepare_prepare(const struct analysis *analysis, const struct analysis_table *table, const struct obs *obs,
	const bool *without, struct prepared *prepared)
{
	size_t n = analysis->model->n_counters;
	struct obs near = obs_near(obs);
	bool any_dead = false;

	*prepared = (struct prepared){.obs = &near,
		.given = &near,
		.match = table->match,
		.exact = (obs->exact || analysis->opt.exact) && !analysis->opt.counterpoint};
	trusted_correct(analysis, table->plans, prepared);
	choose_counters(analysis, table, without, prepared);
	prepared->value = mem_new_array(n, sizeof *prepared->value);
	for (size_t i = 0; i < n; i++) {
		prepared->value[i] = NAN;
		any_dead |= prepared->dead[i];
	}
	if (obs->n_rows == 0)
		prepared->reason = "it has no samples";
	else if (prepared->n_kept == 0)
		prepared->reason = why_none_is_kept(analysis, table, prepared, any_dead);
	else if (!analysis->opt.increments && !obs->peeked && obs_is_running_total(prepared->given))
		prepared->reason = RUNNING_TOTALS;
	else
		prepare_region(analysis, table, prepared);
	if (prepared->trust && prepared->n_kept)
		prepare_raw(analysis, table, prepared);
	prepare_quality(analysis, prepared);
	prepared->given = obs;
	if (prepared->trust) {
		prepared->trust->near = near;
	} else {
		prepared->obs = obs;
		obs_near_free(&near, obs);
	}
}

/* Makes it ready without the counters whose zeros are in doubt, if it has some, and others. */
static struct prepared *
prepare_less(const struct analysis *analysis, const struct analysis_table *table, const struct prepared *prepared)
{
	size_t n = analysis->model->n_counters;
	bool *doubted = mem_new_array(n, sizeof *doubted), some = false;
	struct prepared *less = NULL;

	for (size_t i = 0; i < n && prepared->region; i++)
		some |= doubted[i] = prepared->keep[i] && zeros_doubted(analysis, table, i, prepared->given);
	if (some) {
		less = mem_new(sizeof *less);
		prepare_prepare(analysis, table, prepared->given, doubted, less);
	}
	if (less && !less->region) {
		prepared_clear(less);
		free(less);
		less = NULL;
	}
	free(doubted);
	return less;
}

void
prepare_observation(const struct analysis *a, const struct analysis_table *t, struct prepared *p, const struct obs *o)
{
	prepare_prepare(a, t, o, NULL, p);
	p->less = prepare_less(a, t, p);
}

void
prepared_clear(struct prepared *prepared)
{
	free(prepared->keep);
	free(prepared->related);
	free(prepared->dead);
	free(prepared->value);
	region_free(prepared->region);
	changes_free(prepared->changes);
	free(prepared->quality.deviation);
	free(prepared->quality.running);
	free(prepared->quality.series);
	trusted_free(prepared->trust, prepared->given);
	if (prepared->less)
		prepared_clear(prepared->less);
	free(prepared->less);
	*prepared = (struct prepared){0};
}

bool
prepare_wanted(const struct analysis *a, const struct obs *o)
{
	return data_wanted(a->opt.observations, o->name, a->opt.split_phases);
}

/* Adds the phases of one observation to a table, or the whole observation where it has none. */
static void
add_phases(struct obs_table *to, const struct obs *o, size_t place, const struct changes *changes,
	struct prepared_origin **from)
{
	for (size_t k = 0; k <= changes->n; k++) {
		size_t first = k > 0 ? changes->change[k - 1].row : 0,
		       last = k < changes->n ? changes->change[k].row : o->n_rows;
		char *name = changes->n ? str_format("%s@%zu", o->name, k + 1) : mem_str(o->name);

		*from = mem_resize(*from, to->n + 1, sizeof **from);
		(*from)[to->n] = (struct prepared_origin){.place = place, .row = first};
		obs_table_add_part(to, o, name, first, last - first);
		free(name);
	}
}

struct obs_table *
prepare_split(const struct analysis *analysis, const struct analysis_table *table, struct prepared_origin **from)
{
	struct obs_table *split = obs_table_new((const char *const *)table->data->column, table->data->n_columns);
	const struct changes none = {0};

	*from = NULL;
	for (size_t i = 0; i < table->data->n; i++) {
		struct prepared p;

		prepare_observation(analysis, table, &p, table->data->obs[i]);
		add_phases(split, table->data->obs[i], i, p.changes ? p.changes : &none, from);
		prepared_clear(&p);
	}
	return split;
}

size_t
analysis_n_observations(const struct analysis *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_tables; i++)
		n += a->table[i].n_ready;
	return n;
}

const struct prepared *
analysis_observation(const struct analysis *a, size_t i)
{
	size_t t = 0;

	while (i >= a->table[t].n_ready)
		i -= a->table[t++].n_ready;
	return &a->table[t].ready[i];
}

bool *
analysis_used_counters(const struct analysis *analysis)
{
	size_t n = analysis->model->n_counters;
	bool *used = mem_new_array(n, sizeof *used);
	bool some = analysis_n_observations(analysis) > 0;

	for (size_t i = 0; i < n; i++) {
		used[i] = !some && (!analysis->opt.counter || analysis->opt.counter[i]);
		for (size_t t = 0; t < analysis->n_tables; t++)
			for (size_t k = 0; k < analysis->table[t].n_ready; k++)
				used[i] |= analysis->table[t].ready[k].keep[i];
	}
	return used;
}
