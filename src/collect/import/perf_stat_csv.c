/* perf stat -x SEP. A record of perf 3.14 and later is
 *
 *   [time SEP] [aggregate SEP [parts SEP]] value SEP unit SEP event [SEP cgroup] [SEP variance%] SEP run-ns
 *     SEP percent …
 *
 * The run time came with perf 4.1. Before 3.14 there is no unit, or the event is the last field. Fields are not quoted,
 * and an event may contain SEP between its slashes. So fields are tried as the value from left to right. The value must
 * be a number, with a valid prefix before it. An event and the two figures of the run time must follow it. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "collect/import/perf_record.h"

#define FIELDS_MAX 64
#define HEAD_LINES 400 /* the output of the measured program may come first */

#define SHARE_MOST 1000 /* a share above 100 % is wrong, but no reason to lose the count */
#define NAME_MARKS ":/-._" /* characters that names of events contain */

struct fields {
	struct perf_span f[FIELDS_MAX];
	size_t n;
};

static void
perf_stat_csv_split(const char *line, size_t n, const char *sep, struct fields *out)
{
	const char *end = line + n, *from;
	size_t len = strlen(sep);

	while (n && isspace((unsigned char)*line) && *line != *sep)
		n--, line++;
	while (line < end && *line == ' ') /* perf aligns times with blanks, whatever the separator */
		line++;
	out->n = 0;
	for (from = line; out->n + 1 < FIELDS_MAX; from = line) {
		while (line < end &&
			(*line != *sep || (size_t)(end - line) < len || (len > 1 && memcmp(line, sep, len) != 0)))
			line++;
		if (line == end)
			break;
		out->f[out->n++] = (struct perf_span){from, (size_t)(line - from)};
		line += len;
	}
	out->f[out->n++] = (struct perf_span){from, (size_t)(end - from)};
}

/* Returns the text from the beginning of field a to the end of field b, separators included. */
static struct perf_span
perf_stat_csv_join(const struct fields *s, size_t a, size_t b)
{
	return (struct perf_span){s->f[a].p, (size_t)(s->f[b].p + s->f[b].n - s->f[a].p)};
}

static bool
is_value(struct perf_span s)
{
	char plain[PERF_VALUE_MAX];
	enum perf_state state;

	s = perf_span_trim(s);
	return perf_span_is_excuse(s, &state) || perf_span_is(s, "nan") || perf_span_is(s, "-nan") ||
		perf_span_is(s, "inf") || perf_span_plain(s, false, plain);
}

static bool
is_unit(struct perf_span s)
{
	char plain[PERF_VALUE_MAX];

	return s.n == 0 ||
		(s.n <= 24 && *s.p != '<' && *s.p != '/' && (perf_span_has_letter(s) || perf_span_is(s, "%")) &&
			!perf_span_plain(s, false, plain));
}

static bool
is_percent(struct perf_span s)
{
	double v;

	return s.n && isdigit((unsigned char)*s.p) && perf_span_number(s, &v) && v < SHARE_MOST;
}

static bool
is_variance(struct perf_span s)
{
	double v;

	return s.n > 1 && s.p[s.n - 1] == '%' && perf_span_number((struct perf_span){s.p, s.n - 1}, &v);
}

/* True for seconds with a fraction. A count there has no fraction. */
static bool
perf_stat_csv_is_time(struct perf_span s)
{
	double v;

	return (memchr(s.p, '.', s.n) || memchr(s.p, ',', s.n)) && s.n && isdigit((unsigned char)*s.p) &&
		perf_span_number(s, &v);
}

static bool
is_summary(struct perf_span s)
{
	return perf_span_is(perf_span_trim(s), "summary") || perf_span_is(perf_span_trim(s), "SUMMARY");
}

struct prefix {
	bool time, summary;
	size_t from, to; /* fields of the aggregate; from == to: none */
	size_t parts;
};

/* Parses fields 0 to v - 1. An aggregate contains a letter: CPU0, S0-D0, N0, comm-tid. */
static bool
read_prefix(const struct fields *fields, size_t v, struct prefix *prefix)
{
	*prefix = (struct prefix){.from = 0, .to = v};
	if (v && perf_stat_csv_is_time(fields->f[0]))
		prefix->time = true;
	else if (v && is_summary(fields->f[0]))
		prefix->summary = true;
	prefix->from = prefix->time || prefix->summary;
	if (prefix->to - prefix->from > 1 && perf_span_is_integer(fields->f[v - 1])) {
		prefix->parts = perf_span_integer(fields->f[v - 1]);
		prefix->to--;
	}
	if (prefix->from == prefix->to)
		return true;
	return perf_span_has_letter(perf_stat_csv_join(fields, prefix->from, prefix->to - 1)) &&
		*fields->f[prefix->from].p != '<' && !is_value(fields->f[prefix->from]);
}

