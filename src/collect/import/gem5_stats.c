/* gem5 prints its statistics each time that it is asked to dump them:
 *
 *	---------- Begin Simulation Statistics ----------
 *	simTicks                     57467000            # Number of ticks simulated (Tick)
 *	finalTick                    57467000            # Number of ticks from beginning of simulation (…) (Tick)
 *	system.cpu.numCycles           114934            # Number of cpu cycles simulated (Cycle)
 *	system.cpu.ipc               0.054166            # IPC: instructions per cycle ((Count/Cycle))
 *	system.cpu.fetch.status::running  812  4.02%  4.02%  # …
 *	---------- End Simulation Statistics   ----------
 *
 * Statistics may be reset between two dumps, or go on counting. The ticks show which: a reset clears simTicks and never
 * finalTick.
 *
 *	dump   simTicks  finalTick    finalTick grew by   simTicks
 *	  1       100        100
 *	  2       300        300            200           grew by 200: no reset, so a row is the difference
 *	  3        50        350             50           at most 50: reset after dump 2, so a row is the value itself
 *
 * gem5 may leave out a statistic that is 0 (its flag nozero). A statistic that is missing in some dumps is therefore 0
 * in these. A statistic that is not a whole number in some dump is a formula or an average, not a count.
 *
 * Sources: the text output of gem5 24 (base/stats/text.cc); "Understanding gem5 statistics and output" at gem5.org. */
#include "collect/import/gem5_stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"
#include "collect/import/feed.h"
#include "collect/import/import.h"
#include "core/obs/obs.h"

#define BEGIN "---------- Begin Simulation Statistics"
#define END "---------- End Simulation Statistics"
#define NONE SIZE_MAX
#define NAMES_SHOWN 3

static const char *const fault_text[GEM5_FAULTS] = {
	[GEM5_FAULT_NO_COUNT] = "not a count but an average, a ratio, nan and the like",
	[GEM5_FAULT_HUGE] = "more than 63 bits",
	[GEM5_FAULT_TWICE] = "twice in one dump",
	[GEM5_FAULT_FALLS] = "smaller, or missing, in a dump that continues the one before",
};

struct stat {
	enum gem5_fault fault;
	int line;         /* line of the fault; without a fault, of the first occurrence */
	int last_dump;    /* line of the last dump that had it */
};

struct entry {
	uint32_t stat;
	int64_t value;
};

struct dump {
	int line;             /* line of its first line */
	size_t first, n;      /* range of reader.entry */
	int64_t sim, final;   /* ticks; -1: missing */
	double frequency;     /* ticks per second; NAN: missing */
	bool goes_on;         /* continues the dump before, without a reset between them */
};

struct gem5_reader {
	const char *name;
	const char *p, *end;
	int line;
	struct names names;
	struct stat *stat;
	size_t cap_stats;
	struct entry *entry;
	size_t n_entries, cap_entries;
	struct dump *dump;
	size_t n_dumps, cap_dumps;
	struct { enum obs_note kind; char *text; } *note; /* notes from before there is a table to hold them */
	size_t n_notes, cap_notes;
	size_t one_line, one_line_at; /* number of lines that hold a whole vector, and the first such line */
	size_t strange, strange_at;   /* number of lines between dumps, and the first such line */
	struct err *e;
};

bool
gem5_stats_begins(const char *line)
{
	return str_starts(line, BEGIN);
}

static void __attribute__((format(printf, 3, 4)))
note(struct gem5_reader *reader, enum obs_note kind, const char *format, ...)
{
	struct str t = {0};
	va_list ap;

	str_addf(&t, "%s: ", reader->name);
	va_start(ap, format);
	str_addv(&t, format, ap);
	va_end(ap);
	mem_grow(&reader->note, &reader->cap_notes, reader->n_notes + 1, sizeof *reader->note);
	reader->note[reader->n_notes].kind = kind;
	reader->note[reader->n_notes++].text = str_take(&t);
}

static bool
gem5_stats_fail(struct gem5_reader *r, int line, const char *what, const char *hint)
{
	err_set(r->e, "%s", what);
	err_hint(r->e, "%s", hint);
	return err_place(r->e, r->name, line, 0);
}

