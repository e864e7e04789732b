/* Recorded data as a network's snapshots.
 *
 *     rows of an observation     row  row  row  row  row       rows of one time are samples of one interval
 *     intervals                  └────┘ └───────┘  └──┘
 *     snapshots                  each interval (each_row), or all of them together
 *
 * A counter's value for one owner is the sum of its columns, which are one per event or per part of the owner. Within
 * an interval the samples are averaged. Over a snapshot the intervals are added up, and scaled where some lack the
 * counter. */
#include "work/timeline/network_data.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/rows.h"
#include "core/tasktime/amounts.h"
#include "sim/server/counters.h"
#include "work/files/files.h"
#include "work/files/texts.h"
#include "work/timeline/column_factor.h"
#include "work/timeline/column_owners.h"
#include "work/timeline/owner_name.h"

struct network *
network_load(const char *name, char **path, struct diags *d, struct err *e)
{
	struct network *n = NULL;
	struct text t;

	*e = (struct err){0};
	if (text_load(name, TEXT_NETWORK, &t, e))
		n = text_network(&t, d);
	*path = t.path;
	free(t.text);
	return n;
}

static const char *
why_not(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
	case OBS_HONEST:
	case OBS_ZERO_SUSPECT:
		return NULL;
	case OBS_DEAD:
		return "its column counts, but never anything";
	case OBS_UNSUPPORTED:
		return "it could not be opened";
	case OBS_ABSENT:
		return "its column is empty";
	}
	return NULL;
}

/* Returns the end of the interval that begins at `row`. Rows with the same time are samples of one interval. */
static size_t
interval_end(const struct obs *o, size_t row)
{
	size_t end = row + 1;

	while (o->time && end < o->n_rows && o->time[end] <= o->time[row] && o->time[end] >= o->time[row])
		end++;
	return end;
}

/* Returns one row's count at a place: the sum of its columns, NAN when one of them was not counted. */
static double
count_in(const struct network_data *r, const struct obs_rows *rows, size_t place, size_t first_cell)
{
	double sum = 0;

	for (size_t i = r->first[place]; i < r->first[place + 1]; i++) {
		size_t cell = first_cell + r->column[i];

		sum += rows->counted[cell] ? (double)rows->count[cell] : NAN;
	}
	return sum;
}

/* Adds one row to every place. After the last row of an interval (`ends`), adds the mean of the interval's rows. */
static void
network_data_add_row(struct network_data *data, const struct obs_rows *rows, size_t at, bool ends)
{
	size_t places = data->first_place[data->net->n_counters], cell = at * data->table->n_columns;

	for (size_t p = 0; p < places; p++) {
		struct network_data_place *place = &data->place[p];
		double v = count_in(data, rows, p, cell);

		place->in += isnan(v) ? 0 : v;
		place->some += isnan(v) ? 0 : 1;
		if (!ends)
			continue;
		place->sum += place->some ? place->in / (double)place->some : 0;
		place->counted += place->some > 0;
		place->in = 0;
		place->some = 0;
	}
}

/* Counts every place in one snapshot, and the intervals that have a count. It goes row by row, so that rows that lie in
 * a file are read once. */
static void
count_places(struct network_data *data, const struct network_data_snapshot *snapshot)
{
	const struct obs *obs = data->table->obs[snapshot->obs];
	size_t after = snapshot->first_row + snapshot->n_rows, end = snapshot->first_row;

	for (size_t p = 0; p < data->first_place[data->net->n_counters]; p++)
		data->place[p] = (struct network_data_place){0};
	for (size_t row = snapshot->first_row; row < after;) {
		struct obs_rows rows = obs_rows(obs, row, after);

		for (size_t i = 0; i < rows.n; i++, row++) {
			if (row == end)
				end = interval_end(obs, row);
			network_data_add_row(data, &rows, i, row + 1 == end || row + 1 == after);
		}
	}
	for (size_t p = 0; p < data->first_place[data->net->n_counters]; p++)
		data->count[p] = data->place[p].counted
			? data->place[p].sum * (double)snapshot->intervals / (double)data->place[p].counted
			: NAN;
}

