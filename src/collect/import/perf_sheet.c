#include "collect/import/perf_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "event/name.h"
#include "event/unit.h"

#define ROOM_64 9.2e18 /* counts below this fit into 64 bits */

enum inexact { INEXACT_SCALED = 1, INEXACT_MEAN = 2, INEXACT_TWICE = 4, INEXACT_STARVED = 8 };

void
perf_sheet_begin(struct perf_sheet *s, const char *name, bool exact, size_t near, struct err *e)
{
	*s = (struct perf_sheet){
		.name = name, .base = feed_own_name(name), .exact = exact, .room = {.near = near}, .e = e};
	s->table = obs_table_new(NULL, 0);
}

void
perf_sheet_free(struct perf_sheet *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		struct perf_group *g = &s->group[i];

		free(g->name);
		free(g->seen);
		free(g->count);
		free(g->counted);
		free(g->running);
		free(g->error);
		free(g->inexact);
		free(g->unsupported);
		free(g->had);
	}
	for (size_t i = 0; i < s->events.n; i++)
		free(s->unit[i]);
	free(s->unit);
	free(s->group);
	free(s->base);
	names_free(&s->events);
	names_free(&s->keys);
	perf_findings_free(&s->found);
}

static bool
perf_sheet_refuse(struct perf_sheet *s)
{
	return err_place(s->e, s->name, (int)(s->line > INT32_MAX ? 0 : s->line), 0);
}

/* Adds one element to the arrays over events. */
static void
widen_events(struct perf_group *g, size_t n)
{
	g->seen = mem_resize(g->seen, n, sizeof *g->seen);
	g->inexact = mem_resize(g->inexact, n, 1);
	g->unsupported = mem_resize(g->unsupported, n, sizeof *g->unsupported);
	g->had = mem_resize(g->had, n, sizeof *g->had);
	g->seen[n - 1] = (struct perf_extent){0, 0};
	g->inexact[n - 1] = 0;
	g->unsupported[n - 1] = g->had[n - 1] = false;
}

/* Adds one cell to each pending row. */
static void
widen_pending(struct perf_group *g, size_t n)
{
	size_t rows = g->cap;
	int64_t *count = mem_new_array(rows * n, sizeof *count);
	unsigned char *counted = mem_new_array(rows * n, 1);
	double *running = mem_new_array(rows * n, sizeof *running), *error = mem_new_array(rows * n, sizeof *error);

	for (size_t row = 0; row < g->n_rows && n > 1; row++) {
		size_t from = row * (n - 1), to = row * n;

		memcpy(count + to, g->count + from, (n - 1) * sizeof *count);
		memcpy(counted + to, g->counted + from, n - 1);
		memcpy(running + to, g->running + from, (n - 1) * sizeof *running);
		memcpy(error + to, g->error + from, (n - 1) * sizeof *error);
	}
	for (size_t row = 0; row < g->n_rows; row++)
		running[row * n + n - 1] = 1;
	free(g->count);
	free(g->counted);
	free(g->running);
	free(g->error);
	g->count = count;
	g->counted = counted;
	g->running = running;
	g->error = error;
}

size_t
perf_sheet_event(struct perf_sheet *s, const char *name, size_t n, bool late)
{
	size_t known = s->events.n, at = names_add(&s->events, name, n);
	struct event_name e;

	if (at < known)
		return at;
	if (late) {
		perf_findings_count(&s->found.late, s->line);
		names_add(&s->found.late_events, name, n);
	}
	s->unit = mem_resize(s->unit, at + 1, sizeof(char *));
	event_name_read(s->events.name[at], &e);
	s->unit[at] = mem_str(e.unit);
	event_name_free(&e);
	obs_table_add_column(s->table, s->events.name[at]);
	for (size_t i = 0; i < s->keys.n; i++) {
		widen_events(&s->group[i], s->events.n);
		if (s->group[i].cap)
			widen_pending(&s->group[i], s->events.n);
	}
	return at;
}

static void
begin_group(struct perf_sheet *s, struct perf_group *g, size_t run, const char *own)
{
	char *name = *own ? str_format("%s:%s", s->base, own) : mem_str(s->base);

	*g = (struct perf_group){.name = mem_str(own), .run = run, .time = NAN};
	g->seen = mem_new_array(s->events.n, sizeof *g->seen);
	g->inexact = mem_new_array(s->events.n, 1);
	g->unsupported = mem_new_array(s->events.n, sizeof *g->unsupported);
	g->had = mem_new_array(s->events.n, sizeof *g->had);
	g->obs = obs_table_add(s->table, name, s->name);
	g->obs->exact = s->exact;
	free(name);
}

