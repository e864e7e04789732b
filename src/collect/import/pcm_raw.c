/* Counts that pcm-raw writes with -csv. It has two layouts, a row for each event (-tr):
 *
 *	2021-09-27,00:07:40.507,UNC_M_CAS_COUNT.RD,1000,2102078418,37565,33584,0,0
 *	date       time         event              ms   TSC        counts of the units
 *
 * and a column for each event and unit, with two headers:
 *
 *	,,INST_RETIRED_ANY,INST_RETIRED_ANY,UNC_M_CAS_COUNT.RD
 *	Date,Time,SKT0CORE0,SKT0CORE1,SKT0CHAN0
 *	2021-09-27,00:07:40.507,1000,2100,37565
 *
 * With -sh there is one header, "Date,Time,SKT0CORE0_INST_RETIRED_ANY". An event of several units gets a column for
 * each, EVENT@S0-T0, or EVENT@0 where units have no names; together they are the event (docs/data.md, "Which column
 * stands for which counter").
 *
 * In the first layout each row has the time at which it was printed, so the rows of one interval may differ by some
 * milliseconds. They belong together while they are closer than half an interval.
 *
 * Source: pcm-raw.cpp of intel/pcm (printRowBegin, printTransposed, print, and printDateForCSV of utils.cpp). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define ROW_EVENT 2
#define ROW_MS 3
#define ROW_TSC 4
#define ROW_UNITS 5
#define NS_OF_A_MS 1000000
#define MS_MOST 1e9          /* eleven days */

struct pcm_raw {
	struct tool_text t;
	bool begun;        /* there was a row */
	int64_t origin;    /* the beginning of its interval, or its end where that is unknown; ns since 1970 */
	int64_t now, end;  /* of the interval: its time, and the time from which on a row belongs to another one */
	struct names events; /* of the first layout */
	size_t *units, cap_units; /* events.n: the number of their counts */
	char **column;     /* of the second: n_columns, "EVENT@UNIT"; NULL: no count */
	size_t n_columns, cap_columns;
};

static size_t
cells_in_use(const struct tool_text *t)
{
	size_t n = t->n_cells;

	return n && !t->cell[n - 1].n ? n - 1 : n; /* pcm-raw ends its lines with a comma */
}

static bool
pcm_raw_add(struct pcm_raw *r, const char *event, size_t cell)
{
	struct tool_count c = {.owner = "", .event = event, .event_n = strlen(event),
		.time = (double)(r->now - r->origin) / 1e9};

	c.run = tool_text_run(&r->t, c.time);
	return tool_text_count(&r->t, &c, cell);
}

static bool
fail_cut(struct pcm_raw *r)
{
	struct tool_text *t = &r->t;

	if (tool_text_is_cut(t)) {
		tool_text_leave_cut(t);
		return true;
	}
	return tool_text_fail(t, 0, "this line is no row of pcm-raw: a date, a time and counts are expected",
		"import the file as pcm-raw -csv wrote it");
}

/* Returns whether the event has as many counts as in its rows before. */
static bool
check_units(struct pcm_raw *r, struct tool_cell event, size_t n)
{
	struct tool_text *t = &r->t;
	size_t had = r->events.n, i = names_add(&r->events, event.s, event.n);

	mem_grow(&r->units, &r->cap_units, i + 1, sizeof *r->units);
	if (i == had)
		r->units[i] = n;
	return r->units[i] == n || tool_text_fail(t, ROW_EVENT,
		"the event has another number of counts than in its rows before",
		"was the file cut off, or are two recordings in it?");
}

/* Reads a row of the first layout. */
static bool
pcm_raw_take_event(struct pcm_raw *raw)
{
	struct tool_text *text = &raw->t;
	double ms = tool_cell_number(tool_cell_at(text, ROW_MS));
	size_t n = cells_in_use(text);
	struct str name = {0};
	bool good = true;
	int64_t at;

	if (!tool_cell_clock(text->cell[0], tool_cell_at(text, 1), &at) || !(ms >= 0 && ms < MS_MOST) ||
		n <= ROW_UNITS || !text->cell[ROW_EVENT].n || tool_text_is_cut(text))
		return fail_cut(raw);
	if (!check_units(raw, text->cell[ROW_EVENT], n))
		return false;
	if (!raw->begun)
		raw->origin = at - (int64_t)ms * NS_OF_A_MS;
	if (!raw->begun || at < raw->now || at >= raw->end) {
		raw->now = at;
		raw->end = at + (ms > 0 ? (int64_t)ms : 2) * NS_OF_A_MS / 2;
	}
	raw->begun = true;
	for (size_t i = ROW_UNITS; i < n && good; i++) {
		str_clear(&name);
		str_addn(&name, text->cell[ROW_EVENT].s, text->cell[ROW_EVENT].n);
		if (n > ROW_UNITS + 1)
			str_addf(&name, "@%zu", i - ROW_UNITS);
		good = pcm_raw_add(raw, str_text(&name), i);
	}
	str_free(&name);
	return good;
}

/* Adds the owner that a unit is, as docs/command-line.md ("Owners") names it: SKT0CORE1 is S0-T1, SKT1CHAN2 is
 * S1-channel2. pcm's number of a core is that of the CPU. */
