/* View 5, Paths: requests between modules as a network; where requests are served; the node under the cursor. */
#include "draw/view/paths/paths.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/stalls.h"
#include "draw/view/view_page.h"
#include "draw/view/view_table.h"
#include "draw/view/view_timeline.h"
#include "explorer/state/state_paths.h"
#include "work/timeline/timeline.h"

#define NODE_FROM 110 /* columns from which the node has a pane of its own */
/* columns from which the panes next to the map get rows that the network does not need, if it leaves so many */
#define SIDE_FROM_W 150
#define SIDE_SPARE 6
#define NODE_LEAST 46 /* columns of that pane that the names of places in the path map do not take */

static const struct network *
network_of(const struct state *s)
{
	return s->data.timeline ? timeline_network(s->data.timeline) : NULL;
}

/* --- the network ------------------------------------------------------------------------------------------------- */

static void
network_title(const struct state *state, struct str *title, struct str *info)
{
	const struct network *network = network_of(state);

	char *flow = state_flows_name(state);

	str_add(title, "Paths");
	if (flow)
		str_addf(title, " · %s%s", flow,
			state_flows_line(state) == FLOWS_ALL ? ": nothing in this snapshot" : "");
	free(flow);
	if (!network)
		return;
	for (size_t k = 0; k < network->n_kinds; k++)
		str_addf(info, "%s%s", k ? "  " : "", network->kind[k].name);
	str_add(info, state->view.timeline.turned ? "   ╌ <5 %  ─ <30 %  ━ back" : "   ╌ <5 %  ─ <30 %  ━ load");
}

/* The legend with more room. */
static const char *
long_legend(const struct state *s, int w)
{
	if (w >= 160)
		return s->view.timeline.turned
			? "   share of what comes back to the stage   ╌ under 5 %   ─ under 30 %   ━ more "
			  "  responses flow right · ~ turns"
			: "   share of the stage's load   ╌ under 5 %   ─ under 30 %   ━ more   requests "
			  "flow right · ~ turns";
	return s->view.timeline.turned
		? "   back   ╌ under 5 %   ─ under 30 %   ━ more" : "   load   ╌ under 5 %   ─ under 30 %   ━ more";
}

/* Draws the title rule again, with kinds in their colours and the full legend. */
static void
colour_title(const struct state *state, const struct network *network, struct grid *grid, struct rect r)
{
	struct str title = {0}, info = {0};
	struct pen p = pen_on(grid, (struct rect){r.x, r.y - 1, r.w, 1}, ROLE_DIM);
	int x, room;

	network_title(state, &title, &info);
	if (r.w >= 100) {
		str_clear(&info);
		for (size_t k = 0; k < network->n_kinds; k++)
			str_addf(&info, "%s%s", k ? "  " : "", network->kind[k].name);
		str_add(&info, long_legend(state, r.w));
	}
	x = r.x + r.w - 2 - pen_columns(&p, str_text(&info));
	room = r.w - 2 - 2 - pen_columns(&p, str_text(&title)) - 3; /* as draw_title() has it */
	if (pen_columns(&p, str_text(&info)) <= room) {
		pen_hline(&p, x - 1, r.y - 1, 1, ' ');
		pen_text(&p, x, r.y - 1, str_text(&info));
		for (size_t k = 0; k < network->n_kinds; k++) {
			p.fg = path_kind_role(k);
			p.attr = path_kind_attr(k);
			x += pen_text(&p, x, r.y - 1, network->kind[k].name) + 2;
		}
	}
	str_free(&title);
	str_free(&info);
}

/* Names of stages above the columns: "core L1 L2". */
static void
draw_stage_names(const struct clos *clos)
{
	struct pen p = pen_on(clos->g, (struct rect){clos->r.x, clos->r.y - 1, clos->r.w, 1}, ROLE_DIM);

	for (size_t i = 0; i < clos->l->n_columns; i++) {
		const struct net_layout_column *column = &clos->l->column[i];
		struct str name = {0};
		int room = clos->r.w - column->x;

		for (size_t j = 0; j < clos->l->n_columns; j++)
			if (clos->l->column[j].x > column->x && clos->l->column[j].x - column->x - 1 < room)
				room = clos->l->column[j].x - column->x - 1;
		for (size_t st = column->first; st < column->first + column->n; st++) {
			const struct net_stage *stage = &clos->net->stage[st];

			str_addf(&name, "%s%s", st > column->first ? ", " : "",
				stage->text && *stage->text && column->n == 1 && (int)strlen(stage->text) < room
					? stage->text : stage->name);
		}
		pen_fit(&p, clos->r.x + column->x, clos->r.y - 1, room, str_text(&name));
		str_free(&name);
	}
}