/* Returns why a place has no count, or NULL when nothing prevents one. */
static const char *
lack_of(const struct network_data *r, const struct obs *o, size_t place)
{
	const char *why = r->whole[place] ? NULL : "only counted for the whole machine, or for other owners";

	for (size_t i = r->first[place]; i < r->first[place + 1] && !why; i++)
		why = why_not(o->health[r->column[i]]);
	return why;
}

/* From a count of the columns to a count as the network's state takes it, which multiplies by its own factor. NAN if
 * the columns are amounts in other units. */
static double
network_data_scale_of(const struct network_data *r, size_t counter)
{
	for (size_t k = r->match->first[counter]; k < r->match->first[counter + 1]; k++)
		if (r->match->times[k] != 1)
			return NAN; /* several units */
	return column_factor(r->match, counter, &r->net->counter[counter]) / r->net->counter[counter].factor;
}

static struct network_data_counter
sample(struct network_data *data, const struct network_data_snapshot *snapshot, size_t counter)
{
	const struct obs *o = data->table->obs[snapshot->obs];
	struct network_data_counter out = {.counted = SIZE_MAX, .why = "not in the data"};
	double scale = pow(10, -o->decimals) * network_data_scale_of(data, counter);
	size_t places = data->first_place[counter + 1] - data->first_place[counter];

	for (size_t p = data->first_place[counter]; p < data->first_place[counter + 1]; p++) {
		const char *why = lack_of(data, o, p);
		size_t counted = data->place[p].counted;

		if (isnan(scale))
			why = "in other units than the network asks for";
		data->count[p] = why || data->match->first[counter] == data->match->first[counter + 1]
			? NAN
			: data->count[p] * scale;
		if (isnan(data->count[p])) {
			out.unknown++;
			out.why = data->match->first[counter] == data->match->first[counter + 1] ? out.why
				: why                                                            ? why
												 : "it was not counted";
			continue;
		}
		out.value += data->count[p];
		out.counted = counted < out.counted ? counted : out.counted;
	}
	if (out.unknown < places) {
		out.why = NULL;
	} else {
		out.value = NAN;
		out.counted = 0;
	}
	return out;
}

static size_t
count_intervals(const struct obs *o, size_t first, size_t n)
{
	size_t intervals = 0;

	for (size_t row = first; row < first + n; row = interval_end(o, row))
		intervals++;
	return intervals;
}

static void
add_snapshot(struct network_data *r, struct network_data_snapshot s)
{
	const struct obs *o = r->table->obs[s.obs];

	s.intervals = (uint32_t)count_intervals(o, s.first_row, s.n_rows);
	if (!(s.seconds > 0))
		s.seconds = NAN;
	mem_grow(&r->snapshot, &r->cap, r->n + 1, sizeof *r->snapshot);
	r->snapshot[r->n++] = s;
}

/* Returns the seconds of a lone row by perf's event duration_time, which counts the ns that passed; NAN without it. */
static double
counted_seconds(const struct network_data *r, const struct obs *o)
{
	for (size_t c = 0; c < r->table->n_columns && o->n_rows == 1; c++) {
		struct obs_rows rows;

		if (!str_starts(r->table->column[c], "duration_time") || o->health[c] == OBS_ABSENT)
			continue;
		rows = obs_rows(o, 0, 1);
		if (rows.counted[c])
			return (double)rows.count[c] * pow(10, -o->decimals) * 1e-9;
	}
	return NAN;
}

/* Returns the length of the first interval in s: the mean step between the ends of the others, unless times count from
 * the start. NAN where it is unknown. */
static double
first_seconds(const struct network_data *r, const struct obs *o)
{
	size_t intervals = count_intervals(o, 0, o->n_rows);
	double span = intervals > 1 && o->time ? o->time[o->n_rows - 1] - o->time[0] : NAN;

	if (o->n_rows == 1 && o->elapsed > 0)
		return o->elapsed;
	if (o->time && (o->since_start || (o->exact && o->n_rows == 1)))
		return o->time[0];
	return span > 0 ? span / (double)(intervals - 1) : counted_seconds(r, o);
}

static void
network_data_add_whole(struct network_data *r, size_t at)
{
	const struct obs *o = r->table->obs[at];
	double rest = o->time && o->n_rows > 1 ? o->time[o->n_rows - 1] - o->time[0] : 0;

	add_snapshot(r,
		(struct network_data_snapshot){
			.obs = (uint32_t)at, .n_rows = (uint32_t)o->n_rows, .seconds = first_seconds(r, o) + rest});
}

