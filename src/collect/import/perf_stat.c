/* Output of perf stat: lines become records (a dialect of perf_record.h), records become observations (perf_sheet.c).
 *
 *     perf 6.1, -x, -I 100      perf_stat_csv.c  ┐
 *     perf -j                   perf_stat_json.c ├► struct perf_record ► perf_sheet.c ► struct obs_table
 *     the table for people      perf_stat_text.c ┘
 *     lines seen before         perf_repeat.c    ► struct perf_count ──┘
 *
 * A file may hold several runs (perf stat --append, or files concatenated by hand). "# started on" begins a run, and so
 * does a time that goes back. Within one run and aggregate, each interval is a row. An event may be counted twice in an
 * interval (two groups of perf, two PMUs of one name). Then a second row with the same time holds only the second
 * counts: these are two samples, neither added up nor overwritten.
 *
 * Exact totals (--exact) cannot hold estimates. Under --exact four kinds of counts are dropped from their observation,
 * with a note: counts that perf scaled up, means of several runs, events that never had a counter, and events that were
 * counted twice with different results. */
#include "collect/import/perf_stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "collect/import/perf_clean.h"
#include "collect/import/perf_repeat.h"
#include "collect/import/perf_sheet.h"
#include "core/obs/obs.h"

#define HEAD 65536 /* bytes from which the format is recognised */

struct reader {
	struct feed *feed;
	const struct import_how *how;
	struct perf_dialect dialect;
	struct perf_record record;
	struct perf_sheet sheet;
	struct perf_repeat repeat; /* known lines, which are read fast */
	bool repeats;              /* `repeat` is in use */
	struct perf_clean clean;
	bool cleaning;             /* each line has a prefix */
	struct str text, next;     /* the current record and the line after it, cleaned */
	size_t heading;            /* line of a table that has not ended; 0: none */
	/* The reader's position. */
	size_t run;
	bool some, timed;          /* the run has records; these have times */
	double time;
	size_t intervals;          /* intervals of the current run */
};

static bool
perf_stat_refuse(struct reader *r)
{
	return err_place(r->sheet.e, r->feed->name, (int)(r->sheet.line > INT32_MAX ? 0 : r->sheet.line), 0);
}

static void
new_run(struct reader *r, struct perf_tally *why)
{
	r->run++;
	r->some = r->timed = false;
	r->intervals = 0;
	perf_repeat_forget(&r->repeat);
	perf_findings_count(why, r->sheet.line);
}

static bool
perf_stat_read_value(struct reader *r, struct decimal *d)
{
	const char *event = str_text(&r->record.event);
	struct err *e = r->sheet.e;

	switch (decimal_parse(r->record.value, d)) {
	case DECIMAL_GOOD:
		return true;
	case DECIMAL_TOO_LARGE:
		err_set(e, "%s is beyond 64 bits: %s", event, r->record.value);
		err_hint(e, "counts must be below 2^63, counting all digits after the decimal point: this counter was "
			"misread; remove its lines");
		break;
	case DECIMAL_NEGATIVE:
		err_set(e, "%s is negative: %s", event, r->record.value);
		err_hint(e, "a count cannot fall; remove its lines");
		break;
	case DECIMAL_NAN:
	case DECIMAL_NOT_A_NUMBER:
		err_set(e, "%s is \"%s\", which is not a count", event, r->record.value);
		err_hint(e, "perf stat writes a number or <not counted> there");
		break;
	}
	return perf_stat_refuse(r);
}

/* Finds the run that a record with this time belongs to. False when the record is a total of the samples above it. */
static bool
place_in_run(struct reader *r, double t)
{
	if (isnan(t) && r->timed)
		return false;
	if (!isnan(t) && r->some && (!r->timed || t < r->time))
		new_run(r, &r->sheet.found.back);
	if (!isnan(t) && (!r->timed || t != r->time))
		r->intervals++;
	r->timed |= !isnan(t);
	r->time = t;
	r->some = true;
	return true;
}

static bool
take_record(struct reader *r, const char *line, size_t n)
{
	const struct perf_record *k = &r->record;
	struct perf_sheet *s = &r->sheet;
	struct perf_count c = {.time = k->time, .state = k->state, .running = k->running, .variance = k->variance,
		.runs = k->runs, .parts = k->parts, .seconds = k->seconds};

	c.event = perf_sheet_event(s, str_text(&k->event), k->event.n, r->intervals > 1);
	c.group = perf_sheet_group(s, r->run, str_text(&k->group), k->group.n);
	if (k->state == PERF_NOT_SUPPORTED)
		names_add(&s->found.unsupported, str_text(&k->event), k->event.n);
	if (k->state == PERF_COUNTED && !perf_stat_read_value(r, &c.value))
		return false;
	if (k->above)
		perf_findings_count(&s->found.above, s->line);
	if (k->nan)
		perf_findings_count(&s->found.nan, s->line);
	if (r->repeats && !k->above && !k->nan && line != str_text(&r->text))
		perf_repeat_learn(&r->repeat, line, n, &r->dialect.places, &c);
	return perf_sheet_add(s, &c);
}