/* The first row to show, so that the node under the cursor is visible. */
static int
scroll_to(const struct net_layout *layout, size_t box, const struct state *state, int rows)
{
	int top = 0, first, last;

	if (layout->h <= rows || box == SIZE_MAX)
		return 0;
	first = layout->box[box].y;
	last = layout->box[box].y + layout->box[box].h;
	for (size_t i = 0; layout->box[box].listed && i < layout->box[box].n_owners; i++)
		if (layout->box[box].owner[i] == state->view.timeline.owner) {
			first = layout->box[box].y + (int)i;
			last = first + 3;
		}
	if (last > rows)
		top = last - rows;
	if (first < top)
		top = first;
	return top > layout->h - rows ? layout->h - rows : top;
}

static void
draw_idle(const struct clos *c)
{
	struct pen p = pen_on(c->g, c->r, ROLE_DIM);

	if (c->l->n_idle)
		pen_textf(&p, c->r.x + 1, c->r.y + c->l->idle_row - c->top, "%zu idle %s%s ▸", c->l->n_idle,
			c->net->module[0].name, c->l->n_idle > 1 ? "s" : "");
}

/* "not used: swap, zram": the modules without a box, in the last row. */
static void
draw_unused(const struct clos *clos, struct rect r)
{
	size_t folded, shown = 0;
	bool *unused = state_paths_unused(clos->s, &folded);
	struct pen p = pen_on(clos->g, r, ROLE_DIM);
	struct str words = {0};

	for (size_t m = 0; m < clos->net->n_modules; m++)
		if (unused[m] && net_layout_find(clos->l, m, 0) == SIZE_MAX)
			str_addf(&words, "%s%s", shown++ ? ", " : "not used: ", clos->net->module[m].name);
	if (shown) {
		str_add(&words, " · * unfolds");
		pen_fit(&p, r.x + 1, r.y, r.w - 2, str_text(&words));
	}
	str_free(&words);
	free(unused);
}

static void
add_node_hits(const struct clos *clos, struct drawn *drawn)
{
	for (size_t i = 0; i < clos->l->n_boxes; i++) {
		const struct net_layout_box *box = &clos->l->box[i];
		const struct net_queue *queue = traffic_longest(clos->now, box);
		struct rect r = {clos->r.x + box->x, clos->r.y + box->y - clos->top, box->w, box->h};
		size_t module = queue ? queue->module : box->module[0], owner = queue ? queue->owner : box->owner[0];

		hit_add(drawn, rect_cut(r, clos->r), HIT_ROW, PANE_NETWORK, (int)(module << PATHS_OWNER_BITS | owner),
			ACTION_node);
		for (size_t o = 0; box->listed && o < box->n_owners; o++)
			hit_add(drawn, rect_cut((struct rect){r.x, r.y + 1 + (int)o, r.w, 1}, clos->r), HIT_ROW,
				PANE_NETWORK, (int)(box->module[0] << PATHS_OWNER_BITS | box->owner[o]), ACTION_node);
	}
}

/* Why there is no picture, and which key helps. */
static void
draw_no_network(const struct state *s, struct grid *g, struct rect r)
{
	struct page p = {.s = s, .g = g, .r = r};

	page_words(&p, ROLE_TEXT, "No network of modules is open. This view shows requests between modules.");
	page_blank(&p);
	page_words(&p, ROLE_DIM,
		"hecate spr-cxl FILE.csv shows recorded counts of a server with CXL memory.\n"
		"hecate generic -- COMMAND counts a command, with events that nearly every processor has.");
	page_words(&p, ROLE_DIM, "S lists networks to open.");
}

