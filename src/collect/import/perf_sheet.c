#include "collect/import/perf_sheet.h"

#include <ctype.h>
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
#include "event/unit.h"

#define LINE_BYTES 64 /* of a line of perf's, about, for the budget */
#define FIRST_MOST 2.0 /* most length of the first interval, relative to the second: perf's clock starts a bit early */
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
perf_sheet_free(struct perf_sheet *sheet)
{
	for (size_t i = 0; i < sheet->keys.n; i++) {
		struct perf_group *group = &sheet->group[i];

		free(group->name);
		free(group->seen);
		free(group->count);
		free(group->counted);
		free(group->running);
		free(group->error);
		free(group->inexact);
		free(group->unsupported);
		free(group->had);
	}
	for (size_t i = 0; i < sheet->events.n; i++)
		free(sheet->unit[i]);
	free(sheet->unit);
	free(sheet->group);
	free(sheet->base);
	names_free(&sheet->events);
	names_free(&sheet->keys);
	perf_findings_free(&sheet->found);
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
widen_pending(struct perf_group *group, size_t n)
{
	size_t rows = group->cap;
	int64_t *count = mem_new_array(rows * n, sizeof *count);
	unsigned char *counted = mem_new_array(rows * n, 1);
	double *running = mem_new_array(rows * n, sizeof *running), *error = mem_new_array(rows * n, sizeof *error);

	for (size_t row = 0; row < group->n_rows && n > 1; row++) {
		size_t from = row * (n - 1), to = row * n;

		memcpy(count + to, group->count + from, (n - 1) * sizeof *count);
		memcpy(counted + to, group->counted + from, n - 1);
		memcpy(running + to, group->running + from, (n - 1) * sizeof *running);
		memcpy(error + to, group->error + from, (n - 1) * sizeof *error);
	}
	for (size_t row = 0; row < group->n_rows; row++)
		running[row * n + n - 1] = 1;
	free(group->count);
	free(group->counted);
	free(group->running);
	free(group->error);
	group->count = count;
	group->counted = counted;
	group->running = running;
	group->error = error;
}

size_t
perf_sheet_event(struct perf_sheet *sheet, const char *name, size_t n, bool late)
{
	size_t known = sheet->events.n, at = names_add(&sheet->events, name, n);
	struct event_name e;

	if (at < known)
		return at;
	if (late) {
		perf_findings_count(&sheet->found.late, sheet->line);
		names_add(&sheet->found.late_events, name, n);
	}
	sheet->unit = mem_resize(sheet->unit, at + 1, sizeof(char *));
	event_name_read(sheet->events.name[at], &e);
	sheet->unit[at] = mem_str(e.unit);
	event_name_free(&e);
	obs_table_add_column(sheet->table, sheet->events.name[at]);
	for (size_t i = 0; i < sheet->keys.n; i++) {
		widen_events(&sheet->group[i], sheet->events.n);
		if (sheet->group[i].cap)
			widen_pending(&sheet->group[i], sheet->events.n);
	}
	return at;
}

/* True for CPU3, S0-D0-C3 and N1, which perf prints with -A and --per-…. Their counters are enabled all the time. */
static bool
is_of_cpus(const char *group)
{
	static const char *const before[] = {"CPU", "S", "N"};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t n = strlen(before[i]);

		if (strncmp(group, before[i], n) == 0 && isdigit((unsigned char)group[n]) &&
			!group[n + strspn(group + n, "0123456789-CDS")])
			return true;
	}
	return false;
}

static void
begin_group(struct perf_sheet *s, struct perf_group *group, size_t run, const char *own)
{
	char *name = *own ? str_format("%s:%s", s->base, own) : mem_str(s->base);

	*group = (struct perf_group){
		.name = mem_str(own), .run = run, .time = NAN, .first = NAN, .of_cpus = is_of_cpus(own)};
	group->seen = mem_new_array(s->events.n, sizeof *group->seen);
	group->inexact = mem_new_array(s->events.n, 1);
	group->unsupported = mem_new_array(s->events.n, sizeof *group->unsupported);
	group->had = mem_new_array(s->events.n, sizeof *group->had);
	group->obs = obs_table_add(s->table, name, s->name);
	group->obs->exact = s->exact;
	free(name);
}