/* Adds the intervals from row `first` on. */
static void
add_each(struct network_data *data, size_t at, size_t first)
{
	const struct obs *obs = data->table->obs[at];

	for (size_t row = first, end; row < obs->n_rows; row = end) {
		double seconds = !row ? first_seconds(data, obs)
			: obs->time   ? obs->time[row] - obs->time[row - 1]
				      : NAN;

		end = interval_end(obs, row);
		add_snapshot(data,
			(struct network_data_snapshot){.obs = (uint32_t)at,
				.first_row = row,
				.n_rows = (uint32_t)(end - row),
				.seconds = seconds});
	}
}

/* Does the observation count any column of the network? Observations of something else in the same table (tasks, say)
 * do not. Classes of a task's time alone are no counts of a network. */
static bool
has_counters(const struct network_data *r, const struct obs *o)
{
	for (size_t i = 0; i < r->first[r->first_place[r->net->n_counters]]; i++)
		if (o->health[r->column[i]] != OBS_ABSENT &&
			!str_starts(r->table->column[r->column[i]], TASKTIME_PREFIX))
			return true;
	return !r->n_matched; /* no column matches the network at all, which the caller reports */
}

static bool
is_wanted(const struct network_data *r, const struct obs *o)
{
	bool matches = r->join || !r->pattern || fnmatch(r->pattern, o->name, 0) == 0;

	return o->n_rows && matches && has_counters(r, o);
}

/* Does the column count for the counter's place with this number, an owner or a pair of owners? */
static bool
is_of_place(const struct network_data *data, size_t column, size_t counter, size_t at)
{
	const struct counter_item *item = &data->net->counter[counter];
	size_t to = item->of_pairs ? data->owners->shape.n[item->to] : 1;

	return item->of_pairs ? column_owners_has_pair(data->owners, column, item->scope, at / to, item->to, at % to)
			      : column_owners_has(data->owners, column, item->scope, at);
}

/* Finds the columns that add up to a counter of one place: for each event, the columns of the owner or of its parts. */
static void
network_data_add_place(struct network_data *data, size_t counter, size_t at, size_t place, size_t *n, size_t *cap)
{
	data->whole[place] = data->match->first[counter] < data->match->first[counter + 1];
	for (size_t k = data->match->first[counter]; k < data->match->first[counter + 1]; k++) {
		size_t before = *n;

		for (size_t c = 0; c < data->owners->n_columns; c++) {
			if (data->owners->base_of[c] != data->match->column[k] || !is_of_place(data, c, counter, at))
				continue;
			mem_grow(&data->column, cap, *n + 1, sizeof *data->column);
			data->column[(*n)++] = c;
		}
		data->whole[place] &= *n > before;
	}
	data->first[place + 1] = *n;
}

static void
network_data_place_columns(struct network_data *data)
{
	size_t places = 0, n = 0, cap = 0;

	data->first_place = mem_new_array(data->net->n_counters + 1, sizeof *data->first_place);
	for (size_t c = 0; c < data->net->n_counters; c++)
		data->first_place[c + 1] = places += net_counter_places(&data->owners->shape, &data->net->counter[c]);
	data->first = mem_new_array(places + 1, sizeof *data->first);
	data->whole = mem_new_array(places, sizeof *data->whole);
	data->count = mem_new_array(places, sizeof *data->count);
	data->place = mem_new_array(places, sizeof *data->place);
	for (size_t c = 0; c < data->net->n_counters; c++)
		for (size_t p = data->first_place[c]; p < data->first_place[c + 1]; p++)
			network_data_add_place(data, c, p - data->first_place[c], p, &n, &cap);
}

static bool
network_data_is_counted(const struct network_data *r, size_t column)
{
	for (size_t i = 0; i < r->table->n; i++)
		if (is_wanted(r, r->table->obs[i]) && r->table->obs[i]->health[column] != OBS_ABSENT)
			return true;
	return false;
}

/* Collects the columns that no counter uses, except the truth of a simulated server, from observations that have some
 * counter of the network. */
