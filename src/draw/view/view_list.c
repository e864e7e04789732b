#include "draw/view/view_list.h"

#include <stdlib.h>

#include "base/str.h"
#include "base/utf8.h"
#include "explorer/state/state_views.h"

enum { REST_LEAST = 4 }; /* columns for what gets the rest, among columns that the user arranged */

static bool
list_shows(const struct list *l, const struct column *c)
{
	return c->rest || (c->width > 0 && (c->room == 0 || l->room >= c->room));
}

static const struct column_choice *
list_choice(const struct list *list)
{
	const struct column_choice *choice = list->state && list->pane >= 0 && list->pane < PANE_COUNT
		? &list->state->view.columns.of[list->pane] : NULL;

	return choice && choice->n == list->n_columns ? choice : NULL;
}

bool
list_is_arranged(const struct list *list)
{
	return list_choice(list) != NULL;
}

/* The column at a place, from left to right. */
static struct column *
list_column(const struct list *list, const struct column_choice *choice, size_t place)
{
	return &list->column[choice ? choice->order[place] : place];
}

/* Returns the columns that are left over; negative: that are missing. */
static int
list_place_all(struct list *list, const struct column_choice *choice, int w)
{
	struct column *rest = NULL;
	size_t n = 0; /* columns up to the one that gets the rest */
	int x = 0, end = w - 1, left;

	while (n < list->n_columns && !rest) {
		struct column *column = list_column(list, choice, n++);

		rest = column->rest ? column : NULL;
		column->x = list_shows(list, column) ? x + column->gap : 0;
		x = column->x && !rest ? column->x + column->width : x;
	}
	for (size_t i = list->n_columns; i-- > n;) {
		struct column *column = list_column(list, choice, i);

		column->x = list_shows(list, column) ? end - column->width : 0;
		end = column->x ? column->x - column->gap : end;
	}
	if (!rest)
		return end - x;
	left = end - rest->x;
	rest->x = left >= rest->width ? rest->x : 0;
	rest->width = left;
	return left - REST_LEAST;
}

/* A hidden column leaves its room to those that come after it as there is room. A column with another left neighbour
 * than in the table needs a gap, and the width of its head. */
static void
list_fit_choice(struct list *list, const struct column_choice *choice)
{
	int freed[COLUMNS_MOST] = {0};

	for (size_t i = 0; i < choice->n; i++)
		for (size_t k = 0; k < choice->n && choice->hidden[i]; k++)
			if (list->column[k].room >= list->column[i].room)
				freed[k] += list->column[i].gap + list->column[i].width;
	for (size_t place = 0; place < choice->n; place++) {
		size_t number = choice->order[place];
		struct column *column = &list->column[number];
		int head = column->head && column->right ? (int)utf8_width(column->head) : 0;

		if (choice->hidden[number])
			*column = (struct column){0};
		if (column->room)
			column->room = column->room > freed[number] ? column->room - freed[number] : 1;
		if (place ? number == choice->order[place - 1] + 1u : number == 0)
			continue;
		column->gap = column->gap ? column->gap : 1;
		if (column->width)
			column->width = column->width > head ? column->width : head;
	}
}

/* The first of the columns that give way: the one that needs the most room. NULL: none can. */
static struct column *
list_least_needed(const struct list *list)
{
	struct column *out = NULL;

	for (size_t i = 0; i < list->n_columns; i++) {
		struct column *column = &list->column[i];

		if (column->x && column->name && !column->stays && !column->rest && (!out || column->room >= out->room))
			out = column;
	}
	return out;
}

void
list_place(struct list *list, int w)
{
	const struct column_choice *choice = list_choice(list);
	struct column *least;

	if (choice)
		list_fit_choice(list, choice);
	while (list_place_all(list, choice, w) < 0 && choice && (least = list_least_needed(list)))
		least->width = 0;
}

/* The head of a column; "▴" follows it where the list has its order in reverse. */
static void
list_head(const struct list *list, const struct column *column, struct pen *p, int x)
{
	const struct state *state = list->state;
	bool turned = state && column->order && state_is_reversed(state) && state_sort_now(state) == column->order - 1;
	char *text = str_format("%s%s", column->head, turned ? "▴" : "");

	if (column->right)
		pen_right(p, x + column->width, p->clip.y, text);
	else if (column->rest)
		pen_text(p, x, p->clip.y, text);
	else
		pen_fit(p, x, p->clip.y, column->width, text);
	free(text);
}

void
list_heads(const struct list *list, struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, (struct rect){r.x, r.y, r.w, 1}, ROLE_DIM);

	for (size_t i = 0; i < list->n_columns; i++) {
		const struct column *column = &list->column[i];

		if (column->x && column->head)
			list_head(list, column, &p, r.x + column->x);
	}
}

/* Regions of the heads that sort. A head at the right edge may begin before its column. */
static void
list_titles(const struct list *list, struct rect r, struct drawn *drawn)
{
	for (size_t i = 0; i < list->n_columns; i++) {
		const struct column *column = &list->column[i];
		int head = column->head && column->right ? (int)utf8_width(column->head) : 0,
		    before = head > column->width ? head - column->width : 0;
		struct rect title = {r.x + column->x - before, r.y, column->width + before, 1};

		if (column->x && column->order)
			hit_add(drawn, title, HIT_TITLE, list->pane, (int)i, ACTION_none);
	}
}

enum action
list_row(const struct list *l, struct grid *g, struct rect line, size_t item, bool here)
{
	struct list_row row = {l, item, here, line.y, pen_on(g, line, ROLE_TEXT), l->action};

	l->draw(&row);
	return row.action;
}

int
list_rows(const struct list *list, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	size_t cursor = list->cursor < list->n ? list->cursor : list->n - 1;
	int first = list_scroll(0, drawn ? (int)cursor : 0, (int)list->n, r.h), k;

	for (k = 0; k < r.h && first + k < (int)list->n; k++) {
		struct rect line = {r.x, r.y + k, r.w, 1};
		size_t at = (size_t)(first + k);
		bool here = drawn && at == cursor;
		enum action action = list_row(list, grid, line, list->order ? list->order[at] : at, here);

		if (here)
			draw_cursor(grid, line, focus);
		if (drawn)
			hit_add(drawn, line, HIT_ROW, list->pane, first + k, action);
	}
	return k;
}

int
list_draw(struct list *list, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	list_place(list, r.w);
	list_heads(list, grid, r);
	if (drawn)
		list_titles(list, r, drawn);
	return 1 + list_rows(list, grid, (struct rect){r.x, r.y + 1, r.w, r.h - 1}, focus, drawn);
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
