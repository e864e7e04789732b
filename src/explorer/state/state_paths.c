#include "explorer/state/state_paths.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/path_map.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "explorer/state/pane.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_stalls.h"
#include "work/timeline/timeline.h"
#include "work/timeline/traffic.h"

/* Owners are known only with data; without, there is one. */
static const size_t nowhere[1];
static const struct net_shape one_of_each = {
	.n = {[SCOPE_TASK] = 1,
		[SCOPE_THREAD] = 1,
		[SCOPE_CORE] = 1,
		[SCOPE_SLICE] = 1,
		[SCOPE_CHANNEL] = 1,
		[SCOPE_SOCKET] = 1,
		[SCOPE_DEVICE] = 1,
		[SCOPE_SYSTEM] = 1},
	.part_of =
		{[SCOPE_THREAD] = nowhere, [SCOPE_CORE] = nowhere, [SCOPE_SLICE] = nowhere, [SCOPE_CHANNEL] = nowhere},
};

char *
state_paths_owner(const struct state *state, enum scope scope, size_t owner)
{
	static const struct { const char *mark; enum scope scope; const char *word; } part[] = {
		{"slice", SCOPE_SLICE, "slice "}, {"channel", SCOPE_CHANNEL, "channel "}, {"C", SCOPE_CORE,
			"core "}, {"T", SCOPE_THREAD, "CPU "}, {"S", SCOPE_SOCKET, "socket "},
	};
	const char *name = timeline_owner(state->data.timeline, scope, owner), *last = strrchr(name, '-');
	bool sockets = state_timeline_shown(state).analysis &&
		net_state_shape(state_timeline_shown(state).analysis->state)->n[SCOPE_SOCKET] > 1;

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		const char *at = last ? last + 1 : name;

		if (part[i].scope != scope || !str_starts(at, part[i].mark))
			continue;
		if (last && sockets)
			return str_format("%.*s %s%s", (int)strcspn(name, "-"), name, part[i].word,
				at + strlen(part[i].mark));
		return str_format("%s%s", part[i].word, at + strlen(part[i].mark));
	}
	return mem_str(name);
}

/* --- layout ------------------------------------------------------------------------------------------------------ */

static int
at_least(int a, int b)
{
	return a > b ? a : b;
}

/* Widths of a stage's text, columns: cores; parts that cores own; the switch after them; all other stages. */
static void
set_widths(const struct network *network, struct net_layout_width *width)
{
	enum scope block = network->module[network->stage[0].first].per;
	bool after = block == SCOPE_SYSTEM;

	for (size_t i = 0; i < network->n_stages; i++) {
		const struct net_stage *stage = &network->stage[i];
		bool before = after, source = i == 0;
		int name = 0;

		for (size_t m = stage->first; m < stage->first + stage->n; m++) {
			int len = (int)strlen(network->module[m].name);

			name = at_least(name, len < 14 ? len : 14);
			after |= network->module[m].per != block;
			for (size_t k = 0; k < network->n_kinds; k++)
				source &= network->module[m].cell[k].n_hits == 0;
		}
		if (source)
			width[i] = (struct net_layout_width){6, 9, 16, name + 10};
		else if (!after)
			width[i] = (struct net_layout_width){9, 15, 22, name + 10};
		else if (!before)
			width[i] = (struct net_layout_width){12, 17, 34, 11};
		else if (i + 1 < network->n_stages)
			width[i] = (struct net_layout_width){8, 13, 28, 11};
		else
			width[i] = (struct net_layout_width){6, 11, 26, 11};
		width[i].least = at_least(width[i].least, name < 10 ? name : 10);
		width[i].well = at_least(width[i].well, name + 2);
	}
}

