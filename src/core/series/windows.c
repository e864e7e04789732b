/* How windows are found:
 *
 *     rows ─▶ changes_find(): borders that exceed the noise of neighbours ─▶ prune(): … and slow noise
 *          ─▶ move_borders(): to the row ─▶ join(): windows of equal levels are one phase
 *
 * The candidates are found in at most CENTRED_BLOCKS blocks of rows, whatever the length. prune() and move_borders()
 * use the rows themselves through their cumulative sums. */
#include "core/series/windows.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cluster/dbscan.h"
#include "core/obs/obs.h"
#include "core/series/changes.h"
#include "core/stats/centred.h"
#include "core/stats/region.h"

#define KEPT 60.0               /* least squared jump over its variance */
#define JUMPS_TOO 0.25          /* of the largest jump: a series that helps to place a border */
#define LEAST_LEVEL 1e-3        /* least deviation of a row, relative to the mean: smaller steps do not matter */
#define ROUNDING 1e-9           /* of a level, relative to the mean */
#define SCALE 1073741824.0      /* largest value of a series, as the samples of changes_find() */
#define MAY_CHANGE 20.0         /* squared sum of rows over its variance, from which a series may change its level */
#define LOAD_FEWEST ((size_t)4) /* fewest series that show a load */
#define BATCHES ((size_t)16)    /* fewest batches that show a variance */

struct borders {
	const struct panel *panel;
	double *sum, *square,
		*known;          /* n × (rows + 1): cumulative sums of v, v² and of known rows; v less its centre */
	double *centre;          /* n: mean of a series */
	size_t *at, n;           /* at[0] = 0 … at[n] = rows: n windows */
	double *variance, *slow; /* n: of a row; see struct windows */
};

struct mean {
	double mean, n;
};

static struct mean
mean_between(const struct borders *b, size_t i, size_t first, size_t last)
{
	size_t row = i * (b->panel->rows + 1);
	double n = b->known[row + last] - b->known[row + first];

	return (struct mean){n > 0 ? (b->sum[row + last] - b->sum[row + first]) / n : NAN, n};
}

/* Squared deviations around the mean of the rows. */
static double
deviations(const struct borders *b, size_t i, size_t first, size_t last)
{
	size_t row = i * (b->panel->rows + 1);
	struct mean m = mean_between(b, i, first, last);

	return m.n > 0 ? fmax(0, b->square[row + last] - b->square[row + first] - m.n * m.mean * m.mean) : 0;
}

static void
accumulate_rows(struct borders *b)
{
	size_t rows = b->panel->rows, n = b->panel->n * (rows + 1);

	b->sum = mem_new_array(n, sizeof *b->sum);
	b->square = mem_new_array(n, sizeof *b->square);
	b->known = mem_new_array(n, sizeof *b->known);
	b->centre = mem_new_array(b->panel->n, sizeof *b->centre);
	for (size_t i = 0; i < b->panel->n; i++) {
		const double *v = panel_series(b->panel, i);
		double sum = 0, known = 0;

		for (size_t m = 0; m < rows; m++)
			if (!isnan(v[m])) {
				sum += v[m];
				known++;
			}
		b->centre[i] = known > 0 ? sum / known : 0;
		for (size_t m = 0, at = i * (rows + 1); m < rows; m++, at++) {
			double d = isnan(v[m]) ? 0 : v[m] - b->centre[i];

			b->sum[at + 1] = b->sum[at] + d;
			b->square[at + 1] = b->square[at] + d * d;
			b->known[at + 1] = b->known[at] + !isnan(v[m]);
		}
	}
}

/* The ratio of the variance of means of `batch` rows, times batch, to the variance of a row. NAN: too few batches. */
static double
batch_ratio(const struct borders *b, size_t i, size_t batch)
{
	double sum = 0, freedom = 0;
	size_t batches = 0;

	for (size_t w = 0; w < b->n; w++) {
		size_t in = (b->at[w + 1] - b->at[w]) / batch;
		struct mean all = mean_between(b, i, b->at[w], b->at[w] + in * batch);

		if (in < 2 || all.n < 2)
			continue;
		for (size_t k = 0; k < in; k++) {
			struct mean one = mean_between(b, i, b->at[w] + k * batch, b->at[w] + (k + 1) * batch);

			sum += one.n > 0 ? one.n * (one.mean - all.mean) * (one.mean - all.mean) : 0;
		}
		batches += in;
		freedom += (double)(in - 1);
	}
	return batches >= BATCHES && freedom > 0 && b->variance[i] > 0 ? sum / freedom / b->variance[i] : NAN;
}

