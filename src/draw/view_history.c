/* How an observation went over time: verdicts and distances while it grows, activity when it is whole. */
#include "draw/view_observation.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

bool
is_live(const struct session *s, size_t finding)
{
	return s->n_history && s->result && finding + 1 == s->result->n_findings;
}

int
draw_history(const struct session *s, const struct pen *pen, int x, int y, int columns, bool marks)
{
	size_t n = s->n_history < (size_t)columns ? s->n_history : (size_t)columns, from = s->n_history - n;
	double *share = mem_new_array(n, sizeof *share);
	struct pen p = *pen;

	for (size_t i = 0; i < n; i++) {
		const struct live_point *k = &s->history[from + i];

		share[i] = k->threshold2 > 0 ? k->distance2 / k->threshold2 : NAN;
		p.fg = verdict_role(k->verdict);
		if (marks)
			pen_text(&p, x + (int)i, y, verdict_mark(k->verdict));
	}
	if (!marks) {
		double top = 1; /* the threshold, or the farthest */

		for (size_t i = 0; i < n; i++)
			top = share[i] > top ? share[i] : top;
		for (size_t i = 0; i < n; i++) {
			p.fg = verdict_role(s->history[from + i].verdict);
			draw_spark(&p, x + (int)i, y, 1, &share[i], 1, top);
		}
	}
	free(share);
	return (int)n;
}

void
draw_activity(const struct pen *p, int x, int y, int columns, const struct finding *f)
{
	size_t n = f->n_series < (size_t)(columns > 0 ? columns : 0) ? f->n_series : (size_t)(columns > 0 ? columns : 0);
	double *shown = mem_new_array(n, sizeof *shown), low = 0.75, high = 1.25;

	for (size_t k = 0; k < n; k++) {
		size_t from = k * f->n_series / n, to = (k + 1) * f->n_series / n;
		double sum = 0, some = 0;

		for (size_t j = from; j < to; j++)
			if (isfinite(f->series[j])) {
				sum += f->series[j];
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
	draw_spark(p, x, y, columns, shown, n, 1);
	free(shown);
}
