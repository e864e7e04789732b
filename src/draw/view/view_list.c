#include "draw/view/view_list.h"

static bool
list_shows(const struct list *l, const struct column *c)
{
	return c->rest || (c->width > 0 && (c->room == 0 || l->room >= c->room));
}

void
list_place(struct list *l, int w)
{
	size_t rest = 0;
	int x = 0, end = w - 1;

	while (rest < l->n_columns && !l->column[rest].rest)
		rest++;
	for (size_t i = 0; i < l->n_columns && i <= rest; i++) {
		struct column *c = &l->column[i];

		c->x = list_shows(l, c) ? x + c->gap : 0;
		x = c->x ? c->x + c->width : x;
	}
	for (size_t i = l->n_columns; i-- > rest + 1;) {
		struct column *c = &l->column[i];

		c->x = list_shows(l, c) ? end - c->width : 0;
		end = c->x ? c->x - c->gap : end;
	}
	if (rest < l->n_columns)
		l->column[rest].width = end - l->column[rest].x;
}

void
list_heads(const struct list *l, struct grid *g, struct rect r)
{
	struct pen p = pen_on(g, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	for (size_t i = 0; i < l->n_columns; i++) {
		const struct column *c = &l->column[i];

		if (!c->x || !c->head)
			continue;
		if (c->right)
			pen_right(&p, r.x + c->x + c->width, r.y, c->head);
		else if (c->rest)
			pen_text(&p, r.x + c->x, r.y, c->head);
		else
			pen_fit(&p, r.x + c->x, r.y, c->width, c->head);
	}
}

void
list_row(const struct list *l, struct grid *g, struct rect line, size_t item, bool here)
{
	struct list_row row = {l, item, here, line.y, pen_on(g, line, ROLE_TEXT)};

	l->draw(&row);
}

void
list_draw(struct list *l, struct grid *g, struct rect r, bool focus, struct drawn *d)
{
	size_t first;

	list_place(l, r.w);
	list_heads(l, g, r);
	r.y++;
	r.h--;
	first = (size_t)draw_list_rows(r, (int)l->cursor, (int)l->n, l->pane, l->action, d);
	for (int k = 0; k < r.h && first + (size_t)k < l->n; k++) {
		struct rect line = {r.x, r.y + k, r.w, 1};
		size_t at = first + (size_t)k;

		list_row(l, g, line, l->order[at], at == l->cursor);
		if (at == l->cursor)
			draw_cursor(g, line, focus);
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
