#include "work/analysis/observations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "work/analysis/result.h"

/* Returns a number that orders findings by how badly they break the model. Infeasible ones come first, by distance²
 * over threshold², exact ones by their distance in counts. */
static double
badness(const struct finding *finding)
{
	double share = isfinite(finding->measure.distance2) && finding->measure.threshold2 > 0
		? finding->measure.distance2 / finding->measure.threshold2 : 0;

	switch (finding->verdict) {
	case VERDICT_INFEASIBLE:
		return 1e6 + (share > 0 ? share : finding->proof.n_violated ? fabs(finding->proof.violated->off) : 0);
	case VERDICT_BORDERLINE:
		return 1e3 + share;
	case VERDICT_FEASIBLE:
		return 1 + share;
	case VERDICT_UNDECIDED:
		break;
	}
	return 0;
}

static double
certainty(double correlation)
{
	return isnan(correlation) ? -1 : fabs(correlation);
}

static int
larger(double a, double b)
{
	return a > b ? -1 : a < b;
}

struct sorting {
	const struct result *r;
	enum observation_sort by;
};

static int
observations_compare(const void *va, const void *vb, void *ctx)
{
	const struct sorting *sorting = ctx;
	size_t x = *(const size_t *)va, y = *(const size_t *)vb;
	const struct finding *a = &sorting->r->finding[x], *b = &sorting->r->finding[y];
	int c = 0;

	switch (sorting->by) {
	case OBSERVATIONS_BY_DISTANCE:
		c = larger(badness(a), badness(b));
		break;
	case OBSERVATIONS_BY_NAME:
		c = strcasecmp(a->name, b->name);
		break;
	case OBSERVATIONS_BY_SAMPLES:
		c = (a->data.samples < b->data.samples) - (a->data.samples > b->data.samples);
		break;
	case OBSERVATIONS_BY_CORRELATION:
		c = larger(certainty(a->correlation.mean), certainty(b->correlation.mean));
		break;
	case OBSERVATIONS_AS_GIVEN:
	case OBSERVATION_SORTS:
		break;
	}
	return c ? c : x < y ? -1 : x > y;
}

static bool
observations_holds(const struct finding *f, bool marked, const char *words)
{
	if (str_eq(words, "*"))
		return marked;
	if (strcasestr(f->name, words) || strcasestr(f->source, words) ||
		strcasestr(verdict_name(f->verdict), words) == verdict_name(f->verdict))
		return true;
	for (size_t i = 0; i < f->proof.n_violated; i++)
		if (strcasestr(f->proof.violated[i].text, words))
			return true;
	return false;
}

size_t *
observations_order(const struct result *r, enum observation_sort by, const char *words, const bool *marked, size_t *n)
{
	size_t *order = mem_new_array(r ? r->n_findings : 0, sizeof *order);
	struct sorting s = {r, by};

	*n = 0;
	for (size_t i = 0; r && i < r->n_findings; i++)
		if (!words || observations_holds(&r->finding[i], marked && marked[i], words))
			order[(*n)++] = i;
	qsort_r(order, *n, sizeof *order, observations_compare, &s);
	return order;
}

const char *
observation_sort_name(enum observation_sort by)
{
	switch (by) {
	case OBSERVATIONS_BY_DISTANCE:
		return "distance";
	case OBSERVATIONS_BY_NAME:
		return "name";
	case OBSERVATIONS_BY_SAMPLES:
		return "samples";
	case OBSERVATIONS_BY_CORRELATION:
		return "correlation";
	case OBSERVATIONS_AS_GIVEN:
	case OBSERVATION_SORTS:
		break;
	}
	return "time";
}
