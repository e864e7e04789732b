#include "work/timeline/estimates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "sim/server/counters.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"

const char *
estimate_place_name(enum estimate_place p)
{
	static const char *const name[] = {"L2", "LLC", "DDR", "far", "CXL", "none"};

	return name[p];
}

const char *
estimator_name(enum estimator e)
{
	static const char *const name[] = {"in-core", "requests", "delay", "network"};

	return name[e];
}

/* --- counts ------------------------------------------------------------------------------------------------------ */

/* A counter's count for one owner; NAN: not counted. */
static double
estimate_count(const struct network_data *data, const char *name, size_t owner)
{
	for (size_t c = 0; c < data->net->n_counters; c++)
		if (str_eq(data->net->counter[c].name, name))
			return owner < data->first_place[c + 1] - data->first_place[c]
				? data->count[data->first_place[c] + owner]
				: NAN;
	return NAN;
}

/* The same, 0 where it is not counted. */
static double
count_or_none(const struct network_data *data, const char *name, size_t owner)
{
	double n = estimate_count(data, name, owner);

	return isnan(n) ? 0 : n;
}

double
estimates_sum(const struct network_data *data, const char *name)
{
	double sum = 0;

	for (size_t c = 0; c < data->net->n_counters; c++)
		if (str_eq(data->net->counter[c].name, name))
			for (size_t p = data->first_place[c]; p < data->first_place[c + 1]; p++)
				sum += isnan(data->count[p]) ? 0 : data->count[p];
	return sum;
}

/* Cycles of the uncore from the CHA on, of a load or of a read for ownership that this memory answers. */
static double
table_delay(const struct network_data *data, const char *what)
{
	char *inserts = str_format("unc_cha_tor_inserts.%s", what),
	     *occupancy = str_format("unc_cha_tor_occupancy.%s", what);
	double n = estimates_sum(data, inserts), delay = n > 0 ? estimates_sum(data, occupancy) / n : 0;

	free(inserts);
	free(occupancy);
	return delay;
}

static double
constant_of(const struct network_data *data, const char *name, double otherwise)
{
	for (size_t i = 0; i < data->net->n_constants; i++)
		if (str_eq(data->net->constant[i].name, name))
			return data->net->constant[i].value;
	return otherwise;
}

/* Delays in cycles of the core, from the core on. */
struct delays {
	double tag;  /* until L2 knows that it lacks a line */
	double home; /* of the way to the LLC and its lookup, as far as a hit shows it */
	double of[ESTIMATE_PLACES];
};

double
estimates_clock_ratio(const struct network_data *data, size_t cores)
{
	double most = 0, uncore = estimate_count(data, "unc_cha_clockticks", 0);

	for (size_t i = 0; i < cores; i++)
		most = fmax(most, count_or_none(data, "cpu_clk_unhalted.thread", i));
	return cores > 1 && uncore > 0 && most > uncore / 4 && most < 4 * uncore ? most / uncore : 1;
}

static struct delays
load_delays(const struct network_data *data, double ratio)
{
	static const char *const what[] = {[ESTIMATE_LLC] = "ia_hit_drd",
		[ESTIMATE_DDR] = "ia_miss_drd_local_ddr",
		[ESTIMATE_FAR] = "ia_miss_drd_remote",
		[ESTIMATE_CXL] = "ia_miss_drd_cxl"};
	double before = constant_of(data, "l2_delay", 15);
	struct delays d = {.tag = constant_of(data, "l1d_tag", 4) + constant_of(data, "l2_tag", 6)};

	d.of[ESTIMATE_L2] = before;
	for (int p = ESTIMATE_LLC; p < ESTIMATE_PLACES; p++)
		d.of[p] = before + ratio * table_delay(data, what[p]);
	d.home = d.of[ESTIMATE_LLC] > before ? d.of[ESTIMATE_LLC] : before + 2 * d.tag;
	return d;
}

/* --- the estimators ---------------------------------------------------------------------------------------------- */

