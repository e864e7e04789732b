/* An observation over time: verdicts and distances while it grows, activity when it is complete. */
#include "draw/view/view_history.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

bool
has_history(const struct state *s, const struct finding *f)
{
	const struct verdict_history *h = &s->data.history;

	return h->n > 1 && !f->data.exact && h->of && str_eq(f->name, h->of);
}

/* The verdict at the end of each of `columns` equal parts of the time; NULL before the first. */
static const struct verdict_point *
point_in(const struct state *state, int column, int columns)
{
	const struct verdict_history *history = &state->data.history;
	double whole = history->point[history->n - 1].seconds;
	const struct verdict_point *found = NULL;

	for (size_t i = 0; i < history->n; i++) {
		int at = whole > 0 ? (int)(history->point[i].seconds / whole * columns) : 0;

		if (at <= column || column == columns - 1)
			found = &history->point[i];
	}
	return found;
}

/* The row shows d² / (d² + q): the threshold is at half height, and the wild first samples do not flatten the rest. */
int
draw_history(const struct state *state, const struct pen *pen, int x, int y, int columns, bool marks)
{
	for (int k = 0; k < columns; k++) {
		const struct verdict_point *at = point_in(state, k, columns);
		double v = at && at->threshold2 > 0 ? at->distance2 / (at->distance2 + at->threshold2) : NAN;
		struct pen p = *pen;

		p.fg = at ? verdict_role(at->verdict) : ROLE_DIM;
		if (!marks)
			draw_spark(&p, x + k, y, 1, &v, 1, 1);
		else if (at)
			pen_text(&p, x + k, y, verdict_mark(at->verdict));
	}
	return columns > 0 ? columns : 0;
}

void
draw_activity(const struct pen *pen, int x, int y, int columns, const struct finding *finding)
{
	size_t room = columns > 0 ? (size_t)columns : 0,
	       n = finding->time.n_series < room ? finding->time.n_series : room;
	double *shown = mem_new_array(n, sizeof *shown), low = 0.75, high = 1.25;

	for (size_t k = 0; k < n; k++) {
		size_t from = k * finding->time.n_series / n, to = (k + 1) * finding->time.n_series / n;
		double sum = 0, some = 0;

		for (size_t j = from; j < to; j++)
			if (isfinite(finding->time.series[j])) {
				sum += finding->time.series[j];
				some++;
			}
		shown[k] = some > 0 ? sum / some : NAN;
		if (some > 0) {
			low = fmin(low, shown[k]);
			high = fmax(high, shown[k]);
		}
	}
	for (size_t k = 0; k < n; k++)
		shown[k] = (shown[k] - low) / (high - low);
	draw_spark(pen, x, y, columns, shown, n, 1);
	free(shown);
}
