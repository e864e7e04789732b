/* Orders many choices of features by inclusion of their cones (CounterPoint, figure 10). */
#include "work/search/compare.h"

#include <stdlib.h>

#include "base/mem.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"

static void
find_covers(struct compare_order *o)
{
	size_t n = o->n_cones;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			bool between = i == k || !o->inside[i * n + k];

			for (size_t j = 0; j < n && !between; j++)
				between = j != i && j != k && o->inside[i * n + j] && o->inside[j * n + k];
			o->covers[i * n + k] = !between;
		}
}

struct compare_order *
compare_order(struct analysis *a, const struct fset *on, size_t n, const struct analysis_watch *watch)
{
	struct compare_order *o = mem_new(sizeof *o);
	struct search_cones *cones = search_cones_new(NULL, NULL);
	bool *used = analysis_used_counters(a), whole = true;

	o->n = n;
	o->cone = mem_new_array(n, sizeof *o->cone);
	o->error = mem_new_array(n, sizeof *o->error);
	for (size_t i = 0; i < n && whole; i++) {
		whole = !watch || watch->go_on(watch->ctx, "cones", i, n);
		cones_begin(a->cones);
		if (whole && cones_signatures(a->cones, &on[i], &o->error[i]))
			o->cone[i] = search_cones_id(cones, &on[i], cones_get(a->cones, &on[i], used));
		else
			o->cone[i] = SIZE_MAX;
	}
	o->n_cones = search_cones_n(cones);
	o->inside = mem_new_array(o->n_cones * o->n_cones, sizeof *o->inside);
	o->covers = mem_new_array(o->n_cones * o->n_cones, sizeof *o->covers);
	for (size_t i = 0; i < o->n_cones && whole; i++)
		for (size_t k = 0; k < o->n_cones; k++)
			o->inside[i * o->n_cones + k] = search_cones_inside(cones, i, k);
	find_covers(o);
	search_cones_free(cones);
	free(used);
	if (whole)
		return o;
	compare_order_free(o);
	return NULL;
}

void
compare_order_free(struct compare_order *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->n; i++)
		free(o->error[i]);
	free(o->error);
	free(o->cone);
	free(o->inside);
	free(o->covers);
	free(o);
}