struct net_layout *
state_paths_layout(const struct state *state, int w, int h)
{
	const struct timeline_answers *answers = &state->answers.timeline;
	const struct timeline_view *view = &state->view.timeline;
	const struct network *network = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	struct net_layout_width *width;
	struct net_layout_place keep[2];
	struct net_layout_request ask = {.net = network,
		.shape = analysis ? net_state_shape(analysis->state) : &one_of_each,
		.unfolded = view->unfolded,
		.w = w,
		.h = h,
		.turned = view->turned,
		.keep = keep};
	struct net_layout *layout;
	size_t folded;
	bool *unused;

	if (!network || w < PATHS_LEAST_WIDTH)
		return NULL;
	unused = state_paths_unused(state, &folded);
	ask.unused = unused;
	ask.h -= folded > 0; /* for the line that names them */
	if (analysis && analysis->culprit)
		keep[ask.n_keep++] = (struct net_layout_place){analysis->culprit->module, analysis->culprit->owner};
	if (view->chose_node)
		keep[ask.n_keep++] = (struct net_layout_place){view->module, view->owner};
	if (analysis && answers->carried) {
		ask.share = answers->carried;
		ask.kind_share = w < 100 ? answers->carried + answers->n_carried - network->n_kinds : NULL;
	}
	width = mem_new_array(network->n_stages, sizeof *width);
	set_widths(network, width);
	ask.width = width;
	layout = net_layout_new(&ask);
	free(width);
	free(unused);
	return layout;
}

bool *
state_paths_unused(const struct state *state, size_t *folded)
{
	const struct network *network = timeline_network(state->data.timeline);
	const bool *used = state->answers.timeline.used, *unfolded = state->view.timeline.unfolded;
	bool *unused = mem_new_array(network->n_modules, sizeof *unused);

	*folded = 0;
	for (size_t m = 0; used && m < network->n_modules; m++) {
		unused[m] = !used[m] && !(unfolded && unfolded[m]) &&
			!(state->view.timeline.chose_node && state->view.timeline.module == m);
		*folded += unused[m];
	}
	return unused;
}

void
state_paths_unfold_unused(struct state *state)
{
	const struct network *network = timeline_network(state->data.timeline);
	const bool *used = state->answers.timeline.used;
	bool *unfolded = state->view.timeline.unfolded, some = false, any = false;

	for (size_t m = 0; used && unfolded && m < network->n_modules; m++) {
		some |= !used[m];
		any |= !used[m] && !unfolded[m];
	}
	for (size_t m = 0; some && m < network->n_modules; m++)
		if (!used[m])
			unfolded[m] = any;
	state_say(state, false, "%s",
		!some ? "every module carried requests in this run" : any ? "modules that were not used have boxes"
									 : "modules that were not used are folded");
}

static void
add_served(const struct net_path_map *map, bool *served)
{
	for (size_t i = 0; i < map->n_rows; i++)
		for (size_t k = 0; k < map->n_kinds; k++)
			served[i] |= map->row[i].cell[k].hits > 0 || map->row[i].cell[k].unknown;
}

size_t *
state_paths_places(const struct state *state, size_t *n, size_t *folded)
{
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	const bool *served = state->answers.timeline.served;
	size_t all = analysis ? analysis->map->n_rows : 0, *row = mem_new_array(all, sizeof *row);

	*n = *folded = 0;
	for (size_t i = 0; served && i < all; i++)
		*folded += !served[i];
	if (*folded < ZEROS_LEAST || *folded == all || state->view.timeline.zeros)
		*folded = 0;
	for (size_t i = 0; i < all; i++)
		if (!*folded || served[i])
			row[(*n)++] = i;
	return row;
}

void
state_paths_fold_places(struct state *state)
{
	state->view.timeline.zeros = !state->view.timeline.zeros;
	state_say(state, false, "places without requests are %s", state->view.timeline.zeros ? "listed" : "folded");
}

/* Remembers the modules that carry requests and the places that serve some: first of the whole run so far, then of each
 * snapshot. */