static void
draw_network(const struct state *state, struct grid *grid, struct rect r, bool focus, struct drawn *drawn)
{
	const struct timeline_shown shown = state_timeline_shown(state);
	const struct timeline_view *view = &state->view.timeline;
	const struct network *network = network_of(state);
	struct clos c = {.s = state, .g = grid, .r = {r.x, r.y + 1, r.w, r.h > 1 ? r.h - 1 : 0},
		.focus = focus, .net = network, .cursor = SIZE_MAX, .culprit = SIZE_MAX};
	struct net_layout *layout;
	struct traffic *now, *before, *other;
	size_t folded;

	drawn->layout.network_w = c.r.w;
	drawn->layout.network_h = c.r.h;
	if (!network) {
		draw_no_network(state, grid, r);
		return;
	}
	free(state_paths_unused(state, &folded));
	layout = c.r.h >= 5 ? state_paths_layout(state, c.r.w, c.r.h) : NULL;
	if (!layout) {
		drawn->layout.network_w = 0;
		draw_stage_table(state, grid, r, focus, drawn);
		return;
	}
	c.r.h -= folded > 0;
	now = traffic_new(network, shown.analysis, layout);
	before = shown.before && state_running(state) && !view->frozen
		? traffic_new(network, shown.before, layout)
		: NULL;
	other = shown.other ? traffic_new(network, shown.other, layout) : NULL;
	c.l = layout;
	c.now = now;
	c.before = before;
	c.other = other;
	c.cursor = net_layout_find(layout, view->module, view->owner);
	if (shown.analysis && shown.analysis->culprit)
		c.culprit = net_layout_find(
			layout, shown.analysis->culprit->module, shown.analysis->culprit->owner);
	c.top = scroll_to(layout, c.cursor, state, c.r.h);
	colour_title(state, network, grid, r);
	draw_stage_names(&c);
	clos_draw_lanes(&c);
	for (size_t i = 0; i < layout->n_boxes; i++)
		if (clos_shows(&c, &layout->box[i]))
			clos_draw_box(&c, &layout->box[i]);
	draw_idle(&c);
	if (folded)
		draw_unused(&c, (struct rect){r.x, r.y + r.h - 1, r.w, 1});
	add_node_hits(&c, drawn);
	traffic_free(now);
	traffic_free(before);
	traffic_free(other);
	net_layout_free(layout);
}

/* --- the view ---------------------------------------------------------------------------------------------------- */

static void
map_title(const struct state *s, struct str *title, struct str *info)
{
	const char *which = state_timeline_shown(s).other ? "against the other snapshot"
		: timeline_is_run(s) ? "whole run" : "this snapshot";

	str_add(title, "Path map");
	if (state_flows_rows(s) && !s->view.timeline.flow)
		str_addf(info, "%s · f one flow alone", which);
	else
		str_addf(info, "%s · %s", s->view.timeline.flow ? "of this flow"
				: s->view.timeline.rates ? "requests per second" : "requests served at", which);
}

static void
node_title(const struct state *s, struct str *title, struct str *info)
{
	if (!network_of(s)) {
		str_add(title, "Node");
		return;
	}
	add_node_title(s, title);
	str_add(info, "Enter opens");
}

static void
snapshots_title(const struct state *s, struct str *title, struct str *info)
{
	(void)s;
	str_add(title, "Snapshots");
	str_add(info, "[ ] step · c compare");
}

static const struct pane_spec network_wish[] = {
	{.priority = 0, .band = 0, .column = 0, .min_w = 20, .min_h = 5, .weight_w = 1, .weight_h = 1},
};
static const struct pane_spec map_wish[] = {
	{.priority = 1, .band = 1, .column = 0, .weight_w = 5},
};
static const struct pane_spec node_wish[] = {
	{.priority = 2, .band = 1, .column = 1, .min_w = 34, .min_h = 6, .weight_w = 3, .from_w = NODE_FROM},
};
static const struct pane_spec snapshots_wish[] = {
	{.priority = 3, .band = 1, .column = 2, .min_w = 40, .min_h = 6, .weight_w = 3, .from_w = 180, .from_h = 40},
};
static const struct pane_spec flows_wish[] = {
	{.priority = 1, .band = 2, .column = 0, .min_w = 20, .weight_w = 1, .weight_h = 1},
};

/* Rows that the network has at least, with its title. */
static int
network_rows(struct rect body)
{
	return body.h >= 34 ? 16 : body.h < 20 ? 10 : 12;
}

/* Rows of the path map with its title: the panes next to it have as many. */
static int
map_rows(const struct state *s, struct rect body)
{
	return path_map_rows(s, body.w, body.h - network_rows(body)) + 1;
}

/* Rows of the panes next to the map: half of what the network leaves of a large screen is theirs, whatever they show,
 * so that moving from node to node moves no pane. */
static int
side_rows(const struct state *s, struct rect body)
{
	int map = map_rows(s, body), room = body.h - flows_room(s, body).least - map, spare;
	struct net_layout *layout;
	size_t folded;

	if (body.w < SIDE_FROM_W || room - network_rows(body) < SIDE_SPARE || !state_timeline_shown(s).analysis)
		return map;
	free(state_paths_unused(s, &folded));
	layout = state_paths_layout(s, body.w, room - 2);
	spare = layout ? room - 2 - layout->h - (folded > 0) : 0;
	net_layout_free(layout);
	return map + (spare > 0 ? spare / 2 : 0);
}

