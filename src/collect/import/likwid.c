/* likwid-perfctr writes tables: as text between commas (-O, -o FILE.csv),
 *
 *	STRUCT,Info,3,,
 *	CPU name:,Intel(R) Xeon(R) …,,
 *	TABLE,Region copy,Group 1 Raw,MEM,2
 *	Region Info,HWThread 0,HWThread 1,
 *	RDTSC Runtime [s],0.512,0.498,
 *	call count,1,1,
 *	Event,Counter,HWThread 0,HWThread 1
 *	INSTR_RETIRED_ANY,FIXC0,123456789,123400000
 *	TABLE,Region copy,Group 1 Raw STAT,…        sums over threads
 *	TABLE,Region copy,Group 1 Metric,…          what its formulas make of the counts
 *
 * or drawn with | and + for people, where a line "Region copy, Group 1: MEM" or "Group 1: MEM" comes first. A table of
 * events has counts; the others have none. With -t it prints a line for each interval,
 *
 *	# GID|EventCount|CpuCount|Total runtime [s]|INSTR_RETIRED_ANY|CPU_CLK_UNHALTED_CORE
 *	1 2 2 0.500123 1.0e+07 1.1e+07 2.0e+07 2.1e+07      event after event, each for all threads
 *
 * but with a performance group it prints MetricsCount and metrics there. A counter outside of the cores is read by one
 * thread of the socket; the others show 0 or "-". Names of threads are "HWThread 3", before likwid 5 "Core 3".
 *
 * Sources: src/applications/likwid.lua of likwid 4 and 5 (printtable, printcsv, print_output, and the loop of -t);
 * likwid-perfctr(1). */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define ROUNDED "likwid printed it without its last digits"
#define HINT "import what likwid-perfctr printed, with -O or -o FILE.csv"

enum likwid_part {
	LIKWID_NONE,   /* before the first table, or in one that holds no counts */
	LIKWID_TIMES,  /* a region's runtime, or metrics, one of which is the runtime */
	LIKWID_EVENTS,
};

struct likwid {
	struct tool_text *t;
	enum likwid_part part;
	double wanted;           /* rows that the table has, as its first line says; NAN: not said */
	size_t rows;             /* rows of events so far */
	bool groups;             /* the text has more than one group of events */
	struct str place;        /* "copy:MEM:" */
	struct str region, group;
	char **owner;            /* n_owners: "copy:CPU0" */
	size_t n_owners, cap_owners;
	size_t first;            /* cell of the first thread */
	bool looking;            /* only for runtimes, which may stand below the counts */
	struct names ran;        /* owners whose runtime is known */
	double *seconds;         /* ran.n */
	size_t cap_seconds;
	/* -t: events of each header, one after the other, and where those of header i begin */
	char **timed;
	size_t n_timed, cap_timed;
	size_t *header, n_headers, cap_headers;
	char **thread;           /* n_threads: "CPU0" */
	size_t n_threads, cap_threads;
};

static void
forget_owners(struct likwid *l)
{
	for (size_t i = 0; i < l->n_owners; i++)
		free(l->owner[i]);
	l->n_owners = 0;
}

/* Names the threads of a header, from cell `first` on: "HWThread 3" and "Core 3" are CPU 3. */
static void
likwid_take_owners(struct likwid *likwid, size_t first)
{
	struct tool_text *text = likwid->t;

	forget_owners(likwid);
	likwid->first = first;
	for (size_t i = first; i < text->n_cells && text->cell[i].n; i++) {
		struct tool_cell c = text->cell[i];
		size_t digits = 0;

		while (digits < c.n && isdigit((unsigned char)c.s[c.n - digits - 1]))
			digits++;
		mem_grow(&likwid->owner, &likwid->cap_owners, likwid->n_owners + 1, sizeof *likwid->owner);
		likwid->owner[likwid->n_owners++] =
			digits && (tool_cell_starts(text, i, "HWThread") || tool_cell_starts(text, i, "Core")) ?
			str_format("%sCPU%.*s", str_text(&likwid->place), (int)digits, c.s + c.n - digits) :
			str_format("%s%.*s", str_text(&likwid->place), (int)c.n, c.s);
	}
}

