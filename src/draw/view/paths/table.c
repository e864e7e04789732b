/* View 5 without room for a picture: a row for each module. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "draw/view/paths/paths.h"
#include "draw/view/view_page.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

/* The kind that the bars show: the culprit's, else the one under the cursor. */
static size_t
kind_shown(const struct state *s)
{
	const struct timeline_analysis *analysis = state_timeline_shown(s).analysis;

	return analysis && analysis->culprit && !s->view.timeline.chose_node
		? analysis->culprit->kind : s->view.timeline.kind;
}

static void
table_head(const struct state *s, struct grid *g, struct rect r, size_t kind)
{
	struct line l = line_on(g, r, 0);

	line_add(&l, ROLE_DIM, 0, "module");
	pen_right(&l.pen, r.x + 18, r.y, "hit %");
	pen_right(&l.pen, r.x + 24, r.y, "q");
	line_to(&l, 26);
	line_add(&l, ROLE_DIM, 0, "load of ");
	line_add(&l, path_kind_role(kind), path_kind_attr(kind), "%s",
		timeline_network(s->data.timeline)->kind[kind].name);
}

/* A module with one owner, or all its owners: the row shows the longest queue. */
static void
table_row(const struct state *state, const struct traffic *traffic, struct grid *grid, struct rect r, size_t module,
	size_t kind, double top)
{
	const struct network *network = traffic->net;
	size_t owners = traffic->analysis ? net_state_owners(traffic->analysis->state, module) : 1,
	       *owner = mem_new_array(owners, sizeof *owner);
	struct net_layout_box b = {.module = &module,
		.n_modules = 1,
		.per = network->module[module].per,
		.owner = owner,
		.n_owners = owners};
	struct line l = line_on(grid, r, 0);
	struct traffic_cell x;
	const struct net_queue *queue;
	double load;
	char number[NUMBER_TEXT];

	for (size_t i = 0; i < owners; i++)
		owner[i] = i;
	x = traffic_cell(traffic, &b, module, kind);
	queue = traffic_longest(traffic, &b);
	load = traffic_arrivals(traffic, &b, module, kind);
	pen_fit(&l.pen, l.x, l.y, 12, network->module[module].name);
	pen_right(&l.pen, r.x + 18, r.y,
		x.state != NET_CELL_REPORTED || isnan(x.hits) || isnan(x.misses) || !(x.hits + x.misses > 0)
			? "·" : number_share(number, x.hits / (x.hits + x.misses)));
	l.pen.fg = queue && traffic->analysis->culprit == queue ? ROLE_HOT : ROLE_TEXT;
	pen_right(&l.pen, r.x + 24, r.y, queue ? queue_length_text(number, queue->length) : "·");
	l.pen.fg = path_kind_role(kind);
	if (load > 0 && top > 0)
		draw_bar(&l.pen, r.x + 26, r.y, r.w - 27, load / top);
	else if (isnan(load) && x.state != NET_CELL_ABSENT)
		pen_text(&l.pen, r.x + 26, r.y, "?");
	free(owner);
	(void)state;
}

void
draw_stage_table(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct network *network = timeline_network(state->data.timeline);
	struct traffic *traffic = traffic_new(network, state_timeline_shown(state).analysis, NULL);
	size_t kind = kind_shown(state);
	struct rect rows = {r.x, r.y + 1, r.w, r.h > 1 ? r.h - 1 : 0};
	double top = 0;
	int first = list_scroll(0, (int)state->view.timeline.module, (int)network->n_modules, rows.h);

	table_head(state, grid, r, kind);
	for (size_t m = 0; m < network->n_modules; m++) {
		size_t owners = traffic->analysis ? net_state_owners(traffic->analysis->state, m) : 1,
		       *owner = mem_new_array(owners, sizeof *owner);
		struct net_layout_box b = {.module = &m,
			.n_modules = 1,
			.per = network->module[m].per,
			.owner = owner,
			.n_owners = owners};
		double load;

		for (size_t i = 0; i < owners; i++)
			owner[i] = i;
		load = traffic_arrivals(traffic, &b, m, kind);
		top = load > top ? load : top;
		free(owner);
	}
	for (int i = 0; i < rows.h && first + i < (int)network->n_modules; i++) {
		struct rect row = {rows.x, rows.y + i, rows.w, 1};

		table_row(state, traffic, grid, row, (size_t)(first + i), kind, top);
		if ((size_t)(first + i) == state->view.timeline.module)
			draw_cursor(grid, row, focus);
		hit_add(drawn, row, HIT_ROW, PANE_NETWORK, (first + i) << PATHS_OWNER_BITS, ACTION_node);
	}
	traffic_free(traffic);
}
