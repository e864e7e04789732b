/* perf stat -j: one object per line. perf prints JSON by hand, and gets it wrong differently in each version:
 *
 *   - a comma before the closing brace (6.13)
 *   - a missing opening brace (December 2022)
 *   - numbers as strings (from 6.5), and decimal commas where the locale has them
 *   - "(null)" for nothing (6.1 to 6.11)
 *
 * So this is no JSON parser: it reads pairs of "key" : value and ignores the rest. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "collect/import/perf_record.h"

/* perf prints about twelve pairs. The limit keeps an object that is never closed from being read again from each of its
 * lines */
#define PAIRS_MAX 40

struct walk {
	const char *p, *end;
	bool closed; /* the closing brace has been read */
};

static void
perf_stat_json_skip(struct walk *w, const char *what)
{
	while (w->p < w->end && *w->p && strchr(what, *w->p))
		w->p++;
}

/* Reads a string; backslashes stay in it. Returns false when it is not closed. */
static bool
perf_stat_json_read_string(struct walk *w, struct perf_span *out)
{
	*out = (struct perf_span){++w->p, 0};
	while (w->p < w->end && *w->p != '"' && *w->p != '\n')
		w->p += 1 + (*w->p == '\\' && w->p + 1 < w->end);
	if (w->p >= w->end || *w->p != '"')
		return false;
	out->n = (size_t)(w->p++ - out->p);
	return true;
}

/* Reads a number or word. A comma between digits is a decimal comma, because perf prints a blank after other commas. */
static struct perf_span
perf_stat_json_read_word(struct walk *w)
{
	struct perf_span s = {w->p, 0};

	while (w->p < w->end && !strchr(" \t\r\n}", *w->p) &&
		(*w->p != ',' ||
			(w->p > s.p && w->p + 1 < w->end && isdigit((unsigned char)w->p[-1]) &&
				isdigit((unsigned char)w->p[1]))))
		w->p++;
	s.n = (size_t)(w->p - s.p);
	return s;
}

/* Reads the next pair. Returns false at the end, or without a pair. */
static bool
next_pair(struct walk *walk, struct perf_span *key, struct perf_span *value)
{
	perf_stat_json_skip(walk, " \t\r\n,{[");
	if (walk->p < walk->end && *walk->p == '}') {
		walk->closed = true;
		return false;
	}
	if (walk->p >= walk->end || *walk->p != '"' || !perf_stat_json_read_string(walk, key))
		return false;
	perf_stat_json_skip(walk, " \t\r\n");
	if (walk->p >= walk->end || *walk->p != ':')
		return false;
	walk->p++;
	perf_stat_json_skip(walk, " \t\r\n");
	if (walk->p < walk->end && *walk->p == '"')
		return perf_stat_json_read_string(walk, value);
	*value = perf_stat_json_read_word(walk);
	return value->n > 0;
}

/* Returns the end of the record at p. An object may span lines, as other tools print it. A line that does not begin an
 * object is a record by itself. */
static const char *
object_end(const char *p, const char *end, bool *open)
{
	struct walk w = {.p = p, .end = end};
	struct perf_span key, value;
	size_t pairs = 0;

	/* From a line without any part of an object the search would go on through all that follow. */
	perf_stat_json_skip(&w, " \t\r,[]");
	if (w.p < end && *w.p == '\n') {
		*open = false;
		return w.p;
	}
	while (pairs++ < PAIRS_MAX && next_pair(&w, &key, &value))
		;
	*open = true;
	if (!w.closed) {
		const char *q = perf_line_end(p, end);

		*open = q == end || w.p >= end;
		return q;
	}
	w.p++;
	perf_stat_json_skip(&w, " \t\r,]");
	*open = w.p == end;
	return w.p;
}

struct object {
	struct perf_span value, unit, event, cgroup, group, time, runtime, percent, variance, parts;
	bool cpu;         /* the group is the number of a CPU */
	bool metric;      /* some key is one that only perf's metrics have */
	bool has_value;
};

static void
take_pair(struct object *object, struct perf_span key, struct perf_span value)
{
	static const char *const groups[] = {"socket", "die", "cluster", "cache", "core", "node", "thread"};
	static const char *const known[] = {"metric-value", "metric-unit", "metric-threshold", "metricgroup"};

	if (perf_span_is(value, "(null)"))
		value.n = 0;
	if (perf_span_is(key, "counter-value")) {
		object->value = value;
		object->has_value = true;
	} else if (perf_span_is(key, "unit")) {
		object->unit = value;
	} else if (perf_span_is(key, "event")) {
		object->event = value;
	} else if (perf_span_is(key, "interval")) {
		object->time = value;
	} else if (perf_span_is(key, "cpu")) {
		object->group = value;
		object->cpu = perf_span_is_integer(value);
	} else if (perf_span_is(key, "cgroup")) {
		object->cgroup = value;
	} else if (perf_span_is(key, "event-runtime")) {
		object->runtime = value;
		object->metric = true;
	} else if (perf_span_is(key, "pcnt-running")) {
		object->percent = value;
		object->metric = true;
	} else if (perf_span_is(key, "variance")) {
		object->variance = value;
	} else if (perf_span_is(key, "aggregate-number") || perf_span_is(key, "counters")) {
		object->parts = value;
	}
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (perf_span_is(key, groups[i]))
			object->group = value;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		object->metric |= perf_span_is(key, known[i]);
}