static void
add_owner(struct str *to, struct tool_cell unit)
{
	static const struct { const char *unit, *owner; } name[] = {
		{"CORE", "T"}, {"CHAN", "channel"}, {"CBO", "slice"}, {"CHA", "slice"}, {"C", "slice"}};
	size_t socket = 3, number;

	if (unit.n < 4 || memcmp(unit.s, "SKT", 3) || !isdigit((unsigned char)unit.s[socket])) {
		str_addn(to, unit.s, unit.n);
		return;
	}
	while (socket < unit.n && isdigit((unsigned char)unit.s[socket]))
		socket++;
	str_addf(to, "S%.*s", (int)(socket - 3), unit.s + 3);
	for (number = socket; number < unit.n && isalpha((unsigned char)unit.s[number]);)
		number++;
	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		if (strlen(name[i].unit) == number - socket &&
			memcmp(name[i].unit, unit.s + socket, number - socket) == 0) {
			str_addf(to, "-%s%.*s", name[i].owner, (int)(unit.n - number), unit.s + number);
			return;
		}
	if (socket < unit.n)
		str_addf(to, "-%.*s", (int)(unit.n - socket), unit.s + socket);
}

/* Returns the column of an event and a unit; the unit may be empty. */
static char *
column_name(struct tool_cell event, struct tool_cell unit)
{
	struct str s = {0};

	str_addn(&s, event.s, event.n);
	if (unit.n) {
		str_addc(&s, '@');
		add_owner(&s, unit);
	}
	return str_take(&s);
}

/* Makes the columns of the second layout from its two headers. */
static bool
take_headers(struct pcm_raw *raw)
{
	struct tool_text *text = &raw->t;
	size_t n = text->n_cells;
	struct str *event = mem_new_array(n, sizeof *event);
	bool good;

	for (size_t i = 0; i < n; i++)
		str_addn(&event[i], text->cell[i].s, text->cell[i].n);
	good = tool_text_next(text) && text->n_cells == n;
	if (!good)
		tool_text_fail(text, SIZE_MAX,
			"the two headers of this output of pcm-raw have different numbers of cells",
			"was the file cut off?");
	for (size_t i = 0; i < n && good; i++) {
		bool count = i >= 2 && text->cell[i].n && event[i].n;

		mem_grow(&raw->column, &raw->cap_columns, i + 1, sizeof *raw->column);
		raw->column[raw->n_columns++] = !count ? NULL :
			column_name((struct tool_cell){str_text(&event[i]), event[i].n}, text->cell[i]);
	}
	for (size_t i = 0; i < n; i++)
		str_free(&event[i]);
	free(event);
	return good;
}

/* Finds the unit in the title of a single header (-sh): "SKT0CORE1_EVENT", or "EVENT SKT0CORE1". Returns the rest. */
static struct tool_cell
split_title(struct tool_cell title, struct tool_cell *unit)
{
	const char *end = title.s + title.n, *p = memmem(title.s, title.n, "SKT", 3), *q = p;

	*unit = (struct tool_cell){"", 0};
	if (!p)
		return title;
	while (q < end && isalnum((unsigned char)*q))
		q++;
	*unit = (struct tool_cell){p, (size_t)(q - p)};
	if (p == title.s && q < end)
		return (struct tool_cell){q + 1, (size_t)(end - q - 1)};
	return (struct tool_cell){title.s, p > title.s ? (size_t)(p - title.s - 1) : 0};
}

/* Makes the columns of the second layout from a single header. */
static bool
pcm_raw_take_header(struct pcm_raw *raw)
{
	struct tool_text *text = &raw->t;

	for (size_t i = 0; i < text->n_cells; i++) {
		struct tool_cell unit, event = split_title(text->cell[i], &unit);

		mem_grow(&raw->column, &raw->cap_columns, i + 1, sizeof *raw->column);
		raw->column[raw->n_columns++] = i < 2 || !event.n ? NULL :
			column_name(event, unit);
	}
	return true;
}

static bool
take_interval(struct pcm_raw *raw)
{
	struct tool_text *text = &raw->t;
	bool good = true;
	int64_t at;

	if (!tool_cell_clock(text->cell[0], tool_cell_at(text, 1), &at) || cells_in_use(text) > raw->n_columns ||
		text->n_cells + 1 < raw->n_columns ||
		tool_text_is_cut(text))
		return fail_cut(raw);
	if (!raw->begun)
		raw->origin = at;
	raw->begun = true;
	raw->now = at;
	for (size_t i = 2; i < raw->n_columns && good; i++)
		good = !raw->column[i] || pcm_raw_add(raw, raw->column[i], i);
	return good;
}

struct obs_table *
pcm_raw_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct pcm_raw r = {0};
	struct tool_text *tool_text = &r.t;
	struct obs_table *table = NULL;
	bool good = tool_text_begin(tool_text, name, text, n, exact, e), wide = false;

	while (good && tool_text_next(tool_text)) {
		bool two;

		if (tool_text->line == 1 && tool_text->n_cells < 3)
			tool_text_cut(tool_text, tool_text->separator = ';');
		two = !tool_text->cell[0].n && !tool_cell_at(tool_text, 1).n;

		if (two || tool_cell_is(tool_text, 0, "Date")) {
			good = !wide && (two ? take_headers(&r) : pcm_raw_take_header(&r));
			if (wide)
				tool_text_fail(tool_text, 0, "another header begins here",
					"import each table from a file of its own");
			wide = true;
		} else {
			good = wide ? take_interval(&r) : pcm_raw_take_event(&r);
		}
	}
	if (good)
		table = tool_text_finish(tool_text, TOOL_ZEROS, "no row of this output of pcm-raw holds a count",
			"is the file still being written?");
	for (size_t i = 0; i < r.n_columns; i++)
		free(r.column[i]);
	free(r.column);
	free(r.units);
	names_free(&r.events);
	tool_text_free(tool_text);
	return table;
}
