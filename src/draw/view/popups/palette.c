/* The palette: the line that is typed, the rows that fit it, and what the row under the cursor does. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "draw/view/view_list.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_palette.h"
#include "work/files/simulation_text.h"
#include "work/fit/fitting.h"

enum { NAME, TEXT, KEY, COLUMNS };
enum { WIDE = 48, DETAIL_ROWS = 2, LEAST_WITH_DETAIL = 9 };

static const struct column columns[COLUMNS] = {
	[NAME] = {.gap = 1, .width = 20},
	[TEXT] = {.gap = 2, .width = 4, .rest = true},
	[KEY] = {.gap = 1, .width = 5, .right = true},
};

static void
draw_palette_row(struct list_row *row)
{
	const struct state *state = row->list->state;
	const struct palette_item *item = &state->view.popup.palette->item[row->item];
	bool runs = item->kind == PALETTE_COMMAND;

	list_text(row, NAME, item->why ? ROLE_DIM : ROLE_TEXT, item->name);
	list_text(row, TEXT, ROLE_DIM,
		runs        ? str_text(&state->view.prompt.input) + 1
		: item->why ? item->why : item->text);
	list_text(row, KEY, item->why ? ROLE_DIM : ROLE_ACCENT, item->key);
}

/* In full what the row under the cursor has to cut; of a command, whether the counters of its run fit. */
static void
draw_detail(const struct state *state, const struct palette_item *item, struct grid *grid, struct rect r)
{
	struct str text = {0};
	bool warns = item->why;

	if (item->kind == PALETTE_COMMAND && !simulation_is(str_text(&state->view.prompt.input) + 1))
		warns = fitting_write(state->view.events.fitting, &text);
	if (!text.n)
		str_add(&text, item->why ? item->why : item->text);

	struct pen p = pen_on(grid, r, warns ? ROLE_BORDERLINE : ROLE_TEXT);

	draw_wrapped(&p, r.x + 1, r.y, r.w - 2, str_text(&text));
	str_free(&text);
}

static void
draw_nothing(struct grid *grid, struct rect r)
{
	struct pen p = pen_on(grid, r, ROLE_DIM);

	draw_wrapped(&p, r.x + 1, r.y, r.w - 2, "Nothing has these letters in its name. Ctrl-U empties the line.");
}

static void
draw_palette_line(const struct state *state, struct grid *grid, struct rect in)
{
	struct pen p = pen_on(grid, in, ROLE_ACCENT);
	const char *text = str_text(&state->view.prompt.input);
	int used;

	pen_text(&p, in.x + 1, in.y, ">");
	p.fg = ROLE_TEXT;
	used = pen_fit_head(&p, in.x + 3, in.y, in.w - 5, text);
	p.attr = CELL_REVERSE;
	pen_text(&p, in.x + 3 + used, in.y, " ");
	p.attr = 0;
	p.fg = ROLE_DIM;
	if (!*text)
		pen_fit(&p, in.x + 5, in.y, in.w - 6, "letters of a name; !COMMAND runs a command");
}

static void
draw_palette(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	size_t n;
	const size_t *order = state_palette_rows(state, &n);
	char *info = str_format("%zu of %zu", state_palette_runs(state) ? 0 : n, state->view.popup.palette->n - 1);
	struct rect in = draw_popup(grid, screen, 104, 26, "Palette", info), rows = {in.x, in.y + 1, in.w, in.h - 1};
	struct column column[COLUMNS];
	struct list list = {.state = state, .column = column, .n_columns = COLUMNS, .room = in.w, .order = order,
		.n = n, .cursor = (size_t)state->view.popup.cursor, .draw = draw_palette_row, .pane = -1};
	bool detail = in.h >= LEAST_WITH_DETAIL && n;
	size_t at = list.cursor < n ? list.cursor : n - 1;

	free(info);
	draw_palette_line(state, grid, in);
	memcpy(column, columns, sizeof column);
	if (in.w < WIDE)
		column[NAME] = (struct column){.gap = 1, .width = in.w - 8};
	rows.h -= detail ? DETAIL_ROWS + 1 : 0;
	list_place(&list, in.w);
	if (n)
		list_rows(&list, grid, rows, true, drawn);
	else
		draw_nothing(grid, rows);
	drawn->layout.page = rows.h > 1 ? rows.h - 1 : 1;
	if (detail)
		draw_detail(state, &state->view.popup.palette->item[order[at]], grid,
			(struct rect){in.x, in.y + in.h - DETAIL_ROWS, in.w, DETAIL_ROWS});
}

const struct popup_draw popup_draw_palette = {.list = draw_palette};
