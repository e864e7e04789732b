#include "collect/import/tool_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "core/obs/gather.h"
#include "core/obs/obs.h"

#define NAMES_SHOWN 3
#define NUMBER_LONGEST 63
#define YEAR_LEAST 1900 /* no counter was read before; the nanoseconds of an int64_t begin in 1677 */
#define YEAR_MOST 2200 /* its nanoseconds since 1970 fit into 64 bits */

void
tool_text_again(struct tool_text *t, const char *text, size_t n)
{
	t->p = text + (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
	t->end = text + n;
	t->line = 0;
}

bool
tool_text_begin(struct tool_text *tool_text, const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	size_t bad;

	*tool_text = (struct tool_text){.name = name, .separator = ',', .e = e};
	tool_text_again(tool_text, text, n);
	perf_sheet_begin(&tool_text->sheet, name, exact, GATHER_NEAR_CELLS, e);
	if (utf8_valid(text, n, &bad))
		return true;
	tool_text->line = 1;
	for (size_t i = 0; i < bad; i++)
		tool_text->line += text[i] == '\n';
	return tool_text_fail(tool_text, SIZE_MAX, "this is not text: a NUL or a byte that is not UTF-8",
		"was the file damaged?");
}

void
tool_text_free(struct tool_text *t)
{
	obs_table_free(t->sheet.table);
	perf_sheet_free(&t->sheet);
	for (size_t i = 0; i < TOOL_REASONS; i++)
		names_free(&t->left[i].names);
	free(t->cell);
	*t = (struct tool_text){0};
}

static struct tool_cell
tool_text_trim(const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (s < end && isspace((unsigned char)end[-1]))
		end--;
	return (struct tool_cell){s, (size_t)(end - s)};
}

/* Returns the end of the cell that begins at p. A quoted cell may hold separators. */
static const char *
cell_end(const char *p, const char *end, char separator)
{
	const char *quote = p;

	while (quote < end && *quote == ' ')
		quote++;
	if (quote < end && *quote == '"' && (quote = memchr(quote + 1, '"', (size_t)(end - quote - 1))) != NULL)
		p = quote;
	while (p < end && *p != separator)
		p++;
	return p;
}

void
tool_text_cut(struct tool_text *text, char separator)
{
	const char *end = memchr(text->line_start, '\n', (size_t)(text->end - text->line_start)), *p = text->line_start;

	end = end ? end : text->end;
	text->n_cells = 0;
	for (;;) {
		const char *q = cell_end(p, end, separator);
		struct tool_cell c = tool_text_trim(p, q);

		if (c.n > 1 && *c.s == '"' && c.s[c.n - 1] == '"')
			c = tool_text_trim(c.s + 1, c.s + c.n - 1);
		mem_grow(&text->cell, &text->cap_cells, text->n_cells + 1, sizeof *text->cell);
		text->cell[text->n_cells++] = c;
		if (q == end)
			return;
		p = q + 1;
	}
}

void
tool_text_cut_words(struct tool_text *t)
{
	size_t n = 0;

	tool_text_cut(t, ' ');
	for (size_t i = 0; i < t->n_cells; i++)
		if (t->cell[i].n)
			t->cell[n++] = t->cell[i];
	t->n_cells = n;
}

bool
tool_text_next(struct tool_text *text)
{
	while (text->p < text->end && !perf_sheet_is_full(&text->sheet)) {
		const char *end = memchr(text->p, '\n', (size_t)(text->end - text->p));

		text->open = !end;
		text->line_start = text->p;
		text->line++;
		text->p = end ? end + 1 : text->end;
		if (!tool_text_trim(text->line_start, text->p).n)
			continue;
		tool_text_cut(text, text->separator);
		text->sheet.line = (size_t)text->line;
		return true;
	}
	return false;
}

bool
tool_text_is_cut(const struct tool_text *t)
{
	return t->open && t->n_cells && t->cell[t->n_cells - 1].n;
}

struct tool_cell
tool_cell_at(const struct tool_text *t, size_t i)
{
	return i < t->n_cells ? t->cell[i] : (struct tool_cell){"", 0};
}

bool
tool_cell_is(const struct tool_text *t, size_t i, const char *word)
{
	return i < t->n_cells && t->cell[i].n == strlen(word) && strncasecmp(t->cell[i].s, word, t->cell[i].n) == 0;
}

bool
tool_cell_starts(const struct tool_text *t, size_t i, const char *prefix)
{
	size_t n = strlen(prefix);

	return i < t->n_cells && t->cell[i].n >= n && strncasecmp(t->cell[i].s, prefix, n) == 0;
}

size_t
tool_cell_find(const struct tool_text *t, const char *word)
{
	size_t i = 0;

	while (i < t->n_cells && !tool_cell_is(t, i, word))
		i++;
	return i;
}

static bool
copy_number(struct tool_cell c, char out[NUMBER_LONGEST + 1])
{
	if (c.n > NUMBER_LONGEST)
		return false;
	memcpy(out, c.s, c.n);
	out[c.n] = '\0';
	return true;
}

enum tool_value
tool_cell_value(struct tool_cell c, struct decimal *decimal)
{
	char number[NUMBER_LONGEST + 1];

	if (!c.n || *c.s == '<' || (c.n == 1 && *c.s == '-'))
		return TOOL_NOT_COUNTED;
	if (!copy_number(c, number))
		return TOOL_NO_COUNT;
	switch (decimal_parse(number, decimal)) {
	case DECIMAL_GOOD:
		return TOOL_COUNTED;
	case DECIMAL_NAN:
		return TOOL_NOT_COUNTED;
	case DECIMAL_NOT_A_NUMBER:
	case DECIMAL_NEGATIVE:
	case DECIMAL_TOO_LARGE:
		break;
	}
	return TOOL_NO_COUNT;
}

double
tool_cell_number(struct tool_cell c)
{
	char number[NUMBER_LONGEST + 1];
	double v;

	return copy_number(c, number) && str_to_double(number, &v) ? v : NAN;
}

/* Days since 1970-01-01 of the Gregorian calendar. */
static long
days_of(long year, long month, long day)
{
	long y = month > 2 ? year : year - 1, m = (month + 9) % 12;

	return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719468;
}

/* Reads n numbers with these separators between them. */
static bool
read_numbers(struct tool_cell c, const char *separators, long *out, size_t n)
{
	const char *p = c.s, *end = c.s + c.n;

	for (size_t i = 0; i < n; i++) {
		if (i && (p == end || !strchr(separators, *p++)))
			return false;
		if (p == end || !isdigit((unsigned char)*p))
			return false;
		for (out[i] = 0; p < end && isdigit((unsigned char)*p) && out[i] < 10000; p++)
			out[i] = out[i] * 10 + (*p - '0');
	}
	return p == end || *p == '.' || *p == ':';
}

bool
tool_cell_clock(struct tool_cell day, struct tool_cell clock, int64_t *ns)
{
	long date[3] = {1970, 1, 1}, time[3];
	const char *p = clock.s, *end = clock.s + clock.n;
	int64_t fraction = 0, unit = 1;

	if ((day.n && !read_numbers(day, "-/", date, 3)) || !read_numbers(clock, ":", time, 3) ||
		date[0] < YEAR_LEAST || date[0] > YEAR_MOST || date[1] > 12 || date[2] > 31)
		return false;
	for (int colons = 0; p < end && colons < 3 && *p != '.'; p++)
		colons += *p == ':';
	p += p < end && *p == '.';
	for (; p < end && isdigit((unsigned char)*p) && unit < 1000000000; p++, unit *= 10)
		fraction = 10 * fraction + (*p - '0');
	*ns = ((days_of(date[0], date[1], date[2]) * 24 + time[0]) * 3600 + time[1] * 60 + time[2]) * 1000000000
		+ fraction * (1000000000 / unit);
	return p == end;
}

bool
tool_text_fail(struct tool_text *t, size_t i, const char *what, const char *hint)
{
	err_set(t->e, "%s", what);
	err_hint(t->e, "%s", hint);
	return err_place(t->e, t->name, t->line, i < t->n_cells ? (int)(t->cell[i].s - t->line_start) + 1 : 0);
}

bool
tool_text_add(struct tool_text *text, const struct tool_count *tool_count, const struct decimal *value)
{
	struct perf_sheet *sheet = &text->sheet;
	struct perf_count count = {.time = tool_count->time,
		.state = value ? PERF_COUNTED : PERF_NOT_COUNTED,
		.running = tool_count->running > 0 ? tool_count->running : 1,
		.variance = tool_count->variance > 0 ? tool_count->variance : NAN};
	struct str clean = {0};

	perf_set_name(&clean, tool_count->event, tool_count->event_n);
	count.event = perf_sheet_event(sheet, str_text(&clean), clean.n, false);
	perf_set_name(&clean, tool_count->owner, strlen(tool_count->owner));
	count.group = perf_sheet_group(sheet, tool_count->run, str_text(&clean), clean.n);
	str_free(&clean);
	if (value)
		count.value = *value;
	text->counts += value != NULL;
	return perf_sheet_add(sheet, &count);
}

bool
tool_text_count(struct tool_text *text, const struct tool_count *count, size_t i)
{
	struct tool_cell cell = tool_cell_at(text, i);
	struct decimal value;

	switch (tool_cell_value(cell, &value)) {
	case TOOL_COUNTED:
		return tool_text_add(text, count, &value);
	case TOOL_NOT_COUNTED:
		return tool_text_add(text, count, NULL);
	case TOOL_NO_COUNT:
		break;
	}
	err_set(text->e, "%.*s is \"%.*s\", which is not a count below 2^63",
		(int)(count->event_n < 100 ? count->event_n : 100), count->event, (int)(cell.n < 60 ? cell.n : 60),
		cell.s);
	err_hint(text->e, "this counter was misread, or the line is damaged: remove it");
	return err_place(text->e, text->name, text->line, i < text->n_cells ? (int)(cell.s - text->line_start) + 1 : 0);
}

size_t
tool_text_run(struct tool_text *t, double time)
{
	if (time < t->time) {
		perf_findings_count(&t->sheet.found.back, (size_t)t->line);
		t->run++;
	}
	if (!isnan(time))
		t->time = time;
	return t->run;
}

static void
tool_text_remember(struct tool_text *text, const char *why, bool kept, const char *name, size_t n)
{
	struct str clean = {0};

	for (size_t i = 0; i < TOOL_REASONS; i++) {
		struct tool_left *left = &text->left[i];

		if (left->why && !str_eq(left->why, why))
			continue;
		if (!left->why)
			left->line = text->line;
		left->why = why;
		left->kept = kept;
		perf_set_name(&clean, name, n);
		names_add(&left->names, str_text(&clean), clean.n);
		str_free(&clean);
		return;
	}
}

void
tool_text_leave(struct tool_text *t, const char *why, const char *name, size_t n)
{
	tool_text_remember(t, why, false, name, n);
}

void
tool_text_remark(struct tool_text *t, const char *what, const char *name, size_t n)
{
	tool_text_remember(t, what, true, name, n);
}

void
tool_text_leave_cut(struct tool_text *t)
{
	static const char why[] = "the file ends inside it (is it still being written?)", name[] = "the last line";

	tool_text_leave(t, why, name, sizeof name - 1);
}

static void
note_left(const struct tool_text *text, struct obs_table *to)
{
	for (size_t i = 0; i < TOOL_REASONS && text->left[i].why; i++) {
		const struct tool_left *left = &text->left[i];
		size_t n = left->names.n;
		struct str s = {0};

		str_addf(
			&s, "%s:%d: %s%s: ", text->name, left->line, left->kept ? "" : "left out, because ", left->why);
		for (size_t k = 0; k < n && k < NAMES_SHOWN; k++)
			str_addf(&s, "%s%s", k ? ", " : "", left->names.name[k]);
		if (n > NAMES_SHOWN)
			str_addf(&s, " and %zu more", n - NAMES_SHOWN);
		obs_table_note(to, left->kept ? OBS_NOTE_OTHER : OBS_NOTE_NO_COUNT, str_take(&s));
	}
}

/* Marks the columns that are 0 throughout an observation. */
static void
mark_zeros(struct obs *o)
{
	for (size_t c = 0; c < o->n_columns; c++) {
		bool zero = o->health[c] == OBS_LIVE;

		for (size_t row = 0; row < o->n_rows && zero; row++)
			zero = o->count[row * o->n_columns + c] == 0;
		if (zero)
			o->health[c] = OBS_ZERO_SUSPECT;
	}
}

struct obs_table *
tool_text_finish(struct tool_text *text, enum tool_source source, const char *nothing, const char *hint)
{
	struct obs_table *table = text->sheet.table;

	if (perf_sheet_is_full(&text->sheet)) {
		budget_refuse(&text->sheet.budget, text->name, text->e);
		return NULL;
	}
	if (!text->counts) {
		text->line = 0;
		tool_text_fail(text, SIZE_MAX, nothing, hint);
		return NULL;
	}
	if (!perf_sheet_finish(&text->sheet))
		return NULL;
	for (size_t i = 0; i < table->n && source == TOOL_ZEROS; i++)
		mark_zeros(table->obs[i]);
	for (size_t i = 0; i < table->n && source == TOOL_SIMULATOR; i++)
		table->obs[i]->tasks = 0;
	note_left(text, table);
	text->sheet.table = NULL;
	return table;
}