size_t
perf_sheet_group(struct perf_sheet *s, size_t run, const char *name, size_t n)
{
	struct str key = {0};
	size_t at, known = s->keys.n;

	str_addf(&key, "%zu/", run);
	str_addn(&key, name, n);
	at = names_add(&s->keys, str_text(&key), key.n);
	if (at == known) {
		mem_grow(&s->group, &s->groups_cap, at + 1, sizeof *s->group);
		begin_group(s, &s->group[at], run, strchr(str_text(&key), '/') + 1);
	}
	str_free(&key);
	return at;
}

static bool
refuse_count(struct perf_sheet *s, size_t event, int decimals)
{
	err_set(s->e, "%s does not fit into 64 bits with the %d decimals of this observation", s->events.name[event],
		decimals);
	err_hint(s->e, "record it in a file of its own");
	return perf_sheet_refuse(s);
}

/* Scales all counts of a group, stored and pending, to other units. */
static bool
scale_group(struct perf_sheet *s, struct perf_group *g, int decimals)
{
	int by = decimals - g->decimals;
	int64_t factor = 1;
	size_t column;

	for (int i = 0; i < abs(by); i++)
		factor *= 10;
	if (!obs_scale(g->obs, by, &column))
		return refuse_count(s, column, decimals);
	for (size_t cell = 0; cell < g->n_rows * s->events.n; cell++) {
		if (by < 0)
			g->count[cell] /= factor;
		else if (__builtin_mul_overflow(g->count[cell], factor, &g->count[cell]))
			return refuse_count(s, cell % s->events.n, decimals);
	}
	g->decimals = g->obs->decimals = decimals;
	return true;
}

/* Leaves out an event whose decimals leave no room for the counts of others. */
static void
perf_sheet_leave_out(struct perf_sheet *s, struct perf_group *g, size_t event)
{
	g->seen[event].decimals = -1;
	names_add(&s->found.wide, s->events.name[event], strlen(s->events.name[event]));
	obs_forget_column(g->obs, event, OBS_ABSENT);
	for (size_t row = 0; row < g->n_rows; row++) {
		g->count[row * s->events.n + event] = 0;
		g->counted[row * s->events.n + event] = 0;
	}
}

/* Chooses the decimals of an observation: those of the event with the most, usually a clock. If the counts of another
 * event do not fit with that many, the clock is left out and the event with the next most decides. False and *e on
 * failure. */
static bool
choose_decimals(struct perf_sheet *s, struct perf_group *g)
{
	int decimals = 0;

	for (bool fits = false; !fits;) {
		size_t most = 0;

		for (size_t i = 0; i < s->events.n; i++)
			if (g->seen[i].decimals > g->seen[most].decimals)
				most = i;
		decimals = g->seen[most].decimals > 0 ? g->seen[most].decimals : 0;
		fits = true;
		for (size_t i = 0; i < s->events.n && decimals > 0 && fits; i++)
			fits = i == most || g->seen[i].decimals < 0 || g->seen[i].largest * pow(10, decimals) < ROOM_64;
		if (!fits)
			perf_sheet_leave_out(s, g, most);
	}
	return decimals == g->decimals || scale_group(s, g, decimals);
}

/* Whether the count is too large for its unit. Then it is left out, with a note. */
static bool
is_below_zero(struct perf_sheet *s, size_t event, double value)
{
	const char *name = s->events.name[event];

	if (!*s->unit[event] || event_unit_holds(s->unit[event], value))
		return false;
	perf_findings_count(&s->found.below_zero, s->line);
	names_add(&s->found.below_zero_events, name, strlen(name));
	return true;
}

static bool
note_extent(struct perf_sheet *s, struct perf_group *g, size_t event, const struct decimal *d, double value)
{
	struct perf_extent *x = &g->seen[event];
	bool more = false;

	if (value > x->largest) {
		more = g->decimals > 0 && value * pow(10, g->decimals) >= ROOM_64;
		x->largest = value;
	}
	if (x->decimals >= 0 && d->decimals > x->decimals) {
		more = true;
		x->decimals = d->decimals;
	}
	return !more || choose_decimals(s, g);
}

