#include "app/network_data.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "app/files.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"

static const size_t only[1];

const struct net_shape network_one_owner = {
	.n = {[NET_TASK] = 1, [NET_THREAD] = 1, [NET_CORE] = 1, [NET_SLICE] = 1, [NET_CHANNEL] = 1, [NET_SOCKET] = 1, [NET_DEVICE] = 1, [NET_SYSTEM] = 1},
	.part_of = {[NET_THREAD] = only, [NET_CORE] = only, [NET_SLICE] = only, [NET_CHANNEL] = only},
};

struct network *
network_load(const char *name, char **path, struct diags *d, struct err *e)
{
	size_t n;
	char *text;

	*e = (struct err){0};
	*path = file_find(name, NETWORK_FOLDERS, ".net", e);
	text = *path ? file_read(*path, NETWORK_FILE_MAX, &n, e) : NULL;
	return text ? network_parse(mem_str(*path), text, n, d) : NULL;
}

struct reader {
	const struct network *net;
	const struct obs_table *t;
	const struct match *match;
};

static const char *
why_not(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
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

/* One row's count of a counter: its columns together; NAN when one of them was not counted. */
static double
count_in(const struct reader *r, const struct obs *o, size_t counter, size_t row)
{
	double sum = 0;

	for (size_t i = r->match->first[counter]; i < r->match->first[counter + 1]; i++) {
		size_t cell = row * o->n_columns + r->match->column[i];

		sum += o->counted[cell] ? (double)o->count[cell] : NAN;
	}
	return sum / pow(10, o->decimals);
}

/* The end of the interval that begins at `row`: rows of one time are samples of one interval. */
static size_t
interval_end(const struct obs *o, size_t row)
{
	size_t end = row + 1;

	while (o->time && end < o->n_rows && o->time[end] <= o->time[row] && o->time[end] >= o->time[row])
		end++;
	return end;
}

static struct sampled
sample(const struct reader *r, const struct obs *o, const struct recorded_snapshot *s, size_t counter)
{
	struct sampled out = {.value = NAN, .why = "not in the data"};
	double sum = 0;

	if (r->match->first[counter] == r->match->first[counter + 1])
		return out;
	out.why = NULL;
	for (size_t i = r->match->first[counter]; i < r->match->first[counter + 1] && !out.why; i++)
		out.why = why_not(o->health[r->match->column[i]]);
	if (out.why)
		return out;
	for (size_t row = s->first_row, end; row < s->first_row + s->n_rows; row = end) {
		double in = 0;
		size_t some = 0;

		end = interval_end(o, row);
		for (size_t k = row; k < end; k++) {
			double v = count_in(r, o, counter, k);

			in += isnan(v) ? 0 : v;
			some += isnan(v) ? 0 : 1;
		}
		sum += some ? in / (double)some : 0;
		out.counted += some > 0;
	}
	if (out.counted)
		out.value = sum * (double)s->intervals / (double)out.counted;
	else
		out.why = "it was not counted";
	return out;
}

/* The mean step between the ends of intervals; NAN without two. */
static double
mean_step(const struct obs *o, size_t intervals)
{
	double span = intervals > 1 && o->time ? o->time[o->n_rows - 1] - o->time[0] : NAN;

	return span > 0 ? span / (double)(intervals - 1) : NAN;
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
add_snapshot(struct recorded *out, size_t *cap, const struct reader *r, struct recorded_snapshot s, const struct obs *o)
{
	s.name = o->name;
	s.source = o->source;
	s.intervals = count_intervals(o, s.first_row, s.n_rows);
	s.counter = mem_new_array(r->net->n_counters, sizeof *s.counter);
	for (size_t i = 0; i < r->net->n_counters; i++)
		s.counter[i] = sample(r, o, &s, i);
	mem_grow(&out->snapshot, cap, out->n + 1, sizeof *out->snapshot);
	out->snapshot[out->n++] = s;
}

static void
add_observation(struct recorded *out, size_t *cap, const struct reader *r, const struct obs *o, bool each_row)
{
	size_t all = count_intervals(o, 0, o->n_rows);
	double step = mean_step(o, all);

	if (!each_row) {
		add_snapshot(out, cap, r, (struct recorded_snapshot){.n_rows = o->n_rows, .seconds = step * (double)all}, o);
		return;
	}
	for (size_t row = 0, end; row < o->n_rows; row = end) {
		double before = row ? o->time ? o->time[row - 1] : NAN : NAN;

		end = interval_end(o, row);
		add_snapshot(out, cap, r,
		             (struct recorded_snapshot){.first_row = row, .n_rows = end - row, .seconds = row ? (o->time ? o->time[row] : NAN) - before : step}, o);
	}
}

static struct match *
match_network(const struct network *n, const struct obs_table *t)
{
	struct wanted_counter *wanted = mem_new_array(n->n_counters, sizeof *wanted);
	struct match *m;

	for (size_t i = 0; i < n->n_counters; i++)
		wanted[i] = (struct wanted_counter){n->counter[i].name, n->counter[i].event, n->counter[i].n_events};
	m = match_columns(wanted, n->n_counters, t);
	free(wanted);
	return m;
}

struct recorded *
recorded_new(const struct network *n, const struct obs_table *t, const char *pattern, bool each_row)
{
	struct recorded *out = mem_new(sizeof *out);
	struct match *m = match_network(n, t);
	struct reader r = {n, t, m};
	size_t cap = 0;

	out->net = n;
	for (size_t i = 0; i < t->n; i++)
		if (t->obs[i]->n_rows && (!pattern || fnmatch(pattern, t->obs[i]->name, 0) == 0)) {
			add_observation(out, &cap, &r, t->obs[i], each_row);
			out->n_observations++;
		}
	out->extra = mem_new_array(m->n_extra, sizeof *out->extra);
	for (size_t i = 0; i < m->n_extra; i++)
		out->extra[out->n_extra++] = t->column[m->extra[i]];
	for (size_t i = 0; i < n->n_counters; i++)
		out->n_matched += m->first[i] < m->first[i + 1];
	match_free(m);
	return out;
}

void
recorded_free(struct recorded *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free(r->snapshot[i].counter);
	free(r->snapshot);
	free(r->extra);
	free(r);
}

void
recorded_take(const struct recorded *r, size_t snapshot, struct net_state *state)
{
	const struct recorded_snapshot *s = &r->snapshot[snapshot];
	const double **count = mem_new_array(r->net->n_counters, sizeof *count);

	for (size_t i = 0; i < r->net->n_counters; i++)
		count[i] = &s->counter[i].value;
	net_state_take(state, &(struct net_snapshot){.seconds = s->seconds, .count = count});
	free(count);
}