static bool
perf_stat_take_line(struct reader *r, enum perf_line kind, const char *line, size_t n)
{
	struct perf_findings *found = &r->sheet.found;

	switch (kind) {
	case PERF_LINE_RECORD:
		found->lines++;
		if (place_in_run(r, r->record.time))
			return take_record(r, line, n);
		perf_findings_count(&found->summary, r->sheet.line);
		return true;
	case PERF_LINE_METRIC:
		perf_findings_count(&found->metric, r->sheet.line);
		return true;
	case PERF_LINE_SUMMARY:
		perf_findings_count(&found->summary, r->sheet.line);
		return true;
	case PERF_LINE_BEGIN:
		if (r->some)
			new_run(r, &found->again);
		return true;
	case PERF_LINE_BLOCK:
		if (r->heading)
			perf_findings_count(&r->sheet.found.unended, r->heading);
		r->heading = r->sheet.line;
		if (r->some && !r->timed)
			new_run(r, &found->again);
		return true;
	case PERF_LINE_OWN:
		if (fmax(r->dialect.elapsed, r->dialect.busy) > 0)
			perf_sheet_lasted(&r->sheet, r->run, fmax(r->dialect.elapsed, r->dialect.busy));
		if (r->dialect.ended)
			r->heading = 0;
		return true;
	case PERF_LINE_LOST:
		perf_findings_lose(found, r->sheet.line);
		return true;
	case PERF_LINE_FOREIGN:
		perf_findings_count(&found->foreign, r->sheet.line);
		return true;
	case PERF_LINE_CUT:
		perf_findings_count(&found->cut, r->sheet.line);
		r->feed->cut = r->feed->p;
		return true;
	case PERF_LINE_BAD:
		return perf_stat_refuse(r);
	}
	return true;
}

/* Reads as many known lines as possible; nearly all lines are known. False and *e on failure. */
static bool
take_repeats(struct reader *r)
{
	struct feed *f = r->feed;
	struct perf_count c;
	const char *after;

	/* A time that goes back, or a missing one, begins another run. */
	while (r->timed && (after = perf_repeat_read(&r->repeat, f->p, f->end, &c)) && c.time >= r->time) {
		place_in_run(r, c.time);
		if (!perf_sheet_add(&r->sheet, &c))
			return false;
		f->p = after;
		r->sheet.line++;
	}
	return true;
}

/* A record as its dialect reads it. */
struct piece {
	const char *p, *end; /* its text, which may be a cleaned copy */
	const char *after;   /* where it ends in the window, before the newline */
};

/* Returns true when no more text of this line will come. */
static bool
has_arrived(const struct reader *r, bool open)
{
	return !open || (r->feed->over && !r->feed->stopped);
}

/* Takes the text [p, q) without prefix and colours. */
static void
clean_line(const struct reader *r, const char *p, const char *q, struct str *out, struct piece *line)
{
	line->p = p;
	line->end = q;
	if (!r->cleaning && !memchr(p, '\033', (size_t)(q - p)))
		return;
	str_clear(out);
	perf_clean_line(&r->clean, p, (size_t)(q - p), out);
	line->p = str_text(out);
	line->end = line->p + out->n;
}

/* Adds the lines below that belong to the record, because something wrapped it. False when more text must arrive before
 * that can be known. */
static bool
perf_stat_add_wrapped(struct reader *r, struct piece *record)
{
	const struct feed *f = r->feed;
	size_t joined = 0;

	while (r->dialect.goes_on && record->after < f->end) {
		const char *p = record->after + 1, *q = perf_line_end(p, f->end);
		struct piece next;

		if (q == f->end && !f->over)
			return false;
		clean_line(r, p, q, &r->next, &next);
		if (!has_arrived(r, q == f->end) || !r->dialect.goes_on(record->p, (size_t)(record->end - record->p),
				next.p, (size_t)(next.end - next.p)))
			return true;
		if (record->p != str_text(&r->text)) {
			str_clear(&r->text);
			str_addn(&r->text, record->p, (size_t)(record->end - record->p));
		}
		perf_findings_count(*perf_span_trim((struct perf_span){next.p, (size_t)(next.end - next.p)}).p == '#'
				? &r->sheet.found.metric : &r->sheet.found.wrapped, r->sheet.line + ++joined);
		str_addc(&r->text, ' ');
		str_addn(&r->text, next.p, (size_t)(next.end - next.p));
		record->p = str_text(&r->text);
		record->end = record->p + r->text.n;
		record->after = q;
	}
	return true;
}

