/* From a table to sets of series:
 *
 *     table ─ neighbouring rows added up ─▶ short table ─ observations with equal times ─▶ a set each
 *                                                        └ counters, expressions, queues and stalls of a network */
#include "work/phases/series_set.h"

#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "core/network/state.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "work/phases/series_text.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/network_data.h"

/* Mean deviation of the lengths of rows, relative to their mean, up to which counts are compared as they are. */
#define EVEN 0.05

/* Adds up `per` rows of each observation to one. A cell that some rows lack is scaled up to all. */
static void
shorten(const struct obs *from, size_t per, struct obs *to)
{
	size_t n = from->n_columns, in = 0;
	i128 *sum = mem_new_array(n, sizeof *sum);
	size_t *some = mem_new_array(n, sizeof *some);
	int64_t *count = mem_new_array(n, sizeof *count);
	unsigned char *counted = mem_new_array(n, 1);

	for (size_t row = 0; row < from->n_rows;) {
		struct obs_rows part = obs_rows(from, row, from->n_rows);

		for (size_t m = 0; m < part.n; m++, row++) {
			for (size_t c = 0; c < n; c++)
				if (part.counted[m * n + c] != OBS_EMPTY) {
					sum[c] += part.count[m * n + c];
					some[c]++;
				}
			if (++in < per && row + 1 < from->n_rows)
				continue;
			for (size_t c = 0; c < n; c++) {
				double all = some[c] ? (double)sum[c] * (double)in / (double)some[c] : 0;

				counted[c] = some[c] && fabs(all) < 9e18;
				count[c] = !counted[c] ? 0 : some[c] == in ? (int64_t)sum[c] : llround(all);
				sum[c] = 0;
				some[c] = 0;
			}
			obs_add_row(to, count, counted, from->time ? from->time[row] : NAN);
			in = 0;
		}
	}
	free(sum);
	free(some);
	free(count);
	free(counted);
}

static struct obs_table *
short_table(const struct obs_table *table, const struct series_choice *how)
{
	size_t fit = PHASES_CELLS / (table->n_columns ? table->n_columns : 1);
	size_t most = how->most_rows    ? how->most_rows
		: fit > PHASES_ROWS     ? PHASES_ROWS
		: fit < PHASES_ROWS / 4 ? PHASES_ROWS / 4
					: fit;
	struct obs_table *out = obs_table_new((const char *const *)table->column, table->n_columns);

	for (size_t i = 0; i < table->n; i++) {
		const struct obs *from = table->obs[i];
		size_t per = (from->n_rows + most - 1) / most;
		struct obs *to;

		if (!from->n_rows || (how->observations && fnmatch(how->observations, from->name, 0)))
			continue;
		to = obs_table_add(out, from->name, from->source);
		to->decimals = from->decimals;
		to->since_start = from->since_start;
		/* private to this file: how many samples a row holds */
		to->runs = (double)(per * (from->per_row ? from->per_row : 1));
		shorten(from, per ? per : 1, to);
	}
	return out;
}

/* The mean length of a row, and whether the lengths differ. The first row's length is known only if times count from
 * the start. */
static double
mean_step(const struct obs *o, bool *uneven)
{
	double mean, off = 0;

	*uneven = false;
	if (!o->time || o->n_rows < 2)
		return NAN;
	mean = (o->time[o->n_rows - 1] - o->time[0]) / (double)(o->n_rows - 1);
	for (size_t m = 1; m < o->n_rows; m++)
		off += fabs(o->time[m] - o->time[m - 1] - mean);
	*uneven = mean > 0 && off / (double)(o->n_rows - 1) > EVEN * mean;
	return mean > 0 ? mean : NAN;
}

/* `step`: of a's rows. */
static bool
same_times(const struct obs *a, const struct obs *b, double step)
{
	if (a->n_rows != b->n_rows || !b->time)
		return false;
	for (size_t m = 0; m < a->n_rows; m++)
		if (!(fabs(a->time[m] - b->time[m]) < step / 2))
			return false;
	return true;
}