static void
set_place(struct likwid *l)
{
	str_clear(&l->place);
	if (l->region.n)
		str_addf(&l->place, "%s:", str_text(&l->region));
	if (l->groups && l->group.n)
		str_addf(&l->place, "%s:", str_text(&l->group));
	l->part = LIKWID_NONE;
}

static void
set_words(struct str *to, const char *s, size_t n)
{
	while (n && isspace((unsigned char)*s))
		s++, n--;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	str_clear(to);
	str_addn(to, s, n);
}

/* Reports events that a table lacks. It may have counted its header as a row. */
static void
end_table(struct likwid *l)
{
	if (l->part == LIKWID_EVENTS && !l->looking && (double)l->rows + 1 < l->wanted)
		tool_text_remark(l->t, "a table ends before all its rows: was the file cut off?", str_text(&l->group),
			l->group.n);
	l->rows = 0;
	l->wanted = NAN;
}

/* Reads "TABLE,Region copy,Group 1 Raw,MEM,4". Headers between the lines of a table say what it holds. */
static void
likwid_begin_table(struct likwid *l)
{
	struct tool_text *t = l->t;
	bool region = tool_cell_starts(t, 1, "Region ");
	struct tool_cell r = tool_cell_at(t, 1), group = tool_cell_at(t, region ? 3 : 2);

	end_table(l);
	l->wanted = tool_cell_number(tool_cell_at(t, region ? 4 : 3));
	set_words(&l->region, r.s + (region ? 7 : 0), region ? r.n - 7 : 0);
	set_words(&l->group, group.s, group.n);
	set_place(l);
}

/* Reads "Region copy, Group 1: MEM" or "Group 1: MEM" above drawn tables. */
static bool
begin_drawn(struct likwid *likwid)
{
	const char *line = likwid->t->line_start, *end = memchr(line, '\n', (size_t)(likwid->t->end - line)), *group,
		   *colon;

	end = end ? end : likwid->t->end;
	if (end - line < 7 || (memcmp(line, "Region ", 7) && memcmp(line, "Group ", 6)))
		return false;
	for (group = end - 6; group > line && memcmp(group, "Group ", 6);)
		group--;
	colon = memchr(group, ':', (size_t)(end - group));
	if (memcmp(group, "Group ", 6) || !colon)
		return false;
	set_words(&likwid->region, line + 7, group > line + 9 ? (size_t)(group - line - 9) : 0);
	set_words(&likwid->group, colon + 1, (size_t)(end - colon - 1));
	set_place(likwid);
	return true;
}

/* Removes the cells that the frame of a drawn table makes. */
static void
cut_drawn(struct tool_text *t)
{
	tool_text_cut(t, '|');
	if (t->n_cells < 3)
		return;
	memmove(t->cell, t->cell + 1, (t->n_cells - 1) * sizeof *t->cell);
	t->n_cells -= 2;
}

/* Returns whether the line is a header; then it decides what the lines below hold. */
static bool
likwid_take_header(struct likwid *likwid)
{
	struct tool_text *text = likwid->t;

	if (tool_cell_is(text, 0, "Event")) {
		size_t first = tool_cell_is(text, 1, "Counter") ? 2 : 1; /* likwid 3 named no counters */
		bool sums = tool_cell_is(text, first, "Sum") || tool_cell_is(text, first, "Min");

		likwid->part = sums ? LIKWID_NONE : LIKWID_EVENTS;
		likwid_take_owners(likwid, first);
		return true;
	}
	if (tool_cell_is(text, 0, "Region Info") || tool_cell_is(text, 0, "Metric")) {
		likwid->part = tool_cell_is(text, 1, "Sum") || tool_cell_is(text, 1, "Min") ? LIKWID_NONE
											    : LIKWID_TIMES;
		likwid_take_owners(likwid, 1);
		return true;
	}
	if (tool_cell_starts(text, 0, "STRUCT"))
		likwid->part = LIKWID_NONE;
	return tool_cell_starts(text, 0, "STRUCT");
}

