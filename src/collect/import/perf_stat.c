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
perf_stat_read_value(struct reader *reader, struct decimal *decimal)
{
	const char *event = str_text(&reader->record.event);
	struct err *e = reader->sheet.e;

	switch (decimal_parse(reader->record.value, decimal)) {
	case DECIMAL_GOOD:
		return true;
	case DECIMAL_TOO_LARGE:
		err_set(e, "%s is beyond 64 bits: %s", event, reader->record.value);
		err_hint(e, "counts must be below 2^63, counting all digits after the decimal point: this counter was "
			"misread; remove its lines");
		break;
	case DECIMAL_NEGATIVE:
		err_set(e, "%s is negative: %s", event, reader->record.value);
		err_hint(e, "a count cannot fall; remove its lines");
		break;
	case DECIMAL_NAN:
	case DECIMAL_NOT_A_NUMBER:
		err_set(e, "%s is \"%s\", which is not a count", event, reader->record.value);
		err_hint(e, "perf stat writes a number or <not counted> there");
		break;
	}
	return perf_stat_refuse(reader);
}

/* Finds the run that a record with this time belongs to. Returns false when the record is a total of the samples above
 * it. */
static bool
place_in_run(struct reader *reader, double t)
{
	if (isnan(t) && reader->timed)
		return false;
	if (!isnan(t) && reader->some && (!reader->timed || t < reader->time))
		new_run(reader, &reader->sheet.found.back);
	if (!isnan(t) && (!reader->timed || t != reader->time))
		reader->intervals++;
	reader->timed |= !isnan(t);
	reader->time = t;
	reader->some = true;
	return true;
}

static bool
take_record(struct reader *reader, const char *line, size_t n)
{
	const struct perf_record *record = &reader->record;
	struct perf_sheet *sheet = &reader->sheet;
	struct perf_count c = {.time = record->time,
		.state = record->state,
		.running = record->running,
		.variance = record->variance,
		.runs = record->runs,
		.parts = record->parts,
		.seconds = record->seconds};

	c.event = perf_sheet_event(sheet, str_text(&record->event), record->event.n, reader->intervals > 1);
	c.group = perf_sheet_group(sheet, reader->run, str_text(&record->group), record->group.n);
	if (record->state == PERF_NOT_SUPPORTED)
		names_add(&sheet->found.unsupported, str_text(&record->event), record->event.n);
	if (record->state == PERF_COUNTED && !perf_stat_read_value(reader, &c.value))
		return false;
	if (record->above)
		perf_findings_count(&sheet->found.above, sheet->line);
	if (record->nan)
		perf_findings_count(&sheet->found.nan, sheet->line);
	if (reader->repeats && !record->above && !record->nan && line != str_text(&reader->text))
		perf_repeat_learn(&reader->repeat, line, n, &reader->dialect.places, &c);
	return perf_sheet_add(sheet, &c);
}

static bool
perf_stat_take_line(struct reader *reader, enum perf_line kind, const char *line, size_t n)
{
	struct perf_findings *found = &reader->sheet.found;

	switch (kind) {
	case PERF_LINE_RECORD:
		found->lines++;
		if (place_in_run(reader, reader->record.time))
			return take_record(reader, line, n);
		perf_findings_count(&found->summary, reader->sheet.line);
		return true;
	case PERF_LINE_METRIC:
		perf_findings_count(&found->metric, reader->sheet.line);
		return true;
	case PERF_LINE_SUMMARY:
		perf_findings_count(&found->summary, reader->sheet.line);
		return true;
	case PERF_LINE_BEGIN:
		if (reader->some)
			new_run(reader, &found->again);
		return true;
	case PERF_LINE_BLOCK:
		if (reader->heading)
			perf_findings_count(&reader->sheet.found.unended, reader->heading);
		reader->heading = reader->sheet.line;
		if (reader->some && !reader->timed)
			new_run(reader, &found->again);
		return true;
	case PERF_LINE_OWN:
		if (fmax(reader->dialect.elapsed, reader->dialect.busy) > 0)
			perf_sheet_lasted(&reader->sheet, reader->run, &reader->dialect);
		if (reader->dialect.ended)
			reader->heading = 0;
		return true;
	case PERF_LINE_LOST:
		perf_findings_lose(found, reader->sheet.line);
		return true;
	case PERF_LINE_FOREIGN:
		perf_findings_count(&found->foreign, reader->sheet.line);
		return true;
	case PERF_LINE_CUT:
		perf_findings_count(&found->cut, reader->sheet.line);
		reader->feed->cut = reader->feed->p;
		return true;
	case PERF_LINE_BAD:
		return perf_stat_refuse(reader);
	}
	return true;
}

