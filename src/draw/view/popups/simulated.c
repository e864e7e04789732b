/* The simulated machine that runs: its planted features, and its workload. */
#include <stdlib.h>

#include "app/state/state_sim.h"
#include "base/str.h"
#include "draw/view/popups/popups.h"
#include "draw/view/view_parts.h"

#define NAME_COLUMN 6
#define TEXT_COLUMN 22

static void
draw_row(const struct state *s, struct grid *g, struct rect in, int at, size_t number)
{
	struct state_sim_row row;
	struct line l = line_on(g, in, at);

	state_sim_row(s, number, &row);
	if (row.plant)
		line_add(&l, row.on ? ROLE_ACCENT : ROLE_DIM, 0, "[%s]", row.on ? "x" : " ");
	else
		line_add(&l, ROLE_ACCENT, 0, "%s", row.on ? ">" : " ");
	line_to(&l, NAME_COLUMN);
	line_add(&l, ROLE_TEXT, 0, "%s", row.name);
	if (TEXT_COLUMN < in.w) {
		line_to(&l, TEXT_COLUMN);
		line_add(&l, ROLE_DIM, 0, "%s", row.text);
	}
}

void
draw_simulated(const struct state *s, struct grid *g, struct rect screen, struct drawn *d)
{
	int n = (int)state_sim_rows(s), first;
	const char *name = state_sim_name(s);
	char *title = str_format("Simulated machine · %s", name ? name : "");
	struct rect in = draw_popup(
		g, screen, screen.w - 4 < 110 ? screen.w - 4 : 110, n + 4, title, "Enter switches, and begins anew");
	struct rect list = {in.x, in.y, in.w, in.h - 2};

	free(title);
	if (!name || list.h < 1)
		return;
	first = list_scroll(0, s->view.popup.cursor, n, list.h);
	for (int i = 0; i < list.h && first + i < n; i++) {
		struct rect row = {in.x, in.y + i, in.w, 1};

		draw_row(s, g, list, i, (size_t)(first + i));
		if (first + i == s->view.popup.cursor)
			draw_cursor(g, row, true);
		hit_add(d, row, HIT_ROW, -1, first + i, ACTION_none);
	}
	if (s->question.subject.argv) {
		struct line l = line_on(g, in, in.h - 1);

		line_add(&l, ROLE_DIM, 0, "%s", s->question.subject.argv[0]);
	}
}
