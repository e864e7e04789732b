/* perf stat's table for people.
 *
 *    [time] [aggregate [parts]]   value [unit] event [cgroup]   [# metric]  [( +- 0.68% )]  [(33.33%)]
 *
 * A program's own output in the same stream may look like this ("12 files copied"). So a line counts only between the
 * heading of a table and the time elapsed, or after a time with nine decimals, as -I prints it. Digits are grouped as
 * in the locale. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "collect/import/perf_record.h"
#include "event/unit.h"

#define WORDS_MAX 24
#define UNIT_MAX 16

struct words {
	struct perf_span w[WORDS_MAX];
	size_t n;
};

static const char *
perf_stat_text_find(struct perf_span s, const char *what)
{
	return memmem(s.p, s.n, what, strlen(what));
}

/* Returns true when the word is three digits, which may be followed by decimals. */
static bool
is_group(struct perf_span w)
{
	size_t n = 0;

	while (n < w.n && isdigit((unsigned char)w.p[n]))
		n++;
	return n == 3 &&
		(w.n == 3 || ((w.p[3] == '.' || w.p[3] == ',') &&
			perf_span_is_integer((struct perf_span){w.p + 4, w.n - 4})));
}

/* Puts "976 160 248" together: a number whose groups of three digits have a blank between them. Numbers of two columns
 * have more blanks between them, or a letter. */
static void
join_groups(struct words *words)
{
	size_t to = 0;

	for (size_t i = 0; i < words->n; i++) {
		struct perf_span *last = &words->w[to ? to - 1 : 0];
		bool first = to && last->n <= 3 && perf_span_is_integer(*last);

		if (to && (first || (memchr(last->p, ' ', last->n) && isdigit((unsigned char)*last->p))) &&
			words->w[i].p == last->p + last->n + 1 && is_group(words->w[i]))
			last->n = (size_t)(words->w[i].p + words->w[i].n - last->p);
		else
			words->w[to++] = words->w[i];
	}
	words->n = to;
}

/* Splits a line into words up to the first '#' or bracket of the trailing figures; "<not counted>" is one word. */
static void
split_words(struct perf_span s, struct words *out)
{
	const char *end = s.p + s.n;

	out->n = 0;
	for (const char *p = s.p; out->n < WORDS_MAX;) {
		const char *from;

		while (p < end && *p == ' ')
			p++;
		from = p;
		if (p == end || *p == '#' || (*p == '(' && (p + 1 == end || !isalpha((unsigned char)p[1]))) ||
			(*p == '[' && (p + 1 == end || !isalpha((unsigned char)p[1]))))
			return;
		if (*p == '<' && memchr(p, '>', (size_t)(end - p)))
			p = (const char *)memchr(p, '>', (size_t)(end - p)) + 1;
		while (p < end && *p != ' ')
			p++;
		out->w[out->n++] = (struct perf_span){from, (size_t)(p - from)};
	}
}

static void
perf_stat_text_split(struct perf_span s, struct words *out)
{
	split_words(s, out);
	join_groups(out);
}

/* True for a number with nine decimals. */
static bool
perf_stat_text_is_time(struct perf_span s)
{
	size_t digits = 0;
	double v;

	while (digits < s.n && isdigit((unsigned char)s.p[s.n - 1 - digits]))
		digits++;
	return digits == 9 && s.n > 10 && strchr(".,", s.p[s.n - 10]) && perf_span_number(s, &v);
}

static bool
is_value(struct perf_span s)
{
	char plain[PERF_VALUE_MAX];
	enum perf_state state;

	return perf_span_is_excuse(s, &state) || perf_span_plain(s, true, plain);
}

struct shape {
	bool time;
	struct perf_span group;
	size_t parts;
	struct perf_span value, unit, event, cgroup;
};

/* Parses words `from` to v - 1: CPU0, S0-D0-C0 or comm-tid (a comm may contain blanks), then the number of parts. */
static bool
perf_stat_text_read_group(const struct words *w, size_t from, size_t v, struct shape *h)
{
	h->parts = 0;
	h->group = (struct perf_span){"", 0};
	if (v - from > 1 && perf_span_is_integer(w->w[v - 1]))
		h->parts = perf_span_integer(w->w[--v]);
	if (from == v)
		return true;
	h->group = (struct perf_span){w->w[from].p, (size_t)(w->w[v - 1].p + w->w[v - 1].n - w->w[from].p)};
	return perf_span_has_letter(h->group) && isdigit((unsigned char)h->group.p[h->group.n - 1]);
}

