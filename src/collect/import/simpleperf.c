/* What Android's simpleperf stat prints: with --csv
 *
 *	Performance counter statistics,
 *	3284788,cpu-cycles,1.613172,GHz,(57%),
 *	2142312,instructions:u,1.533,cycles per instruction,(100%),
 *	Total test time,1.000123,seconds,
 *
 * and for people the same with "Performance counter statistics:" above, blanks between, and '#' before what is derived.
 * Counts may have commas between thousands, in both. With --per-thread or --per-core, a line such as
 * "# thread_name,pid,tid,cpu,count,event_name,…" says which columns come before the count. The share is that of the
 * time for which the event had a counter.
 *
 * Source: simpleperf/cmd_stat.cpp and cmd_stat_impl.h of the Android Open Source Project (ShowText, ShowCSV). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define GROUP 3 /* digits between two commas of a number */

struct simpleperf {
	struct tool_text t;
	bool csv;
	bool inside;       /* below a title, and above the total time */
	size_t run;        /* titles so far */
	const char
		*total; /* the next line of a total time; the end of the text if there is none; NULL: not looked for */
	double seconds;    /* the total time, which stands below the counts; NAN: not said */
	size_t thread, tid, cpu, count; /* columns before the count, as a line of titles says; SIZE_MAX: none */
};

/* Returns whether a cell is a number, or a piece of one with commas. Clocks are in ms: "12.5(ms)". */
static bool
simpleperf_is_number(struct tool_cell c)
{
	if (c.n > 4 && memcmp(c.s + c.n - 4, "(ms)", 4) == 0)
		c.n -= 4;
	for (size_t i = 0; i < c.n; i++)
		if (!isdigit((unsigned char)c.s[i]) && c.s[i] != '.' && c.s[i] != ',')
			return false;
	return c.n && isdigit((unsigned char)*c.s);
}

static size_t
find_title(const struct tool_text *t, const char *title)
{
	size_t i = tool_cell_find(t, title);

	return i < t->n_cells ? i : SIZE_MAX;
}

/* Reads a line of titles, "# thread_name,pid,tid,count,event_name,…". */
static void
take_titles(struct simpleperf *simpleperf)
{
	struct tool_text *text = &simpleperf->t;

	if (*text->cell[0].s == '#') {
		text->cell[0].s++;
		text->cell[0].n--;
		while (text->cell[0].n && *text->cell[0].s == ' ')
			text->cell[0].s++, text->cell[0].n--;
	}
	if (!text->cell[0].n)
		memmove(text->cell, text->cell + 1, --text->n_cells * sizeof *text->cell);
	if (find_title(text, "count") == SIZE_MAX)
		return;
	simpleperf->count = find_title(text, "count");
	simpleperf->thread = find_title(text, "thread_name");
	simpleperf->tid = find_title(text, "tid");
	simpleperf->cpu = find_title(text, "cpu");
}

/* Adds the digits and points of a cell. */
static void
add_digits(struct str *number, struct tool_cell c)
{
	for (size_t i = 0; i < c.n; i++)
		if (isdigit((unsigned char)c.s[i]) || c.s[i] == '.')
			str_addc(number, c.s[i]);
}

/* Returns whether cell i goes on with the number that began at `from`: three digits, and perhaps a fraction. */
static bool
simpleperf_goes_on(const struct tool_text *t, size_t from, size_t i)
{
	struct tool_cell c = tool_cell_at(t, i);
	size_t digits = 0;

	while (digits < c.n && isdigit((unsigned char)c.s[digits]))
		digits++;
	return i > from && t->cell[from].n <= GROUP && digits == GROUP && simpleperf_is_number(c) &&
		!memchr(c.s, ',', c.n) && !memchr(t->cell[i - 1].s, '.', t->cell[i - 1].n);
}

/* Joins the cells of a number that has commas between thousands. Returns the cell after it; `from` if there is no
 * number there. */
static size_t
join_number(const struct tool_text *t, size_t from, struct str *number)
{
	size_t i = from;

	str_clear(number);
	if (!simpleperf_is_number(tool_cell_at(t, i)))
		return from;
	do
		add_digits(number, t->cell[i++]);
	while (simpleperf_goes_on(t, from, i));
	return i;
}

/* The share "(57%)" at the end of the line; 1 without one. */
static double
simpleperf_share_of(const struct tool_text *text)
{
	for (size_t i = text->n_cells; i-- > 0;) {
		struct tool_cell c = text->cell[i];
		double v;

		if (c.n < 4 || *c.s != '(' || memcmp(c.s + c.n - 2, "%)", 2))
			continue;
		v = tool_cell_number((struct tool_cell){c.s + 1, c.n - 3});
		return v >= 0 && v <= 100 ? v / 100 : 1;
	}
	return 1;
}

