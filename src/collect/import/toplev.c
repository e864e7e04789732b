/* The raw values that pmu-tools' toplev writes with --valcsv, a row for each event of an interval:
 *
 *	Timestamp,CPU,Group,Event,Value,Perf-event,Index,STDDEV,MULTI,Nodes
 *	1.001,C0,0,cpu_clk_unhalted.thread,123456789,cpu/event=0x3c/,0,0.0,33.3,Frontend_Bound
 *
 * Its header tells the columns; without -I there is no Timestamp, without --core or -A no CPU. MULTI is the percentage
 * of the time that the event had a counter, and Value is scaled up by perf already. An event that several groups count
 * is there several times, with another Index: these are samples of their own.
 *
 * Source: toplev.py of pmu-tools (init_valcsv, print_keys and its callers). */
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

struct toplev {
	struct tool_text t;
	size_t time, cpu, event, value, encoding, spread, share; /* numbers of columns; SIZE_MAX: none */
	size_t columns;
};

static size_t
find_any(const struct tool_text *t, const char *const *name)
{
	for (; *name; name++) {
		size_t i = tool_cell_find(t, *name);

		if (i < t->n_cells)
			return i;
	}
	return SIZE_MAX;
}

/* Reads the header: the first line with Event and Value. */
static bool
toplev_take_header(struct toplev *toplev)
{
	static const char *const time[] = {"Timestamp", "Time", "Interval", NULL},
		*const cpu[] = {"CPU", "CPUs", "Core", "Cores", "Thread", NULL}, *const event[] = {"Event", NULL},
		*const value[] = {"Value", NULL}, *const encoding[] = {"Perf-event", NULL},
		*const spread[] = {"STDDEV", NULL}, *const share[] = {"MULTI", "Multiplex", "MUX", NULL};
	struct tool_text *text = &toplev->t;

	while (tool_text_next(text)) {
		if (*text->line_start == '#')
			continue;
		if (text->n_cells < 3)
			tool_text_cut(text, text->separator = ';');
		toplev->time = find_any(text, time);
		toplev->cpu = find_any(text, cpu);
		toplev->event = find_any(text, event);
		toplev->value = find_any(text, value);
		toplev->encoding = find_any(text, encoding);
		toplev->spread = find_any(text, spread);
		toplev->share = find_any(text, share);
		toplev->columns = text->n_cells;
		return (toplev->event != SIZE_MAX && toplev->value != SIZE_MAX) ||
			tool_text_fail(text, 0, "the header of toplev --valcsv has a column Event and a column Value",
				"import the file as toplev --valcsv wrote it");
	}
	return tool_text_fail(text, SIZE_MAX, "the file is empty", "import the file that toplev --valcsv wrote");
}

/* Reads a percentage; `otherwise` where there is none. */
static double
percentage(const struct toplev *l, size_t column, double otherwise)
{
	struct tool_cell c = tool_cell_at(&l->t, column);
	double v;

	c.n -= c.n && c.s[c.n - 1] == '%';
	v = tool_cell_number(c);
	return v >= 0 && v <= 100 ? v / 100 : otherwise;
}

static bool
toplev_take_row(struct toplev *toplev)
{
	struct tool_text *text = &toplev->t;
	struct tool_cell event = tool_cell_at(text, toplev->event), owner = tool_cell_at(text, toplev->cpu);
	struct tool_count c = {.time = NAN, .running = percentage(toplev, toplev->share, 1),
		.variance = percentage(toplev, toplev->spread, 0)};
	struct str name = {0};
	bool good;

	if (tool_cell_is(text, toplev->event, "Event") && tool_cell_is(text, toplev->value, "Value"))
		return true; /* the header again: files were put together */

	if (text->n_cells < toplev->columns && tool_text_is_cut(text)) {
		tool_text_leave_cut(text);
		return true;
	}
	if (text->n_cells <= toplev->value || text->n_cells <= toplev->event)
		return tool_text_fail(text, 0, "the row has fewer cells than its header", "was the file damaged?");
	if (toplev->time != SIZE_MAX) {
		if (tool_cell_is(text, toplev->time, "SUMMARY")) {
			tool_text_leave(text, "a total of the intervals is not a sample", event.s, event.n);
			return true;
		}
		c.time = tool_cell_number(text->cell[toplev->time]);
		if ((isnan(c.time) && text->cell[toplev->time].n) || c.time < 0)
			return tool_text_fail(
				text, toplev->time, "this is no time in seconds", "was the file damaged?");
	}
	if (!event.n)
		event = tool_cell_at(text, toplev->encoding);
	if (!event.n)
		return tool_text_fail(text, toplev->event, "the row has no event", "was the file damaged?");
	str_addn(&name, owner.s, owner.n);
	c.owner = str_text(&name);
	c.event = event.s;
	c.event_n = event.n;
	c.run = tool_text_run(text, c.time);
	good = c.running > 0 ? tool_text_count(text, &c, toplev->value) : tool_text_add(text, &c, NULL);
	str_free(&name);
	return good;
}

struct obs_table *
toplev_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct toplev l = {0};
	struct obs_table *table = NULL;
	bool good = tool_text_begin(&l.t, name, text, n, exact, e) && toplev_take_header(&l);

	while (good && tool_text_next(&l.t))
		if (*l.t.line_start != '#')
			good = toplev_take_row(&l);
	if (good)
		table = tool_text_finish(&l.t, TOOL_COUNTERS, "no row of this output of toplev --valcsv holds a count",
			"was anything counted? Run toplev --valcsv FILE with a program that does some work");
	tool_text_free(&l.t);
	return table;
}