struct shape {
	struct prefix prefix;
	size_t value, event, cgroup; /* indices of fields; cgroup and variance are 0 when missing */
	size_t event_end;            /* last field of the event */
	size_t variance, run;        /* indices of fields; run is 0 without a run time (before 4.1) */
};

static size_t
count_slashes(struct perf_span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '/';
	return n;
}

/* Finds the end of the event among the fields from `event` to `last`, and what follows it. Separators that occur in
 * names belong to the event. */
static bool
perf_stat_csv_read_event(const struct fields *fields, const char *sep, size_t last, struct shape *shape)
{
	shape->event_end = shape->event;
	if (last > shape->event && is_variance(fields->f[last]))
		shape->variance = last--;
	if (strpbrk(sep, NAME_MARKS)) {
		shape->event_end = last;
	} else {
		while (count_slashes(perf_stat_csv_join(fields, shape->event, shape->event_end)) % 2 &&
			shape->event_end < last && perf_span_is_event(fields->f[shape->event_end + 1]))
			shape->event_end++;
	}
	if (shape->event_end < last)
		shape->cgroup = shape->event_end + 1;
	return shape->event_end + 1 >= last;
}

/* Parses an event that begins at field `at`: followed by a run time, or as the last field. */
static bool
read_tail(const struct fields *fields, const char *sep, size_t at, struct shape *shape)
{
	if (at >= fields->n || !perf_span_is_event(fields->f[at]))
		return false;
	shape->event = at;
	for (size_t r = at + 1; r + 1 < fields->n; r++)
		if (perf_span_is_integer(fields->f[r]) && is_percent(fields->f[r + 1])) {
			shape->run = r;
			if (!perf_stat_csv_read_event(fields, sep, r - 1, shape))
				return false;
			/* the place that perf-stat(1) documents */
			if (!shape->variance && r + 2 < fields->n && is_variance(fields->f[r + 2]))
				shape->variance = r + 2;
			return true;
		}
	return false;
}

/* Parses a record without a run time. Only the name shows that it is one: no blanks in it, nothing after it. */
static bool
read_old_tail(const struct fields *s, const char *sep, size_t at, struct shape *h)
{
	if (at >= s->n || !perf_span_is_event(s->f[at]) || memchr(s->f[at].p, ' ', s->f[at].n))
		return false;
	h->event = at;
	return perf_stat_csv_read_event(s, sep, s->n - 1, h) && !h->cgroup &&
		(h->event_end == at || !strpbrk(sep, NAME_MARKS));
}

static bool
find_shape(const struct fields *fields, const char *sep, struct shape *shape)
{
	for (size_t v = 0; v + 1 < fields->n; v++) {
		if (!is_value(fields->f[v]))
			continue;
		*shape = (struct shape){.value = v};
		if (read_prefix(fields, v, &shape->prefix) && is_unit(fields->f[v + 1]) &&
			read_tail(fields, sep, v + 2, shape))
			return true;
	}
	for (size_t v = 0; v + 1 < fields->n; v++) {
		if (!is_value(fields->f[v]))
			continue;
		*shape = (struct shape){.value = v};
		if (read_prefix(fields, v, &shape->prefix) &&
			((is_unit(fields->f[v + 1]) && read_old_tail(fields, sep, v + 2, shape)) ||
				read_old_tail(fields, sep, v + 1, shape)))
			return true;
	}
	return false;
}

/* Returns true when all fields between time or aggregate and the metric's name are empty or figures. */
static bool
is_metric(const struct fields *fields)
{
	for (size_t p = 0; p < 4 && p + 3 < fields->n; p++) {
		struct prefix prefix;
		size_t i = p;

		if (fields->f[p].n != 0 || !read_prefix(fields, p, &prefix))
			continue;
		while (i < fields->n && (fields->f[i].n == 0 || is_value(fields->f[i])))
			i++;
		if (i >= p + 3)
			return true;
	}
	return false;
}

/* True for "743092,100,00": decimal commas of the locale, and commas between the fields. Value, unit and event come
 * before as usual. */
static bool
has_decimal_commas(const struct fields *fields)
{
	for (size_t i = 3; i + 2 < fields->n; i++) {
		size_t event = i - 1;

		if (!perf_span_is_integer(fields->f[i]) || !perf_span_is_integer(fields->f[i + 1]) ||
			!perf_span_is_integer(fields->f[i + 2]) || fields->f[i + 2].n != 2 ||
			perf_span_integer(fields->f[i + 1]) > 100)
			continue;
		if (is_variance(fields->f[event]) && event >= 4)
			event -= 2;
		if (perf_span_is_event(fields->f[event]) && is_unit(fields->f[event - 1]) &&
			is_value(fields->f[event - 2]))
			return true;
	}
	return false;
}

