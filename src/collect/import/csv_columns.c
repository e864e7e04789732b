/* What the columns of a wide CSV are, by their names and by the first rows: counters, time, names of observations, an
 * index, or figures that are no counts. Rows are not read for this beyond ROWS_LOOKED, so large files stay fast.
 *
 * A derived metric (IPC, a percentage, GB/s) is no count, and refutes any model whose counter it becomes. By its name,
 * or by its cells, which are all fractions, such a column is left out of a session file, unless the caller says that it
 * holds counts. Readers for a model keep it, because only the counters that the model names take part. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/csv_reader.h"
#include "collect/import/decimal.h"
#include "collect/import/feed.h"
#include "core/obs/obs.h"
#include "event/name.h"
#include "event/unit.h"

#define ROWS_LOOKED 64
#define BYTES_LOOKED ((ptrdiff_t)1 << 18)
#define FRACTIONS_BELOW 1000.0
#define SHOWN 8      /* names in a note */

/* Returns true when `word` stands in the name, with no letter or digit next to it. */
static bool
has_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = name; *p; p++)
		if (strncasecmp(p, word, n) == 0 && (p == name || !isalnum((unsigned char)p[-1])) &&
			!isalnum((unsigned char)p[n]))
			return true;
	return false;
}

/* True for "GB/s" and "M/sec", but not for the modifier of "cpu/event=0x3c/s". */
static bool
is_rate(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash && slash > name && strchr(name, '/') == slash && isalpha((unsigned char)slash[-1]) &&
		(has_word(slash, "s") || has_word(slash, "sec"));
}

/* True for the name of a figure that is no count. */
static bool
is_metric_name(const char *name)
{
	static const char *const words[] = {"GHz", "IPC", "CPI", "MPKI", "ratio", "CPUs utilized", "insn per",
		"per insn", "cycles idle", "bad speculation", "frontend bound", "backend bound", "retiring"};
	bool event = strchr(name, '/') || strchr(name, '-');

	if (strchr(name, '%') || is_rate(name) || str_starts(name, "tma_") || strstr(name, " of all "))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (has_word(name, words[i]) && !(event && i > 4))
			return true;
	return false;
}

/* True for what may well be fractions below 1000 and is measured all the same: times and energies of perf. */
static bool
is_measure(const char *name)
{
	static const char *const words[] = {"clock", "time", "energy", "seconds", "joules", "/"};
	struct event_name e;
	bool found;

	event_name_read(name, &e);
	found = *event_unit_family(e.unit) != '\0';
	event_name_free(&e);
	for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
		found = strcasestr(name, words[i]) != NULL;
	return found;
}

static void
csv_columns_look_at(struct csv_look *look, const char *text, bool first)
{
	struct decimal d;
	double v;

	look->cells++;
	look->dates &= csv_is_date(text, &v);
	if (decimal_parse(text, &d) != DECIMAL_GOOD || !str_to_double(text, &v)) {
		look->other += !csv_is_missing(text);
		look->steps = look->laps = false;
		return;
	}
	look->numbers++;
	look->fractions += strchr(text, '.') && v < FRACTIONS_BELOW;
	look->whole &= !strpbrk(text, ".eE-");
	look->falls |= !first && v < look->last;
	look->steps &= first ? v == 0 || v == 1 : v == look->last + 1;
	look->laps &= v == 0 || v == 1 || (!first && v == look->last + 1);
	look->last = v;
}

/* Returns true when the window has the rows that are looked at. */
static bool
has_rows(const struct feed *f)
{
	size_t rows = 0;

	for (const char *p = f->p; rows < ROWS_LOOKED && (p = memchr(p, '\n', (size_t)(f->end - p))) != NULL; p++)
		rows++;
	return rows == ROWS_LOOKED || f->end - f->p >= BYTES_LOOKED;
}

/* Reads the first rows, which begin at feed->p. Returns how many. */
static size_t
csv_columns_look(const struct csv_reader *reader, struct csv_look *look)
{
	const char *from = reader->feed->p, *end = csv_end_of_lines(reader->feed);
	struct csv_cells c;
	struct csv_cell cell = {.last = false};
	size_t rows = 0;

	if (end - from > BYTES_LOOKED) {
		const char *newline = memrchr(from, '\n', (size_t)BYTES_LOOKED);

		end = newline ? newline + 1 : from;
	}
	for (size_t i = 0; i < reader->header.n; i++)
		look[i] = (struct csv_look){.steps = true, .laps = true, .whole = true, .dates = true};
	csv_cells_begin(&c, reader->feed->name, from, end, reader->line);
	c.separator = reader->separator;
	for (bool good = true; good && rows < ROWS_LOOKED && csv_cells_more(&c); rows++)
		for (size_t i = 0; (good = csv_cells_next(&c, &cell, NULL)); i++) {
			if (i < reader->header.n && cell.text.n)
				csv_columns_look_at(&look[i], str_text(&cell.text), rows == 0);
			if (cell.last)
				break;
		}
	str_free(&cell.text);
	return rows;
}

/* Lists the columns that are no counts, and leaves them out where the caller wants that. */
static void
find_metrics(struct csv_reader *reader, const struct csv_look *look, size_t rows, struct str *list)
{
	size_t n = 0;

	reader->drops = reader->how->drop_metrics && !csv_is_own(reader);
	for (size_t i = 0; i < reader->header.n; i++) {
		const char *name = reader->header.name[i];
		bool fractions = rows > 1 && look[i].numbers && look[i].fractions == look[i].numbers &&
			!is_measure(name);

		if (i == reader->shape.time || i == reader->shape.observation || reader->left_out[i] ||
			(reader->label && reader->label[i]) || csv_is_claimed(reader, name) ||
			!(is_metric_name(name) || fractions))
			continue;
		if (n++ < SHOWN)
			str_addf(list, "%s%s", list->n ? ", " : "", name);
		if (reader->drops)
			csv_leave_out(reader, i);
	}
	if (n > SHOWN)
		str_addf(list, " and %zu more", n - SHOWN);
}