/* Reads the next line without its end. Returns false at the end of the text. */
static bool
gem5_stats_next_line(struct gem5_reader *reader, const char **s, size_t *n)
{
	const char *end;

	if (reader->p == reader->end)
		return false;
	end = memchr(reader->p, '\n', (size_t)(reader->end - reader->p));
	*s = reader->p;
	*n = (size_t)((end ? end : reader->end) - reader->p);
	reader->p = end ? end + 1 : reader->end;
	reader->line++;
	if (*n && (*s)[*n - 1] == '\r')
		--*n;
	return true;
}

static void
blame(struct stat *s, enum gem5_fault fault, int line)
{
	if (s->fault)
		return;
	s->fault = fault;
	s->line = line;
}

/* Returns true when the name is `now`, or `before`, as it was before gem5 21: simTicks and sim_ticks, for instance. */
static bool
is_called(const char *s, size_t n, const char *now, const char *before)
{
	return (n == strlen(now) && memcmp(s, now, n) == 0) || (n == strlen(before) && memcmp(s, before, n) == 0);
}

static void
take_ticks(struct dump *d, const char *s, size_t n, int64_t value)
{
	if (is_called(s, n, "simTicks", "sim_ticks"))
		d->sim = value;
	else if (is_called(s, n, "finalTick", "final_tick"))
		d->final = value;
	else if (is_called(s, n, "simFreq", "sim_freq"))
		d->frequency = value > 0 ? (double)value : NAN;
}

static struct stat *
find_stat(struct gem5_reader *r, const char *s, size_t n, size_t *i)
{
	size_t known = r->names.n;

	*i = names_add(&r->names, s, n);
	mem_grow(&r->stat, &r->cap_stats, r->names.n, sizeof *r->stat);
	if (*i == known)
		r->stat[*i] = (struct stat){.line = r->line};
	return &r->stat[*i];
}

static bool
read_statistic(struct gem5_reader *reader, const char *s, size_t n)
{
	struct dump *dump = &reader->dump[reader->n_dumps - 1];
	struct gem5_line line;
	struct stat *stat;
	size_t i;

	switch (gem5_line_read(s, n, &line)) {
	case GEM5_LINE_VECTOR:
		reader->one_line_at = reader->one_line++ ? reader->one_line_at : (size_t)reader->line;
		return true;
	case GEM5_LINE_BAD:
		return gem5_stats_fail(reader, reader->line,
			"this line of the dump is not a statistic: a name and a number are expected",
			"was the file cut off, or written to by two simulations?");
	case GEM5_LINE_STATISTIC:
		break;
	}
	stat = find_stat(reader, s, line.name, &i);
	if (line.whole)
		take_ticks(dump, s, line.name, line.value);
	if (stat->last_dump == dump->line)
		line.fault = GEM5_FAULT_TWICE;
	stat->last_dump = dump->line;
	if (line.fault) {
		blame(stat, line.fault, reader->line);
		return true;
	}
	mem_grow(&reader->entry, &reader->cap_entries, reader->n_entries + 1, sizeof *reader->entry);
	reader->entry[reader->n_entries++] = (struct entry){(uint32_t)i, line.value};
	dump->n++;
	return true;
}

/* Removes the last dump. */
static void
drop_dump(struct gem5_reader *r)
{
	r->n_entries = r->dump[--r->n_dumps].first;
}

/* Ends a dump: finds out whether it continues the one before, as the table at the top of this file says. */
static bool
end_dump(struct gem5_reader *reader)
{
	struct dump *dump = &reader->dump[reader->n_dumps - 1], *before = reader->n_dumps > 1 ? dump - 1 : NULL;
	int64_t passed;

	if (!before)
		return true;
	if (dump->sim < 0 || dump->final < 0 || before->sim < 0 || before->final < 0)
		return gem5_stats_fail(reader, dump->line,
			"simTicks or finalTick is missing in a dump: it is unknown whether statistics "
			"were reset before it",
			"import the dumps one by one, each in a file of its own");
	passed = dump->final - before->final;
	if (passed < 0)
		return gem5_stats_fail(reader, dump->line,
			"this dump was made at an earlier tick than the one before it",
			"are there dumps of two simulations in the file?");
	if (passed == 0) {
		note(reader, OBS_NOTE_REPEATED,
			"the dump at line %d was made at the same tick as that at line %d, and is left out", dump->line,
			before->line);
		drop_dump(reader);
		return true;
	}
	if (dump->sim <= passed)
		return true; /* a reset came with the dump before, or later */
	if (dump->sim - before->sim != passed)
		return gem5_stats_fail(reader, dump->line,
			"the ticks of this dump fit neither a reset after the dump before nor "
			"continued counting",
			"are there dumps of two simulations in the file?");
	dump->goes_on = true;
	return true;
}