/* Finds the record at feed->p. False when more text must arrive. */
static bool
find_record(struct reader *r, struct piece *record)
{
	bool open;
	const char *q = r->dialect.end(r->feed->p, r->feed->end, &open);

	if (!has_arrived(r, open))
		return false;
	clean_line(r, r->feed->p, q, &r->text, record);
	record->after = q;
	return perf_stat_add_wrapped(r, record);
}

/* Reads all whole records of the window. */
static bool
read_window(struct reader *r)
{
	struct feed *f = r->feed;

	while (f->p < f->end) {
		struct piece record;
		enum perf_line kind;
		const char *p;
		size_t n;

		if (r->repeats && !take_repeats(r))
			return false;
		if (f->p == f->end)
			break;
		if (!find_record(r, &record))
			return true;
		n = (size_t)(record.end - record.p);
		kind = r->dialect.read(&r->dialect, record.p, n, record.after < f->end, &r->record, r->sheet.e);
		if (!perf_stat_take_line(r, kind, record.p, n))
			return false;
		record.after += record.after < f->end && *record.after == '\n';
		for (p = f->p; (p = memchr(p, '\n', (size_t)(record.after - p))) != NULL; p++)
			r->sheet.line++;
		f->p = record.after;
	}
	return true;
}

static bool
refuse_empty(struct reader *r)
{
	struct err *e = r->sheet.e;

	if (r->sheet.found.metric.n) {
		err_set(e, "this output of perf stat has derived metrics only, and no counts");
		err_hint(e, "run perf stat again, without --metric-only");
	} else if (r->sheet.found.cut.n) {
		err_set(e, "the file ends inside its first record");
		err_hint(e, "is it still being written?");
	} else {
		err_set(e, "no line of this is a record of perf stat");
		err_hint(e, "counts are needed: the output of perf stat -x or -j, or its table, without --metric-only; "
			"or a wide CSV");
	}
	return err_place(e, r->feed->name, 0, 0);
}

static bool
perf_stat_read_all(struct reader *r)
{
	const struct import_drain *d = r->how->drain;

	for (;;) {
		if (!read_window(r))
			return false;
		if (r->feed->over)
			break;
		perf_sheet_settle(&r->sheet);
		if (!feed_more_rows(r->feed, r->how, r->sheet.table, r->sheet.e))
			return false;
	}
	if (r->heading && r->dialect.inside && !r->dialect.ended && !r->feed->stopped)
		perf_findings_count(&r->sheet.found.unended, r->heading);
	if (!r->sheet.events.n)
		return refuse_empty(r);
	if (!d)
		return perf_sheet_finish(&r->sheet);
	/* A stopped import may be continued later, so it is not finished here. */
	return (r->feed->stopped || perf_sheet_finish(&r->sheet)) &&
		d->take(d->ctx, r->sheet.table, r->feed, r->sheet.e);
}

/* Recognises the dialect. -x comes last, because its separators split any text into fields. */
static bool
find_dialect(const char *text, size_t n, struct perf_clean *c, struct perf_dialect *d)
{
	size_t cleaned;
	char *clean;
	bool found;

	n = n < HEAD ? n : HEAD;
	clean = perf_clean_text(text, n, c, &cleaned);
	if (clean) {
		text = clean;
		n = cleaned;
	}
	found = perf_json_find(text, n, d) || perf_text_find(text, n, d) || perf_csv_find(text, n, d);
	free(clean);
	return found;
}

bool
perf_stat_is(const char *text, size_t n)
{
	struct perf_dialect d;
	struct perf_clean c;

	return find_dialect(text, n, &c, &d);
}

struct obs_table *
perf_stat_read_feed(struct feed *f, const struct import_how *how, struct err *e)
{
	struct reader r = {.feed = f, .how = how};
	bool good;

	if (f->end - f->p >= 3 && memcmp(f->p, "\xef\xbb\xbf", 3) == 0)
		f->p += 3;
	/* on failure this leaves a dialect whose errors explain what is wrong */
	find_dialect(f->p, (size_t)(f->end - f->p), &r.clean, &r.dialect);
	r.cleaning = perf_clean_needed(&r.clean);
	perf_sheet_begin(&r.sheet, f->name, how->exact, how->near, e);
	r.sheet.line = 1;
	if (r.cleaning)
		perf_findings_count(&r.sheet.found.prefix, 1);
	r.repeats = !r.cleaning && !how->careful && perf_repeat_begin(&r.repeat, r.dialect.separator);
	good = perf_stat_read_all(&r);
	perf_sheet_free(&r.sheet);
	perf_repeat_free(&r.repeat);
	perf_record_free(&r.record);
	str_free(&r.text);
	str_free(&r.next);
	if (good)
		return r.sheet.table;
	obs_table_free(r.sheet.table);
	return NULL;
}
