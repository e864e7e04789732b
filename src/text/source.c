#include "text/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "base/utf8.h"

#define TAB 8

void
source_init(struct source *source, char *name, char *text, size_t n)
{
	size_t cap = 0;

	if (n >= SOURCE_MAX)
		panic("a text of %zu bytes is longer than a source can be", n);
	*source = (struct source){.name = name, .text = text, .n = n};
	for (size_t i = 0; i <= n; i++) {
		if (i > 0 && text[i - 1] != '\n')
			continue;
		mem_grow(&source->line, &cap, source->n_lines + 1, sizeof *source->line);
		source->line[source->n_lines++] = (uint32_t)i;
	}
}

void
source_free(struct source *s)
{
	free(s->name);
	free(s->text);
	free(s->line);
	*s = (struct source){0};
}

static size_t
line_index(const struct source *source, size_t at)
{
	size_t lo = 0, hi = source->n_lines;

	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;

		if (source->line[mid] <= at)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int
source_line(const struct source *s, size_t at)
{
	return (int)line_index(s, at) + 1;
}

/* The end of the line that starts at `from`, without its newline and carriage return. */
static size_t
line_end(const struct source *s, size_t from)
{
	const char *end = memchr(s->text + from, '\n', s->n - from);
	size_t to = end ? (size_t)(end - s->text) : s->n;

	return to > from && s->text[to - 1] == '\r' ? to - 1 : to;
}

/* Reads the character at `at`, which begins in column `col`. Returns its bytes; *columns gets its columns. Appends its
 * visible form to `out` unless that is NULL. */
static size_t
show_one(const struct source *source, size_t at, size_t end, size_t col, size_t *columns, struct str *out)
{
	struct str text = {0};
	uint32_t cp;
	size_t len = utf8_decode(source->text + at, end - at, &cp);

	if (cp >= 0x20 && cp < 0x7f) {
		*columns = 1;
		if (out)
			str_addc(out, (char)cp);
		return len;
	}
	if (cp == '\t')
		for (size_t i = TAB - col % TAB; i > 0; i--)
			str_addc(&text, ' ');
	else
		utf8_add_visible(&text, source->text + at, len);
	*columns = utf8_width(str_text(&text));
	if (out)
		str_add(out, str_text(&text));
	str_free(&text);
	return len;
}

/* The number of columns before `at`, counted from `from`, which is at column `col`. */
static size_t
columns_before(const struct source *s, size_t from, size_t at, size_t end, size_t col)
{
	while (from < at && from < end) {
		size_t columns;

		from += show_one(s, from, end, col, &columns, NULL);
		col += columns;
	}
	return col;
}

int
source_column(const struct source *s, size_t at)
{
	size_t from = s->line[line_index(s, at)];

	return (int)columns_before(s, from, at, line_end(s, from), 0) + 1;
}

char *
source_show(const struct source *source, size_t at, size_t len, int columns, int *caret, int *span)
{
	size_t from = source->line[line_index(source, at)], end = line_end(source, from), room = (size_t)columns,
	       first = 0, col = 0, i = from;
	size_t begin = columns_before(source, from, at, end, 0),
	       stop = columns_before(source, at, at + len, end, begin);
	struct str out = {0};

	if (stop > room)
		first = begin > room / 2 ? begin - room / 2 : 0;
	if (first)
		str_add(&out, "…");
	while (i < end && col < first + room) {
		size_t width;
		bool seen = col >= first;

		i += show_one(source, i, end, col, &width, seen ? &out : NULL);
		col += width;
		if (!seen && col > first)
			first = col; /* a wide character crossed the edge of the window */
	}
	if (i < end)
		str_add(&out, "…");
	stop = stop > first + room ? first + room : stop;
	*caret = (int)(begin - first) + (first ? 1 : 0);
	*span = stop > begin ? (int)(stop - begin) : 1;
	return str_take(&out);
}
