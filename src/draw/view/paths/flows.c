/* View 5: the flows of the snapshot. One of them can be shown alone. */
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "core/network/flow.h"
#include "draw/view/paths/paths.h"
#include "draw/view/view_page.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/timeline_flows.h"

#define LIST_FROM 32    /* rows of the view from which the list has a band below the path map */
#define LIST_MOST 10    /* most rows of that band, which has at most a quarter of the view */
#define LIST_LEAST 6    /* least rows of the list while it has the focus */
#define TASK_COLUMNS 28 /* columns of task and CPU */
#define WIDE_FROM 70    /* columns from which a destination has a column of its own */

/* Right edges of the numbers, from the left edge of the pane. */
enum { AT_RAN = 8, AT_REQUESTS = 18, AT_SHARE = 25 };

struct flow_room
flows_room(const struct state *state, struct rect body)
{
	int rows = state_flows_rows(state) + 2, most = body.h / 4 < LIST_MOST ? body.h / 4 : LIST_MOST;
	bool inside = state->view.focus == PANE_FLOWS;

	if (rows == 2 || (body.h < LIST_FROM && !inside))
		return (struct flow_room){0};
	if (body.h < LIST_FROM)
		most = LIST_LEAST;
	most = rows < most ? rows : most;
	return (struct flow_room){
		.least = most, .most = body.h < LIST_FROM ? body.h / 2 : most, .alone = body.h < LIST_FROM};
}

void
flows_title(const struct state *s, struct str *title, struct str *info)
{
	str_add(title, "Flows");
	if (s->answers.timeline.flows)
		str_addf(info, "%zu · f next · %s", s->answers.timeline.flows->n,
			s->view.timeline.flow ? "Esc all" : "Enter alone");
}

static int
head_columns(struct rect r)
{
	int rest = r.w - AT_SHARE - 2;

	return rest > TASK_COLUMNS + (r.w >= WIDE_FROM ? 22 : 0) ? TASK_COLUMNS + (r.w >= WIDE_FROM ? 22 : 0) : rest;
}

static void
draw_head(struct grid *grid, struct rect r, int from)
{
	struct line l = line_on(grid, r, 0);

	line_add(&l, ROLE_DIM, 0, "task, CPU");
	if (r.w >= WIDE_FROM) {
		line_to(&l, TASK_COLUMNS);
		line_add(&l, ROLE_DIM, 0, "to");
	}
	l.pen.fg = ROLE_DIM;
	l.pen.attr = 0;
	pen_right(&l.pen, from + AT_RAN, r.y, "ran");
	pen_right(&l.pen, from + AT_REQUESTS, r.y, "requests");
	pen_right(&l.pen, from + AT_SHARE, r.y, "%");
}

/* "gcc-4711 CPU 3"; below it "→ disks", or that in its own column. */
static void
draw_name(struct line *line, struct rect r, const struct timeline_flow *f, int room)
{
	char *who = str_format("%s CPU %d", f->name.task, f->name.cpu),
	     *to = f->destination ? str_format("→ %s", f->destination) : NULL;
	bool wide = r.w >= WIDE_FROM;

	if (!to || wide)
		pen_fit(&line->pen, line->x, line->y, wide ? TASK_COLUMNS - 2 : room - 1, who);
	if (to)
		pen_fit(&line->pen, wide ? r.x + TASK_COLUMNS : line->x + 2, line->y, room - (wide ? TASK_COLUMNS : 3),
			to);
	free(who);
	free(to);
}

static void
draw_flow(const struct state *state, struct grid *grid, struct rect r, size_t line, int from)
{
	const struct timeline_flow *flow = &state->answers.timeline.flows->line[line];
	bool chosen = line == state_flows_line(state);
	struct line l = line_on(grid, r, 0);
	char number[NUMBER_TEXT];

	l.pen.fg = chosen ? ROLE_ACCENT : ROLE_TEXT;
	l.pen.attr = chosen ? CELL_BOLD : 0;
	draw_name(&l, r, flow, from - r.x);
	if (!flow->destination) {
		pen_right(&l.pen, from + AT_RAN, r.y, number_seconds(number, (double)flow->ran_ns * 1e-9, grid->ascii));
		return;
	}
	pen_right(&l.pen, from + AT_REQUESTS, r.y,
		flow->known ? number_count(number, (double)flow->requests, false) : "?");
	pen_right(&l.pen, from + AT_SHARE, r.y, isnan(flow->share) ? "?" : number_share(number, flow->share));
}

/* The first row: all flows, and what belongs to no task. */
static void
draw_all(const struct state *s, struct grid *g, struct rect r)
{
	const struct flows *f = timeline_flows_all(s->answers.timeline.flows);
	bool chosen = !s->view.timeline.flow, some = false;
	struct line l = line_on(g, r, 0);

	line_add(&l, chosen ? ROLE_ACCENT : ROLE_TEXT, chosen ? CELL_BOLD : 0, "all");
	for (size_t i = 0; i < FLOW_SPECIALS; i++)
		some |= flows_at(f, i)->snapshots > 0;
	if (some)
		line_add(&l, ROLE_DIM, 0, "   including requests of no single task");
}

void
draw_flows(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	int rows = state_flows_rows(state), cursor = state->view.cursor[PANE_FLOWS], from = r.x + head_columns(r),
	    first;
	struct rect list = {r.x, r.y + 1, r.w, r.h > 1 ? r.h - 1 : 0};

	if (!rows)
		return;
	draw_head(grid, r, from);
	first = draw_list_rows(list, cursor, rows, PANE_FLOWS, ACTION_flow, drawn);
	for (int i = 0; i < list.h && first + i < rows; i++) {
		struct rect row = {list.x, list.y + i, list.w, 1};

		if (first + i)
			draw_flow(state, grid, row, (size_t)(first + i) - 1, from);
		else
			draw_all(state, grid, row);
		if (first + i == cursor)
			draw_cursor(grid, row, focus);
	}
}