/* Sets the share of time on a counter. */
static void
set_share(struct perf_span percent, struct perf_record *r)
{
	double v;
	bool known = perf_span_number(percent, &v);

	r->running = known && v < 100 ? v / 100 : 1;
	r->above = known && v > 100;
}

static void
set_group(const struct fields *fields, const struct shape *shape, struct perf_record *record)
{
	const struct prefix *prefix = &shape->prefix;
	struct perf_span a = {"", 0}, c = {"", 0};

	str_clear(&record->group);
	if (prefix->from < prefix->to)
		a = perf_span_trim(perf_stat_csv_join(fields, prefix->from, prefix->to - 1));
	perf_set_name(&record->group, a.p, a.n);
	if (shape->cgroup)
		c = perf_span_trim(fields->f[shape->cgroup]);
	if (c.n) {
		struct str name = {0};

		perf_set_name(&name, c.p, c.n);
		str_addf(&record->group, "%s%s", a.n ? ":" : "", str_text(&name));
		str_free(&name);
	}
}

static struct perf_places
places_of(const struct fields *s, const struct shape *h)
{
	struct perf_places p = {.value = s->f[h->value]};

	if (h->prefix.time)
		p.time = s->f[0];
	if (h->run) {
		p.run = s->f[h->run];
		p.percent = s->f[h->run + 1];
	}
	return p;
}

static enum perf_line
perf_stat_csv_fill_record(
	const struct fields *fields, const struct shape *shape, struct perf_record *record, struct err *e)
{
	struct perf_span value = perf_span_trim(fields->f[shape->value]),
		event = perf_span_trim(perf_stat_csv_join(fields, shape->event, shape->event_end));

	record->time = NAN;
	if (shape->prefix.time)
		perf_span_number(fields->f[0], &record->time);
	record->parts = shape->prefix.parts;
	set_group(fields, shape, record);
	perf_set_name(&record->event, event.p, event.n);
	if (shape->event > shape->value + 1) /* before 3.14 there is no unit */
		perf_add_unit(&record->event, fields->f[shape->value + 1]);
	record->running = 1;
	record->above = record->nan = false;
	record->variance = NAN;
	record->runs = 0;
	record->seconds = 0;
	if (shape->run) {
		record->seconds = (double)perf_span_integer(fields->f[shape->run]) * 1e-9;
		set_share(fields->f[shape->run + 1], record);
	}
	if (shape->variance &&
		perf_span_number((struct perf_span){fields->f[shape->variance].p, fields->f[shape->variance].n - 1},
			&record->variance))
		record->variance /= 100;
	record->state = PERF_COUNTED;
	if (perf_span_is_excuse(value, &record->state)) {
		record->value[0] = '\0';
	} else if (perf_span_is(value, "nan") || perf_span_is(value, "-nan")) {
		record->state = PERF_NOT_COUNTED;
		record->nan = true;
	} else if (!perf_span_plain(value, false, record->value)) {
		err_set(e, "%s is \"%.*s\", which is not a count", str_text(&record->event), (int)value.n, value.p);
		err_hint(e, "remove the line, or measure again");
		return PERF_LINE_BAD;
	} else if (shape->run && perf_span_integer(fields->f[shape->run]) == 0) {
		record->state = PERF_NOT_COUNTED;
	}
	return shape->prefix.summary ? PERF_LINE_SUMMARY : PERF_LINE_RECORD;
}

/* Returns true when the record may be cut off: no newline follows, and nothing after its percentage. */
static bool
is_cut(const struct fields *s, const struct shape *h, bool whole)
{
	return !whole && (!h->run || h->run + 2 >= s->n);
}

static const char common[] = ",;\t|:"; /* separators that people choose */

/* True for records that nothing else looks like: with a run time, or with a word in the place of the count. */
static bool
is_strong(const struct fields *s, const struct shape *h)
{
	enum perf_state state;

	return h->run || perf_span_is_excuse(perf_span_trim(s->f[h->value]), &state);
}

/* Returns true when the line is a record with another separator than the ones before. */
static bool
has_other_separator(const struct perf_dialect *dialect, const char *line, size_t n)
{
	for (const char *c = common; *c; c++) {
		const char sep[] = {*c, '\0'};
		struct fields s;
		struct shape h;

		if (str_eq(dialect->separator, sep))
			continue;
		perf_stat_csv_split(line, n, sep, &s);
		if (s.n > 1 && find_shape(&s, sep, &h) && is_strong(&s, &h))
			return true;
	}
	return false;
}

static enum perf_line
perf_stat_csv_read_line(
	struct perf_dialect *dialect, const char *line, size_t n, bool whole, struct perf_record *record, struct err *e)
{
	struct fields s;
	struct shape h;

