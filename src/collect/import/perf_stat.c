/* Records to observations, in two passes over the text: the first finds events, observations and their decimals, the second fills the
 * table. So nothing but the table is kept, however many rows there are.
 *
 * Runs: a file may hold several (perf stat --append, or put together by hand). "# started on" begins one, and so does a time that goes
 * back. Within one run and aggregate a row is an interval; an event that is counted twice in it (two groups of perf, two PMUs of one
 * name) gives a second row with the same time, in which only such events are counted: two samples, neither added up nor overwritten.
 *
 * Exact totals (--exact) cannot hold estimates. What perf scaled up, what is a mean of runs, what never had a counter, and what was
 * counted twice with different results is then no count at all for its observation, and said. */
#include "collect/import/perf_stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "collect/import/decimal.h"
#include "collect/import/import.h"
#include "collect/import/naming.h"
#include "collect/import/perf_findings.h"
#include "collect/import/perf_record.h"
#include "core/obs/obs.h"

#define HEAD 65536 /* what a format is, its beginning tells */

enum stain { STAIN_SCALED = 1, STAIN_MEAN = 2, STAIN_TWICE = 4, STAIN_STARVED = 8 };

/* How much room the counts of one event need: the largest, and the most decimals. */
struct extent {
	double largest;
	int decimals;
};

/* An observation, and the interval that is being read. */
struct group {
	char *name;
	int decimals;
	size_t n_seen, seen_cap; /* events that the first pass has met so far: */
	struct extent *seen;
	struct obs *obs;
	double time;
	bool open;              /* the interval has a record */
	size_t n_rows, cap;     /* rows of the interval: more than one where an event came twice */
	int64_t *count;         /* n_rows × events, as counted, running, error */
	unsigned char *counted;
	double *running, *error;
	unsigned char *stain;   /* per event: enum stain */
	bool *unsupported;      /* per event */
	size_t parts;
};

struct reader {
	const char *name, *text, *end;
	bool exact;
	struct err *e;
	struct perf_dialect dialect;
	struct perf_record record;
	struct names events, keys; /* keys: "RUN/GROUP", one for each observation */
	struct group *group;
	size_t groups_cap;
	struct obs_table *table;
	size_t cells;              /* of the table so far */
	bool filling;              /* the second pass */
	/* Where the pass is. */
	size_t line;
	size_t run;
	bool some, timed;          /* the run has records, and with a time */
	double time;
	size_t intervals;          /* of the run */
	struct perf_findings found;
};

static bool
refuse(struct reader *r)
{
	return err_place(r->e, r->name, (int)(r->line > INT32_MAX ? 0 : r->line), 0);
}

static void
new_run(struct reader *r, struct perf_tally *why)
{
	r->run++;
	r->some = r->timed = false;
	r->intervals = 0;
	if (!r->filling)
		perf_findings_count(why, r->line);
}

static struct group *
find_group(struct reader *r)
{
	struct str key = {0};
	size_t at, known = r->keys.n;

	str_addf(&key, "%zu/", r->run);
	str_addn(&key, str_text(&r->record.group), r->record.group.n);
	at = names_add(&r->keys, str_text(&key), key.n);
	str_free(&key);
	if (at < known)
		return &r->group[at];
	mem_grow(&r->group, &r->groups_cap, at + 1, sizeof *r->group);
	r->group[at] = (struct group){.name = mem_strn(str_text(&r->record.group), r->record.group.n), .time = NAN};
	return &r->group[at];
}

static bool
read_value(struct reader *r, struct decimal *d)
{
	const char *event = str_text(&r->record.event);

	switch (decimal_parse(r->record.value, d)) {
	case DECIMAL_GOOD:
		return true;
	case DECIMAL_TOO_LARGE:
		err_set(r->e, "%s is beyond 64 bits: %s", event, r->record.value);
		err_hint(r->e, "counts are below 2^63, all digits behind the point included: such a counter was misread; take its lines out");
		break;
	case DECIMAL_NEGATIVE:
		err_set(r->e, "%s is negative: %s", event, r->record.value);
		err_hint(r->e, "a count cannot fall; take its lines out");
		break;
	case DECIMAL_NAN:
	case DECIMAL_NOT_A_NUMBER:
		err_set(r->e, "%s is no count: \"%s\"", event, r->record.value);
		err_hint(r->e, "perf stat writes a number or <not counted> there");
		break;
	}
	return refuse(r);
}