/* The largest ratio of ever longer batches. If it still grows, it will grow on: one more step is added. */
static double
slowness_of(const struct borders *b, size_t i)
{
	double most = 1, last = 1;

	for (size_t batch = 2; batch * BATCHES <= b->panel->rows; batch *= 2) {
		double ratio = batch_ratio(b, i, batch);

		if (isnan(ratio))
			break;
		most = fmax(most, ratio + fmax(0, ratio - last));
		last = ratio;
	}
	return most;
}

static void
estimate_noise(struct borders *b)
{
	for (size_t i = 0; i < b->panel->n; i++) {
		double least = LEAST_LEVEL * fabs(b->centre[i]), sum = 0, freedom = 0;

		for (size_t w = 0; w < b->n; w++) {
			double n = mean_between(b, i, b->at[w], b->at[w + 1]).n;

			sum += deviations(b, i, b->at[w], b->at[w + 1]);
			freedom += fmax(0, n - 1);
		}
		b->variance[i] = fmax(freedom > 0 ? sum / freedom : 0, least * least);
		b->slow[i] = slowness_of(b, i);
	}
}

/* The squared jump of series i at row `at` between two borders, over its variance. */
static double
jump_at(const struct borders *b, size_t i, size_t first, size_t at, size_t last)
{
	struct mean before = mean_between(b, i, first, at), after = mean_between(b, i, at, last);
	double d = after.mean - before.mean;

	if (before.n < 3 || after.n < 3 || b->variance[i] <= 0)
		return 0;
	return d * d / (b->variance[i] * b->slow[i] * (1 / before.n + 1 / after.n));
}

/* The largest jump of the first n series at a border. */
static double
largest_jump(const struct borders *b, size_t n, size_t border, size_t *series)
{
	double most = 0;

	*series = 0;
	for (size_t i = 0; i < n; i++) {
		double jump = jump_at(b, i, b->at[border - 1], b->at[border], b->at[border + 1]);

		if (jump > most) {
			most = jump;
			*series = i;
		}
	}
	return most;
}

/* Removes the weakest border, and estimates again, until all that remain stand against slow noise, too. */
static void
prune_borders(struct borders *b)
{
	while (estimate_noise(b), b->n > 1) {
		size_t weakest = 0, series;
		double least = KEPT;

		for (size_t k = 1; k < b->n; k++) {
			double jump = largest_jump(b, b->panel->n, k, &series);

			if (jump < least) {
				least = jump;
				weakest = k;
			}
		}
		if (weakest == 0)
			break;
		for (size_t k = weakest; k < b->n; k++)
			b->at[k] = b->at[k + 1];
		b->n--;
	}
}

/* How well row `at` separates the series that jump: the sum of their squared jumps over the noise of a row. */
static double
separation(const struct borders *b, const bool *jumps, size_t first, size_t at, size_t last)
{
	double sum = 0;

	for (size_t i = 0; i < b->panel->n; i++)
		if (jumps[i])
			sum -= (deviations(b, i, first, at) + deviations(b, i, at, last)) / b->variance[i];
	return sum;
}

static void
move_border(struct borders *b, size_t border, bool *jumps)
{
	size_t first = b->at[border - 1], last = b->at[border + 1], here = b->at[border], best = here;
	size_t series, blocks = b->panel->rows / CENTRED_BLOCKS + 1, reach = 2 * blocks + 2 * WINDOWS_SHORTEST;
	size_t from = here > first + reach ? here - reach : first, to = here + reach < last ? here + reach : last;
	double most = -INFINITY, largest;

	from = from < first + WINDOWS_SHORTEST ? first + WINDOWS_SHORTEST : from;
	to = to + WINDOWS_SHORTEST > last ? last - WINDOWS_SHORTEST : to;
	largest = largest_jump(b, b->panel->n, border, &series);
	for (size_t i = 0; i < b->panel->n; i++)
		jumps[i] = jump_at(b, i, first, here, last) >= JUMPS_TOO * largest;
	for (size_t at = from; at <= to; at++) {
		double s = separation(b, jumps, first, at, last);

		if (s > most) {
			most = s;
			best = at;
		}
	}
	b->at[border] = best;
}

static void
move_borders(struct borders *b)
{
	bool *jumps = mem_new_array(b->panel->n, sizeof *jumps);

	for (size_t k = 1; k < b->n; k++)
		move_border(b, k, jumps);
	free(jumps);
}

