#include "collect/import/csv_cells.h"

#include <limits.h>
#include <string.h>

#include "base/err.h"

static int
column(const struct csv_cells *c, const char *p)
{
	ptrdiff_t n = p - c->line_start + 1;

	return n > INT_MAX ? INT_MAX : (int)n;
}

static void
begin_line(struct csv_cells *c, const char *p)
{
	if (c->line < INT_MAX)
		c->line++;
	c->line_start = p;
}

void
csv_cells_begin(struct csv_cells *c, const char *name, const char *p, const char *end, int line)
{
	*c = (struct csv_cells){.name = name, .p = p, .end = end, .line = line, .line_start = p, .separator = ','};
}

void
csv_cells_begin_text(struct csv_cells *c, const char *name, const char *text, size_t n)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t skip = n >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;

	csv_cells_begin(c, name, text + skip, text + n, 1);
}

bool
csv_cells_more(struct csv_cells *c)
{
	while (c->p < c->end && (*c->p == '\n' || (*c->p == '\r' && (c->p + 1 == c->end || c->p[1] == '\n')))) {
		if (*c->p++ == '\n')
			begin_line(c, c->p);
	}
	return c->p < c->end;
}

bool
csv_cells_row(struct csv_cells *c)
{
	while (csv_cells_more(c)) {
		if (*c->p != '#')
			return true;
		while (c->p < c->end && *c->p != '\n')
			c->p++;
	}
	return false;
}

static void
skip_blanks(struct csv_cells *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t') && *c->p != c->separator)
		c->p++;
}

/* Ends a cell. Returns false unless a separator, the end of the line, or the end of the text follows. */
static bool
end_cell(struct csv_cells *cells, struct csv_cell *cell)
{
	cell->last = true;
	if (cells->p < cells->end && *cells->p == cells->separator) {
		cells->p++;
		cell->last = false;
		return true;
	}
	if (cells->p < cells->end && *cells->p == '\r')
		cells->p++;
	if (cells->p < cells->end && *cells->p == '\n') {
		cells->p++;
		begin_line(cells, cells->p);
		return true;
	}
	return cells->p == cells->end;
}

static bool
read_quoted(struct csv_cells *cells, struct csv_cell *cell, struct err *e)
{
	cell->quoted = true;
	for (cells->p++;; cells->p++) {
		const char *q = cells->p;

		while (q < cells->end && *q != '"' && *q != '\n')
			q++;
		str_addn(&cell->text, cells->p, (size_t)(q - cells->p));
		cells->p = q;
		if (q == cells->end) {
			err_set(e, "a quoted cell is not closed");
			err_hint(e, "a quote inside a quoted cell is written twice");
			return err_place(e, cells->name, cell->line, cell->col);
		}
		if (*q == '\n') {
			str_addc(&cell->text, '\n');
			begin_line(cells, q + 1);
			continue;
		}
		if (q + 1 == cells->end || q[1] != '"')
			break;
		str_addc(&cell->text, '"');
		cells->p++;
	}
	cells->p++;
	skip_blanks(cells);
	if (end_cell(cells, cell))
		return true;
	err_set(e, "text after the closing quote of a cell");
	err_hint(e, "a quote inside a quoted cell is written twice");
	return err_place(e, cells->name, cells->line, column(cells, cells->p));
}

bool
csv_cells_next(struct csv_cells *cells, struct csv_cell *cell, struct err *e)
{
	const char *from, *to;

	str_clear(&cell->text);
	cell->quoted = false;
	skip_blanks(cells);
	cell->line = cells->line;
	cell->col = column(cells, cells->p);
	if (cells->p < cells->end && *cells->p == '"')
		return read_quoted(cells, cell, e);
	from = cells->p;
	while (cells->p < cells->end && *cells->p != cells->separator && *cells->p != '\n')
		cells->p++;
	to = cells->p;
	if (to > from && to[-1] == '\r' && (cells->p == cells->end || *cells->p == '\n'))
		to--;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	str_addn(&cell->text, from, (size_t)(to - from));
	return end_cell(cells, cell);
}