static void
follow_used(struct state *state, const struct network *network)
{
	struct timeline_answers *answers = &state->answers.timeline;

	if (!answers->used) {
		size_t last = answers->analysis->snapshot;
		struct timeline_snapshot m = timeline_snapshot(state->data.timeline, last);
		struct timeline_analysis *run =
			timeline_analysis_run(state->data.timeline, last + m.of - m.number, NULL);

		answers->used = mem_new_array(network->n_modules, sizeof *answers->used);
		answers->served = mem_new_array(answers->analysis->map->n_rows, sizeof *answers->served);
		if (run) {
			traffic_add_used(run, answers->used);
			add_served(run->map, answers->served);
		}
		timeline_analysis_free(run);
	}
	traffic_add_used(answers->analysis, answers->used);
	add_served(answers->analysis->map, answers->served);
	if (answers->other)
		add_served(answers->other->map, answers->served);
}

void
state_paths_follow(struct state *state)
{
	struct timeline_answers *answers = &state->answers.timeline;
	const struct network *network = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	size_t cells = network ? network->n_kinds : 0;

	if (!network || !answers->analysis)
		return;
	follow_used(state, network);
	for (size_t m = 0; m < network->n_modules; m++)
		cells += net_state_owners(answers->analysis->state, m);
	if (cells != answers->n_carried) { /* data of another machine */
		free(answers->carried);
		answers->carried = mem_new_array(cells, sizeof *answers->carried);
		answers->n_carried = cells;
	}
	if (!traffic_add_shares(answers->analysis, answers->carried) && answers->n_carried) {
		bool any = false;

		for (size_t i = 0; i < cells; i++)
			any |= answers->carried[i] > 0;
		if (!any) {
			free(answers->carried);
			answers->carried = NULL;
			answers->n_carried = 0;
		}
	}
}

/* --- cursor ------------------------------------------------------------------------------------------------------ */

void
state_paths_choose(struct state *s, size_t module, size_t owner)
{
	struct timeline_view *v = &s->view.timeline;
	const struct net_queues *q = state_timeline_shown(s).analysis ? state_timeline_shown(s).analysis->queues : NULL;

	for (size_t i = 0; owner == SIZE_MAX && q && i < q->known; i++) /* sorted, longest first */
		if (q->queue[i].module == module)
			owner = q->queue[i].owner;
	v->module = module;
	v->owner = owner == SIZE_MAX ? 0 : owner;
	v->chose_node = true;
}

static size_t
owner_in(const struct traffic *traffic, const struct net_layout_box *box, size_t module, size_t wanted)
{
	size_t best = box->owner[0];
	double most = -1;

	for (size_t i = 0; i < box->n_owners; i++)
		if (box->per == traffic->net->module[module].per && box->owner[i] == wanted)
			return wanted;
	for (size_t i = 0; i < box->n_owners; i++)
		for (size_t k = 0; k < traffic->net->n_kinds; k++) {
			const struct net_queue *queue = traffic_queue_of(traffic, module, box->owner[i], k);

			if (queue && queue->length > most) {
				most = queue->length;
				best = box->owner[i];
			}
		}
	return best;
}

/* The lane that carries most: of the node's own module if it has one, else of its box. */
static size_t
heaviest(const struct traffic *traffic, size_t box, size_t module, bool forward)
{
	size_t best = SIZE_MAX;
	double most = -1;

	for (int own = 1; own >= 0 && best == SIZE_MAX; own--)
		for (size_t i = 0; i < traffic->layout->n_lanes; i++) {
			const struct net_layout_lane *lane = &traffic->layout->lane[i];
			const struct net_link *link = &traffic->net->link[lane->link[0]];
			double load = isnan(traffic->load[i]) ? 0 : traffic->load[i];

			if ((forward ? lane->from : lane->to) != box ||
				(own && (forward ? link->from : link->to) != module) || load <= most)
				continue;
			most = load;
			best = i;
		}
	return best;
}

static void
move_along(struct state *state, const struct traffic *traffic, size_t box, bool forward)
{
	struct timeline_view *v = &state->view.timeline;
	size_t lane = heaviest(traffic, box, v->module, forward), module, to;

	if (lane == SIZE_MAX) {
		state_say(state, false, forward ? "requests end here" : "requests begin here");
		return;
	}
	module = forward ? traffic->net->link[traffic->layout->lane[lane].link[0]].to
			 : traffic->net->link[traffic->layout->lane[lane].link[0]].from;
	to = forward ? traffic->layout->lane[lane].to : traffic->layout->lane[lane].from;
	v->kind = traffic->layout->lane[lane].kind;
	state_paths_choose(state, module, owner_in(traffic, &traffic->layout->box[to], module, v->owner));
}