static bool
fit_map(const struct state *s, struct rect body, struct pane_spec *wish)
{
	struct flow_room flows = flows_room(s, body);
	int map = map_rows(s, body), rest = body.h - flows.least, least = network_rows(body);

	wish->min_w = body.w >= 180 ? 82 : 40;
	if (body.w >= NODE_FROM && body.w < 180 && path_map_columns(s, body.w - NODE_LEAST) > body.w * 7 / 12)
		wish->min_w = wish->max_w = path_map_columns(s, body.w - NODE_LEAST); /* more than its share */
	wish->min_h = rest - map >= least ? map : 6;
	wish->max_h = map;
	wish->from_h = flows.alone ? body.h + 1 : 16;
	return true;
}

static bool
fit_node(const struct state *s, struct rect body, struct pane_spec *wish)
{
	wish->max_h = side_rows(s, body);
	wish->min_h = wish->max_h > map_rows(s, body) ? wish->max_h : wish->min_h;
	wish->from_h = flows_room(s, body).alone ? body.h + 1 : 16;
	return true;
}

static bool
fit_snapshots(const struct state *s, struct rect body, struct pane_spec *wish)
{
	wish->max_h = side_rows(s, body);
	return true;
}

static bool
fit_flows(const struct state *s, struct rect body, struct pane_spec *wish)
{
	struct flow_room flows = flows_room(s, body);

	wish->min_h = flows.least;
	wish->max_h = flows.most;
	return flows.least > 0;
}

/* "HWPF on CXL: queue 38.5, longest of 24 (module, kind) pairs, 1.4× the next · 33 % of core 0's stalls". */
static bool
paths_sentence(const struct state *s, struct line *line)
{
	const struct network *network = network_of(s);
	const struct timeline_analysis *analysis = state_timeline_shown(s).analysis;
	const struct net_queue *queue = analysis ? analysis->culprit : NULL;
	char number[NUMBER_TEXT], *owner;
	size_t pairs = 0;

	if (!network)
		return false;
	if (!analysis) {
		line_add(line, ROLE_TEXT, 0,
			state_running(s) ? "waiting for the first snapshot of %s"
				: s->data.n_tables ? "the data have no snapshot of %s: r runs a command and counts it"
				: "no snapshot of %s yet: r runs a command and counts it",
			state_has_subject(s) ? state_subject(s) : network->name);
		return true;
	}
	if (!queue) {
		line_add(line, ROLE_TEXT, 0,
			analysis->queues->known
				? "all queues that are known are empty in this snapshot"
				: "no queue is known: this network has no delays, or no counts for them");
		return true;
	}
	for (size_t i = 0; i < analysis->queues->known; i++)
		pairs += analysis->queues->queue[i].length > 0;
	if (s->view.timeline.flow)
		line_add(line, ROLE_DIM, 0, "of this flow: ");
	owner = state_paths_owner(s, network->module[queue->module].per, queue->owner);
	line_add(line, ROLE_HOT, 0, "%s on %s", network->kind[queue->kind].name, network->module[queue->module].name);
	if (*owner && net_state_owners(analysis->state, queue->module) > 1)
		line_add(line, ROLE_HOT, 0, ", %s", owner);
	free(owner);
	line_add(line, ROLE_TEXT, 0, ": queue %s, longest of %zu", queue_length_text(number, queue->length), pairs);
	if (line->end - line->x > 40)
		line_add(line, ROLE_DIM, 0, " (module, kind) pairs");
	if (!isnan(analysis->queues->margin))
		line_add(line, ROLE_DIM, 0, " · %.1f× the next", analysis->queues->margin);
	if (analysis->broken_laws)
		line_add(line, ROLE_BORDERLINE, 0, " · %zu of the network's laws broken",
			analysis->broken_laws);
	return true;
}

const struct pane_draw pane_draw_network = {.title = network_title, .draw = draw_network, PANE_WISHES(network_wish)};
const struct pane_draw pane_draw_path_map = {.title = map_title, .draw = draw_path_map, PANE_WISHES(map_wish),
	.fit = fit_map};
const struct pane_draw pane_draw_node = {.title = node_title, .draw = draw_node, PANE_WISHES(node_wish),
	.fit = fit_node};
const struct pane_draw pane_draw_snapshots = {.title = snapshots_title, .draw = draw_snapshots,
	PANE_WISHES(snapshots_wish), .fit = fit_snapshots};
const struct pane_draw pane_draw_flows = {.title = flows_title, .draw = draw_flows, PANE_WISHES(flows_wish),
	.fit = fit_flows};
const struct view_draw view_draw_paths = {
	.sentence = paths_sentence, .lacks = timeline_lacks, .nothing = timeline_nothing};
