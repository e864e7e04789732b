#include "core/stats/count_bounds.h"

#include <math.h>

#include "base/int128.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stats/tails.h"

/* Sums over the rows of a column, in units of 10^-decimals. */
struct column_sums {
	i128 sum;
	double seen;    /* before scaling */
	double squares; /* of the distances from the mean (Welford) */
	double mean;
	double variance;   /* of the sum, as the source states it */
	size_t n, counted; /* rows, and those that counted the column */
	bool scaled;
};

static void
take_count_row(struct column_sums *sums, const struct obs_rows *rows, size_t cell)
{
	double count = (double)rows->count[cell], running = rows->running ? rows->running[cell] : 1, off;

	sums->n++;
	if (!rows->counted[cell]) {
		sums->scaled = true;
		return;
	}
	sums->scaled |= rows->counted[cell] == OBS_PART || running < 1;
	sums->counted++;
	sums->sum += rows->count[cell];
	sums->seen += count * fmin(1, fmax(0, running));
	off = count - sums->mean;
	sums->mean += off / (double)sums->counted;
	sums->squares += off * (count - sums->mean);
	if (rows->error)
		sums->variance += rows->error[cell] * rows->error[cell];
}

static double
student(double confidence, double freedom)
{
	return sqrt(fisher_quantile(confidence, 1, fmax(1, freedom)));
}

struct count_bounds
count_bounds(const struct obs *obs, size_t column, double confidence)
{
	const double unit = pow(10, -obs->decimals);
	struct column_sums sums = {0};
	struct count_bounds bounds;
	double half;

	for (size_t first = 0; first < obs->n_rows;) {
		struct obs_rows rows = obs_rows(obs, first, obs->n_rows);

		for (size_t i = 0; i < rows.n; i++)
			take_count_row(&sums, &rows, i * obs->n_columns + column);
		first += rows.n;
	}
	if (!sums.counted)
		return (struct count_bounds){NAN, NAN, NAN};
	bounds.value = (sums.counted == sums.n ? (double)sums.sum : sums.mean * (double)sums.n) * unit;
	bounds.low = bounds.high = bounds.value;
	if (sums.scaled) {
		bounds.low = fmin(bounds.value, sums.seen * unit);
		bounds.high = 2 * bounds.value - bounds.low;
	}
	if (sums.scaled && sums.counted >= 3) {
		half = student(confidence, (double)sums.counted - 1) * unit * (double)sums.n *
			sqrt(sums.squares / (double)(sums.counted - 1) / (double)sums.counted);
		bounds.low = fmax(bounds.low, bounds.value - half);
		bounds.high = fmin(bounds.high, bounds.value + half);
	}
	if (sums.variance > 0) {
		half = student(confidence, obs->runs - 1) * sqrt(sums.variance);
		bounds.low = fmax(0, fmin(bounds.low, bounds.value - half));
		bounds.high = fmax(bounds.high, bounds.value + half);
	}
	return bounds;
}
