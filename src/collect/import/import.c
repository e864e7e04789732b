#include "collect/import/import.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/import/csv.h"
#include "collect/import/feed.h"
#include "collect/import/gem5_stats.h"
#include "collect/import/perf_stat.h"
#include "collect/import/sniper.h"
#include "collect/import/tools.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"

#define LOOK_AT 65536 /* bytes from which the format is recognised */

static bool
starts(const char *s, size_t n, const char *prefix, size_t m)
{
	return n >= m && memcmp(s, prefix, m) == 0;
}

static size_t
count_cells(const char *line)
{
	size_t n = 1;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

static bool
has_cell(const char *line, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = line; (p = strstr(p, name)); p += n)
		if ((p == line || strchr(", \"", p[-1])) && (!p[n] || strchr(", \"\r", p[n])))
			return true;
	return false;
}

/* Recognises the formats that the first non-empty line shows. */
static bool
known_by_line(const char *s, enum import_format *f)
{
	if (str_starts(s, "# started on") || *s == '{' || *s == '[')
		*f = IMPORT_PERF_STAT;
	else if (gem5_stats_begins(s))
		*f = IMPORT_GEM5_STATS;
	else if (sniper_stack_is(s))
		*f = IMPORT_SNIPER_STACK;
	else if ((str_starts(s, "model ") || str_starts(s, "include \"")) && strchr(s, ';'))
		*f = IMPORT_MODEL;
	else
		return false;
	return true;
}

/* Copies the line at *p, cut to `size`, and moves *p past it. Returns false at the end. */
static bool
import_next_line(const char **p, char *line, size_t size)
{
	size_t n = strcspn(*p, "\n"), k = n < size - 1 ? n : size - 1;

	if (!**p)
		return false;
	memcpy(line, *p, k);
	line[k] = '\0';
	*p += n + ((*p)[n] == '\n');
	return true;
}

static bool
is_remark(const char *s, bool *remark)
{
	bool whole;

	*remark |= str_starts(s, "/*");
	whole = *remark || !*s || *s == '#' || str_starts(s, "//");
	if (*remark && strstr(s, "*/"))
		*remark = false;
	return whole;
}

/* True for the header of a wide CSV with an observation or time column, and a row that fits it. Such a row must not be
 * taken for a line of perf stat: its observation's name may look like an event after a count. perf stat never prints
 * that header. */
static bool
is_wide(const char *header, const char *row)
{
	return (has_cell(header, "observation") || has_cell(header, "time")) && count_cells(header) > 1 &&
		count_cells(header) == count_cells(row);
}

/* Decides by the first non-empty line. Comments of µDD models and of other formats are skipped. */
static enum import_format
format_of_text(const char *text)
{
	char line[1024], below[1024];
	enum import_format f;
	bool remark = false;
	const char *s;

	if (tools_find(text))
		return IMPORT_TOOL;
	for (const char *p = text; import_next_line(&p, line, sizeof line);) {
		for (s = line; isspace((unsigned char)*s);)
			s++;
		if (known_by_line(s, &f))
			return f;
		if (is_remark(s, &remark))
			continue;
		if (import_next_line(&p, below, sizeof below) && is_wide(s, below))
			return IMPORT_WIDE_CSV;
		break;
	}
	if (sniper_stats_is(text))
		return IMPORT_SNIPER_STATS;
	return perf_stat_is(text, strlen(text)) ? IMPORT_PERF_STAT : IMPORT_WIDE_CSV;
}

/* Copies the beginning of a text, without a byte order mark. The caller frees it. */
static char *
copy_head(const char *text, size_t n)
{
	size_t mark = starts(text, n, "\xef\xbb\xbf", 3) ? 3 : 0, k = n < LOOK_AT ? n : LOOK_AT;

	return mem_strn(text + mark, k - mark);
}

enum import_format
import_format_of(const char *text, size_t n)
{
	enum import_format f;
	char *head;

	if (starts(text, n, "SQLite format 3", 16))
		return IMPORT_SQLITE;
	if (starts(text, n, "\xff\xfe", 2) || starts(text, n, "\xfe\xff", 2))
		return IMPORT_UTF16;
	head = copy_head(text, n);
	f = format_of_text(head);
	free(head);
	return f;
}