/* Appends a series of unknown values, and returns them. Takes over the name. */
static double *
series_set_add(struct series_set *set, char *name, size_t flow)
{
	size_t cap = set->cap;
	double *v;

	mem_grow(&set->series, &set->cap, set->n + 1, sizeof *set->series);
	if (set->cap != cap) {
		set->flow = mem_resize(set->flow, set->cap, sizeof *set->flow);
		set->v = mem_resize(set->v, set->cap * set->rows, sizeof *set->v);
	}
	set->series[set->n] = name;
	set->flow[set->n] = flow;
	v = set->v + set->n++ * set->rows;
	for (size_t m = 0; m < set->rows; m++)
		v[m] = NAN;
	return v;
}

static char *
series_name(const struct series_set *set, const struct obs *o, const char *what)
{
	return set->n_flows > 1 ? str_format("%s %s", o->name, what) : mem_str(what);
}

/* The value of a cell per sample, and per mean row if rows differ in length. */
static double
cell_value(const struct series_set *set, const struct obs *o, size_t row, size_t column)
{
	double length = set->scaled && row > 0  ? o->time[row] - o->time[row - 1]
		: set->scaled && o->since_start ? o->time[0]
						: set->step;
	double value = (double)o->count[row * o->n_columns + column] * pow(10, -o->decimals) / o->runs;

	if (!o->counted[row * o->n_columns + column])
		return NAN;
	return set->scaled ? (length > 0 ? value * set->step / length : NAN) : value;
}

static void
add_counters(struct series_set *set, const struct obs_table *table, const struct obs *o, size_t flow)
{
	for (size_t c = 0; c < o->n_columns; c++) {
		bool some = false;
		double *v;

		for (size_t m = 0; m < o->n_rows && !some; m++)
			some = o->counted[m * o->n_columns + c];
		if (!some)
			continue;
		v = series_set_add(set, series_name(set, o, table->column[c]), flow);
		for (size_t m = 0; m < o->n_rows; m++)
			v[m] = cell_value(set, o, m, c);
	}
}

static void
add_expressions(struct series_set *set, const struct obs_table *table, const struct obs *o, size_t flow,
	const struct series_choice *how)
{
	double *column = mem_new_array(o->n_columns, sizeof *column);

	for (size_t i = 0; i < how->n_expressions; i++) {
		struct series_text *text = series_text_new(how->expression[i], table, NULL);
		double *v = series_set_add(set, series_name(set, o, how->called[i]), flow);

		for (size_t m = 0; text && m < o->n_rows; m++) {
			for (size_t c = 0; c < o->n_columns; c++)
				column[c] = cell_value(set, o, m, c);
			v[m] = series_text_value(text, column);
			if (!isfinite(v[m]))
				v[m] = NAN;
		}
		series_text_free(text);
	}
	free(column);
}

/* Sums over the owners of a module; NAN: none is known. */
static double
queue_of(const struct net_queues *queues, size_t module, size_t kind)
{
	double sum = NAN;

	for (size_t i = 0; i < queues->n; i++)
		if (queues->queue[i].module == module && queues->queue[i].kind == kind &&
			!isnan(queues->queue[i].length))
			sum = (isnan(sum) ? 0 : sum) + queues->queue[i].length;
	return sum;
}

static double
stall_of(struct net_stalls *const *stalls, size_t n, const struct net_state *state, size_t module)
{
	double sum = NAN;

	for (size_t i = 0; i < n; i++)
		for (size_t owner = 0; owner < net_state_owners(state, module); owner++)
			for (size_t kind = 0; kind < stalls[i]->n_kinds; kind++) {
				double one = stalls[i]->stall[net_stalls_at(stalls[i], module, owner, kind)];

				if (!isnan(one))
					sum = (isnan(sum) ? 0 : sum) + one;
			}
	return sum;
}