/* Names the thread and the CPU of a row. */
static void
name_owner(const struct simpleperf *simpleperf, struct str *owner)
{
	const struct tool_text *text = &simpleperf->t;
	struct tool_cell thread = tool_cell_at(text, simpleperf->thread), tid = tool_cell_at(text, simpleperf->tid),
		cpu = tool_cell_at(text, simpleperf->cpu);

	if (thread.n)
		str_addn(owner, thread.s, thread.n);
	if (tid.n)
		str_addf(owner, "-%.*s", (int)tid.n, tid.s);
	if (cpu.n)
		str_addf(owner, "%sCPU%.*s", owner->n ? ":" : "", (int)cpu.n, cpu.s);
}

static bool
simpleperf_add_count(struct simpleperf *simpleperf, const char *number, struct tool_cell event, size_t at)
{
	struct tool_text *text = &simpleperf->t;
	struct tool_cell shown = tool_cell_at(text, at);
	struct str owner = {0}, name = {0};
	struct tool_count c = {
		.run = simpleperf->run, .time = simpleperf->seconds, .running = simpleperf_share_of(text)};
	struct decimal value;
	bool good = tool_cell_value((struct tool_cell){number, strlen(number)}, &value) == TOOL_COUNTED;

	name_owner(simpleperf, &owner);
	c.owner = str_text(&owner);
	str_addn(&name, event.s, event.n);
	if (shown.n && shown.s[shown.n - 1] == ')')
		str_add(&name, " (msec)");
	c.event = str_text(&name);
	c.event_n = name.n;
	good = good ? tool_text_add(text, &c, c.running > 0 ? &value : NULL) :
		tool_text_fail(text, at, "this is not a count below 2^63", "this counter was misread: remove its line");
	str_free(&owner);
	str_free(&name);
	return good;
}

static bool
simpleperf_take_row(struct simpleperf *simpleperf)
{
	struct tool_text *text = &simpleperf->t;
	size_t first = simpleperf->count == SIZE_MAX ? 0 : simpleperf->count, at, n = strcspn(text->line_start, "\r\n");
	struct str number = {0};
	struct tool_cell event;
	bool good = true;

	at = join_number(text, first, &number);
	event = tool_cell_at(text, at);
	if (at == first || !event.n || *event.s == '#' || *event.s == '(')
		tool_text_leave(text, "the line is no count of simpleperf", text->line_start, n < 40 ? n : 40);
	else
		good = simpleperf_add_count(simpleperf, str_text(&number), event, first);
	str_free(&number);
	return good;
}

/* Looks for "Total test time,1.000123,seconds," or "Total test time: 1.000123 seconds." below the current line. */
static double
find_seconds(struct simpleperf *simpleperf)
{
	static const char total[] = "Total test time";
	const struct tool_text *text = &simpleperf->t;
	const char *p, *end;

	if (!simpleperf->total || simpleperf->total < text->p) {
		p = memmem(text->p, (size_t)(text->end - text->p), total, sizeof total - 1);
		simpleperf->total = p ? p : text->end;
	}
	p = simpleperf->total;
	if (p == text->end)
		return NAN;
	p += sizeof total - 1;
	while (p < text->end && (*p == ':' || *p == ',' || *p == ' '))
		p++;
	for (end = p; end < text->end && (isdigit((unsigned char)*end) || *end == '.');)
		end++;
	return tool_cell_number((struct tool_cell){p, (size_t)(end - p)});
}

static bool
simpleperf_take_line(struct simpleperf *simpleperf)
{
	struct tool_text *text = &simpleperf->t;

	if (tool_cell_starts(text, 0, "Performance counter statistics")) {
		simpleperf->csv = text->n_cells > 1;
		simpleperf->inside = true;
		simpleperf->run++;
		simpleperf->seconds = find_seconds(simpleperf);
		simpleperf->thread = simpleperf->tid = simpleperf->cpu = simpleperf->count = SIZE_MAX;
		return true;
	}
	if (tool_cell_starts(text, 0, "Total test time")) {
		simpleperf->inside = false;
		return true;
	}
	if (!simpleperf->inside)
		return true;
	if (!simpleperf->csv)
		tool_text_cut_words(text);
	if (*text->cell[0].s == '#' || tool_cell_find(text, "event_name") < text->n_cells) {
		take_titles(simpleperf);
		return true;
	}
	if (tool_text_is_cut(text)) {
		tool_text_leave_cut(text);
		return true;
	}
	return simpleperf_take_row(simpleperf);
}

struct obs_table *
simpleperf_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct simpleperf l = {0};
	struct obs_table *table = NULL;
	bool good = tool_text_begin(&l.t, name, text, n, exact, e);

	while (good && tool_text_next(&l.t))
		good = simpleperf_take_line(&l);
	if (good)
		table = tool_text_finish(&l.t, TOOL_ZEROS, "no line of this output of simpleperf holds a count",
			"did the device support the events? simpleperf list shows those that it has");
	tool_text_free(&l.t);
	return table;
}