static bool
has_room(struct perf_sheet *s, size_t cells)
{
	if (cells <= IMPORT_CELLS_MAX)
		return true;
	err_set(s->e, "%zu events in %zu observations are more than %zu million cells", s->events.n, s->keys.n,
		IMPORT_CELLS_MAX >> 20);
	err_hint(s->e, "import runs with different events as files of their own");
	return perf_sheet_refuse(s);
}

static bool
add_pending_row(struct perf_sheet *s, struct perf_group *g)
{
	size_t n = s->events.n, first = g->n_rows * n;

	if (!has_room(s, (g->n_rows + 1) * n))
		return false;
	if (g->n_rows == g->cap) {
		g->cap = g->cap ? 2 * g->cap : 1;
		g->count = mem_resize(g->count, g->cap * n, sizeof *g->count);
		g->counted = mem_resize(g->counted, g->cap * n, 1);
		g->running = mem_resize(g->running, g->cap * n, sizeof *g->running);
		g->error = mem_resize(g->error, g->cap * n, sizeof *g->error);
	}
	memset(g->count + first, 0, n * sizeof *g->count);
	memset(g->counted + first, 0, n);
	memset(g->error + first, 0, n * sizeof *g->error);
	for (size_t i = 0; i < n; i++)
		g->running[first + i] = 1;
	g->n_rows++;
	return true;
}

/* Ends an interval: moves its rows into the table. False and *e on failure. */
static bool
flush(struct perf_sheet *s, struct perf_group *g)
{
	size_t n = s->events.n, column;
	double time = isnan(g->time) && g->n_rows == 1 && g->seconds > 0 ? g->seconds : g->time;

	for (size_t row = 0; row < g->n_rows; row++) {
		size_t first = row * n;

		if (obs_room_add(&s->room, s->table, g->obs, g->count + first,
			memchr(g->counted + first, 0, n) ? g->counted + first : NULL, time,
			g->some_running ? g->running + first : NULL, g->some_error ? g->error + first : NULL,
			&column))
			continue;
		err_set(s->e, "the counts of %s are so large that sums over many rows do not fit into 64 bits",
			s->events.name[column]);
		err_hint(s->e, "import fewer rows");
		return perf_sheet_refuse(s);
	}
	g->n_rows = 0;
	g->open = g->some_running = g->some_error = false;
	return has_room(s, s->room.cells);
}

/* Finds the row of the interval that has no count of this event yet. With --exact: the first row, if it holds the same
 * count. */
static bool
place_count(struct perf_sheet *s, struct perf_group *g, size_t at, int64_t count, size_t *cell)
{
	size_t n = s->events.n, row = 0;

	while (row < g->n_rows && g->counted[row * n + at])
		row++;
	if (row > 0) {
		perf_findings_count(&s->found.twice, s->line);
		if (s->exact) {
			g->inexact[at] |= g->count[at] != count ? INEXACT_TWICE : 0;
			row = 0;
		}
	}
	if (row == g->n_rows && !add_pending_row(s, g))
		return false;
	*cell = row * n + at;
	return true;
}

static void
note_quality(struct perf_sheet *s, const struct perf_count *c)
{
	const char *event = s->events.name[c->event];

	if (c->running < 1) {
		s->found.least = s->found.scaled.n ? fmin(s->found.least, c->running) : c->running;
		perf_findings_count(&s->found.scaled, s->line);
		names_add(&s->found.scaled_events, event, strlen(event));
	}
	if (!isnan(c->variance))
		perf_findings_count(&s->found.mean, s->line);
}

static bool
store_count(struct perf_sheet *s, struct perf_group *g, const struct perf_count *c)
{
	int64_t count;
	size_t cell;

	if (!decimal_scale(&c->value, g->decimals, &count))
		return refuse_count(s, c->event, g->decimals);
	if (!place_count(s, g, c->event, count, &cell))
		return false;
	g->count[cell] = count;
	g->counted[cell] = 1;
	g->running[cell] = c->running;
	/* Without -r there is no spread. With -I and -r together perf prints meaningless, even negative, spreads (seen
	 * in 6.1). */
	g->error[cell] = c->variance > 0 && isnan(c->time) ? (double)count * pow(10, -g->decimals) * c->variance : 0;
	if (g->error[cell] > 0)
		g->obs->runs = c->runs;
	g->some_running |= c->running < 1;
	g->some_error |= g->error[cell] > 0;
	return true;
}

