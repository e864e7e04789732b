/* View 5: the flows of the snapshot. One of them can be shown alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "core/network/flow.h"
#include "draw/view/paths/paths.h"
#include "draw/view/view_list.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/timeline_flows.h"

#define LIST_FROM 32    /* rows of the view from which the list has a band below the path map */
#define LIST_MOST 10    /* most rows of that band, which has at most a quarter of the view */
#define LIST_LEAST 6    /* least rows of the list while it has the focus */
#define TASK_COLUMNS 28 /* columns of task and CPU */
#define WIDE_FROM 70    /* columns from which a destination has a column of its own */

enum { TASK, TO, RAN, REQUESTS, PERCENT, COLUMNS };

static const struct column flow_columns[COLUMNS] = {
	[TASK] = {.head = "task, CPU", .gap = 1},
	[TO] = {.head = "to", .gap = 1},
	[RAN] = {.head = "ran", .width = 8, .right = true},
	[REQUESTS] = {.head = "requests", .width = 10, .right = true},
	[PERCENT] = {.head = "%", .width = 7, .right = true},
};

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

/* Names have what the numbers leave, but not more than they need. */
static void
flows_fit_columns(struct column *column, int w)
{
	int rest = w - 27, wide = w >= WIDE_FROM;

	rest = rest > TASK_COLUMNS + 22 * wide ? TASK_COLUMNS + 22 * wide : rest;
	column[TASK].width = wide ? TASK_COLUMNS - 2 : rest - 1;
	column[TO].width = wide ? rest - TASK_COLUMNS : 0;
}

/* "gcc-4711 CPU 3"; below it "→ disks", or that in its own column. */
static void
draw_name(struct list_row *row, const struct timeline_flow *f, enum role role)
{
	char *who = str_format("%s CPU %d", f->name.task, f->name.cpu),
	     *to = f->destination ? str_format("→ %s", f->destination) : NULL;
	bool wide = row->list->column[TO].x;
	struct rect at;

	if (!to || wide)
		list_text(row, TASK, role, who);
	if (to && wide)
		list_text(row, TO, role, to);
	else if (to && list_cell(row, TASK, role, &at))
		pen_fit(&row->pen, at.x + 2, at.y, at.w - 2, to);
	free(who);
	free(to);
}

static void
draw_flow(struct list_row *row, size_t line)
{
	const struct state *state = row->list->state;
	const struct timeline_flow *flow = &state->answers.timeline.flows->line[line];
	bool chosen = line == state_flows_line(state), ascii = row->pen.grid->ascii;
	enum role role = chosen ? ROLE_ACCENT : ROLE_TEXT;
	char number[NUMBER_TEXT];

	row->pen.attr = chosen ? CELL_BOLD : 0;
	draw_name(row, flow, role);
	if (!flow->destination) {
		list_text(row, RAN, role, number_seconds(number, (double)flow->ran_ns * 1e-9, ascii));
		return;
	}
	list_text(row, REQUESTS, role, flow->known ? number_count(number, (double)flow->requests, false) : "?");
	list_text(row, PERCENT, role, isnan(flow->share) ? "?" : number_share(number, flow->share));
}

/* The first row: all flows, and what belongs to no task. */
static void
draw_all(struct list_row *row)
{
	const struct state *s = row->list->state;
	const struct flows *f = timeline_flows_all(s->answers.timeline.flows);
	bool chosen = !s->view.timeline.flow, some = false;
	struct line l = list_line(row, TASK);

	l.end = row->pen.clip.x + row->pen.clip.w;
	line_add(&l, chosen ? ROLE_ACCENT : ROLE_TEXT, chosen ? CELL_BOLD : 0, "all");
	for (size_t i = 0; i < FLOW_SPECIALS; i++)
		some |= flows_at(f, i)->snapshots > 0;
	if (some)
		line_add(&l, ROLE_DIM, 0, "   including requests of no single task");
}

static void
flows_draw_row(struct list_row *row)
{
	if (row->item)
		draw_flow(row, row->item - 1);
	else
		draw_all(row);
}

void
draw_flows(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	struct column column[COLUMNS];
	struct list l = {.state = state, .column = column, .n_columns = COLUMNS, .n = (size_t)state_flows_rows(state),
		.cursor = (size_t)state->view.cursor[PANE_FLOWS], .draw = flows_draw_row, .pane = PANE_FLOWS,
		.action = ACTION_flow};

	memcpy(column, flow_columns, sizeof column);
	flows_fit_columns(column, r.w);
	if (l.n)
		list_draw(&l, grid, r, focus, drawn);
}