/* First pass: what is there. */
static bool
survey(struct reader *r)
{
	const struct perf_record *k = &r->record;
	size_t known = r->events.n, at = names_add(&r->events, str_text(&k->event), k->event.n);
	struct group *g = find_group(r);
	struct decimal d;

	if (at == known && r->intervals > 1) {
		perf_findings_count(&r->found.late, r->line);
		names_add(&r->found.late_events, str_text(&k->event), k->event.n);
	}
	if (k->state == PERF_NOT_SUPPORTED)
		names_add(&r->found.unsupported, str_text(&k->event), k->event.n);
	if (k->state != PERF_COUNTED)
		return true;
	if (k->running < 1) {
		r->found.least = r->found.scaled.n ? fmin(r->found.least, k->running) : k->running;
		perf_findings_count(&r->found.scaled, r->line);
		names_add(&r->found.scaled_events, str_text(&k->event), k->event.n);
	}
	if (!isnan(k->variance))
		perf_findings_count(&r->found.mean, r->line);
	if (!read_value(r, &d))
		return false;
	mem_grow(&g->seen, &g->seen_cap, at + 1, sizeof *g->seen);
	while (g->n_seen <= at)
		g->seen[g->n_seen++] = (struct extent){0, 0};
	g->seen[at].largest = fmax(g->seen[at].largest, (double)d.digits * pow(10, -d.decimals));
	if (d.decimals > g->seen[at].decimals)
		g->seen[at].decimals = d.decimals;
	return true;
}

/* The decimals of an observation are those of the event that has most, a clock usually. If another's counts do not fit beside them,
 * that event is left out (its extent says so: -1) and the next one tells. */
static void
choose_decimals(struct reader *r, struct group *g)
{
	for (bool fits = false; !fits;) {
		size_t most = 0;

		for (size_t i = 0; i < g->n_seen; i++)
			if (g->seen[i].decimals > g->seen[most].decimals)
				most = i;
		g->decimals = g->n_seen && g->seen[most].decimals > 0 ? g->seen[most].decimals : 0;
		fits = true;
		for (size_t i = 0; i < g->n_seen && g->decimals > 0 && fits; i++)
			fits = i == most || g->seen[i].decimals < 0 || g->seen[i].largest * pow(10, g->decimals) < 9.2e18;
		if (!fits) {
			g->seen[most].decimals = -1;
			names_add(&r->found.wide, r->events.name[most], strlen(r->events.name[most]));
		}
	}
}

static bool
has_room(struct reader *r, size_t cells)
{
	if (cells <= IMPORT_CELLS_MAX)
		return true;
	err_set(r->e, "%zu events in so many rows are more than %zu million cells", r->events.n, IMPORT_CELLS_MAX >> 20);
	err_hint(r->e, "give runs with different events as files of their own");
	return refuse(r);
}

static bool
add_pending_row(struct reader *r, struct group *g)
{
	size_t n = r->events.n, cap = g->cap;

	if (!has_room(r, (g->n_rows + 1) * n))
		return false;
	if (g->n_rows == cap) {
		g->cap = cap ? 2 * cap : 1;
		g->count = mem_resize(g->count, g->cap * n, sizeof *g->count);
		g->counted = mem_resize(g->counted, g->cap * n, 1);
		g->running = mem_resize(g->running, g->cap * n, sizeof *g->running);
		g->error = mem_resize(g->error, g->cap * n, sizeof *g->error);
	}
	memset(g->counted + g->n_rows * n, 0, n);
	g->n_rows++;
	return true;
}

/* The interval is whole: its rows go into the table. */
static bool
flush(struct reader *r, struct group *g)
{
	size_t n = r->events.n;

	r->cells += g->n_rows * n;
	if (!has_room(r, r->cells))
		return false;
	for (size_t row = 0; row < g->n_rows; row++) {
		size_t first = row * n;

		obs_add_row(g->obs, g->count + first, g->counted + first, g->time);
		for (size_t i = 0; i < n; i++)
			if (g->counted[first + i] && (g->running[first + i] < 1 || g->error[first + i] > 0))
				obs_set_quality(g->obs, i, g->running[first + i], g->error[first + i]);
	}
	g->n_rows = 0;
	g->open = false;
	return true;
}

/* The row of the interval that has no such count yet; under --exact the first, if it has the same. */
static bool
place_count(struct reader *r, struct group *g, size_t at, int64_t count, size_t *cell)
{
	size_t n = r->events.n, row = 0;

	while (row < g->n_rows && g->counted[row * n + at])
		row++;
	if (row > 0) {
		perf_findings_count(&r->found.twice, r->line);
		if (r->exact) {
			g->stain[at] |= g->count[at] != count ? STAIN_TWICE : 0;
			row = 0;
		}
	}
	if (row == g->n_rows && !add_pending_row(r, g))
		return false;
	*cell = row * n + at;
	return true;
}