/* Reads as many known lines as possible; nearly all lines are known. On failure returns false and sets *e. */
static bool
take_repeats(struct reader *reader)
{
	struct feed *feed = reader->feed;
	struct perf_count c;
	const char *after;

	/* A time that goes back, or a missing one, begins another run. */
	while (reader->timed && (after = perf_repeat_read(&reader->repeat, feed->p, feed->end, &c)) &&
		c.time >= reader->time) {
		place_in_run(reader, c.time);
		if (!perf_sheet_add(&reader->sheet, &c))
			return false;
		feed->p = after;
		reader->sheet.line++;
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

/* Adds the lines below that belong to the record, because something wrapped it. Returns false when more text must
 * arrive before that can be known. */
static bool
perf_stat_add_wrapped(struct reader *reader, struct piece *record)
{
	const struct feed *f = reader->feed;
	size_t joined = 0;

	while (reader->dialect.goes_on && record->after < f->end) {
		const char *p = record->after + 1, *q = perf_line_end(p, f->end);
		struct piece next;

		if (q == f->end && !f->over)
			return false;
		clean_line(reader, p, q, &reader->next, &next);
		if (!has_arrived(reader, q == f->end) ||
			!reader->dialect.goes_on(
				record->p, (size_t)(record->end - record->p), next.p, (size_t)(next.end - next.p)))
			return true;
		if (record->p != str_text(&reader->text)) {
			str_clear(&reader->text);
			str_addn(&reader->text, record->p, (size_t)(record->end - record->p));
		}
		perf_findings_count(*perf_span_trim((struct perf_span){next.p, (size_t)(next.end - next.p)}).p == '#'
				? &reader->sheet.found.metric
				: &reader->sheet.found.wrapped,
			reader->sheet.line + ++joined);
		str_addc(&reader->text, ' ');
		str_addn(&reader->text, next.p, (size_t)(next.end - next.p));
		record->p = str_text(&reader->text);
		record->end = record->p + reader->text.n;
		record->after = q;
	}
	return true;
}

/* Finds the record at feed->p. Returns false when more text must arrive. */
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
read_window(struct reader *reader)
{
	struct feed *feed = reader->feed;

	while (feed->p < feed->end) {
		struct piece record;
		enum perf_line kind;
		const char *p;
		size_t n;

		if (reader->repeats && !take_repeats(reader))
			return false;
		if (feed->p == feed->end)
			break;
		if (!find_record(reader, &record))
			return true;
		n = (size_t)(record.end - record.p);
		kind = reader->dialect.read(
			&reader->dialect, record.p, n, record.after < feed->end, &reader->record, reader->sheet.e);
		if (!perf_stat_take_line(reader, kind, record.p, n))
			return false;
		record.after += record.after < feed->end && *record.after == '\n';
		for (p = feed->p; (p = memchr(p, '\n', (size_t)(record.after - p))) != NULL; p++)
			reader->sheet.line++;
		feed->p = record.after;
	}
	return true;
}

static bool
refuse_empty(struct reader *reader)
{
	struct err *e = reader->sheet.e;

	if (reader->sheet.found.metric.n) {
		err_set(e, "this output of perf stat has derived metrics only, and no counts");
		err_hint(e, "run perf stat again, without --metric-only");
	} else if (reader->sheet.found.cut.n) {
		err_set(e, "the file ends inside its first record");
		err_hint(e, "is it still being written?");
	} else {
		err_set(e, "no line of this is a record of perf stat");
		err_hint(e, "counts are needed: the output of perf stat -x or -j, or its table, without --metric-only; "
			"or a wide CSV");
	}
	return err_place(e, reader->feed->name, 0, 0);
}

static bool
perf_stat_read_all(struct reader *reader)
{
	const struct import_drain *drain = reader->how->drain;

	for (;;) {
		if (!read_window(reader))
			return false;
		if (reader->feed->over)
			break;
		perf_sheet_settle(&reader->sheet);
		if (!feed_more_rows(reader->feed, reader->how, reader->sheet.table, reader->sheet.e))
			return false;
	}
	if (reader->heading && reader->dialect.inside && !reader->dialect.ended && !reader->feed->stopped)
		perf_findings_count(&reader->sheet.found.unended, reader->heading);
	if (!reader->sheet.events.n)
		return refuse_empty(reader);
	if (!drain)
		return perf_sheet_finish(&reader->sheet);
	/* A stopped import may be continued later, so it is not finished here. */
	return (reader->feed->stopped || perf_sheet_finish(&reader->sheet)) &&
		drain->take(drain->ctx, reader->sheet.table, reader->feed, reader->sheet.e);
}

/* Recognises the dialect. -x comes last, because its separators split any text into fields. */
static bool
find_dialect(const char *text, size_t n, struct perf_clean *perf_clean, struct perf_dialect *dialect)
{
	size_t cleaned;
	char *clean;
	bool found;

	n = n < HEAD ? n : HEAD;
	clean = perf_clean_text(text, n, perf_clean, &cleaned);
	if (clean) {
		text = clean;
		n = cleaned;
	}
	found = perf_json_find(text, n, dialect) || perf_text_find(text, n, dialect) || perf_csv_find(text, n, dialect);
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
perf_stat_read_feed(struct feed *feed, const struct import_how *how, struct err *e)
{
	struct reader r = {.feed = feed, .how = how};
	bool good;

	if (feed->end - feed->p >= 3 && memcmp(feed->p, "\xef\xbb\xbf", 3) == 0)
		feed->p += 3;
	/* on failure this leaves a dialect whose errors explain what is wrong */
	find_dialect(feed->p, (size_t)(feed->end - feed->p), &r.clean, &r.dialect);
	r.cleaning = perf_clean_needed(&r.clean);
	perf_sheet_begin(&r.sheet, feed->name, how->exact, how->near, e);
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