static bool
begin_dump(struct gem5_reader *r, bool open)
{
	if (open)
		return gem5_stats_fail(r, r->line, "a dump begins here before the last one has ended",
			"was the file written to by two simulations?");
	mem_grow(&r->dump, &r->cap_dumps, r->n_dumps + 1, sizeof *r->dump);
	r->dump[r->n_dumps++] = (struct dump){.line = r->line, .first = r->n_entries, .sim = -1, .final = -1,
		.frequency = NAN};
	return true;
}

static bool
read_lines(struct gem5_reader *reader)
{
	const char *s;
	size_t n;
	bool open = false, good = true;

	while (good && gem5_stats_next_line(reader, &s, &n)) {
		if (gem5_line_begins(s, n, BEGIN)) {
			good = begin_dump(reader, open);
			open = true;
		} else if (gem5_line_begins(s, n, END) && open) {
			good = end_dump(reader);
			open = false;
		} else if (open && !gem5_line_is_blank(s, n)) {
			good = read_statistic(reader, s, n);
		} else if (!gem5_line_is_blank(s, n)) {
			reader->strange_at = reader->strange++ ? reader->strange_at : (size_t)reader->line;
		}
	}
	if (!good || !open)
		return good;
	if (reader->n_dumps == 1)
		return gem5_stats_fail(reader, reader->dump[0].line,
			"the dump that begins here has no end: the file is cut off",
			"is the simulation still running?");
	note(reader, OBS_NOTE_CUT,
		"the dump at line %d has no end and is left out: the file is cut off there, or the simulation is "
		"still running", reader->dump[reader->n_dumps - 1].line);
	drop_dump(reader);
	return true;
}

/* Spreads a dump over all statistics; those that it does not list are 0. */
static void
spread(const struct gem5_reader *r, const struct dump *d, int64_t *value)
{
	if (r->names.n)
		memset(value, 0, r->names.n * sizeof *value);
	for (size_t i = d->first; i < d->first + d->n; i++)
		value[r->entry[i].stat] = r->entry[i].value;
}

/* Returns the counts of each dump, rows × statistics, and marks statistics that fall. The caller frees the array. */
static int64_t *
count_rows(struct gem5_reader *reader)
{
	size_t n = reader->names.n;
	int64_t *row = mem_new_array(reader->n_dumps, n * sizeof *row), *value = mem_new_array(n, sizeof *value),
		*before = mem_new_array(n, sizeof *before);

	for (size_t k = 0; k < reader->n_dumps; k++) {
		int64_t *swap = before;

		before = value;
		value = swap;
		spread(reader, &reader->dump[k], value);
		for (size_t i = 0; i < n; i++) {
			row[k * n + i] = value[i] - (reader->dump[k].goes_on ? before[i] : 0);
			if (row[k * n + i] < 0)
				blame(&reader->stat[i], GEM5_FAULT_FALLS, reader->dump[k].line);
		}
	}
	free(value);
	free(before);
	return row;
}

/* Returns the name of the observation. gem5 always writes stats.txt, so it is that of the file's folder. */
static char *
observation_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *from = slash;

	if (!slash || !str_eq(slash + 1, "stats.txt"))
		return feed_own_name(path);
	while (from > path && from[-1] != '/')
		from--;
	if (from == slash || (slash - from == 1 && *from == '.')
		|| (slash - from == 2 && from[0] == '.' && from[1] == '.'))
		return feed_own_name(path);
	return mem_strn(from, (size_t)(slash - from));
}