/* Reads "RDTSC Runtime [s]" of a region, or "Runtime (RDTSC) [s]" among metrics. */
static void
take_times(struct likwid *likwid)
{
	struct tool_text *text = likwid->t;

	if (!likwid->looking ||
		(!tool_cell_is(text, 0, "RDTSC Runtime [s]") && !tool_cell_is(text, 0, "Runtime (RDTSC) [s]")))
		return;
	for (size_t i = 0; i < likwid->n_owners; i++) {
		double seconds = tool_cell_number(tool_cell_at(text, 1 + i));
		size_t had = likwid->ran.n, at;

		if (!(seconds > 0))
			continue;
		at = names_add(&likwid->ran, likwid->owner[i], strlen(likwid->owner[i]));
		mem_grow(&likwid->seconds, &likwid->cap_seconds, at + 1, sizeof *likwid->seconds);
		if (at == had)
			likwid->seconds[at] = seconds;
	}
}

/* Seconds for which the events of an owner were counted; NAN: not said. */
static double
likwid_seconds_of(const struct likwid *l, const char *owner)
{
	size_t at = names_find(&l->ran, owner, strlen(owner));

	return at == NAMES_NONE ? NAN : l->seconds[at];
}

/* True for a counter of a hardware thread, false for one that a socket has once. */
static bool
counts_threads(const struct likwid *l)
{
	const struct tool_text *t = l->t;

	return l->first < 2 || tool_cell_starts(t, 1, "PMC") || tool_cell_starts(t, 1, "FIXC") ||
		tool_cell_starts(t, 1, "UPMC") || tool_cell_starts(t, 1, "TBC");
}

static bool
likwid_is_zero(struct tool_cell c)
{
	struct decimal d;

	return tool_cell_value(c, &d) == TOOL_COUNTED && d.digits == 0;
}

/* Returns whether a thread of the row shows a count above 0. */
static bool
likwid_some_count(const struct likwid *l)
{
	struct decimal d;

	for (size_t i = 0; i < l->n_owners; i++)
		if (tool_cell_value(tool_cell_at(l->t, l->first + i), &d) == TOOL_COUNTED && d.digits > 0)
			return true;
	return false;
}

/* Returns whether the number's last digits are missing: "1.13553e+10" has six of eleven. Lua prints 14 of a number,
 * likwid 3 printed six. */
static bool
is_rounded(struct tool_cell c)
{
	const char *e = memchr(c.s, 'e', c.n), *point = memchr(c.s, '.', c.n);
	double exponent = e ? tool_cell_number((struct tool_cell){e + 1, c.n - (size_t)(e + 1 - c.s)}) : NAN;

	return exponent > (point && e > point ? (double)(e - point - 1) : 0);
}

/* The column of an event: "CAS_COUNT_RD" of counter MBOX1C0 counts for one channel, so it is CAS_COUNT_RD@MBOX1.
 * Options after the counter's name belong to the event. PWR0 … measure energy. */
static void
name_event(const struct likwid *likwid, struct str *name)
{
	const struct tool_text *text = likwid->t;
	struct tool_cell event = text->cell[0], counter = likwid->first < 2 ? (struct tool_cell){"", 0} : text->cell[1];
	const char *options = memchr(counter.s, ':', counter.n), *box = memchr(counter.s, 'B', counter.n);
	size_t n = options ? (size_t)(options - counter.s) : counter.n, unit = 0;

	str_clear(name);
	str_addn(name, event.s, event.n);
	str_addn(name, counter.s + n, counter.n - n);
	if (likwid->first > 1 && tool_cell_starts(text, 1, "PWR"))
		str_add(name, " (Joules)");
	if (!box || tool_cell_starts(text, 1, "TBC"))
		return;
	while (unit < n && !isdigit((unsigned char)counter.s[unit]))
		unit++;
	while (unit < n && isdigit((unsigned char)counter.s[unit]))
		unit++;
	str_addf(name, "@%.*s", (int)unit, counter.s);
}