static bool
csv_columns_refuse(struct csv_reader *r, const char *what, const char *hint)
{
	err_set(r->e, "%s", what);
	err_hint(r->e, "%s", hint);
	return err_place(r->e, r->feed->name, 1, 0);
}

/* True for a table with the names of events in one column, and their counts in another. */
static bool
is_long(const struct names *h)
{
	static const char *const name[] = {"event", "event_name", "event name", "counter", "metric"},
		   *const count[] = {"value", "count", "counts", "counter value"};
	bool names = false, counts = false;

	for (size_t i = 0; i < h->n; i++) {
		for (size_t k = 0; k < sizeof name / sizeof *name; k++)
			names |= strcasecmp(h->name[i], name[k]) == 0;
		for (size_t k = 0; k < sizeof count / sizeof *count; k++)
			counts |= strcasecmp(h->name[i], count[k]) == 0;
	}
	return names && counts;
}

bool
csv_refuse_known(struct csv_reader *reader)
{
	const struct names *names = &reader->header;
	size_t metrics = 0;

	if (names->n >= 4 && str_eq(names->name[0], "TS") && str_eq(names->name[1], "SKT") &&
		str_eq(names->name[2], "CPU") && str_eq(names->name[3], "CID"))
		return csv_columns_refuse(reader, "this is PerfSpect's metrics.csv: derived metrics, and no counts",
			"its counts are in the output of perf stat that PerfSpect keeps beside it with --raw");
	if (names->n >= 4 && strcasecmp(names->name[0], "metric") == 0 &&
		strcasecmp(names->name[1], "mean") == 0 && strcasecmp(names->name[2], "min") == 0)
		return csv_columns_refuse(reader,
			"this is PerfSpect's summary.csv: means of derived metrics, and no counts",
			"its counts are in the output of perf stat that PerfSpect keeps beside it with --raw");
	if (is_long(names))
		return csv_columns_refuse(reader,
			"this table has a row for each count; a wide CSV has a column for each counter",
			"pivot the table, as pandas does: df.pivot(columns=\"event\", values=\"count\", index=…)");
	/* perf ends this header with a separator, so the last column has no name */
	for (size_t i = 0; i < names->n; i++)
		metrics += *names->name[i] && is_metric_name(names->name[i]);
	if (names->n > 1 && !*names->name[names->n - 1] && metrics + 1 >= names->n - (str_eq(names->name[0], "time")))
		return csv_columns_refuse(reader,
			"these are derived metrics of perf stat (--metric-only or --topdown), and no counts",
			"run perf stat again, without --metric-only: -x, prints the counts");
	return true;
}

bool
csv_choose_columns(struct csv_reader *reader)
{
	struct csv_look *look;
	struct str list = {0};
	size_t rows;
	bool good = true;

	/* What comes slowly is not waited for. */
	while (!reader->feed->over && !feed_would_wait(reader->feed) && !has_rows(reader->feed))
		if (!csv_more(reader))
			return false;
	look = mem_new_array(reader->header.n, sizeof *look);
	rows = csv_columns_look(reader, look);
	reader->left_out = mem_new_array(reader->header.n, sizeof *reader->left_out);
	reader->time_unit = 0;
	if (reader->header.n > 1 && !*reader->header.name[reader->header.n - 1] && !look[reader->header.n - 1].cells)
		csv_leave_out(reader, reader->header.n - 1); /* each line ends with a separator */
	good = csv_find_roles(reader, look, rows);
	find_metrics(reader, look, rows, &list);
	if (good && reader->shape.n_counters == 0) {
		err_set(reader->e, "no column holds counts: these are derived metrics: %s", str_text(&list));
		err_hint(reader->e, "give the raw counts; or, if a column does hold counts, name it with --counts%s",
			reader->separator == ';' ? "; or, if the points group digits, write the numbers without them"
						 : "");
		good = err_place(reader->e, reader->feed->name, 1, 0);
	}
	reader->metrics = str_take(&list);
	free(look);
	return good;
}

void
csv_note_columns(const struct csv_reader *reader)
{
	const char *file = reader->feed->name;

	if (reader->roles.n)
		obs_table_note(reader->table, OBS_NOTE_ROLE, str_format("%s:1: %s", file, str_text(&reader->roles)));
	if (reader->metrics && *reader->metrics && reader->drops)
		obs_table_note(reader->table, OBS_NOTE_NO_COUNT,
			str_format("%s:1: derived metrics are not counts: left out (--counts keeps a "
				"column): %s", file, reader->metrics));
	else if (reader->metrics && *reader->metrics)
		obs_table_note(reader->table, OBS_NOTE_NO_COUNT,
			str_format("%s:1: derived metrics are not counts, so these take part only "
				"where a model names them: %s", file, reader->metrics));
	if (reader->missing.n)
		obs_table_note(reader->table, OBS_NOTE_UNCOUNTED,
			str_format("%s:%d: a word stands for a missing count (NA, NaN, null, -): "
				"taken as not counted (%zu of them, this being the first)", file, reader->missing.line,
				reader->missing.n));
}