/* Copies a name without its escapes. Names of events need only two: backslash before a quote or another backslash. */
static void
perf_stat_json_add_name(struct str *out, struct perf_span s)
{
	struct str plain = {0}, safe = {0};

	for (size_t i = 0; i < s.n; i++) {
		i += s.p[i] == '\\' && i + 1 < s.n;
		str_addc(&plain, s.p[i]);
	}
	perf_set_name(&safe, str_text(&plain), plain.n);
	str_add(out, str_text(&safe));
	str_free(&plain);
	str_free(&safe);
}

static enum perf_line
perf_stat_json_refuse(struct err *e, const char *key, struct perf_span value)
{
	err_set(e, "\"%s\" is \"%.*s\", which perf stat -j never prints there", key,
		value.n > 40 ? 40 : (int)value.n, value.p);
	err_hint(e, "remove the record, or measure again");
	return PERF_LINE_BAD;
}

static bool
perf_stat_json_take_number(struct perf_span s, double *out)
{
	return s.n == 0 || perf_span_number(s, out);
}

static enum perf_line
perf_stat_json_fill_record(const struct object *object, struct perf_record *record, struct err *e)
{
	double percent = 100, runtime = 1, variance = NAN;

	record->time = NAN;
	if (!perf_stat_json_take_number(object->time, &record->time))
		return perf_stat_json_refuse(e, "interval", object->time);
	if (!perf_stat_json_take_number(object->percent, &percent))
		return perf_stat_json_refuse(e, "pcnt-running", object->percent);
	if (!perf_stat_json_take_number(object->runtime, &runtime))
		return perf_stat_json_refuse(e, "event-runtime", object->runtime);
	if (!perf_stat_json_take_number(object->variance, &variance))
		variance = NAN;
	str_clear(&record->group);
	str_add(&record->group, object->cpu ? "CPU" : "");
	perf_stat_json_add_name(&record->group, object->group);
	if (object->cgroup.n) {
		str_add(&record->group, record->group.n ? ":" : "");
		perf_stat_json_add_name(&record->group, object->cgroup);
	}
	str_clear(&record->event);
	perf_stat_json_add_name(&record->event, object->event);
	perf_add_unit(&record->event, object->unit);
	record->parts = perf_span_is_integer(object->parts) ? perf_span_integer(object->parts) : 0;
	record->running = percent < 100 ? fmax(0, percent / 100) : 1;
	record->above = percent > 100;
	record->nan = perf_span_is(object->value, "nan") || perf_span_is(object->value, "-nan");
	record->variance = variance / 100;
	record->seconds = object->runtime.n && runtime > 0 ? runtime * 1e-9 : 0;
	record->runs = 0;
	record->state = PERF_COUNTED;
	record->value[0] = '\0';
	if (object->value.n == 0 || record->nan)
		record->state = PERF_NOT_COUNTED;
	else if (!perf_span_is_excuse(perf_span_trim(object->value), &record->state) &&
		!perf_span_plain(object->value, false, record->value))
		return perf_stat_json_refuse(e, "counter-value", object->value);
	if (record->state == PERF_COUNTED && runtime == 0)
		record->state = PERF_NOT_COUNTED;
	return PERF_LINE_RECORD;
}

static enum perf_line
read_object(
	struct perf_dialect *dialect, const char *line, size_t n, bool whole, struct perf_record *record, struct err *e)
{
	struct walk w = {.p = line, .end = line + n};
	struct object o = {.cpu = false};
	struct perf_span key, value, text = perf_span_trim((struct perf_span){line, n});
	size_t pairs = 0;

	(void)dialect;
	if (n >= 12 && memcmp(line, "# started on", 12) == 0)
		return PERF_LINE_BEGIN;
	while (text.n && strchr("[],", *text.p)) {
		text.p++;
		text.n--;
	}
	if (text.n == 0 || *text.p == '#' || perf_span_is(text, "{}"))
		return PERF_LINE_OWN;
	while (next_pair(&w, &key, &value)) {
		take_pair(&o, key, value);
		pairs++;
	}
	if (pairs && !w.closed && !whole)
		return PERF_LINE_CUT;
	if (!w.closed || !pairs)
		return whole || *text.p != '{' ? PERF_LINE_FOREIGN : PERF_LINE_CUT;
	if (o.event.n && o.has_value)
		return perf_stat_json_fill_record(&o, record, e);
	return o.metric ? PERF_LINE_METRIC : PERF_LINE_FOREIGN;
}

bool
perf_json_find(const char *text, size_t n, struct perf_dialect *dialect)
{
	const char *end = text + n, *q;
	struct perf_record r = {.running = 0};
	struct err e;
	bool found = false, open;

	*dialect = (struct perf_dialect){.end = object_end, .read = read_object};
	for (const char *p = text; p < end && !found; p = q + (q < end && *q == '\n')) {
		enum perf_line kind;

		q = object_end(p, end, &open);
		kind = read_object(dialect, p, (size_t)(q - p), true, &r, &e);
		found = kind == PERF_LINE_RECORD || kind == PERF_LINE_METRIC || kind == PERF_LINE_BAD;
	}
	perf_record_free(&r);
	return found;
}