static void
note_extra(struct network_data *r)
{
	bool *used = mem_new_array(r->owners->base->n_columns, sizeof *used);

	for (size_t i = 0; i < r->match->first[r->net->n_counters]; i++)
		used[r->match->column[i]] = true;
	r->extra = mem_new_array(r->owners->n_columns, sizeof *r->extra);
	for (size_t c = 0; c < r->owners->n_columns; c++)
		if (!used[r->owners->base_of[c]] && !str_starts(r->table->column[c], SERVER_TRUTH) &&
			network_data_is_counted(r, c))
			r->extra[r->n_extra++] = r->table->column[c];
	free(used);
}

struct network_data *
network_data_new(const struct network *network, const struct obs_table *table, const char *pattern, bool each_row)
{
	struct network_data *data = mem_new(sizeof *data);

	data->net = network;
	data->source = table;
	data->each_row = each_row;
	data->pattern = pattern ? mem_str(pattern) : NULL;
	data->join = owner_join_new(table, pattern);
	data->joined_at = table->changes;
	data->table = data->join ? data->join->table : table;
	data->owners = column_owners_new(data->table, network);
	data->counter = mem_new_array(network->n_counters, sizeof *data->counter);
	data->match = network_data_match(network, data->owners->base, data->counter);
	network_data_place_columns(data);
	for (size_t i = 0; i < network->n_counters; i++)
		data->n_matched += data->match->first[i] < data->match->first[i + 1];
	note_extra(data);
	network_data_follow(data);
	return data;
}

/* Joins the observations of a table that has grown. A table that has gained columns is not followed. */
static void
join_again(struct network_data *data)
{
	struct owner_join *join = owner_join_new(data->source, data->pattern);
	bool same = join && join->table->n_columns == data->table->n_columns;

	for (size_t c = 0; same && c < data->table->n_columns; c++)
		same = str_eq(join->table->column[c], data->table->column[c]);
	data->joined_at = data->source->changes;
	if (!same) {
		owner_join_free(join);
		return;
	}
	owner_join_free(data->join);
	data->join = join;
	data->table = join->table;
}

bool
network_data_follow(struct network_data *data)
{
	size_t before = data->n;

	if (data->join && data->joined_at != data->source->changes)
		join_again(data);
	if (data->n_seen < data->table->n) {
		size_t *seen = mem_new_array(data->table->n, sizeof *seen);

		for (size_t i = 0; i < data->n_seen; i++)
			seen[i] = data->seen[i];
		free(data->seen);
		data->seen = seen;
		data->n_seen = data->table->n;
	}
	for (size_t i = 0; i < data->table->n; i++) {
		const struct obs *obs = data->table->obs[i];

		if (obs->n_rows > data->seen[i] && is_wanted(data, obs) && data->each_row)
			add_each(data, i, data->seen[i]);
		else if (!data->seen[i] && is_wanted(data, obs))
			network_data_add_whole(data, i);
		data->seen[i] = obs->n_rows;
	}
	return data->n > before;
}

void
network_data_free(struct network_data *data)
{
	if (!data)
		return;
	columns_match_free(data->match);
	column_owners_free(data->owners);
	owner_join_free(data->join);
	free(data->pattern);
	free(data->seen);
	free(data->snapshot);
	free(data->counter);
	free(data->extra);
	free(data->first_place);
	free(data->first);
	free(data->column);
	free(data->whole);
	free(data->count);
	free(data->place);
	free(data);
}

const struct obs *
network_data_obs(const struct network_data *r, size_t snapshot)
{
	return r->table->obs[r->snapshot[snapshot].obs];
}

size_t
network_data_source(const struct network_data *r, size_t snapshot)
{
	size_t obs = r->snapshot[snapshot].obs;

	return r->join ? r->join->source[obs] : obs;
}

/* Names the owners that have columns of other counters of their scope, but none of this one. */
static void
remark_missing_owners(
	const struct network_data *r, size_t counter, void (*each)(void *ctx, const char *sentence), void *ctx)
{
	enum scope per = r->net->counter[counter].scope;
	size_t n = r->owners->shape.n[per], missing = 0, first = SIZE_MAX;
	char *text;

	for (size_t i = 0; i < n; i++)
		if (!r->whole[r->first_place[counter] + i]) {
			missing++;
			first = first < i ? first : i;
		}
	if (!missing || missing == n || !r->owners->name[per])
		return;
	text = str_format("%s has no column for %zu of %zu %s%s (%s%s)", r->net->counter[counter].name, missing, n,
		scope_name(per), plural_s(n), r->owners->name[per][first], missing > 1 ? " …" : "");
	each(ctx, text);
	free(text);
}