/* Second pass: one more cell. */
static bool
fill(struct reader *r)
{
	const struct perf_record *k = &r->record;
	struct group *g = find_group(r);
	size_t at = names_find(&r->events, str_text(&k->event), k->event.n), cell;
	struct decimal d;
	int64_t count;

	if (g->open && !isnan(k->time) && g->time != k->time && !flush(r, g))
		return false;
	g->open = true;
	g->time = k->time;
	if (g->n_rows == 0 && !add_pending_row(r, g))
		return false;
	g->parts = k->parts > g->parts ? k->parts : g->parts;
	g->unsupported[at] |= k->state == PERF_NOT_SUPPORTED;
	g->stain[at] |= k->state == PERF_NOT_COUNTED && k->running < 1 ? STAIN_STARVED : 0;
	if (k->state != PERF_COUNTED)
		return true;
	g->stain[at] |= (k->running < 1 ? STAIN_SCALED : 0) | (isnan(k->variance) ? 0 : STAIN_MEAN);
	if (g->seen[at].decimals < 0)
		return true;
	if (!read_value(r, &d))
		return false;
	if (!decimal_scale(&d, g->decimals, &count)) {
		err_set(r->e, "%s does not fit into 64 bits with the %d decimals of this observation", str_text(&k->event), g->decimals);
		err_hint(r->e, "record it in a file of its own");
		return refuse(r);
	}
	if (!place_count(r, g, at, count, &cell))
		return false;
	g->count[cell] = count;
	g->counted[cell] = 1;
	g->running[cell] = k->running;
	/* Without -r there is no spread; with -I -r perf prints nonsense, negative too (seen in 6.1). */
	g->error[cell] = k->variance > 0 && isnan(k->time) ? (double)count * pow(10, -g->decimals) * k->variance : 0;
	if (g->error[cell] > 0)
		g->obs->runs = k->runs;
	return true;
}

/* Which run the record belongs to; false when it is a total of the samples above. */
static bool
place_in_run(struct reader *r)
{
	double t = r->record.time;

	if (isnan(t) && r->timed)
		return false;
	if (!isnan(t) && r->some && (!r->timed || t < r->time))
		new_run(r, &r->found.back);
	if (!isnan(t) && (!r->timed || t != r->time))
		r->intervals++;
	r->timed |= !isnan(t);
	r->time = t;
	r->some = true;
	return true;
}

static bool
take_line(struct reader *r, enum perf_line kind)
{
	switch (kind) {
	case PERF_LINE_RECORD:
		if (place_in_run(r))
			return r->filling ? fill(r) : survey(r);
		perf_findings_count(&r->found.summary, r->line);
		return true;
	case PERF_LINE_METRIC:
		perf_findings_count(&r->found.metric, r->line);
		return true;
	case PERF_LINE_SUMMARY:
		perf_findings_count(&r->found.summary, r->line);
		return true;
	case PERF_LINE_BEGIN:
		if (r->some)
			new_run(r, &r->found.again);
		return true;
	case PERF_LINE_BLOCK:
		if (r->some && !r->timed)
			new_run(r, &r->found.again);
		return true;
	case PERF_LINE_OWN:
		return true;
	case PERF_LINE_FOREIGN:
		perf_findings_count(&r->found.foreign, r->line);
		return true;
	case PERF_LINE_CUT:
		perf_findings_count(&r->found.cut, r->line);
		return true;
	case PERF_LINE_BAD:
		return refuse(r);
	}
	return true;
}

static bool
pass(struct reader *r, bool filling)
{
	const char *q;

	r->filling = filling;
	r->line = 1;
	r->run = 0;
	r->some = r->timed = false;
	r->intervals = 0;
	r->dialect.inside = false;
	for (const char *p = r->text; p < r->end;) {
		q = r->dialect.end(p, r->end);
		if (!take_line(r, r->dialect.read(&r->dialect, p, (size_t)(q - p), q < r->end, &r->record, r->e)))
			return false;
		q += q < r->end && *q == '\n';
		while ((p = memchr(p, '\n', (size_t)(q - p))) && ++p)
			r->line++;
		p = q;
	}
	return true;
}