/* The nodes of a column, from top to bottom. */
struct stop {
	int y;
	size_t module, owner;
	bool here;
};

static size_t
stops_of(const struct state *state, const struct traffic *traffic, size_t box, struct stop *stop)
{
	const struct timeline_view *view = &state->view.timeline;
	const struct net_layout *layout = traffic->layout;
	size_t n = 0;

	for (size_t i = 0; i < layout->n_boxes; i++) {
		const struct net_layout_box *b = &layout->box[i];

		for (size_t m = 0; b->column == layout->box[box].column && m < b->n_modules; m++)
			for (size_t o = 0; o < (b->listed ? b->n_owners : 1); o++) {
				size_t owner = b->listed
					? b->owner[o]
					: owner_in(traffic, b, b->module[m], i == box ? view->owner : SIZE_MAX),
				       at = n++;
				struct stop x = {.y = b->y, .module = b->module[m], .owner = owner,
					.here = b->module[m] == view->module && owner == view->owner && i == box};

				for (; at && stop[at - 1].y > x.y; at--)
					stop[at] = stop[at - 1];
				stop[at] = x;
			}
	}
	return n;
}

static void
move_within(struct state *state, const struct traffic *traffic, size_t box, int by)
{
	size_t most = 1, n;
	struct stop *stop;
	long at = 0;

	for (size_t i = 0; i < traffic->layout->n_boxes; i++)
		most += traffic->layout->box[i].n_modules * traffic->layout->box[i].n_owners;
	stop = mem_new_array(most, sizeof *stop);
	n = stops_of(state, traffic, box, stop);
	for (size_t i = 0; i < n; i++)
		if (stop[i].here)
			at = (long)i;
	at += by;
	at = at < 0 ? 0 : at >= (long)n ? (long)n - 1 : at;
	state_paths_choose(state, stop[at].module, stop[at].owner);
	free(stop);
}

/* Moves in the table of stages: modules are rows, owners are columns. */
static void
move_in_table(struct state *state, int dx, int dy)
{
	struct timeline_view *view = &state->view.timeline;
	const struct network *network = timeline_network(state->data.timeline);
	size_t owners = state_timeline_shown(state).analysis
		? net_state_owners(state_timeline_shown(state).analysis->state, view->module)
		: 1;
	long module = (long)view->module + dy, owner = (long)view->owner + dx;

	module = module < 0 ? 0 : module >= (long)network->n_modules ? (long)network->n_modules - 1 : module;
	owner = owner < 0 ? 0 : owner >= (long)owners ? (long)owners - 1 : owner;
	owners = state_timeline_shown(state).analysis
		? net_state_owners(state_timeline_shown(state).analysis->state, (size_t)module) : 1;
	state_paths_choose(state, (size_t)module, owner < (long)owners ? (size_t)owner : 0);
}

void
state_paths_move(struct state *state, int dx, int dy)
{
	struct timeline_view *view = &state->view.timeline;
	const struct network *network = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	struct net_layout *layout;
	struct traffic *traffic;
	size_t box;

	if (!network)
		return;
	layout = state_paths_layout(state, state->layout->network_w, state->layout->network_h);
	if (!layout) {
		move_in_table(state, dx, dy);
		return;
	}
	traffic = traffic_new(network, state_timeline_shown(state).analysis, layout);
	box = net_layout_find(layout, view->module, view->owner);
	if (box == SIZE_MAX) /* among the idle owners */
		state_paths_choose(state, layout->box[0].module[0], layout->box[0].owner[0]);
	else if (dx)
		move_along(state, traffic, box, (dx > 0) != view->turned);
	else
		move_within(state, traffic, box, dy);
	traffic_free(traffic);
	net_layout_free(layout);
}
