/* The question before something is lost: what it is, and the answers with their keys. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "draw/view/view_table.h"
#include "explorer/state/state_leave.h"

enum { WIDE = 78, TEXT_COLUMN = 7 };

static char *
leave_title(const struct state *state)
{
	const struct leaving *leaving = &state->view.leaving;

	return leaving->to == LEAVE_RUN ? str_format("Stop %s?", state_subject(state))
		: leaving->to == LEAVE_FOR ? str_format("Open %s?", state_leave_opens(state)) : str_format("Leave?");
}

static void
draw_leave(const struct state *state, struct grid *grid, struct rect screen, struct drawn *drawn)
{
	struct leave_row row[LEAVE_ROWS];
	size_t n = state_leave_rows(state, row);
	struct str words = {0};
	char *title = leave_title(state), **text;
	size_t lines, rows = 0;
	struct rect in, above;
	int y, first;

	state_leave_words(state, &words);
	text = str_split(str_text(&words), '\n', &lines);
	lines -= lines > 0; /* the last one is empty */
	for (size_t i = 0; i < lines; i++)
		rows += 1 + strlen(text[i]) / (WIDE - 4);
	in = draw_popup(grid, screen, WIDE, (int)(rows + n) + 3, title, NULL);
	/* where there is no room for all the words, the answers stay */
	above = (struct rect){in.x, in.y, in.w, in.h > (int)n ? in.h - (int)n : 0};
	y = in.y;
	for (size_t i = 0; i < lines && y < in.y + above.h; i++) {
		struct pen p = pen_on(grid, above, state->view.leaving.failure && i == 0 ? ROLE_INFEASIBLE : ROLE_TEXT);

		y += draw_wrapped(&p, in.x + 1, y, in.w - 2, text[i]);
	}
	y += y < in.y + above.h;
	first = list_scroll(0, state->view.popup.cursor, (int)n, in.h);
	for (size_t i = (size_t)first; i < n && y < in.y + in.h; i++, y++) {
		struct rect r = {in.x, y, in.w, 1};
		struct line l = line_on(grid, in, y - in.y);

		line_add(&l, ROLE_ACCENT, CELL_BOLD, "%s", row[i].key);
		line_to(&l, TEXT_COLUMN);
		line_add(&l, ROLE_TEXT, 0, "%s", row[i].text);
		if ((int)i == state->view.popup.cursor)
			draw_cursor(grid, r, true);
		hit_add(drawn, r, HIT_ROW, -1, (int)i, ACTION_none);
	}
	str_split_free(text);
	str_free(&words);
	free(title);
}

const struct popup_draw popup_draw_leave = {.list = draw_leave};
