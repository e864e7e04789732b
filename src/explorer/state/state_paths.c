#include "explorer/state/state_paths.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "explorer/state/pane.h"
#include "explorer/state/state.h"
#include "explorer/state/state_flows.h"
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
state_paths_owner(const struct state *s, enum scope scope, size_t owner)
{
	static const struct { const char *mark; enum scope scope; const char *word; } part[] = {
		{"slice", SCOPE_SLICE, "slice "}, {"channel", SCOPE_CHANNEL, "channel "}, {"C", SCOPE_CORE,
			"core "}, {"T", SCOPE_THREAD, "CPU "}, {"S", SCOPE_SOCKET, "socket "},
	};
	const char *name = timeline_owner(s->data.timeline, scope, owner), *last = strrchr(name, '-');
	bool sockets = s->answers.timeline.analysis &&
		net_state_shape(s->answers.timeline.analysis->state)->n[SCOPE_SOCKET] > 1;

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
set_widths(const struct network *n, struct net_layout_width *w)
{
	enum scope block = n->module[n->stage[0].first].per;
	bool after = block == SCOPE_SYSTEM;

	for (size_t i = 0; i < n->n_stages; i++) {
		const struct net_stage *stage = &n->stage[i];
		bool before = after, source = i == 0;
		int name = 0;

		for (size_t m = stage->first; m < stage->first + stage->n; m++) {
			int len = (int)strlen(n->module[m].name);

			name = at_least(name, len < 14 ? len : 14);
			after |= n->module[m].per != block;
			for (size_t k = 0; k < n->n_kinds; k++)
				source &= n->module[m].cell[k].n_hits == 0;
		}
		if (source)
			w[i] = (struct net_layout_width){6, 9, 16, name + 10};
		else if (!after)
			w[i] = (struct net_layout_width){9, 15, 22, name + 10};
		else if (!before)
			w[i] = (struct net_layout_width){12, 17, 34, 11};
		else if (i + 1 < n->n_stages)
			w[i] = (struct net_layout_width){8, 13, 28, 11};
		else
			w[i] = (struct net_layout_width){6, 11, 26, 11};
		w[i].least = at_least(w[i].least, name < 10 ? name : 10);
		w[i].well = at_least(w[i].well, name + 2);
	}
}

struct net_layout *
state_paths_layout(const struct state *s, int w, int h)
{
	const struct timeline_answers *a = &s->answers.timeline;
	const struct timeline_view *v = &s->view.timeline;
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	const struct timeline_analysis *analysis = a->analysis;
	struct net_layout_width *width;
	struct net_layout_place keep[2];
	struct net_layout_request ask = {.net = n, .shape = analysis ? net_state_shape(analysis->state) : &one_of_each,
		.unfolded = v->unfolded, .w = w, .h = h, .turned = v->turned, .keep = keep};
	struct net_layout *l;

	if (!n || w < PATHS_LEAST_WIDTH)
		return NULL;
	if (analysis && analysis->culprit)
		keep[ask.n_keep++] = (struct net_layout_place){analysis->culprit->module, analysis->culprit->owner};
	if (v->chose_node)
		keep[ask.n_keep++] = (struct net_layout_place){v->module, v->owner};
	if (analysis && a->carried) {
		ask.share = a->carried;
		ask.kind_share = w < 100 ? a->carried + a->n_carried - n->n_kinds : NULL;
	}
	width = mem_new_array(n->n_stages, sizeof *width);
	set_widths(n, width);
	ask.width = width;
	l = net_layout_new(&ask);
	free(width);
	return l;
}

void
state_paths_follow(struct state *s)
{
	struct timeline_answers *a = &s->answers.timeline;
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	size_t cells = n ? n->n_kinds : 0;

	if (!n || !a->analysis)
		return;
	for (size_t m = 0; m < n->n_modules; m++)
		cells += net_state_owners(a->analysis->state, m);
	if (cells != a->n_carried) { /* data of another machine */
		free(a->carried);
		a->carried = mem_new_array(cells, sizeof *a->carried);
		a->n_carried = cells;
	}
	if (!traffic_add_shares(a->analysis, a->carried) && a->n_carried) {
		bool any = false;

		for (size_t i = 0; i < cells; i++)
			any |= a->carried[i] > 0;
		if (!any) {
			free(a->carried);
			a->carried = NULL;
			a->n_carried = 0;
		}
	}
}

/* --- cursor ------------------------------------------------------------------------------------------------------ */

void
state_paths_choose(struct state *s, size_t module, size_t owner)
{
	struct timeline_view *v = &s->view.timeline;
	const struct net_queues *q = s->answers.timeline.analysis ? s->answers.timeline.analysis->queues : NULL;

	for (size_t i = 0; owner == SIZE_MAX && q && i < q->known; i++) /* sorted, longest first */
		if (q->queue[i].module == module)
			owner = q->queue[i].owner;
	v->module = module;
	v->owner = owner == SIZE_MAX ? 0 : owner;
	v->chose_node = true;
}

static size_t
owner_in(const struct traffic *p, const struct net_layout_box *b, size_t module, size_t wanted)
{
	size_t best = b->owner[0];
	double most = -1;

	for (size_t i = 0; i < b->n_owners; i++)
		if (b->per == p->net->module[module].per && b->owner[i] == wanted)
			return wanted;
	for (size_t i = 0; i < b->n_owners; i++)
		for (size_t k = 0; k < p->net->n_kinds; k++) {
			const struct net_queue *q = traffic_queue_of(p, module, b->owner[i], k);

			if (q && q->length > most) {
				most = q->length;
				best = b->owner[i];
			}
		}
	return best;
}

/* The lane that carries most: of the node's own module if it has one, else of its box. */
static size_t
heaviest(const struct traffic *p, size_t box, size_t module, bool forward)
{
	size_t best = SIZE_MAX;
	double most = -1;

	for (int own = 1; own >= 0 && best == SIZE_MAX; own--)
		for (size_t i = 0; i < p->layout->n_lanes; i++) {
			const struct net_layout_lane *l = &p->layout->lane[i];
			const struct net_link *link = &p->net->link[l->link[0]];
			double load = isnan(p->load[i]) ? 0 : p->load[i];

			if ((forward ? l->from : l->to) != box ||
				(own && (forward ? link->from : link->to) != module) || load <= most)
				continue;
			most = load;
			best = i;
		}
	return best;
}

static void
move_along(struct state *s, const struct traffic *p, size_t box, bool forward)
{
	struct timeline_view *v = &s->view.timeline;
	size_t lane = heaviest(p, box, v->module, forward), module, to;

	if (lane == SIZE_MAX) {
		state_say(s, false, forward ? "requests end here" : "requests begin here");
		return;
	}
	module = forward ? p->net->link[p->layout->lane[lane].link[0]].to
			 : p->net->link[p->layout->lane[lane].link[0]].from;
	to = forward ? p->layout->lane[lane].to : p->layout->lane[lane].from;
	v->kind = p->layout->lane[lane].kind;
	state_paths_choose(s, module, owner_in(p, &p->layout->box[to], module, v->owner));
}

/* The nodes of a column, from top to bottom. */
struct stop {
	int y;
	size_t module, owner;
	bool here;
};

static size_t
stops_of(const struct state *s, const struct traffic *p, size_t box, struct stop *stop)
{
	const struct timeline_view *v = &s->view.timeline;
	const struct net_layout *l = p->layout;
	size_t n = 0;

	for (size_t i = 0; i < l->n_boxes; i++) {
		const struct net_layout_box *b = &l->box[i];

		for (size_t m = 0; b->column == l->box[box].column && m < b->n_modules; m++)
			for (size_t o = 0; o < (b->listed ? b->n_owners : 1); o++) {
				size_t owner = b->listed
					? b->owner[o]
					: owner_in(p, b, b->module[m], i == box ? v->owner : SIZE_MAX),
				       at = n++;
				struct stop x = {.y = b->y, .module = b->module[m], .owner = owner,
					.here = b->module[m] == v->module && owner == v->owner && i == box};

				for (; at && stop[at - 1].y > x.y; at--)
					stop[at] = stop[at - 1];
				stop[at] = x;
			}
	}
	return n;
}

static void
move_within(struct state *s, const struct traffic *p, size_t box, int by)
{
	size_t most = 1, n;
	struct stop *stop;
	long at = 0;

	for (size_t i = 0; i < p->layout->n_boxes; i++)
		most += p->layout->box[i].n_modules * p->layout->box[i].n_owners;
	stop = mem_new_array(most, sizeof *stop);
	n = stops_of(s, p, box, stop);
	for (size_t i = 0; i < n; i++)
		if (stop[i].here)
			at = (long)i;
	at += by;
	at = at < 0 ? 0 : at >= (long)n ? (long)n - 1 : at;
	state_paths_choose(s, stop[at].module, stop[at].owner);
	free(stop);
}

/* Moves in the table of stages: modules are rows, owners are columns. */
static void
move_in_table(struct state *s, int dx, int dy)
{
	struct timeline_view *v = &s->view.timeline;
	const struct network *n = timeline_network(s->data.timeline);
	size_t owners =
		s->answers.timeline.analysis ? net_state_owners(s->answers.timeline.analysis->state, v->module) : 1;
	long module = (long)v->module + dy, owner = (long)v->owner + dx;

	module = module < 0 ? 0 : module >= (long)n->n_modules ? (long)n->n_modules - 1 : module;
	owner = owner < 0 ? 0 : owner >= (long)owners ? (long)owners - 1 : owner;
	owners = s->answers.timeline.analysis
		? net_state_owners(s->answers.timeline.analysis->state, (size_t)module) : 1;
	state_paths_choose(s, (size_t)module, owner < (long)owners ? (size_t)owner : 0);
}

void
state_paths_move(struct state *s, int dx, int dy)
{
	struct timeline_view *v = &s->view.timeline;
	const struct network *n = s->data.timeline ? timeline_network(s->data.timeline) : NULL;
	const struct state shown = state_flows_shown(s);
	struct net_layout *l;
	struct traffic *p;
	size_t box;

	if (!n)
		return;
	l = state_paths_layout(&shown, s->layout->network_w, s->layout->network_h);
	if (!l) {
		move_in_table(s, dx, dy);
		return;
	}
	p = traffic_new(n, shown.answers.timeline.analysis, l);
	box = net_layout_find(l, v->module, v->owner);
	if (box == SIZE_MAX) /* among the idle owners */
		state_paths_choose(s, l->box[0].module[0], l->box[0].owner[0]);
	else if (dx)
		move_along(s, p, box, (dx > 0) != v->turned);
	else
		move_within(s, p, box, dy);
	traffic_free(p);
	net_layout_free(l);
}