/* Copies a unit; "" if it is too long to be one. */
static void
copy_unit(struct perf_span s, char unit[UNIT_MAX])
{
	if (s.n >= UNIT_MAX)
		s.n = 0;
	memcpy(unit, s.p, s.n);
	unit[s.n] = '\0';
}

static bool
is_known_unit(struct perf_span s)
{
	char unit[UNIT_MAX];

	copy_unit(s, unit);
	return *event_unit_family(unit) != '\0';
}

/* True for units of time that perf prints with decimals. It prints ns without. */
static bool
is_clock(struct perf_span s)
{
	char unit[UNIT_MAX];

	copy_unit(s, unit);
	return str_eq(event_unit_family(unit), "time") && event_unit_size(unit) > 1;
}

/* Parses the words after the value. A unit follows after one blank, an event after more. A known unit may have been
 * moved by an editor. Old versions print neither units nor that blank, and write "task-clock (msec)".
 * "data_reads [uncore_imc_0]" has its PMU. */
static bool
perf_stat_text_read_event(const struct words *words, size_t v, struct shape *shape)
{
	size_t at = v + 1;

	shape->unit = (struct perf_span){"", 0};
	if (words->n - at > 1 && !strchr("([", *words->w[at + 1].p) &&
		(words->w[at].p == shape->value.p + shape->value.n + 1 || is_known_unit(words->w[at])))
		shape->unit = words->w[at++];
	if (at >= words->n || !perf_span_is_event(words->w[at]))
		return false;
	shape->event = words->w[at++];
	if (at < words->n && *words->w[at].p == '[') {
		shape->event.n = (size_t)(words->w[at].p + words->w[at].n - shape->event.p);
		at++;
	}
	shape->cgroup = (struct perf_span){"", 0};
	if (at < words->n && *words->w[at].p != '(') {
		shape->cgroup = words->w[at++];
	} else if (at < words->n) {
		if (words->w[at].n > 2 && words->w[at].p[words->w[at].n - 1] == ')')
			shape->unit = (struct perf_span){words->w[at].p + 1, words->w[at].n - 2};
		at++;
	}
	return at == words->n;
}

static bool
find_shape(struct perf_span line, struct shape *shape)
{
	struct words w;
	size_t from;

	perf_stat_text_split(line, &w);
	shape->time = w.n > 0 && perf_stat_text_is_time(w.w[0]);
	from = shape->time;
	for (size_t v = from; v + 1 < w.n; v++) {
		if (!is_value(w.w[v]))
			continue;
		shape->value = w.w[v];
		if (perf_stat_text_read_group(&w, from, v, shape) && perf_stat_text_read_event(&w, v, shape))
			return true;
	}
	return false;
}

/* Returns the number before a '%' at p. */
static double
percent_before(struct perf_span line, const char *p)
{
	const char *from = p;
	double v;

	while (from > line.p && (isdigit((unsigned char)from[-1]) || strchr(".,-", from[-1])))
		from--;
	return perf_span_number((struct perf_span){from, (size_t)(p - from)}, &v) ? v : NAN;
}

/* Finds "(83.40%)" or "[83.40%]", the share of time on a counter. */
static bool
find_share(struct perf_span line, double *percent)
{
	const char *end = line.p + line.n;

	for (const char *p = line.p; (p = memchr(p, '%', (size_t)(end - p))); p++) {
		const char *from = p;

		while (from > line.p && (isdigit((unsigned char)from[-1]) || strchr(".,-", from[-1])))
			from--;
		if (p + 1 == end || !strchr(")]", p[1]) || from == p)
			continue;
		while (from > line.p && from[-1] == ' ')
			from--;
		*percent = percent_before(line, p);
		if (from > line.p && strchr("([", from[-1]))
			return true;
	}
	return false;
}

/* The share in "( +-  0.43% )": the standard error of a mean. NAN: it is none. */
static double
spread_of(struct perf_span line)
{
	const char *spread = perf_stat_text_find(line, "+-");
	const char *sign = spread ? memchr(spread, '%', (size_t)(line.p + line.n - spread)) : NULL;

	return sign ? percent_before(line, sign) / 100 : NAN;
}

static void
read_figures(struct perf_span line, struct perf_record *record)
{
	double v;

	record->running = 1;
	record->above = record->nan = false;
	record->variance = spread_of(line);
	if (find_share(line, &v)) {
		record->running = v < 100 && v >= 0 ? v / 100 : 1;
		record->above = v > 100;
	}
}

/* Returns the decimal point of the locale, as the derived figures after the '#' show it: "0,998" or "57,98%". 0: they
 * do not show it. */