bool
perf_sheet_add(struct perf_sheet *s, const struct perf_count *c)
{
	struct perf_group *g = &s->group[c->group];
	double value;

	if (g->open && !isnan(c->time) && g->time != c->time && !flush(s, g))
		return false;
	g->open = true;
	g->time = c->time;
	if (g->n_rows == 0 && !add_pending_row(s, g))
		return false;
	g->parts = c->parts > g->parts ? c->parts : g->parts;
	g->seconds = fmax(g->seconds, c->seconds);
	g->unsupported[c->event] |= c->state == PERF_NOT_SUPPORTED;
	g->inexact[c->event] |= c->state == PERF_NOT_COUNTED && c->running < 1 ? INEXACT_STARVED : 0;
	if (c->state != PERF_COUNTED)
		return true;
	g->had[c->event] = true;
	value = c->value.decimals ? (double)c->value.digits * pow(10, -c->value.decimals) : (double)c->value.digits;
	if (is_below_zero(s, c->event, value))
		return true;
	g->inexact[c->event] |= (c->running < 1 ? INEXACT_SCALED : 0) | (isnan(c->variance) ? 0 : INEXACT_MEAN);
	note_quality(s, c);
	if (!note_extent(s, g, c->event, &c->value, value))
		return false;
	return g->seen[c->event].decimals < 0 || store_count(s, g, c);
}

void
perf_sheet_lasted(struct perf_sheet *s, size_t run, double seconds)
{
	for (size_t i = 0; i < s->keys.n; i++)
		if (s->group[i].run == run)
			s->group[i].seconds = fmax(s->group[i].seconds, seconds);
}

static void
note_inexact(struct perf_sheet *s, const struct perf_group *g, size_t column, enum inexact how, const char *why)
{
	struct str text = {0};

	if (g->inexact[column] & how) {
		str_addf(&text, "%s (%s)", s->events.name[column], why);
		names_add(&s->found.inexact, str_text(&text), text.n);
		str_free(&text);
	}
}

/* Sets the number of tasks that may run while a row is read. perf reads one counter after the other while the tasks go
 * on running. It does not report how many there are: at least one for each part. A total of unknown duration is marked
 * in the same way, because its counters start and stop one after the other; a mean of several runs is not. */
static void
settle(const struct perf_sheet *s, struct perf_group *g)
{
	bool total = isnan(g->time);

	if (s->together)
		return;
	if (total ? !g->obs->time && !(g->obs->runs > 0) && !g->obs->error : !s->exact)
		g->obs->tasks = g->parts ? (double)g->parts : 1;
}

/* Settles an observation at its end: health, events that cannot be exact, and how far perf's reading order tears an
 * interval apart. */
static void
finish_group(struct perf_sheet *s, struct perf_group *g)
{
	for (size_t i = 0; i < s->events.n; i++) {
		if (s->exact && g->inexact[i]) {
			obs_forget_column(g->obs, i, OBS_ABSENT);
			note_inexact(s, g, i, INEXACT_SCALED, "scaled up from a part of the time");
			note_inexact(s, g, i, INEXACT_STARVED, "without a counter for some of the time");
			note_inexact(s, g, i, INEXACT_MEAN, "a mean of several runs");
			note_inexact(s, g, i, INEXACT_TWICE, "counted twice with different results");
		}
		if (g->inexact[i] & INEXACT_STARVED && !g->had[i] && event_is_hardware(s->events.name[i]))
			names_add(&s->found.starved, s->events.name[i], strlen(s->events.name[i]));
		if (g->obs->health[i] == OBS_ABSENT && g->unsupported[i])
			g->obs->health[i] = OBS_UNSUPPORTED;
	}
	settle(s, g);
}

void
perf_sheet_settle(struct perf_sheet *s)
{
	for (size_t i = 0; i < s->keys.n; i++)
		if (!isnan(s->group[i].time))
			settle(s, &s->group[i]);
}

bool
perf_sheet_finish(struct perf_sheet *s)
{
	for (size_t i = 0; i < s->keys.n; i++) {
		if (!flush(s, &s->group[i]))
			return false;
		finish_group(s, &s->group[i]);
	}
	perf_findings_add_notes(&s->found, s->name, s->exact, s->table);
	obs_table_note_gathered(s->table, s->name);
	return true;
}