/* Quick test whether a series may change its level anywhere; most series of many do not. */
static bool
may_change(const struct borders *b, size_t i)
{
	size_t rows = b->panel->rows, row = i * (rows + 1);
	const double *v = panel_series(b->panel, i), *sum = b->sum + row, *known = b->known + row;
	double variance = 0, pairs = 0, least = LEAST_LEVEL * fabs(b->centre[i]), all = known[rows];

	for (size_t m = 1; m < rows; m++)
		if (!isnan(v[m] - v[m - 1])) {
			variance += (v[m] - v[m - 1]) * (v[m] - v[m - 1]) / 2;
			pairs++;
		}
	variance = fmax(pairs > 0 ? variance / pairs : 0, least * least);
	/* After one change, S² n / (m (n − m)) is at most the squared jump over its variance. */
	for (size_t m = 1; m < rows; m++)
		if (known[m] > 0 && known[m] < all &&
			sum[m] * sum[m] * all > MAY_CHANGE * variance * known[m] * (all - known[m]))
			return true;
	return false;
}

/* Appends a series as changes_find() takes it: whole numbers, the largest near SCALE. */
static void
add_samples(
	const double *v, struct samples *to, size_t n, int64_t *count, unsigned char *counted, struct region *region)
{
	size_t k = to->n_counters++;
	double most = 0;

	for (size_t m = 0; m < to->n_rows; m++)
		most = isnan(v[m]) ? most : fmax(most, fabs(v[m]));
	for (size_t m = 0; m < to->n_rows; m++) {
		if (isnan(v[m]) || most <= 0)
			continue;
		count[m * n + k] = llround(v[m] / most * SCALE);
		counted[m * n + k] = OBS_COUNTED;
		region->sum[k] += count[m * n + k];
		region->weight[k]++;
	}
	region->mean[k] = region->weight[k] ? (double)region->sum[k] / (double)region->weight[k] : 0;
}

static void
find_candidates(struct borders *b)
{
	size_t n = 0, rows = b->panel->rows;
	bool *takes = mem_new_array(b->panel->n, sizeof *takes);
	struct samples samples = {.n_rows = rows};
	struct region region = {.rows = rows, .unit = 1};
	struct changes *changes;
	int64_t *count;
	unsigned char *counted;

	for (size_t i = 0; i < b->panel->n; i++)
		n += takes[i] = may_change(b, i);
	region.n = n;
	region.sum = mem_new_array(n, sizeof *region.sum);
	region.weight = mem_new_array(n, sizeof *region.weight);
	region.mean = mem_new_array(n, sizeof *region.mean);
	samples.count = count = mem_new_array(n * rows, sizeof *count);
	samples.counted = counted = mem_new_array(n * rows, 1);
	for (size_t i = 0; i < b->panel->n; i++)
		if (takes[i])
			add_samples(panel_series(b->panel, i), &samples, n, count, counted, &region);
	changes = changes_find(&samples, &region);
	b->n = 1;
	for (size_t k = 0; k < changes->n; k++)
		b->at[b->n++] = changes->change[k].row;
	b->at[b->n] = rows;
	changes_free(changes);
	free(takes);
	free(count);
	free(counted);
	free(region.sum);
	free(region.weight);
	free(region.mean);
}

/* Puts windows into phases: points whose coordinates are levels over the noise of a row. Neighbours differ, so eps is
 * at most half of the least distance of neighbours. */
static void
join(const struct borders *b, struct windows *w)
{
	size_t n = b->panel->n;
	double *at = mem_new_array(w->n * n, sizeof *at), eps = sqrt((double)n);
	struct dbscan_points points = {at, w->n, n};
	struct dbscan *clusters;

	for (size_t k = 0; k < w->n; k++)
		for (size_t i = 0; i < n; i++) {
			struct mean level = mean_between(b, i, b->at[k], b->at[k + 1]);

			at[k * n + i] = level.n > 0 && b->variance[i] > 0 ? level.mean / sqrt(b->variance[i]) : 0;
		}
	for (size_t k = 1; k < w->n; k++) {
		double d = 0;

		for (size_t i = 0; i < n; i++) {
			double one = at[k * n + i] - at[(k - 1) * n + i];

			d += one * one;
		}
		eps = fmin(eps, sqrt(d) / 2);
	}
	clusters = dbscan_new(&points, eps, 1);
	for (size_t k = 0; k < w->n; k++)
		w->window[k].phase = clusters->cluster[k];
	w->n_phases = clusters->n_clusters;
	dbscan_free(clusters);
	free(at);
}

/* A series' level in a window. A difference of sums is not exact: what is left of a level of 0 is 0. */
static double
level_between(const struct borders *b, size_t series, size_t window)
{
	double level = mean_between(b, series, b->at[window], b->at[window + 1]).mean + b->centre[series];

	return fabs(level) <= ROUNDING * fabs(b->centre[series]) ? 0 : level;
}