static char
point_of(struct perf_span line)
{
	const char *p = perf_stat_text_find(line, "# "), *end = line.p + line.n;
	char mark = 0;
	size_t before = 0, after = 0;

	for (p = p ? p + 1 : end; p < end && *p == ' ';)
		p++;
	for (; p < end && (isdigit((unsigned char)*p) || (!mark && before && strchr(".,", *p))); p++) {
		if (!isdigit((unsigned char)*p))
			mark = *p;
		else if (mark)
			after++;
		else
			before += *p == '0' ? 1 : 2;
	}
	/* "1,234" may be a group; "0,123" and "12,34" are not */
	return mark && after && (after != 3 || before == 1) ? mark : 0;
}

/* Reads a clock whose only mark is followed by three digits: "12,345 msec". perf prints no such clock, but editors and
 * other tools do. The derived figures show which mark is the point; without them, *e says that nothing does. */
static enum perf_line
read_clock(struct perf_span line, const struct shape *shape, struct perf_record *record, struct err *e)
{
	const char *mark = shape->value.n > 4 ? shape->value.p + shape->value.n - 4 : NULL;
	char point = point_of(line);
	struct perf_span before;

	if (record->state != PERF_COUNTED || !is_clock(shape->unit) || !mark || (*mark != '.' && *mark != ','))
		return PERF_LINE_RECORD;
	before = (struct perf_span){shape->value.p, (size_t)(mark - shape->value.p)};
	if (!perf_span_is_integer(before) || before.n > 3)
		return PERF_LINE_RECORD;
	if (!point) {
		err_set(e, "%.*s msec has three digits after its only mark: a fraction, or a thousand times as large?",
			 (int)shape->value.n, shape->value.p);
		err_hint(e, "write the number without marks, or with the decimals that perf prints");
		return PERF_LINE_BAD;
	}
	if (*mark == point)
		perf_span_plain(shape->value, false, record->value);
	return PERF_LINE_RECORD;
}

static enum perf_line
perf_stat_text_fill_record(
	struct perf_span line, const struct shape *shape, double runs, struct perf_record *record, struct err *e)
{
	record->time = NAN;
	if (shape->time) {
		struct words w;

		perf_stat_text_split(line, &w);
		perf_span_number(w.w[0], &record->time);
	}
	record->parts = shape->parts;
	perf_set_name(&record->group, shape->group.p, shape->group.n);
	if (shape->cgroup.n) {
		struct str name = {0};

		perf_set_name(&name, shape->cgroup.p, shape->cgroup.n);
		str_addf(&record->group, "%s%s", record->group.n ? ":" : "", str_text(&name));
		str_free(&name);
	}
	perf_set_name(&record->event, shape->event.p, shape->event.n);
	perf_add_unit(&record->event, shape->unit);
	record->state = PERF_COUNTED;
	record->value[0] = '\0';
	if (!perf_span_is_excuse(shape->value, &record->state))
		perf_span_plain(shape->value, true, record->value);
	read_figures(line, record);
	record->seconds = 0;
	record->runs = runs;
	if (runs > 0 && isnan(record->variance)) /* perf omits the spread of a mean that rounds to 0 */
		record->variance = 0;
	return read_clock(line, shape, record, e);
}

/* Takes over what a line below the table says of the duration: "1.002 seconds time elapsed", "0.9 seconds user". */
static void
read_duration(struct perf_dialect *dialect, struct perf_span line)
{
	size_t n = 0;
	double v, spread = spread_of(line);

	while (n < line.n && line.p[n] != ' ')
		n++;
	if (!perf_span_number((struct perf_span){line.p, n}, &v) || !(v > 0))
		return;
	if (perf_stat_text_find(line, "seconds time elapsed")) {
		dialect->elapsed = v;
		dialect->elapsed_error = isnan(spread) ? 0 : v * (spread + PERF_SPREAD_GRAIN);
	} else if (perf_stat_text_find(line, "seconds user") || perf_stat_text_find(line, "seconds sys"))
		dialect->busy += v;
}