/* Divides `total` among the places from `first` on, by weights. */
static void
divide(double total, const double *weight, int first, double *to)
{
	double all = 0;

	for (int p = first; p < ESTIMATE_PLACES; p++)
		all += fmax(weight[p], 0);
	for (int p = first; p < ESTIMATE_PLACES && all > 0 && total > 0; p++)
		to[p] += total * fmax(weight[p], 0) / all;
}

/* A core's demand loads by who answered them. */
static void
loads_of(const struct network_data *data, size_t core, double *load)
{
	load[ESTIMATE_L2] = count_or_none(data, "mem_load_retired.l2_hit", core);
	load[ESTIMATE_LLC] = count_or_none(data, "mem_load_retired.l3_hit", core);
	load[ESTIMATE_DDR] = count_or_none(data, "mem_load_l3_miss_retired.local_dram", core);
	load[ESTIMATE_FAR] = count_or_none(data, "mem_load_l3_miss_retired.remote_dram", core) +
		count_or_none(data, "mem_load_l3_miss_retired.remote_fwd", core) +
		count_or_none(data, "mem_load_l3_miss_retired.remote_hitm", core);
	load[ESTIMATE_CXL] = fmax(
		0, count_or_none(data, "mem_load_retired.l3_miss", core) - load[ESTIMATE_DDR] - load[ESTIMATE_FAR]);
}

static void
estimate_core(const struct network_data *data, size_t core, const struct delays *d, struct estimates *e)
{
	double l1 = estimate_count(data, "memory_activity.stalls_l1d_miss", core),
	       l2 = estimate_count(data, "memory_activity.stalls_l2_miss", core),
	       l3 = estimate_count(data, "cycle_activity.stalls_l3_miss", core), load[ESTIMATE_PLACES],
	       weight[3][ESTIMATE_PLACES];
	int most = ESTIMATE_DDR;

	if (isnan(l1) || isnan(l2) || isnan(l3))
		return;
	loads_of(data, core, load);
	for (int p = 0; p < ESTIMATE_PLACES; p++) {
		weight[0][p] = load[p] * (p == ESTIMATE_L2 ? d->of[p] : d->tag);
		weight[1][p] = load[p] * (p == ESTIMATE_LLC ? d->of[p] - d->tag : d->home - d->tag);
		weight[2][p] = load[p] * (d->of[p] - d->home);
		most = p > ESTIMATE_DDR && load[p] > load[most] ? p : most;
	}
	divide(l1 - l2, weight[0], ESTIMATE_L2, e->by[ESTIMATOR_DELAY]);
	divide(l2 - l3, weight[1], ESTIMATE_LLC, e->by[ESTIMATOR_DELAY]);
	divide(l3, weight[2], ESTIMATE_DDR, e->by[ESTIMATOR_DELAY]);
	for (int k = ESTIMATOR_IN_CORE; k <= ESTIMATOR_REQUESTS; k++) {
		e->by[k][ESTIMATE_L2] += l1 - l2;
		e->by[k][ESTIMATE_LLC] += l2 - l3;
	}
	e->by[ESTIMATOR_IN_CORE][most] += l3;
	divide(l3, load, ESTIMATE_DDR, e->by[ESTIMATOR_REQUESTS]);
}

