#include "app/network_data.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

#include "app/texts.h"
#include "base/err.h"
#include "base/mem.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"

static const size_t only[1];

const struct net_shape network_one_owner = {
	.n = {[SCOPE_TASK] = 1, [SCOPE_THREAD] = 1, [SCOPE_CORE] = 1, [SCOPE_SLICE] = 1, [SCOPE_CHANNEL] = 1, [SCOPE_SOCKET] = 1, [SCOPE_DEVICE] = 1, [SCOPE_SYSTEM] = 1},
	.part_of = {[SCOPE_THREAD] = only, [SCOPE_CORE] = only, [SCOPE_SLICE] = only, [SCOPE_CHANNEL] = only},
};

struct network *
network_load(const char *name, char **path, struct diags *d, struct err *e)
{
	struct network *n = NULL;
	struct text t;

	*e = (struct err){0};
	if (text_load(name, SESSION_NETWORK, &t, e))
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
count_in(const struct recorded *r, const struct obs *o, size_t counter, size_t row)
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
sample(const struct recorded *r, const struct recorded_snapshot *s, size_t counter)
{
	const struct obs *o = r->table->obs[s->obs];
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
add_snapshot(struct recorded *r, struct recorded_snapshot s)
{
	const struct obs *o = r->table->obs[s.obs];

	s.name = o->name;
	s.source = o->source;
	s.intervals = count_intervals(o, s.first_row, s.n_rows);
	if (!(s.seconds > 0))
		s.seconds = NAN;
	mem_grow(&r->snapshot, &r->cap, r->n + 1, sizeof *r->snapshot);
	r->snapshot[r->n++] = s;
}

/* How long the first interval is; NAN: not known. */
static double
first_seconds(const struct obs *o)
{
	if (o->time && (o->since_start || (o->exact && o->n_rows == 1)))
		return o->time[0];
	return mean_step(o, count_intervals(o, 0, o->n_rows));
}

static void
add_whole(struct recorded *r, size_t at)
{
	const struct obs *o = r->table->obs[at];
	double rest = o->time && o->n_rows > 1 ? o->time[o->n_rows - 1] - o->time[0] : 0;

	add_snapshot(r, (struct recorded_snapshot){.obs = at, .n_rows = o->n_rows, .seconds = first_seconds(o) + rest});
}

/* The intervals from `first` on. */
static void
add_each(struct recorded *r, size_t at, size_t first)
{
	const struct obs *o = r->table->obs[at];

	for (size_t row = first, end; row < o->n_rows; row = end) {
		double seconds = !row ? first_seconds(o) : o->time ? o->time[row] - o->time[row - 1] : NAN;

		end = interval_end(o, row);
		add_snapshot(r, (struct recorded_snapshot){.obs = at, .first_row = row, .n_rows = end - row, .seconds = seconds});
	}
}

static bool
is_wanted(const struct recorded *r, const struct obs *o)
{
	return o->n_rows && (!r->pattern || fnmatch(r->pattern, o->name, 0) == 0);
}

void
recorded_follow(struct recorded *r)
{
	for (; r->next_obs < r->table->n; r->next_obs++) {
		const struct obs *o = r->table->obs[r->next_obs];

		if (is_wanted(r, o))
			add_each(r, r->next_obs, r->next_row);
		r->next_row = o->n_rows;
		if (r->next_obs + 1 == r->table->n)
			return; /* it may grow */
		r->next_row = 0;
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
	struct recorded *r = mem_new(sizeof *r);

	r->net = n;
	r->table = t;
	r->pattern = pattern ? mem_str(pattern) : NULL;
	r->each_row = each_row;
	r->match = match_network(n, t);
	r->counter = mem_new_array(n->n_counters, sizeof *r->counter);
	if (each_row)
		recorded_follow(r);
	for (size_t i = 0; i < t->n && !each_row; i++)
		if (is_wanted(r, t->obs[i]))
			add_whole(r, i);
	r->extra = mem_new_array(r->match->n_extra, sizeof *r->extra);
	for (size_t i = 0; i < r->match->n_extra; i++)
		r->extra[r->n_extra++] = t->column[r->match->extra[i]];
	for (size_t i = 0; i < n->n_counters; i++)
		r->n_matched += r->match->first[i] < r->match->first[i + 1];
	return r;
}

void
recorded_free(struct recorded *r)
{
	if (!r)
		return;
	match_free(r->match);
	free(r->snapshot);
	free(r->counter);
	free(r->extra);
	free(r->pattern);
	free(r);
}

void
recorded_take(struct recorded *r, size_t snapshot, struct net_state *state)
{
	const double **count = mem_new_array(r->net->n_counters, sizeof *count);

	for (size_t i = 0; i < r->net->n_counters; i++) {
		r->counter[i] = sample(r, &r->snapshot[snapshot], i);
		count[i] = &r->counter[i].value;
	}
	net_state_take(state, &(struct net_snapshot){.seconds = r->snapshot[snapshot].seconds, .count = count});
	free(count);
}
