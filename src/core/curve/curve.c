#include "core/curve/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

void
curve_add(struct curve *c, const struct curve_point *p)
{
	mem_grow(&c->point, &c->cap, c->n + 1, sizeof *c->point);
	c->point[c->n++] = *p;
}

void
curve_note(struct curve *c, char *note)
{
	mem_grow(&c->note, &c->notes_cap, c->n_notes + 1, sizeof *c->note);
	c->note[c->n_notes++] = note;
}

static int
compare_x(const void *a, const void *b)
{
	const struct curve_point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

void
curve_sort(struct curve *curve)
{
	size_t kept = 0, same;

	if (curve->n == 0)
		return;
	qsort(curve->point, curve->n, sizeof *curve->point, compare_x);
	for (size_t i = 0; i < curve->n; i += same) {
		struct curve_point all = curve->point[i];
		double sum = all.mean;

		for (same = 1; i + same < curve->n && curve->point[i + same].x <= all.x; same++) {
			const struct curve_point *point = &curve->point[i + same];

			all.min = fmin(all.min, point->min);
			all.max = fmax(all.max, point->max);
			sum += point->mean;
		}
		all.mean = sum / (double)same;
		curve->point[kept++] = all;
	}
	curve->n = kept;
}

void
curve_free(struct curve *c)
{
	for (size_t i = 0; i < c->n_notes; i++)
		free(c->note[i]);
	free(c->note);
	free(c->point);
	free(c->name);
	free(c->of);
	free(c->x_name);
	free(c->y_name);
	*c = (struct curve){0};
}