/* Formats that are recognised but not read: what happened, and what to do instead. */
static const struct { const char *what, *hint;
} refused[] = {
	[IMPORT_UTF16] = {"this text is UTF-16; only UTF-8 can be read", "convert it: iconv -f UTF-16 -t UTF-8"},
	[IMPORT_MODEL] = {"this is a model, and data is expected here", "put the model first: hecate check MODEL DATA"},
};

static struct obs_table *
import_refuse(const char *what, const char *hint, const char *name, struct err *e)
{
	err_set(e, "%s", what);
	err_hint(e, "%s", hint);
	err_place(e, name, 0, 0);
	return NULL;
}

/* Returns true when the beginning of a slow text is enough to recognise its format. */
static bool
shows_format(const char *text, size_t n)
{
	const char *row = memchr(text, '\n', n),
		   *after = row ? memchr(row + 1, '\n', (size_t)(text + n - row - 1)) : NULL;
	char *head, *below;
	bool wide;

	if (!after)
		return false;
	if (import_format_of(text, n) != IMPORT_WIDE_CSV)
		return perf_stat_is(text, n);
	head = mem_strn(text, (size_t)(row - text));
	below = mem_strn(row + 1, (size_t)(after - row - 1));
	wide = count_cells(head) > 1 && count_cells(head) == count_cells(below);
	free(head);
	free(below);
	return wide;
}

/* Reads a format that needs the whole text in memory. A stopped import takes none of it, because the text may end
 * inside a dump. */
static struct obs_table *
read_whole(struct feed *feed, const struct import_how *how, tool_reader *read, struct err *e)
{
	const struct import_drain *drain = how->drain;
	struct obs_table *table;

	while (!feed->over) {
		if ((size_t)(feed->end - feed->p) > FEED_LONGEST) {
			err_set(e, "the file is longer than %zu MB", FEED_LONGEST >> 20);
			err_hint(e, "split it: this format is read as a whole");
			err_place(e, feed->name, 0, 0);
			return NULL;
		}
		if (!feed_more(feed, e))
			return NULL;
	}
	table = read(feed->name, feed->p, (size_t)(feed->end - feed->p), how->exact, e);
	if (!table || !drain)
		return table;
	for (size_t i = 0; i < table->n && feed->stopped; i++)
		obs_drop_rows(table->obs[i]);
	feed->p = feed->stopped ? feed->p : feed->end;
	if (feed->stopped || drain->take(drain->ctx, table, feed, e))
		return table;
	obs_table_free(table);
	return NULL;
}

static struct obs_table *
read_tool(struct feed *f, const struct import_how *how, struct err *e)
{
	char *head = copy_head(f->p, (size_t)(f->end - f->p));
	const struct tool *t = tools_find(head);

	free(head);
	return t->read ? read_whole(f, how, t->read, e) : import_refuse(t->what, t->hint, f->name, e);
}

struct obs_table *
import_read_feed(struct feed *feed, const struct import_how *how, struct err *e)
{
	enum import_format format;
	ptrdiff_t look = feed->window ? (ptrdiff_t)feed->window : LOOK_AT;

	while (!feed->over && feed->end - feed->p < look &&
		!(feed_would_wait(feed) && shows_format(feed->p, (size_t)(feed->end - feed->p))))
		if (!feed_more(feed, e))
			return NULL;
	format = import_format_of(feed->p, (size_t)(feed->end - feed->p));
	if (format == IMPORT_WIDE_CSV)
		return csv_read_feed(feed, how, e);
	if (format == IMPORT_GEM5_STATS)
		return read_whole(feed, how, gem5_stats_read, e);
	if (format == IMPORT_SNIPER_STACK)
		return read_whole(feed, how, sniper_stack_read, e);
	if (format == IMPORT_SNIPER_STATS)
		return read_whole(feed, how, sniper_stats_read, e);
	if (format == IMPORT_SQLITE)
		return sniper_db_is_used(feed->fd, feed->name, e) ? NULL : read_whole(feed, how, sniper_db_read, e);
	if (format == IMPORT_TOOL)
		return read_tool(feed, how, e);
	if (format != IMPORT_PERF_STAT)
		return import_refuse(refused[format].what, refused[format].hint, feed->name, e);
	return perf_stat_read_feed(feed, how, e);
}

struct obs_table *
import_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct import_how how = {.exact = exact, .near = GATHER_NEAR_CELLS};

	return feed_read_text(import_read_feed, name, text, n, 0, &how, e);
}