static void
note_rounded(struct tool_text *t)
{
	if (t->sheet.exact)
		tool_text_leave(t, ROUNDED, t->cell[0].s, t->cell[0].n);
	else
		tool_text_remark(t, ROUNDED ": taken as it is", t->cell[0].s, t->cell[0].n);
}

static bool
likwid_take_event(struct likwid *likwid)
{
	static const char cut[] = "the row has fewer cells than its header";
	struct tool_text *text = likwid->t;
	bool own = counts_threads(likwid), some = likwid_some_count(likwid), good = true;
	struct str name = {0};

	likwid->rows++;
	if (tool_text_is_cut(text)) {
		tool_text_leave_cut(text);
		return true;
	}
	if (text->n_cells < likwid->first + likwid->n_owners)
		return tool_text_fail(text, 0, cut, "was the file cut off? " HINT);
	if (likwid->first > 1 && tool_cell_starts(text, 1, "TMP")) {
		tool_text_leave(text, "a temperature is not a count", text->cell[0].s, text->cell[0].n);
		return true;
	}
	name_event(likwid, &name);
	for (size_t i = 0; i < likwid->n_owners && good; i++) {
		size_t k = likwid->first + i;
		struct tool_count c = {.owner = likwid->owner[i], .event = str_text(&name), .event_n = name.n,
			.time = likwid_seconds_of(likwid, likwid->owner[i])};
		bool rounded = is_rounded(text->cell[k]);

		if (rounded)
			note_rounded(text);
		good = (rounded && text->sheet.exact) || (!own && some && likwid_is_zero(text->cell[k])) ?
			tool_text_add(text, &c, NULL) : tool_text_count(text, &c, k);
	}
	str_free(&name);
	return good;
}

/* Reads "# GID|EventCount|CpuCount|Total runtime [s]|EVENT|…". */
static bool
begin_timed(struct likwid *likwid)
{
	struct tool_text *text = likwid->t;

	if (!tool_cell_is(text, 1, "EventCount"))
		return tool_text_fail(text, 1, "this is a timeline of likwid-perfctr with metrics, not with counts",
			"name the events instead of a group: likwid-perfctr -t 100ms -g EVENT:COUNTER,…");
	mem_grow(&likwid->header, &likwid->cap_headers, likwid->n_headers + 2, sizeof *likwid->header);
	likwid->header[likwid->n_headers++] = likwid->n_timed;
	for (size_t i = 4; i < text->n_cells; i++) {
		mem_grow(&likwid->timed, &likwid->cap_timed, likwid->n_timed + 1, sizeof *likwid->timed);
		likwid->timed[likwid->n_timed++] = mem_strn(text->cell[i].s, text->cell[i].n);
	}
	likwid->header[likwid->n_headers] = likwid->n_timed;
	return true;
}

static void
take_threads(struct likwid *l)
{
	struct tool_text *t = l->t;

	for (size_t i = 1; i < t->n_cells; i++) {
		mem_grow(&l->thread, &l->cap_threads, l->n_threads + 1, sizeof *l->thread);
		l->thread[l->n_threads++] = str_format("CPU%.*s", (int)t->cell[i].n, t->cell[i].s);
	}
}