/* Names a column of one of the network's events whose owner has no such counter: cycles of a slice. */
static void
remark_unused_columns(const struct network_data *r, void (*each)(void *ctx, const char *sentence), void *ctx)
{
	const struct column_owners *owners = r->owners;
	bool *used = mem_new_array(owners->n_columns, sizeof *used);

	for (size_t i = 0; i < r->first[r->first_place[r->net->n_counters]]; i++)
		used[r->column[i]] = true;
	for (size_t n = 0; n < r->net->n_counters; n++)
		for (size_t i = r->match->first[n]; i < r->match->first[n + 1]; i++)
			for (size_t c = 0; c < owners->n_columns; c++) {
				const struct counter_item *item = &r->net->counter[n];
				char *text;

				if (owners->base_of[c] != r->match->column[i] || used[c] || owners->left_out[c])
					continue;
				used[c] = true;
				text = str_format("%s is not used, because the network counts %s for each %s",
					r->table->column[c], item->name, scope_name(item->scope));
				each(ctx, text);
				free(text);
			}
	free(used);
}

void
network_data_each_remark(const struct network_data *r, void (*each)(void *ctx, const char *sentence), void *ctx)
{
	for (size_t i = 0; i < r->owners->n_remarks; i++)
		each(ctx, r->owners->remark[i]);
	for (size_t c = 0; c < r->net->n_counters; c++)
		remark_missing_owners(r, c, each, ctx);
	remark_unused_columns(r, each, ctx);
}

/* Gives the network's calibrated constants the values of the machine that the data are from, if a note says them. */
static void
calibrate(struct network_data *data, struct net_state *state)
{
	if (!network_is_calibrated(data->net))
		return;
	for (size_t i = 0; i < data->table->n_notes && !data->noted.fault.pages; i++)
		if (!fault_cost_read(data->table->note[i], &data->noted.fault))
			data->noted.fault.pages = 0;
	if (!data->noted.fault.pages)
		return;
	net_state_calibrate(state, NET_FAULT_EXCEPTION, data->noted.fault.exception_ns);
	net_state_calibrate(state, NET_FAULT_SERVICE, data->noted.fault.service_ns);
	net_state_calibrate(state, NET_FAULT_TOUCH, data->noted.fault.exception_ns + data->noted.fault.service_ns);
}

static void
take_rows_of(struct network_data *data, const struct network_data_snapshot *snapshot, struct net_state *state)
{
	const struct obs *obs = data->table->obs[snapshot->obs];
	const double **count = mem_new_array(data->net->n_counters, sizeof *count);

	count_places(data, snapshot);
	network_data_read_taken(data);
	for (size_t i = 0; i < data->net->n_counters; i++) {
		const struct event_sum *taken = data->counter[i].taken;

		data->counter[i] = sample(data, snapshot, i);
		data->counter[i].taken = taken;
		count[i] = &data->count[data->first_place[i]];
	}
	calibrate(data, state);
	/* the tasks of one row are enough: the next row counts whatever a row misses */
	net_state_take(state,
		&(struct net_snapshot){
			.seconds = snapshot->seconds, .tear = obs->exact ? 0 : obs->tasks, .count = count});
	free(count);
}

void
network_data_take(struct network_data *data, size_t snapshot, struct net_state *state)
{
	take_rows_of(data, &data->snapshot[snapshot], state);
}

void
network_data_take_run(struct network_data *data, size_t last, double seconds, struct net_state *state)
{
	struct network_data_snapshot run = data->snapshot[last];

	for (size_t i = last;
		i-- > 0 && data->snapshot[i].obs == run.obs && !(run.seconds + data->snapshot[i].seconds > seconds);) {
		run.first_row = data->snapshot[i].first_row;
		run.n_rows += data->snapshot[i].n_rows;
		run.intervals += data->snapshot[i].intervals;
		run.seconds += data->snapshot[i].seconds;
	}
	take_rows_of(data, &run, state);
}
