#include "draw/view/view_list.h"

static bool
list_shows(const struct list *l, const struct column *c)
{
	return c->rest || (c->width > 0 && (c->room == 0 || l->room >= c->room));
}

void
list_place(struct list *list, int w)
{
	size_t rest = 0;
	int x = 0, end = w - 1;

	while (rest < list->n_columns && !list->column[rest].rest)
		rest++;
	for (size_t i = 0; i < list->n_columns && i <= rest; i++) {
		struct column *column = &list->column[i];

		column->x = list_shows(list, column) ? x + column->gap : 0;
		x = column->x ? column->x + column->width : x;
	}
	for (size_t i = list->n_columns; i-- > rest + 1;) {
		struct column *column = &list->column[i];

		column->x = list_shows(list, column) ? end - column->width : 0;
		end = column->x ? column->x - column->gap : end;
	}
	if (rest < list->n_columns)
		list->column[rest].width = end - list->column[rest].x;
}

void
list_heads(const struct list *list, struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	for (size_t i = 0; i < list->n_columns; i++) {
		const struct column *column = &list->column[i];

		if (!column->x || !column->head)
			continue;
		if (column->right)
			pen_right(&p, r.x + column->x + column->width, r.y, column->head);
		else if (column->rest)
			pen_text(&p, r.x + column->x, r.y, column->head);
		else
			pen_fit(&p, r.x + column->x, r.y, column->width, column->head);
	}
}

void
list_row(const struct list *l, struct grid *g, struct rect line, size_t item, bool here)
{
	struct list_row row = {l, item, here, line.y, pen_on(g, line, ROLE_TEXT)};

	l->draw(&row);
}

void
list_draw(struct list *list, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	size_t first;

	list_place(list, r.w);
	list_heads(list, grid, r);
	r.y++;
	r.h--;
	first = (size_t)draw_list_rows(r, (int)list->cursor, (int)list->n, list->pane, list->action, drawn);
	for (int k = 0; k < r.h && first + (size_t)k < list->n; k++) {
		struct rect line = {r.x, r.y + k, r.w, 1};
		size_t at = first + (size_t)k;

		list_row(list, grid, line, list->order[at], at == list->cursor);
		if (at == list->cursor)
			draw_cursor(grid, line, focus);
	}
}

bool
list_cell(struct list_row *row, size_t column, enum role role, struct rect *place)
{
	const struct column *c = &row->list->column[column];

	row->pen.fg = row->list->stale ? ROLE_DIM : role;
	*place = (struct rect){row->pen.clip.x + c->x, row->y, c->width, 1};
	return c->x > 0;
}

void
list_text(struct list_row *row, size_t column, enum role role, const char *text)
{
	struct rect at;

	if (!list_cell(row, column, role, &at))
		return;
	if (row->list->column[column].right)
		pen_right(&row->pen, at.x + at.w, at.y, text);
	else
		pen_fit(&row->pen, at.x, at.y, at.w, text);
}

struct line
list_line(const struct list_row *row, size_t column)
{
	const struct column *c = &row->list->column[column];
	int x = row->pen.clip.x + c->x;

	return (struct line){.pen = row->pen, .x = x, .y = row->y, .end = c->x ? x + c->width : x};
}