/* A border is named after a series of the data, and only if none of them jumps, after a ratio to the load. */
static void
name_border(const struct borders *b, size_t n, size_t border, struct window *w)
{
	size_t series;

	w->jump = largest_jump(b, n, border, &series);
	if (w->jump < KEPT)
		w->jump = largest_jump(b, b->panel->n, border, &series);
	w->of_load = series >= n;
	w->series = series % n;
	w->ratio = level_between(b, series, border) / level_between(b, series, border - 1);
}

/* The windows between the borders, with the levels of the first n series. */
static struct windows *
windows_of(const struct borders *b, size_t n)
{
	struct windows *w = mem_new(sizeof *w);

	w->n = b->n;
	w->n_series = n;
	w->window = mem_new_array(w->n, sizeof *w->window);
	w->level = mem_new_array(w->n * n, sizeof *w->level);
	w->noise = mem_new_array(n, sizeof *w->noise);
	w->slowness = mem_new_array(n, sizeof *w->slowness);
	for (size_t i = 0; i < n; i++) {
		w->noise[i] = sqrt(b->variance[i]);
		w->slowness[i] = b->slow[i];
	}
	for (size_t k = 0; k < w->n; k++) {
		struct window *one = &w->window[k];

		one->first = b->at[k];
		one->n = b->at[k + 1] - b->at[k];
		if (k > 0)
			name_border(b, n, k, one);
		for (size_t i = 0; i < n; i++)
			w->level[k * n + i] = level_between(b, i, k);
	}
	join(b, w);
	return w;
}

static int
windows_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Appends to each series its ratio to the load of a row, which is the median of all series over their means. Programs
 * do more or less work from row to row; that noise moves all series alike, and hides the changes of one. */
static double *
add_ratios(const struct panel *panel)
{
	size_t n = panel->n, rows = panel->rows;
	double *v = mem_new_array(2 * n * rows, sizeof *v), *mean = mem_new_array(n, sizeof *mean),
	       *ratio = mem_new_array(n, sizeof *ratio);

	for (size_t i = 0; i < n; i++) {
		double sum = 0, known = 0;

		for (size_t m = 0; m < rows; m++) {
			double x = v[i * rows + m] = panel->v[i * rows + m];

			sum += isnan(x) ? 0 : x;
			known += !isnan(x);
		}
		mean[i] = known > 0 ? sum / known : 0;
	}
	for (size_t m = 0; m < rows; m++) {
		size_t known = 0;
		double load;

		for (size_t i = 0; i < n; i++)
			if (mean[i] > 0 && !isnan(v[i * rows + m]))
				ratio[known++] = v[i * rows + m] / mean[i];
		qsort(ratio, known, sizeof *ratio, windows_compare);
		load = known >= LOAD_FEWEST ? (ratio[(known - 1) / 2] + ratio[known / 2]) / 2 : NAN;
		for (size_t i = 0; i < n; i++)
			v[(n + i) * rows + m] = load > 0 ? v[i * rows + m] / load : NAN;
	}
	free(mean);
	free(ratio);
	return v;
}

struct windows *
windows_find(const struct panel *panel)
{
	double *ratios = panel->n >= LOAD_FEWEST ? add_ratios(panel) : NULL;
	struct panel wide = ratios ? (struct panel){2 * panel->n, panel->rows, ratios} : *panel;
	struct borders b = {.panel = &wide};
	struct windows *w;

	b.at = mem_new_array(panel->rows + 2, sizeof *b.at);
	b.variance = mem_new_array(wide.n, sizeof *b.variance);
	b.slow = mem_new_array(wide.n, sizeof *b.slow);
	accumulate_rows(&b);
	find_candidates(&b);
	prune_borders(&b);
	move_borders(&b);
	estimate_noise(&b);
	w = windows_of(&b, panel->n);
	free(b.sum);
	free(b.square);
	free(b.known);
	free(b.centre);
	free(b.at);
	free(b.variance);
	free(b.slow);
	free(ratios);
	return w;
}

void
windows_free(struct windows *w)
{
	if (!w)
		return;
	free(w->window);
	free(w->level);
	free(w->noise);
	free(w->slowness);
	free(w);
}

double
windows_level_error(const struct windows *w, const struct panel *panel, size_t window, size_t series)
{
	const double *v = panel_series(panel, series) + w->window[window].first;
	double level = w->level[window * w->n_series + series], known = 0, squares = 0,
	       least = LEAST_LEVEL * fabs(level);

	for (size_t m = 0; m < w->window[window].n; m++)
		if (!isnan(v[m])) {
			squares += (v[m] - level) * (v[m] - level);
			known++;
		}
	if (known < 1)
		return NAN;
	squares = known < (double)WINDOWS_SHORTEST ? w->noise[series] * w->noise[series] : squares / (known - 1);
	return sqrt(fmax(squares, least * least) * w->slowness[series] / known);
}