	if (n && line[n - 1] == '\r')
		n--;
	if (n >= 12 && memcmp(line, "# started on", 12) == 0)
		return whole ? PERF_LINE_BEGIN : PERF_LINE_OWN;
	if (perf_span_trim((struct perf_span){line, n}).n == 0 || *line == '#')
		return PERF_LINE_OWN;
	if (memchr(line, '\0', n))
		return PERF_LINE_FOREIGN;
	perf_stat_csv_split(line, n, dialect->separator, &s);
	if (s.n > 2 && str_eq(dialect->separator, ",") && has_decimal_commas(&s)) {
		err_set(e, "numbers have decimal commas, and commas also separate the fields");
		err_hint(e, "run perf stat again with LC_ALL=C, or with -x ';'");
		return PERF_LINE_BAD;
	}
	if (s.n < 2 || !find_shape(&s, dialect->separator, &h)) {
		if (!whole)
			return PERF_LINE_CUT;
		if (is_metric(&s))
			return PERF_LINE_METRIC;
		return has_other_separator(dialect, line, n) ? PERF_LINE_LOST : PERF_LINE_FOREIGN;
	}
	dialect->places = places_of(&s, &h);
	return is_cut(&s, &h, whole) ? PERF_LINE_CUT : perf_stat_csv_fill_record(&s, &h, record, e);
}

/* Returns how many of the first lines are records with this separator. `weak`: the first line also counts without a run
 * time. */
static size_t
count_records(const char *text, size_t n, const char *sep, bool weak)
{
	const char *p = text, *end = text + n, *q;
	size_t records = 0;
	bool first = weak;

	for (int lines = 0; p < end && lines < HEAD_LINES; p = q + 1, lines++) {
		struct fields s;
		struct shape h;

		q = perf_line_end(p, end);
		if (q == p || *p == '#' || memchr(p, '\0', (size_t)(q - p)))
			continue;
		perf_stat_csv_split(p, (size_t)(q - p) - (q[-1] == '\r'), sep, &s);
		if (s.n < 2) {
			first = false;
			continue;
		}
		if ((find_shape(&s, sep, &h) && (first || is_strong(&s, &h))) ||
			(str_eq(sep, ",") && has_decimal_commas(&s)))
			records++;
		first = false;
	}
	return records;
}

/* Finds a separator of several characters: the text between the run time and its percentage, which has two decimals. */
static bool
find_long_separator(const char *line, size_t n, char sep[PERF_SEPARATOR_MAX])
{
	for (size_t i = 0; i + 3 < n; i++) {
		size_t from = i, to;

		if (!isdigit((unsigned char)line[i]))
			continue;
		for (from = i + 1; from < n && isdigit((unsigned char)line[from]);)
			from++;
		for (to = from; to < n && !isalnum((unsigned char)line[to]) && to - from < PERF_SEPARATOR_MAX - 1;)
			to++;
		if (to - from > 1 && to < n && isdigit((unsigned char)line[to])) {
			memcpy(sep, line + from, to - from);
			sep[to - from] = '\0';
			return true;
		}
		i = from;
	}
	return false;
}

static void
try_separator(const char *text, size_t n, const char *sep, bool weak, size_t *best, struct perf_dialect *d)
{
	size_t records = count_records(text, n, sep, weak);

	if (records > *best) {
		*best = records;
		memcpy(d->separator, sep, strlen(sep) + 1);
	}
}

static void
try_long_separators(const char *text, size_t n, size_t *best, struct perf_dialect *dialect)
{
	const char *end = text + n, *q;
	int lines = 0;

	for (const char *p = text; p < end && !*best && lines < HEAD_LINES; p = q + 1, lines++) {
		char sep[PERF_SEPARATOR_MAX];

		q = perf_line_end(p, end);
		if (find_long_separator(p, (size_t)(q - p), sep))
			try_separator(text, n, sep, false, best, dialect);
	}
}

/* Looks for records with a run time first, with any separator; then for records of old versions, with common separators
 * only. */
bool
perf_csv_find(const char *text, size_t n, struct perf_dialect *dialect)
{
	size_t best = 0;

	*dialect = (struct perf_dialect){
		.end = perf_line_end_or_open, .read = perf_stat_csv_read_line, .separator = ","};
	for (const char *c = common; *c; c++)
		try_separator(text, n, (char[]){*c, '\0'}, false, &best, dialect);
	if (!best)
		try_long_separators(text, n, &best, dialect);
	for (char c = ' '; c < 0x7f && !best; c++)
		if (!isdigit((unsigned char)c) && !strchr("\"<>.+-%", c) && memchr(text, c, n))
			try_separator(text, n, (char[]){c, '\0'}, false, &best, dialect);
	for (const char *c = common; *c && !best; c++)
		try_separator(text, n, (char[]){*c, '\0'}, true, &best, dialect);
	return best > 0;
}