size_t
perf_sheet_group(struct perf_sheet *sheet, size_t run, const char *name, size_t n)
{
	struct str key = {0};
	size_t at, known = sheet->keys.n;

	str_addf(&key, "%zu/", run);
	str_addn(&key, name, n);
	at = names_add(&sheet->keys, str_text(&key), key.n);
	if (at == known) {
		mem_grow(&sheet->group, &sheet->groups_cap, at + 1, sizeof *sheet->group);
		begin_group(sheet, &sheet->group[at], run, strchr(str_text(&key), '/') + 1);
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
scale_group(struct perf_sheet *sheet, struct perf_group *group, int decimals)
{
	int by = decimals - group->decimals;
	int64_t factor = 1;
	size_t column;

	for (int i = 0; i < abs(by); i++)
		factor *= 10;
	if (!obs_scale(group->obs, by, &column))
		return refuse_count(sheet, column, decimals);
	for (size_t cell = 0; cell < group->n_rows * sheet->events.n; cell++) {
		if (by < 0)
			group->count[cell] /= factor;
		else if (__builtin_mul_overflow(group->count[cell], factor, &group->count[cell]))
			return refuse_count(sheet, cell % sheet->events.n, decimals);
	}
	group->decimals = group->obs->decimals = decimals;
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
 * event do not fit with that many, the clock is left out and the event with the next most decides. On failure returns
 * false and sets *e. */
static bool
choose_decimals(struct perf_sheet *sheet, struct perf_group *group)
{
	int decimals = 0;

	for (bool fits = false; !fits;) {
		size_t most = 0;

		for (size_t i = 0; i < sheet->events.n; i++)
			if (group->seen[i].decimals > group->seen[most].decimals)
				most = i;
		decimals = group->seen[most].decimals > 0 ? group->seen[most].decimals : 0;
		fits = true;
		for (size_t i = 0; i < sheet->events.n && decimals > 0 && fits; i++)
			fits = i == most || group->seen[i].decimals < 0 ||
				group->seen[i].largest * pow(10, decimals) < ROOM_64;
		if (!fits)
			perf_sheet_leave_out(sheet, group, most);
	}
	return decimals == group->decimals || scale_group(sheet, group, decimals);
}

/* Returns whether the count is too large for its unit. Then it is left out, with a note. */
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
note_extent(
	struct perf_sheet *sheet, struct perf_group *group, size_t event, const struct decimal *decimal, double value)
{
	struct perf_extent *extent = &group->seen[event];
	bool more = false;

	if (value > extent->largest) {
		more = group->decimals > 0 && value * pow(10, group->decimals) >= ROOM_64;
		extent->largest = value;
	}
	if (extent->decimals >= 0 && decimal->decimals > extent->decimals) {
		more = true;
		extent->decimals = decimal->decimals;
	}
	return !more || choose_decimals(sheet, group);
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
add_pending_row(struct perf_sheet *sheet, struct perf_group *group)
{
	size_t n = sheet->events.n, first = group->n_rows * n;

	if (!has_room(sheet, (group->n_rows + 1) * n))
		return false;
	if (group->n_rows == group->cap) {
		group->cap = group->cap ? 2 * group->cap : 1;
		group->count = mem_resize(group->count, group->cap * n, sizeof *group->count);
		group->counted = mem_resize(group->counted, group->cap * n, 1);
		group->running = mem_resize(group->running, group->cap * n, sizeof *group->running);
		group->error = mem_resize(group->error, group->cap * n, sizeof *group->error);
	}
	memset(group->count + first, 0, n * sizeof *group->count);
	memset(group->counted + first, 0, n);
	memset(group->error + first, 0, n * sizeof *group->error);
	for (size_t i = 0; i < n; i++)
		group->running[first + i] = 1;
	group->n_rows++;
	return true;
}

/* Returns the time of a total, NAN if it is unknown: that of all CPUs together, on which the tolerance of exact totals
 * depends. */
static double
duration_of_total(struct perf_group *group)
{
	group->obs->elapsed = group->elapsed > 0 ? group->elapsed : 0;
	return group->seconds > 0 ? group->seconds : NAN;
}

/* Ends an interval: moves its rows into the table. On failure returns false and sets *e. */
static bool
flush(struct perf_sheet *sheet, struct perf_group *group)
{
	size_t n = sheet->events.n, column;
	double time = isnan(group->time) && group->n_rows == 1 ? duration_of_total(group) : group->time;

	for (size_t row = 0; row < group->n_rows; row++) {
		size_t first = row * n;

		if (obs_room_add(&sheet->room, sheet->table, group->obs, group->count + first,
			    memchr(group->counted + first, 0, n) ? group->counted + first : NULL, time,
			    group->some_running ? group->running + first : NULL,
			    group->some_error ? group->error + first : NULL, &column))
			continue;
		err_set(sheet->e, "the counts of %s are so large that sums over many rows do not fit into 64 bits",
			sheet->events.name[column]);
		err_hint(sheet->e, "import fewer rows");
		return perf_sheet_refuse(sheet);
	}
	group->n_rows = 0;
	group->open = group->some_running = group->some_error = false;
	return has_room(sheet, sheet->room.cells);
}

/* Finds the row of the interval that has no count of this event yet. With --exact: the first row, if it holds the same
 * count. */
static bool
place_count(struct perf_sheet *sheet, struct perf_group *group, size_t at, int64_t count, size_t *cell)
{
	size_t n = sheet->events.n, row = 0;

	while (row < group->n_rows && group->counted[row * n + at])
		row++;
	if (row > 0) {
		perf_findings_count(&sheet->found.twice, sheet->line);
		if (sheet->exact) {
			group->inexact[at] |= group->count[at] != count ? INEXACT_TWICE : 0;
			row = 0;
		}
	}
	if (row == group->n_rows && !add_pending_row(sheet, group))
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
store_count(struct perf_sheet *sheet, struct perf_group *group, const struct perf_count *perf_count)
{
	int64_t count;
	size_t cell;

	if (!decimal_scale(&perf_count->value, group->decimals, &count))
		return refuse_count(sheet, perf_count->event, group->decimals);
	if (!place_count(sheet, group, perf_count->event, count, &cell))
		return false;
	group->count[cell] = count;
	group->counted[cell] = 1;
	group->running[cell] = perf_count->running;
	/* Without -r there is no spread. With -I and -r together perf prints meaningless, even negative, spreads (seen
	 * in 6.1). */
	group->error[cell] = perf_count->variance > 0 && isnan(perf_count->time)
		? (double)count * pow(10, -group->decimals) * perf_count->variance
		: 0;
	if (group->error[cell] > 0)
		group->obs->runs = perf_count->runs;
	group->some_running |= perf_count->running < 1;
	group->some_error |= group->error[cell] > 0;
	return true;
}

bool
perf_sheet_is_full(struct perf_sheet *sheet)
{
	return budget_poll(&sheet->budget, LINE_BYTES * (uint64_t)sheet->line);
}

bool
perf_sheet_add(struct perf_sheet *sheet, const struct perf_count *count)
{
	struct perf_group *group = &sheet->group[count->group];
	double value, parts = count->parts ? (double)count->parts : 1;

	if (perf_sheet_is_full(sheet))
		return budget_refuse(&sheet->budget, sheet->name, sheet->e);
	if (group->open && !isnan(count->time) && group->time != count->time && !flush(sheet, group))
		return false;
	if (isnan(group->first))
		group->first = count->time;
	else if (!(group->second > group->first))
		group->second = count->time;
	group->open = true;
	group->time = count->time;
	if (group->n_rows == 0 && !add_pending_row(sheet, group))
		return false;
	group->parts = count->parts > group->parts ? count->parts : group->parts;
	group->seconds = fmax(group->seconds, count->seconds);
	if (isnan(count->time) && group->of_cpus && count->running > 0)
		group->elapsed = fmax(group->elapsed, /* perf prints the share with two decimals */
			count->running < 1 ? count->seconds / count->running / parts : count->seconds / parts);
	group->unsupported[count->event] |= count->state == PERF_NOT_SUPPORTED;
	group->inexact[count->event] |= count->state == PERF_NOT_COUNTED && count->running < 1 ? INEXACT_STARVED : 0;
	if (count->state != PERF_COUNTED)
		return true;
	group->had[count->event] = true;
	value = count->value.decimals ? (double)count->value.digits * pow(10, -count->value.decimals)
				      : (double)count->value.digits;
	if (is_below_zero(sheet, count->event, value))
		return true;
	group->inexact[count->event] |= (count->running < 1 ? INEXACT_SCALED : 0) |
		(isnan(count->variance) ? 0 : INEXACT_MEAN);
	note_quality(sheet, count);
	if (!note_extent(sheet, group, count->event, &count->value, value))
		return false;
	return group->seen[count->event].decimals < 0 || store_count(sheet, group, count);
}

void
perf_sheet_lasted(struct perf_sheet *s, size_t run, const struct perf_dialect *last)
{
	for (size_t i = 0; i < s->keys.n; i++)
		if (s->group[i].run == run) {
			s->group[i].seconds = fmax(s->group[i].seconds, fmax(last->elapsed, last->busy));
			s->group[i].elapsed = last->elapsed > 0 ? last->elapsed : s->group[i].elapsed;
			s->group[i].obs->elapsed_error = last->elapsed_error;
		}
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

/* Returns whether times count from the beginning of the first row, as perf's do. If the first lines of a file were cut
 * off, the first row would be much longer than the others. */
static bool
begins_at_zero(const struct perf_group *g)
{
	return !(g->second > g->first) || g->first <= FIRST_MOST * (g->second - g->first);
}

/* Sets the number of tasks that may run while a row is read. perf reads one counter after the other while the tasks go
 * on running. It does not report how many there are: at least one for each part. A total of unknown duration is marked
 * in the same way, because its counters start and stop one after the other; a mean of several runs is not. */
static void
settle(const struct perf_sheet *s, struct perf_group *g)
{
	bool total = isnan(g->time);

	if (!total)
		g->obs->since_start = begins_at_zero(g);
	if (s->together)
		return;
	if (total ? !g->obs->time && !(g->obs->runs > 0) && !g->obs->error : !s->exact)
		g->obs->tasks = g->parts ? (double)g->parts : 1;
}

/* Settles an observation at its end: health, events that cannot be exact, and how far perf's reading order tears an
 * interval apart. */
static void
finish_group(struct perf_sheet *sheet, struct perf_group *group)
{
	for (size_t i = 0; i < sheet->events.n; i++) {
		if (sheet->exact && group->inexact[i]) {
			obs_forget_column(group->obs, i, OBS_ABSENT);
			note_inexact(sheet, group, i, INEXACT_SCALED, "scaled up from a part of the time");
			note_inexact(sheet, group, i, INEXACT_STARVED, "without a counter for some of the time");
			note_inexact(sheet, group, i, INEXACT_MEAN, "a mean of several runs");
			note_inexact(sheet, group, i, INEXACT_TWICE, "counted twice with different results");
		}
		if (group->inexact[i] & INEXACT_STARVED && !group->had[i] && event_is_hardware(sheet->events.name[i]))
			names_add(&sheet->found.starved, sheet->events.name[i], strlen(sheet->events.name[i]));
		if (group->obs->health[i] == OBS_ABSENT && group->unsupported[i])
			group->obs->health[i] = OBS_UNSUPPORTED;
	}
	settle(sheet, group);
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