/* Stalls on stores only. The table of requests tells memories apart, for all cores together. */
static void
estimate_stores(const struct network_data *data, double ratio, struct estimates *e)
{
	double cxl = estimates_sum(data, "unc_cha_tor_inserts.ia_miss_rfo_cxl"),
	       stalls = estimates_sum(data, "exe_activity.bound_on_stores"), before = constant_of(data, "l2_delay", 15),
	       request[ESTIMATE_PLACES] = {estimates_sum(data, "l2_rqsts.rfo_hit"),
		       estimates_sum(data, "unc_cha_tor_inserts.ia_hit_rfo"),
		       fmax(0, estimates_sum(data, "unc_cha_tor_inserts.ia_miss_rfo_local") - cxl),
		       estimates_sum(data, "unc_cha_tor_inserts.ia_miss_rfo_remote"), cxl},
	       delay[ESTIMATE_PLACES] = {before, before + ratio * table_delay(data, "ia_hit_rfo"), 0,
		       before + ratio * table_delay(data, "ia_miss_rfo_remote"),
		       before + ratio * table_delay(data, "ia_miss_rfo_cxl")},
	       weight[ESTIMATE_PLACES];
	double local = estimates_sum(data, "unc_cha_tor_occupancy.ia_miss_rfo_local") -
		estimates_sum(data, "unc_cha_tor_occupancy.ia_miss_rfo_cxl");

	delay[ESTIMATE_DDR] = before + (request[ESTIMATE_DDR] > 0 ? ratio * local / request[ESTIMATE_DDR] : 0);
	for (int p = 0; p < ESTIMATE_PLACES; p++)
		weight[p] = request[p] * delay[p];
	divide(stalls, weight, ESTIMATE_L2, e->by[ESTIMATOR_DELAY]);
	divide(stalls, request, ESTIMATE_L2, e->by[ESTIMATOR_REQUESTS]);
	divide(stalls, request, ESTIMATE_L2, e->by[ESTIMATOR_IN_CORE]);
}

/* What algorithm 2 leaves where requests begin, by destination. */
static void
estimate_network(const struct net_state *state, struct estimates *e)
{
	const struct network *net = net_state_network(state);
	size_t n;
	struct net_stalls **stalls = net_stalls_all(state, NET_BY_DELAY, &n);

	for (size_t d = 0; d < n; d++) {
		const char *name = net->module[stalls[d]->destination].name;

		for (int p = 0; p < ESTIMATE_PLACES; p++)
			for (size_t i = 0; i < stalls[d]->n_owners * stalls[d]->n_kinds &&
				str_eq(name, estimate_place_name((enum estimate_place)p));
				i++)
				e->by[ESTIMATOR_NETWORK][p] += stalls[d]->kept[i];
	}
	net_stalls_all_free(stalls, n);
}

/* --- the truth --------------------------------------------------------------------------------------------------- */

/* "truth.stall.DRd.CXL.memory@S0-C3" → CXL. ESTIMATE_PLACES: another column. */
static enum estimate_place
place_of_truth(const char *column)
{
	static const struct {
		const char *name;
		enum estimate_place place;
	} known[] = {
		{"L2.", ESTIMATE_L2},
		{"LLC.", ESTIMATE_LLC},
		{"peer.", ESTIMATE_LLC},
		{"DDR.", ESTIMATE_DDR},
		{"far.", ESTIMATE_FAR},
		{"far-cache.", ESTIMATE_FAR},
		{"CXL.", ESTIMATE_CXL},
	};
	const char *at;

	if (!str_starts(column, SERVER_TRUTH "stall."))
		return ESTIMATE_PLACES;
	at = strchr(column + strlen(SERVER_TRUTH "stall."), '.');
	for (size_t i = 0; at && i < sizeof known / sizeof *known; i++)
		if (str_starts(at + 1, known[i].name))
			return known[i].place;
	return ESTIMATE_PLACES;
}

static void
add_truth(const struct network_data *data, size_t snapshot, struct estimates *e)
{
	const struct network_data_snapshot *s = &data->snapshot[snapshot];
	const struct obs *obs = network_data_obs(data, snapshot);

	for (int p = 0; p < ESTIMATE_PLACES; p++)
		e->truth[p] = NAN;
	for (size_t c = 0; c < data->table->n_columns; c++) {
		enum estimate_place p = place_of_truth(data->table->column[c]);
		struct obs_sum sum;

		if (p == ESTIMATE_PLACES || obs->health[c] == OBS_ABSENT)
			continue;
		sum = obs_sum(obs, c, s->first_row, s->n_rows);
		if (sum.counted)
			e->truth[p] = (isnan(e->truth[p]) ? 0 : e->truth[p]) + (double)sum.sum;
	}
}

