/* The engine's answer about the geometry of one observation, and its encoding in messages. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "shape/wire.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/geometry.h"

static void
take_region(struct geometry *g, const struct region *r, double confidence)
{
	g->point = r->point;
	g->mean = mem_copy(r->mean, r->n * sizeof *r->mean);
	g->slack = r->slack ? mem_copy(r->slack, r->n * sizeof *r->slack) : mem_new_array(r->n, sizeof *g->slack);
	g->threshold2 = region_has_noise_model(r) ? region_threshold2(r, confidence) : chi2_quantile(confidence, r->n);
	g->spread = region_has_noise_model(r) && r->cov;
	if (!g->spread)
		return;
	region_axes(r);
	g->cov = mem_copy(r->cov, r->n * r->n * sizeof *r->cov);
	g->axis = mem_new_array(r->n * r->n, sizeof *g->axis);
	for (size_t k = 0; k < r->n; k++)
		for (size_t i = 0; i < r->n; i++)
			g->axis[k * r->n + i] =
				r->eigenvector[k * r->n + i] * sqrt(fmax(0, r->eigenvalue[k] * g->threshold2));
}

/* Returns a counter's count in one row: the sum of its columns, NAN unless all of them were counted. */
static double
sample_at(const struct prepared *p, size_t row, size_t counter)
{
	const struct obs *o = p->obs;
	double sum = 0;

	for (size_t k = p->match->first[counter]; k < p->match->first[counter + 1]; k++) {
		size_t at = row * o->n_columns + p->match->column[k];

		if (!o->counted[at])
			return NAN;
		sum += (double)p->match->times[k] * (double)o->count[at] /
			(double)obs_samples_in_cell(o, row, p->match->column[k]);
	}
	return sum / pow(10, o->decimals);
}

static void
take_samples(struct geometry *g, const struct prepared *p)
{
	size_t rows = p->obs->n_rows;

	if (g->point)
		return;
	g->rows = rows;
	g->n_samples = rows < GEOMETRY_SAMPLES ? rows : GEOMETRY_SAMPLES;
	g->sample = mem_new_array(g->n_samples * g->n, sizeof *g->sample);
	for (size_t k = 0; k < g->n_samples; k++)
		for (size_t i = 0; i < g->n; i++)
			g->sample[k * g->n + i] = sample_at(p, k * rows / g->n_samples, g->counter[i]);
}

struct geometry *
analysis_geometry(struct analysis *a, const struct fset *on, size_t finding, const struct analysis_watch *watch)
{
	const struct prepared *p = finding < analysis_n_observations(a) ? analysis_observation(a, finding) : NULL;
	const struct cone *c;
	struct geometry *g;
	char *error = NULL;

	cones_begin(a->cones);
	if (!p || !p->region || !cones_signatures(a->cones, on, &error)) {
		free(error);
		return NULL;
	}
	p = judge_chosen(a, on, p);
	c = cones_get(a->cones, on, p->keep);
	g = mem_new(sizeof *g);
	g->finding = finding;
	g->counter = mem_new_array(p->n_kept, sizeof *g->counter);
	for (size_t i = 0; i < a->model->n_counters; i++)
		if (p->keep[i])
			g->counter[g->n++] = i;
	take_region(g, p->region, a->opt.confidence);
	take_samples(g, p);
	g->n_rays = c->n_rays;
	g->ray = mem_copy(c->ray, c->n_rays * c->n_counters * sizeof *c->ray);
	if (geometry_rank(g, (enum region_kind)a->opt.decides, watch))
		return g;
	geometry_free(g);
	return NULL;
}

/* Reads or writes an array of known length. Any other length means a broken message. */
static void
wire_known(struct wire *w, double **v, size_t want)
{
	size_t n = want;

	wire_doubles(w, v, &n);
	w->bad |= n != want;
}

void
geometry_wire(struct wire *w, struct geometry *g)
{
	size_t cells = g->n_rays * g->n, square;

	wire_size(w, &g->finding);
	wire_bool(w, &g->failed);
	wire_bool(w, &g->point);
	wire_array(w, &g->counter, &g->n, sizeof *g->counter, 8);
	for (size_t i = 0; i < g->n; i++)
		wire_size(w, &g->counter[i]);
	wire_double(w, &g->threshold2);
	wire_bool(w, &g->spread);
	wire_size(w, &g->n_rays);
	wire_size(w, &g->n_samples);
	wire_size(w, &g->rows);
	square = g->spread ? g->n * g->n : 0;
	wire_known(w, &g->mean, g->n);
	wire_known(w, &g->slack, g->n);
	wire_known(w, &g->cov, square);
	wire_known(w, &g->axis, square);
	wire_i64s(w, &g->ray, &cells);
	w->bad |= g->n_samples > GEOMETRY_SAMPLES || (g->n ? cells % g->n || cells / g->n != g->n_rays : cells != 0);
	if (!w->bad)
		wire_known(w, &g->sample, g->n_samples * g->n);
	wire_array(w, &g->pair, &g->n_pairs, sizeof *g->pair, 24);
	for (size_t i = 0; i < g->n_pairs; i++) {
		wire_size(w, &g->pair[i].x);
		wire_size(w, &g->pair[i].y);
		wire_double(w, &g->pair[i].margin);
		w->bad |= g->pair[i].x >= g->n || g->pair[i].y >= g->n;
	}
	wire_size(w, &g->all_pairs);
	wire_size(w, &g->showing);
}

void
geometry_free(struct geometry *g)
{
	if (!g)
		return;
	free(g->counter);
	free(g->mean);
	free(g->cov);
	free(g->axis);
	free(g->slack);
	free(g->ray);
	free(g->sample);
	free(g->pair);
	free(g);
}
