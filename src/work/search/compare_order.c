/* Orders many choices of features by inclusion of their cones (CounterPoint, figure 10). */
#include "work/search/compare.h"

#include <stdlib.h>

#include "base/mem.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/search_cones.h"

static void
find_covers(struct compare_order *order)
{
	size_t n = order->n_cones;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			bool between = i == k || !order->inside[i * n + k];

			for (size_t j = 0; j < n && !between; j++)
				between = j != i && j != k && order->inside[i * n + j] && order->inside[j * n + k];
			order->covers[i * n + k] = !between;
		}
}

struct compare_order *
compare_order(struct analysis *analysis, const struct fset *on, size_t n, const struct analysis_watch *watch)
{
	struct compare_order *order = mem_new(sizeof *order);
	struct search_cones *cones = search_cones_new(NULL, NULL);
	bool *used = analysis_used_counters(analysis), whole = true;

	order->n = n;
	order->cone = mem_new_array(n, sizeof *order->cone);
	order->error = mem_new_array(n, sizeof *order->error);
	for (size_t i = 0; i < n && whole; i++) {
		whole = !watch || watch->go_on(watch->ctx, "cones", i, n);
		cones_begin(analysis->cones);
		if (whole && cones_signatures(analysis->cones, &on[i], &order->error[i]))
			order->cone[i] = search_cones_id(cones, &on[i], cones_get(analysis->cones, &on[i], used));
		else
			order->cone[i] = SIZE_MAX;
	}
	order->n_cones = search_cones_n(cones);
	order->inside = mem_new_array(order->n_cones * order->n_cones, sizeof *order->inside);
	order->covers = mem_new_array(order->n_cones * order->n_cones, sizeof *order->covers);
	for (size_t i = 0; i < order->n_cones && whole; i++)
		for (size_t k = 0; k < order->n_cones; k++)
			order->inside[i * order->n_cones + k] = search_cones_inside(cones, i, k);
	find_covers(order);
	search_cones_free(cones);
	free(used);
	if (whole)
		return order;
	compare_order_free(order);
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