void
estimates_of(const struct network_data *data, size_t snapshot, const struct net_state *state, struct estimates *e)
{
	size_t cores = net_state_shape(state)->n[SCOPE_CORE];
	double ratio = estimates_clock_ratio(data, cores);
	struct delays d = load_delays(data, ratio);

	*e = (struct estimates){.cores = (double)cores};
	for (size_t i = 0; i < cores; i++)
		estimate_core(data, i, &d, e);
	estimate_stores(data, ratio, e);
	estimate_network(state, e);
	add_truth(data, snapshot, e);
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

/* ESTIMATE_PLACES: none is above 0. */
static enum estimate_place
largest(const double *of)
{
	enum estimate_place most = ESTIMATE_PLACES;

	for (int p = 0; p < ESTIMATE_PLACES; p++)
		if (of[p] > (most < ESTIMATE_PLACES ? of[most] : 0))
			most = (enum estimate_place)p;
	return most;
}

static double
total_of(const double *of)
{
	double sum = 0;

	for (int p = 0; p < ESTIMATE_PLACES; p++)
		sum += of[p];
	return sum;
}

bool
estimates_error(const struct estimates *e, enum estimator by, struct estimate_error *error)
{
	double all = total_of(e->truth), next = 0;

	if (!(all > 0))
		return false;
	*error = (struct estimate_error){.culprit = largest(e->by[by]), .true_culprit = largest(e->truth)};
	for (int p = 0; p < ESTIMATE_PLACES; p++) {
		error->worst = fmax(error->worst, fabs(e->by[by][p] - e->truth[p]) / all);
		next = p == (int)error->true_culprit ? next : fmax(next, e->truth[p]);
	}
	error->margin = e->truth[error->true_culprit] / next;
	return true;
}

void
estimate_errors_add(struct estimate_errors *errors, const struct estimates *e)
{
	double all = total_of(e->truth);
	size_t n = errors->n, n_relative = errors->n_relative, cap, relative_cap;

	if (!(all > 0))
		return;
	for (int by = 0; by < ESTIMATORS; by++) {
		struct estimate_error error;

		cap = errors->cap;
		relative_cap = errors->relative_cap;
		mem_grow(&errors->part[by], &cap, errors->n + ESTIMATE_PLACES, sizeof(double));
		mem_grow(&errors->relative[by], &relative_cap, errors->n_relative + ESTIMATE_PLACES, sizeof(double));
		n = errors->n;
		n_relative = errors->n_relative;
		for (int p = 0; p < ESTIMATE_PLACES; p++) {
			double off = fabs(e->by[by][p] - e->truth[p]);

			errors->part[by][n++] = off / all;
			if (e->truth[p] >= ESTIMATE_SHARE * all)
				errors->relative[by][n_relative++] = off / e->truth[p];
		}
		estimates_error(e, (enum estimator)by, &error);
		errors->right[by] += error.culprit == error.true_culprit;
		errors->close[by] += error.culprit != error.true_culprit && error.margin < ESTIMATE_CLOSE;
	}
	errors->cap = cap;
	errors->relative_cap = relative_cap;
	errors->n = n;
	errors->n_relative = n_relative;
	errors->snapshots++;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
estimate_quantile(const double *of, size_t n, double q)
{
	double *sorted, value;

	if (!n)
		return NAN;
	sorted = mem_copy(of, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_size);
	value = sorted[(size_t)lrint(q * (double)(n - 1))];
	free(sorted);
	return value;
}

double
estimate_errors_quantile(const struct estimate_errors *errors, enum estimator by, bool relative, double q)
{
	return relative ? estimate_quantile(errors->relative[by], errors->n_relative, q)
			: estimate_quantile(errors->part[by], errors->n, q);
}

void
estimate_errors_free(struct estimate_errors *errors)
{
	for (int by = 0; by < ESTIMATORS; by++) {
		free(errors->part[by]);
		free(errors->relative[by]);
	}
	queue_errors_free(&errors->queues);
	*errors = (struct estimate_errors){0};
}