/* Rows of an observation and snapshots are the same here, because each row is a snapshot, but rows with equal times. */
static void
add_components(struct series_set *set, const struct obs_table *table, size_t observation, size_t flow,
	const struct network *net)
{
	const struct obs *o = table->obs[observation];
	struct network_data *data = network_data_new(net, table, NULL, true);
	struct net_state *state = net_state_new(net, &data->owners->shape);
	struct net_queues *queues = NULL;
	struct net_stalls **stalls = NULL;
	size_t n_stalls = 0, first = set->n;

	for (size_t m = 0; m < net->n_modules; m++)
		for (size_t k = 0; k < net->n_kinds; k++)
			series_set_add(set,
				str_format("%s%s%s %s queue", set->n_flows > 1 ? o->name : "",
					set->n_flows > 1 ? " " : "", net->module[m].name, net->kind[k].name),
				flow);
	for (size_t m = 0; m < net->n_modules; m++)
		series_set_add(set,
			str_format("%s%s%s stalls", set->n_flows > 1 ? o->name : "", set->n_flows > 1 ? " " : "",
				net->module[m].name),
			flow);
	for (size_t s = 0; s < data->n && data->n_matched; s++) {
		size_t row = data->snapshot[s].first_row;

		if (data->snapshot[s].obs != observation || row >= set->rows)
			continue;
		network_data_take(data, s, state);
		if (!queues) {
			queues = net_queues_new(state);
			stalls = net_stalls_all(state, NET_BY_DELAY, &n_stalls);
		} else {
			net_queues_update(queues, state);
			net_stalls_update(stalls, n_stalls, state);
		}
		for (size_t m = 0; m < net->n_modules; m++) {
			for (size_t k = 0; k < net->n_kinds; k++)
				set->v[(first + m * net->n_kinds + k) * set->rows + row] = queue_of(queues, m, k);
			set->v[(first + net->n_modules * net->n_kinds + m) * set->rows + row] =
				stall_of(stalls, n_stalls, state, m) / o->runs;
		}
	}
	net_queues_free(queues);
	net_stalls_all_free(stalls, n_stalls);
	net_state_free(state);
	network_data_free(data);
}

/* Drops components without a value: what the data do not count, and kinds that do not queue there. */
static void
drop_unknown(struct series_set *set, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < set->n; i++) {
		const double *v = set->v + i * set->rows;
		bool some = false;

		for (size_t m = 0; m < set->rows && !some; m++)
			some = !isnan(v[m]) && v[m] != 0;
		if (!some) {
			free(set->series[i]);
			continue;
		}
		set->series[kept] = set->series[i];
		set->flow[kept] = set->flow[i];
		for (size_t m = 0; m < set->rows; m++)
			set->v[kept * set->rows + m] = v[m];
		kept++;
	}
	set->n = kept;
}

static struct series_set *
series_set_of(const struct obs_table *table, const size_t *member, size_t n, const struct series_choice *how)
{
	const struct obs *first = table->obs[member[0]];
	struct series_set *set = mem_new(sizeof *set);

	set->name = n > 1 ? str_format("%s and %zu more", first->name, n - 1) : mem_str(first->name);
	set->rows = first->n_rows;
	set->n_flows = n;
	set->samples_per_row = (size_t)first->runs;
	set->step = mean_step(first, &set->scaled);
	if (first->time) {
		set->end = mem_new_array(set->rows, sizeof *set->end);
		for (size_t m = 0; m < set->rows; m++)
			set->end[m] = first->time[m];
	}
	for (size_t k = 0; k < n; k++) {
		const struct obs *o = table->obs[member[k]];

		if (how->n_expressions)
			add_expressions(set, table, o, k, how);
		else
			add_counters(set, table, o, k);
		if (how->network) {
			size_t before = set->n;

			add_components(set, table, member[k], k, how->network);
			drop_unknown(set, before);
		}
	}
	return set;
}

struct series_set **
series_sets(const struct obs_table *table, const struct series_choice *how, size_t *n)
{
	struct obs_table *brief = short_table(table, how);
	struct series_set **set = mem_new_array(brief->n, sizeof(struct series_set *));
	size_t *member = mem_new_array(brief->n, sizeof *member);
	bool *taken = mem_new_array(brief->n, sizeof *taken);

	*n = 0;
	for (size_t i = 0; i < brief->n && *n < SERIES_SETS_MAX; i++) {
		size_t members = 1;
		bool uneven;
		double step = mean_step(brief->obs[i], &uneven);

		if (taken[i])
			continue;
		member[0] = i;
		for (size_t k = i + 1; k < brief->n && !isnan(step); k++)
			if (!taken[k] && same_times(brief->obs[i], brief->obs[k], step)) {
				taken[k] = true;
				member[members++] = k;
			}
		set[(*n)++] = series_set_of(brief, member, members, how);
	}
	free(member);
	free(taken);
	obs_table_free(brief);
	return set;
}

void
series_set_free(struct series_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n; i++)
		free(set->series[i]);
	free(set->series);
	free(set->flow);
	free(set->v);
	free(set->end);
	free(set->name);
	free(set);
}