/* True for the lines below a table: times, and advice about counters that did not count. */
static bool
is_below_table(struct perf_span line)
{
	static const char *const words[] = {"seconds time elapsed", "seconds user", "seconds sys",
		"events weren't counted", "kernel/nmi_watchdog", "have to be from the same PMU"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (perf_stat_text_find(line, words[i]))
			return true;
	return perf_span_is(line, "perf stat ...");
}

/* Returns the 3 of "Performance counter stats for 'x' (3 runs):"; 0 without it. */
static double
runs_of(struct perf_span heading)
{
	const char *end = perf_stat_text_find(heading, " runs):"), *begin = end;
	double runs = 0;

	while (begin && begin > heading.p && isdigit((unsigned char)begin[-1]))
		begin--;
	if (begin)
		perf_span_number((struct perf_span){begin, (size_t)(end - begin)}, &runs);
	return runs;
}

/* True for a line of a table that begins like a count. */
static bool
holds_number(struct perf_span s)
{
	struct words w;

	perf_stat_text_split(s, &w);
	return w.n > 1 && isdigit((unsigned char)*w.w[0].p);
}

static enum perf_line
perf_stat_text_read_line(
	struct perf_dialect *dialect, const char *line, size_t n, bool whole, struct perf_record *record, struct err *e)
{
	struct perf_span s = perf_span_trim((struct perf_span){line, n});
	struct shape h;

	if (s.n >= 12 && memcmp(s.p, "# started on", 12) == 0) {
		dialect->inside = false;
		return PERF_LINE_BEGIN;
	}
	if (perf_stat_text_find(s, "Performance counter stats for")) {
		dialect->inside = true;
		dialect->ended = false;
		dialect->runs = runs_of(s);
		dialect->elapsed = dialect->elapsed_error = dialect->busy = 0;
		return PERF_LINE_BLOCK;
	}
	if (is_below_table(s)) {
		dialect->ended |= perf_stat_text_find(s, "time elapsed") != NULL;
		dialect->inside = dialect->inside && !dialect->ended;
		read_duration(dialect, s);
		return PERF_LINE_OWN;
	}
	if (s.n && *s.p == '#')
		return dialect->inside ? PERF_LINE_METRIC : PERF_LINE_OWN;
	if (s.n == 0)
		return PERF_LINE_OWN;
	if (memchr(s.p, '\0', s.n))
		return PERF_LINE_FOREIGN;
	if (find_shape(s, &h) && (h.time || dialect->inside))
		return whole ? perf_stat_text_fill_record(s, &h, dialect->inside ? dialect->runs : 0, record, e)
			     : PERF_LINE_CUT;
	if (!whole)
		return PERF_LINE_CUT;
	if (dialect->inside && holds_number(s))
		return PERF_LINE_LOST;
	return dialect->inside && perf_stat_text_find(s, " # ") ? PERF_LINE_METRIC : PERF_LINE_FOREIGN;
}

/* True for what may follow a record on a line of its own: its shares and spreads, or a further derived figure. */
static bool
is_trailer(struct perf_span s)
{
	struct words w;
	bool bracket = s.n && (*s.p == '(' || *s.p == '[') && strchr(")]", s.p[s.n - 1]);

	if (s.n && (*s.p == '#' || (bracket && memchr(s.p, '%', s.n))))
		return true;
	split_words(s, &w); /* -I prints the time before further figures, too */
	return w.n == 1 && perf_stat_text_is_time(w.w[0]) && w.w[0].n < s.n;
}

static bool
perf_stat_text_goes_on(const char *line, size_t n, const char *next, size_t n_next)
{
	struct perf_span s = perf_span_trim((struct perf_span){line, n}),
		t = perf_span_trim((struct perf_span){next, n_next});
	struct words w;
	struct shape h;

	if (!s.n || !t.n)
		return false;
	if (perf_stat_text_find(s, "Performance counter stats for")) /* the command may be long */
		return s.p[s.n - 1] != ':' && !is_value(t) && !find_shape(t, &h);
	if (!find_shape(s, &h)) {
		perf_stat_text_split(s, &w); /* the count stands alone, and its event below it */
		return w.n == 1 && s.n == w.w[0].n && is_value(s) && perf_span_is_event(t) && !is_below_table(t);
	}
	if (is_trailer(t))
		return true;
	/* words of a derived figure: "# 2.886 CPUs" and "utilized" below it */
	return !is_below_table(t) && perf_stat_text_find(s, "# ") && !perf_stat_text_find(t, "# ") &&
		!perf_stat_text_find(t, "Performance counter stats for") &&
		(isalpha((unsigned char)*t.p) || *t.p == '%' || *t.p == '/') && !find_shape(t, &h);
}

bool
perf_text_find(const char *text, size_t n, struct perf_dialect *dialect)
{
	const char *end = text + n, *q;
	struct perf_record r = {.running = 0};
	struct err e;
	bool found = false;

	*dialect = (struct perf_dialect){
		.end = perf_line_end_or_open, .read = perf_stat_text_read_line, .goes_on = perf_stat_text_goes_on};
	for (const char *p = text; p < end && !found; p = q + 1) {
		enum perf_line kind;

		q = perf_line_end(p, end);
		kind = perf_stat_text_read_line(dialect, p, (size_t)(q - p), q < end, &r, &e);
		found = kind == PERF_LINE_RECORD || kind == PERF_LINE_BLOCK;
	}
	dialect->inside = false;
	perf_record_free(&r);
	return found;
}