static void
note_faults(struct gem5_reader *reader)
{
	for (int f = GEM5_FAULT_NONE + 1; f < (int)GEM5_FAULTS; f++) {
		struct str t = {0};
		size_t n = 0;

		for (size_t i = 0; i < reader->names.n; i++)
			if (reader->stat[i].fault == (enum gem5_fault)f && n++ < NAMES_SHOWN)
				str_addf(&t, "%s%s (line %d)", n > 1 ? ", " : "", reader->names.name[i],
					reader->stat[i].line);
		if (n)
			note(reader, OBS_NOTE_NO_COUNT,
				"%zu statistic%s left out (%s): %s%s", n, plural_s(n), fault_text[f],
				str_text(&t), n > NAMES_SHOWN ? ", …" : "");
		str_free(&t);
	}
}

static void
note_dumps(struct gem5_reader *reader)
{
	size_t goes_on = 0, first = 0;

	for (size_t k = 0; k < reader->n_dumps; k++)
		if (reader->dump[k].goes_on && goes_on++ == 0)
			first = k;
	if (goes_on)
		note(reader, OBS_NOTE_CONTINUED,
			"%zu of %zu dumps continue the one before, the first at line %d, as simTicks shows: a row is "
			"what was added since", goes_on, reader->n_dumps, reader->dump[first].line);
	if (reader->one_line)
		note(reader, OBS_NOTE_NO_COUNT,
			"%zu line%s with a whole vector left out, the first at line %zu", reader->one_line,
			plural_s(reader->one_line), reader->one_line_at);
	if (reader->strange)
		note(reader, OBS_NOTE_LOST, "%zu line%s outside of dumps skipped, the first at line %zu",
			reader->strange, plural_s(reader->strange), reader->strange_at);
}

static bool
gem5_stats_has_column(const struct gem5_reader *r)
{
	for (size_t i = 0; i < r->names.n; i++)
		if (!r->stat[i].fault)
			return true;
	return false;
}

static struct obs_table *
gem5_stats_make_table(struct gem5_reader *reader, bool exact)
{
	size_t n = reader->names.n, kept = 0;
	int64_t *row = count_rows(reader), *count;
	const char **column = mem_new_array(n, sizeof *column);
	char *name = observation_name(reader->name);
	struct obs_table *table = NULL;
	struct obs *obs;

	if (!gem5_stats_has_column(reader)) {
		gem5_stats_fail(reader, reader->dump[0].line, "no statistic of the dumps is a count",
			"at least one whole number is needed");
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		if (!reader->stat[i].fault)
			column[kept++] = reader->names.name[i];
	table = obs_table_new(column, kept);
	obs = obs_table_add(table, name, reader->name);
	obs->exact = exact || reader->n_dumps == 1;
	obs->silent_zeros = true;
	count = mem_new_array(kept, sizeof *count);
	for (size_t k = 0; k < reader->n_dumps; k++) {
		for (size_t i = 0, c = 0; i < n; i++)
			if (!reader->stat[i].fault)
				count[c++] = row[k * n + i];
		obs_add_row(obs, count, NULL,
			reader->dump[k].final >= 0 ? (double)reader->dump[k].final / reader->dump[k].frequency : NAN);
	}
	note_dumps(reader);
	note_faults(reader);
	for (size_t i = 0; i < reader->n_notes; i++)
		obs_table_note(table, reader->note[i].kind, reader->note[i].text);
	reader->n_notes = 0;
	free(count);
out:
	free(row);
	free(column);
	free(name);
	return table;
}

struct obs_table *
gem5_stats_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct gem5_reader r = {.name = name, .p = text, .end = text + n, .e = e};
	struct obs_table *table = NULL;
	size_t bad;

	if (!utf8_valid(text, n, &bad)) {
		for (size_t i = 0; i < bad; i++)
			r.line += text[i] == '\n';
		gem5_stats_fail(
			&r, r.line + 1, "this is not text: a NUL or a byte that is not UTF-8", "was the file damaged?");
	} else if (read_lines(&r)) {
		if (!r.n_dumps)
			gem5_stats_fail(&r, 0, "the file has no dump of statistics", "a dump begins with " BEGIN);
		else if (r.names.n > IMPORT_CELLS_MAX / r.n_dumps)
			gem5_stats_fail(&r, 0, "the file has too many statistics and dumps to be kept in memory",
				"import fewer dumps");
		else
			table = gem5_stats_make_table(&r, exact);
	}
	for (size_t i = 0; i < r.n_notes; i++)
		free(r.note[i].text);
	free(r.note);
	names_free(&r.names);
	free(r.stat);
	free(r.entry);
	free(r.dump);
	return table;
}
