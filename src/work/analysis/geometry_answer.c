/* The engine's answer about the geometry of one observation, and its encoding in messages. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/cone/cone.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/stats/region.h"
#include "core/stats/tails.h"
#include "core/udd/model.h"
#include "core/verdict/match.h"
#include "shape/wire.h"
#include "work/analysis/cones.h"
#include "work/analysis/describe.h"
#include "work/analysis/geometry.h"

static void
take_region(struct geometry *geometry, const struct region *region, double confidence)
{
	geometry->point = region->point;
	geometry->mean = mem_copy(region->mean, region->n * sizeof *region->mean);
	geometry->slack = region->slack ? mem_copy(region->slack, region->n * sizeof *region->slack)
					: mem_new_array(region->n, sizeof *geometry->slack);
	geometry->threshold2 = region_has_noise_model(region) ? region_threshold2(region, confidence)
							      : chi2_quantile(confidence, region->n);
	geometry->spread = region_has_noise_model(region);
	if (!geometry->spread)
		return;
	region_axes(region);
	geometry->cov = region_covariance(region);
	geometry->axis = mem_new_array(region->n * region->n, sizeof *geometry->axis);
	for (size_t k = 0; k < region->n; k++)
		for (size_t i = 0; i < region->n; i++)
			geometry->axis[k * region->n + i] = region->eigenvector[k * region->n + i] *
				sqrt(fmax(0, region->eigenvalue[k] * geometry->threshold2));
}

/* Returns a counter's count in one row: the sum of its columns, NAN unless all of them were counted.
 * `obs` is in memory. */
static double
sample_at(const struct prepared *prepared, const struct obs *obs, size_t row, size_t counter)
{
	double sum = 0;

	for (size_t k = prepared->match->first[counter]; k < prepared->match->first[counter + 1]; k++) {
		size_t at = row * obs->n_columns + prepared->match->column[k];

		if (!obs->counted[at])
			return NAN;
		sum += (double)prepared->match->times[k] * (double)obs->count[at] /
			(double)obs_samples_in_cell(obs, row, prepared->match->column[k]);
	}
	return sum / pow(10, obs->decimals);
}

static void
take_samples(struct geometry *geometry, const struct prepared *prepared)
{
	size_t rows = prepared->obs->n_rows;
	struct obs near;

	if (geometry->point)
		return;
	near = obs_near(prepared->obs);
	geometry->rows = rows;
	geometry->n_samples = rows < GEOMETRY_SAMPLES ? rows : GEOMETRY_SAMPLES;
	geometry->sample = mem_new_array(geometry->n_samples * geometry->n, sizeof *geometry->sample);
	for (size_t k = 0; k < geometry->n_samples; k++)
		for (size_t i = 0; i < geometry->n; i++)
			geometry->sample[k * geometry->n + i] = sample_at(
				prepared, &near, k * rows / geometry->n_samples, geometry->counter[i]);
	obs_near_free(&near, prepared->obs);
}

struct geometry *
analysis_geometry(struct analysis *analysis, const struct fset *on, size_t finding, const struct analysis_watch *watch)
{
	const struct prepared *prepared = finding < analysis_n_observations(analysis)
		? analysis_observation(analysis, finding)
		: NULL;
	const struct cone *cone;
	struct geometry *geometry;
	char *error = NULL;

	cones_begin(analysis->cones);
	if (!prepared || !prepared->region || !cones_signatures(analysis->cones, on, &error)) {
		free(error);
		return NULL;
	}
	prepared = judge_chosen(analysis, on, prepared);
	cone = cones_get(analysis->cones, on, prepared->keep);
	geometry = mem_new(sizeof *geometry);
	geometry->finding = finding;
	geometry->counter = mem_new_array(prepared->n_kept, sizeof *geometry->counter);
	for (size_t i = 0; i < analysis->model->n_counters; i++)
		if (prepared->keep[i])
			geometry->counter[geometry->n++] = i;
	take_region(geometry, prepared->region, analysis->opt.confidence);
	take_samples(geometry, prepared);
	geometry->n_rays = cone->n_rays;
	geometry->ray = mem_copy(cone->ray, cone->n_rays * cone->n_counters * sizeof *cone->ray);
	if (geometry_rank(geometry, (enum region_kind)analysis->opt.decides, watch))
		return geometry;
	geometry_free(geometry);
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
geometry_wire(struct wire *wire, struct geometry *geometry)
{
	size_t cells = geometry->n_rays * geometry->n, square;

	wire_size(wire, &geometry->finding);
	wire_bool(wire, &geometry->failed);
	wire_bool(wire, &geometry->point);
	wire_array(wire, &geometry->counter, &geometry->n, sizeof *geometry->counter, 8);
	for (size_t i = 0; i < geometry->n; i++)
		wire_size(wire, &geometry->counter[i]);
	wire_double(wire, &geometry->threshold2);
	wire_bool(wire, &geometry->spread);
	wire_size(wire, &geometry->n_rays);
	wire_size(wire, &geometry->n_samples);
	wire_size(wire, &geometry->rows);
	square = geometry->spread ? geometry->n * geometry->n : 0;
	wire_known(wire, &geometry->mean, geometry->n);
	wire_known(wire, &geometry->slack, geometry->n);
	wire_known(wire, &geometry->cov, square);
	wire_known(wire, &geometry->axis, square);
	wire_i64s(wire, &geometry->ray, &cells);
	wire->bad |= geometry->n_samples > GEOMETRY_SAMPLES ||
		(geometry->n ? cells % geometry->n || cells / geometry->n != geometry->n_rays : cells != 0);
	if (!wire->bad)
		wire_known(wire, &geometry->sample, geometry->n_samples * geometry->n);
	wire_array(wire, &geometry->pair, &geometry->n_pairs, sizeof *geometry->pair, 24);
	for (size_t i = 0; i < geometry->n_pairs; i++) {
		wire_size(wire, &geometry->pair[i].x);
		wire_size(wire, &geometry->pair[i].y);
		wire_double(wire, &geometry->pair[i].margin);
		wire->bad |= geometry->pair[i].x >= geometry->n || geometry->pair[i].y >= geometry->n;
	}
	wire_size(wire, &geometry->all_pairs);
	wire_size(wire, &geometry->showing);
}

void
geometry_free(struct geometry *geometry)
{
	if (!geometry)
		return;
	free(geometry->counter);
	free(geometry->mean);
	free(geometry->cov);
	free(geometry->axis);
	free(geometry->slack);
	free(geometry->ray);
	free(geometry->sample);
	free(geometry->pair);
	free(geometry);
}
