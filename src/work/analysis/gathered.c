#include "work/analysis/gathered.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/verdict/match.h"

size_t
gathered_rows(const struct obs *o)
{
	bool whole = o->n_rows && obs_samples_in_row(o, o->n_rows - 1) == o->per_row;

	return o->per_row < 2 || whole ? o->n_rows : o->n_rows - 1;
}

/* Returns how many samples are worth one independent sample: the variance of the sums in the rows, divided by the
 * variance that they would have if samples were independent. */
static double
gathered_time_of(const struct gathered *gathered, const struct samples *samples, size_t i)
{
	double mean = (double)gathered->sum[i] / (double)gathered->weight[i], between = 0, rows = 0;

	for (size_t m = 0; m < samples->n_rows; m++) {
		size_t cell = m * samples->n_counters + i;
		double off = (double)samples->count[cell] - mean * (double)gathered->per_row;

		if (samples->counted && !samples->counted[cell])
			continue;
		between += off * off;
		rows++;
	}
	/* Both variances are those of sums of per_row samples. */
	return gathered->scatter[i] > 0 && rows > 1
		? between / (gathered->scatter[i] * rows * (double)gathered->per_row / (double)gathered->weight[i]) : 1;
}

static double
longest_time(const struct gathered *g, const struct samples *s)
{
	double most = 1;

	for (size_t i = 0; i < s->n_counters; i++)
		most = fmax(most, gathered_time_of(g, s, i));
	/* Chance alone makes the ratio of two variances with so many degrees of freedom differ from 1. */
	return most > 1 + 5 * sqrt(2 / (double)s->n_rows) ? most : 1;
}

/* How many samples of a row counted the kept counters: the least and the greatest number over their columns. */
static void
count_samples(const struct obs *obs, const struct columns_match *m, const bool *keep, size_t row, size_t *least,
	size_t *most)
{
	*least = SIZE_MAX;
	*most = 0;
	for (size_t i = 0; i < m->n_counters; i++)
		for (size_t k = m->first[i]; keep[i] && k < m->first[i + 1]; k++) {
			size_t here = obs_samples_in_cell(obs, row, m->column[k]);

			*least = here < *least ? here : *least;
			*most = here && here < obs_samples_in_row(obs, row) ? SIZE_MAX : here > *most ? here : *most;
			if (*most == SIZE_MAX)
				return;
		}
}

/* Whether some cell of the row lacks some of the row's samples. */
static bool
is_mixed(const struct obs *o, const struct columns_match *m, const bool *keep, size_t row)
{
	size_t least, most;

	count_samples(o, m, keep, row, &least, &most);
	return most == SIZE_MAX;
}

enum gathered_rows
gathered_choose(const struct obs *obs, const struct columns_match *match, const bool *keep)
{
	size_t mixed = 0, complete = 0, pure = 0, least, most;

	if (obs->per_row < 2 || !obs->of)
		return GATHERED_ALL;
	for (size_t row = 0; row < obs->n_rows; row++) {
		count_samples(obs, match, keep, row, &least, &most);
		mixed += most == SIZE_MAX;
		pure += most != SIZE_MAX && least > 0;
		complete += obs->whole && obs->whole_of[row] > 0;
	}
	if (!mixed)
		return GATHERED_ALL;
	if (complete >= REGION_COMPLETE && complete >= pure)
		return GATHERED_COMPLETE;
	return pure >= REGION_COMPLETE ? GATHERED_SOME : GATHERED_NONE;
}

struct obs
gathered_view(const struct obs *obs, const struct columns_match *m, const bool *keep, enum gathered_rows how)
{
	struct obs view = *obs;
	size_t n = obs->n_columns;

	if (how == GATHERED_ALL)
		return view;
	view.of = NULL;
	view.counted = mem_copy(obs->counted, obs->n_rows * n);
	if (how == GATHERED_COMPLETE)
		view.count = mem_new_array(obs->n_rows * n, sizeof *view.count);
	for (size_t row = 0; row < obs->n_rows; row++) {
		bool good = how == GATHERED_COMPLETE ? obs->whole_of[row] > 0 : !is_mixed(obs, m, keep, row);
		double all = (double)obs_samples_in_row(obs, row);

		for (size_t i = row * n; i < (row + 1) * n; i++) {
			view.counted[i] = view.counted[i] && good;
			if (how == GATHERED_COMPLETE && good)
				view.count[i] = llround((double)obs->whole[i] / (double)obs->whole_of[row] * all);
		}
	}
	return view;
}

void
gathered_drop(struct obs *view, const struct obs *o)
{
	if (view->counted != o->counted)
		free(view->counted);
	if (view->count != o->count)
		free(view->count);
}

void
gathered_take_complete(struct gathered *gathered, const struct obs *obs, const struct columns_match *match,
	const bool *keep, size_t n_kept)
{
	int64_t samples = 0;

	for (size_t row = 0; row < obs->n_rows; row++)
		samples += obs->whole_of[row];
	for (size_t i = 0, at = 0; at < n_kept; i++) {
		if (!keep[i])
			continue;
		gathered->sum[at] = 0;
		for (size_t k = match->first[i]; k < match->first[i + 1]; k++)
			for (size_t row = 0; row < obs->n_rows; row++)
				gathered->sum[at] += (i128)match->times[k] *
					obs->whole[row * obs->n_columns + match->column[k]];
		if (match->first[i] + 1 == match->first[i + 1])
			gathered->scatter[at] *= (double)samples /
				(double)obs->total[match->column[match->first[i]]].counted;
		gathered->weight[at++] = samples;
	}
	gathered->left_out = obs_samples(obs) - (size_t)samples;
}

void
gathered_finish(const struct gathered *g, const struct samples *s, struct region *r)
{
	region_set_totals(r, s, g->sum, g->weight, g->samples, r->point ? 1 : longest_time(g, s));
	if (g->left_out)
		r->left_out = g->left_out;
}

void
gathered_free(struct gathered *g)
{
	free(g->sum);
	free(g->weight);
	free(g->scatter);
	*g = (struct gathered){0};
}