/* Reads "1 2 2 0.500123 10 11 20 21": group, numbers of events and threads, time, counts. */
static bool
take_interval(struct likwid *likwid)
{
	static const char odd[] = "this line does not have a count for each event and thread of its header";
	struct tool_text *text = likwid->t;
	double group = tool_cell_number(text->cell[0]), n = tool_cell_number(tool_cell_at(text, 1)),
	       threads = tool_cell_number(tool_cell_at(text, 2)), time = tool_cell_number(tool_cell_at(text, 3));
	size_t g = group >= 1 && group <= (double)likwid->n_headers ? (size_t)group - 1 : 0, events, run;

	if (isnan(group) || isnan(n) || isnan(threads) || isnan(time))
		return true; /* another program's output */
	events = likwid->header[g + 1] - likwid->header[g];
	if (n != (double)events || threads < 1 || n * threads + 4 != (double)text->n_cells)
		return tool_text_fail(text, 0, odd, "was the file cut off? " HINT);
	/* groups take turns, and are never counted in the same interval */
	run = tool_text_run(text, time) * likwid->n_headers + g;
	for (size_t i = 0; i < text->n_cells - 4; i++) {
		size_t thread = i % (size_t)threads;
		const char *event = likwid->timed[likwid->header[g] + i / (size_t)threads];
		char *owner = str_format("%.0f", (double)thread);
		struct tool_count c = {.owner = thread < likwid->n_threads ? likwid->thread[thread] : owner, .run = run,
			.event = event, .event_n = strlen(event), .time = time};
		bool good = tool_text_count(text, &c, 4 + i);

		free(owner);
		if (!good)
			return false;
	}
	return true;
}

static bool
take_timed(struct likwid *likwid)
{
	struct tool_text *text = likwid->t;

	if (*text->line_start == '#') {
		tool_text_cut(text, '|');
		if (tool_cell_is(text, 0, "# GID"))
			return begin_timed(likwid);
		if (tool_cell_is(text, 0, "# HWThreads") || tool_cell_is(text, 0, "# Cores"))
			take_threads(likwid);
		return true;
	}
	if (!likwid->n_headers)
		return true;
	if (!memchr(text->line_start, ',', (size_t)(text->p - text->line_start)))
		tool_text_cut_words(text);
	return take_interval(likwid);
}

static bool
likwid_take_line(struct likwid *likwid)
{
	struct tool_text *text = likwid->t;

	if (*text->line_start == '#' || likwid->n_headers)
		return likwid->looking || take_timed(likwid);
	if (tool_cell_is(text, 0, "TABLE")) {
		likwid_begin_table(likwid);
		return true;
	}
	if (*text->line_start == '|')
		cut_drawn(text);
	else if (begin_drawn(likwid))
		return true;
	if (likwid_take_header(likwid) || !text->cell[0].n)
		return true;
	if (likwid->part == LIKWID_TIMES)
		take_times(likwid);
	return likwid->part != LIKWID_EVENTS || likwid->looking || text->n_cells <= likwid->first ||
		likwid_take_event(likwid);
}

/* Returns whether the text has tables of a second group. */
static bool
has_groups(const char *text, size_t n)
{
	static const char second[] = "Group 2";
	const char *p = memmem(text, n, second, sizeof second - 1);

	return p && (size_t)(p - text) + sizeof second - 1 < n && !isdigit((unsigned char)p[sizeof second - 1]);
}

static void
free_all(char **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(s[i]);
	free(s);
}

struct obs_table *
likwid_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct tool_text t;
	struct likwid l = {.t = &t, .wanted = NAN, .groups = has_groups(text, n)};
	bool good = tool_text_begin(&t, name, text, n, exact, e);
	struct obs_table *table = NULL;

	l.looking = true;
	while (good && tool_text_next(&t))
		good = likwid_take_line(&l);
	l.looking = false;
	l.part = LIKWID_NONE;
	tool_text_again(&t, text, n);
	while (good && tool_text_next(&t))
		good = likwid_take_line(&l);
	end_table(&l);
	if (good)
		table = tool_text_finish(&t, TOOL_ZEROS, "no table of this output of likwid-perfctr holds a count",
			"its raw tables (\"Event,Counter,…\") are needed. If they are there, likwid could not use "
			"the counters: it prints nan or - for these");
	free_all(l.owner, l.n_owners);
	free_all(l.timed, l.n_timed);
	free_all(l.thread, l.n_threads);
	free(l.header);
	free(l.seconds);
	names_free(&l.ran);
	str_free(&l.place);
	str_free(&l.region);
	str_free(&l.group);
	tool_text_free(&t);
	return table;
}