static bool
refuse_empty(struct reader *r)
{
	if (r->found.metric.n) {
		err_set(r->e, "perf stat wrote derived metrics here, and no counts");
		err_hint(r->e, "run it without --metric-only");
	} else if (r->found.cut.n) {
		err_set(r->e, "the file ends before its first record is whole");
		err_hint(r->e, "is it still being written?");
	} else {
		err_set(r->e, "no line of this is a record of perf stat");
		err_hint(r->e, "counts are needed, as perf stat -x, -j or its table give them without --metric-only; or a wide CSV");
	}
	return err_place(r->e, r->name, 0, 0);
}

static bool
make_table(struct reader *r)
{
	char *base = naming_after_file(r->name);
	size_t n = r->events.n;
	bool good = true;

	r->table = obs_table_new((const char *const *)r->events.name, n);
	for (size_t i = 0; i < r->keys.n && good; i++) {
		struct group *g = &r->group[i];
		char *name = *g->name ? str_format("%s:%s", base, g->name) : mem_str(base);

		good = has_room(r, (i + 1) * n * 2);
		choose_decimals(r, g);
		g->obs = obs_table_add(r->table, name, r->name);
		g->obs->exact = r->exact;
		g->obs->decimals = g->decimals;
		g->stain = mem_new_array(n, 1);
		g->unsupported = mem_new_array(n, sizeof *g->unsupported);
		free(name);
	}
	free(base);
	return good;
}

static void
name_stain(struct reader *r, const struct group *g, size_t column, enum stain stain, const char *why)
{
	struct str s = {0};

	if (g->stain[column] & stain) {
		str_addf(&s, "%s (%s)", r->events.name[column], why);
		names_add(&r->found.stained, str_text(&s), s.n);
		str_free(&s);
	}
}

/* What only the whole observation tells: health, what cannot be exact, how far perf's own reading tears an interval. */
static void
finish_group(struct reader *r, struct group *g)
{
	for (size_t i = 0; i < r->events.n; i++) {
		if (r->exact && g->stain[i]) {
			obs_forget_column(g->obs, i, OBS_ABSENT);
			name_stain(r, g, i, STAIN_SCALED, "scaled up from a part of the time");
			name_stain(r, g, i, STAIN_STARVED, "without a counter for some of the time");
			name_stain(r, g, i, STAIN_MEAN, "a mean of several runs");
			name_stain(r, g, i, STAIN_TWICE, "counted twice with different results");
		}
		if (g->obs->health[i] == OBS_ABSENT && g->unsupported[i])
			g->obs->health[i] = OBS_UNSUPPORTED;
	}
	/* perf reads one counter after the other while the tasks run on, and does not say how many: at least one for each part. */
	if (g->obs->time && !r->exact)
		g->obs->tasks = g->parts ? (double)g->parts : 1;
}

static void
free_reader(struct reader *r)
{
	for (size_t i = 0; i < r->keys.n; i++) {
		struct group *g = &r->group[i];

		free(g->name);
		free(g->seen);
		free(g->count);
		free(g->counted);
		free(g->running);
		free(g->error);
		free(g->stain);
		free(g->unsupported);
	}
	free(r->group);
	names_free(&r->events);
	names_free(&r->keys);
	perf_findings_free(&r->found);
	perf_record_free(&r->record);
}

static bool
read_all(struct reader *r)
{
	struct perf_tally clear = {0, 0};

	if (!pass(r, false))
		return false;
	if (!r->events.n)
		return refuse_empty(r);
	if (!make_table(r))
		return false;
	/* Lines are met again. */
	r->found.foreign = r->found.metric = r->found.summary = r->found.cut = clear;
	if (!pass(r, true))
		return false;
	for (size_t i = 0; i < r->keys.n; i++) {
		if (!flush(r, &r->group[i]))
			return false;
		finish_group(r, &r->group[i]);
	}
	perf_findings_say(&r->found, r->name, r->exact, r->table);
	return true;
}

/* Which of the three; -x comes last, since separators cut everything into fields. */
static bool
find_dialect(const char *text, size_t n, struct perf_dialect *d)
{
	n = n < HEAD ? n : HEAD;
	return perf_json_find(text, n, d) || perf_text_find(text, n, d) || perf_csv_find(text, n, d);
}

bool
perf_stat_is(const char *text, size_t n)
{
	struct perf_dialect d;

	return find_dialect(text, n, &d);
}

struct obs_table *
perf_stat_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct reader r = {.name = name, .text = text, .end = text + n, .exact = exact, .e = e};
	bool good;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		r.text += 3;
	find_dialect(r.text, (size_t)(r.end - r.text), &r.dialect); /* finding none, it leaves one that says what is wrong */
	good = read_all(&r);
	free_reader(&r);
	if (!good) {
		obs_table_free(r.table);
		return NULL;
	}
	return r.table;
}
