#include "work/timeline/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/queues.h"
#include "core/network/state.h"
#include "work/timeline/timeline.h"

static size_t
traffic_cell_at(const struct traffic *p, size_t module, size_t owner, size_t kind)
{
	return (p->module_first[module] + owner) * p->net->n_kinds + kind;
}

static void
find_queues(struct traffic *traffic)
{
	size_t n = 0;

	traffic->module_first = mem_new_array(traffic->net->n_modules + 1, sizeof *traffic->module_first);
	for (size_t m = 0; m < traffic->net->n_modules; m++)
		traffic->module_first[m + 1] = n += net_state_owners(traffic->analysis->state, m);
	traffic->queue = mem_new_array(n * traffic->net->n_kinds, sizeof *traffic->queue);
	for (size_t i = 0; i < traffic->analysis->queues->known; i++) {
		const struct net_queue *queue = &traffic->analysis->queues->queue[i];

		traffic->queue[traffic_cell_at(traffic, queue->module, queue->owner, queue->kind)] = queue;
	}
}

/* --- loads ------------------------------------------------------------------------------------------------------- */

/* Requests on a link that leave the owners of a box; NAN where any of them is unknown. */
static double
leaving(const struct traffic *p, const struct net_layout_box *b, size_t link, size_t kind)
{
	double sum = 0;

	for (size_t i = 0; i < b->n_owners; i++)
		sum += net_state_load(p->analysis->state, link, b->owner[i], kind);
	return sum;
}

static double
counted_arrivals(const struct traffic *p, const struct net_layout_box *b, size_t module, size_t kind)
{
	double sum = 0;

	for (size_t i = 0; i < b->n_owners; i++) {
		struct net_cell_values t = net_state_cell(p->analysis->state, module, b->owner[i], kind);

		sum += (isnan(t.hits) ? 0 : t.hits) + (isnan(t.misses) ? 0 : t.misses) +
			(isnan(t.hits) && isnan(t.misses) ? NAN : 0);
	}
	return sum;
}

/* Returns the share of a link's requests that go to this box: 1 where the link leads to one box, otherwise in
 * proportion to the requests that the boxes count. */
static double
traffic_part_of(const struct traffic *traffic, const struct net_layout_lane *lane, size_t link)
{
	size_t to = traffic->net->link[link].to;
	double here = NAN, all = 0;
	size_t boxes = 0;

	if (traffic->boxes[to] <= 1)
		return 1;
	for (size_t i = 0; i < traffic->layout->n_lanes; i++) {
		const struct net_layout_lane *net_layout_lane = &traffic->layout->lane[i];
		bool same = false;

		if (net_layout_lane->from != lane->from || net_layout_lane->kind != lane->kind)
			continue;
		for (size_t k = 0; k < net_layout_lane->n_links; k++)
			same |= net_layout_lane->link[k] == link;
		if (!same)
			continue;
		boxes++;
		if (net_layout_lane == lane)
			here = counted_arrivals(
				traffic, &traffic->layout->box[net_layout_lane->to], to, net_layout_lane->kind);
		all += counted_arrivals(traffic, &traffic->layout->box[net_layout_lane->to], to, net_layout_lane->kind);
	}
	return boxes <= 1 ? 1 : all > 0 ? here / all : NAN;
}

static double
lane_load(const struct traffic *traffic, const struct net_layout_lane *lane)
{
	double sum = 0;

	for (size_t i = 0; i < lane->n_links; i++) {
		const struct net_layout_box *from = &traffic->layout->box[lane->from];
		double load = leaving(traffic, from, lane->link[i], lane->kind);

		if (isnan(load) &&
			counted_arrivals(traffic, from, traffic->net->link[lane->link[i]].from, lane->kind) == 0)
			load = 0; /* no request arrives, so no request is passed on */
		sum += load > 0 ? load * traffic_part_of(traffic, lane, lane->link[i]) : load;
	}
	return sum;
}

struct traffic *
traffic_new(const struct network *net, const struct timeline_analysis *analysis, const struct net_layout *layout)
{
	struct traffic *traffic = mem_new(sizeof *traffic);

	traffic->net = net;
	traffic->analysis = analysis;
	traffic->layout = layout;
	traffic->boxes = mem_new_array(net->n_modules, sizeof *traffic->boxes);
	for (size_t b = 0; layout && b < layout->n_boxes; b++)
		for (size_t m = 0; m < layout->box[b].n_modules; m++)
			traffic->boxes[layout->box[b].module[m]]++;
	traffic->load = mem_new_array(layout ? layout->n_lanes : 0, sizeof *traffic->load);
	traffic->column_load = mem_new_array(layout ? layout->n_columns : 0, sizeof *traffic->column_load);
	if (analysis)
		find_queues(traffic);
	for (size_t i = 0; layout && i < layout->n_lanes; i++) {
		const struct net_layout_lane *lane = &layout->lane[i];

		traffic->load[i] = analysis ? lane_load(traffic, lane) : NAN;
		if (traffic->load[i] > 0 && !lane->inside)
			traffic->column_load[layout->box[lane->from].column] += traffic->load[i];
	}
	return traffic;
}

void
traffic_free(struct traffic *p)
{
	if (!p)
		return;
	free(p->queue);
	free(p->module_first);
	free(p->load);
	free(p->boxes);
	free(p->column_load);
	free(p);
}

double
traffic_share(const struct traffic *p, size_t lane)
{
	double all = p->column_load[p->layout->box[p->layout->lane[lane].from].column];

	return all > 0 ? p->load[lane] / all : p->load[lane] == 0 ? 0 : NAN;
}

/* --- boxes ------------------------------------------------------------------------------------------------------- */

struct traffic_cell
traffic_cell(const struct traffic *traffic, const struct net_layout_box *box, size_t module, size_t kind)
{
	struct traffic_cell c = {.state = traffic->net->module[module].cell[kind].state, .queue = NAN};
	double served[NET_FIELDS] = {0};

	if (!traffic->analysis) {
		c.hits = c.misses = NAN;
		for (int f = 0; f < NET_FIELDS; f++)
			c.field[f] = NAN;
		return c;
	}
	for (size_t i = 0; i < box->n_owners; i++) {
		struct net_cell_values t = net_state_cell(traffic->analysis->state, module, box->owner[i], kind);
		const struct net_queue *queue = traffic->queue[traffic_cell_at(traffic, module, box->owner[i], kind)];

		c.hits += t.hits;
		c.misses += t.misses;
		for (int f = 0; f < NET_FIELDS; f++) {
			if (net_field_adds((enum net_field)f))
				c.field[f] += t.field[f];
			else if (!isnan(t.field[f]) && t.hits > 0) {
				c.field[f] += t.field[f] * t.hits;
				served[f] += t.hits;
			}
		}
		if (queue) {
			c.queue = isnan(c.queue) ? queue->length : c.queue + queue->length;
			c.longest = !c.longest || queue->length > c.longest->length ? queue : c.longest;
		}
	}
	for (int f = 0; f < NET_FIELDS; f++)
		if (!net_field_adds((enum net_field)f))
			c.field[f] = served[f] > 0 ? c.field[f] / served[f] : NAN;
	return c;
}

static double
loads_to(const struct traffic *traffic, const struct net_layout_box *net_layout_box, size_t module, size_t kind)
{
	size_t box = (size_t)(net_layout_box - traffic->layout->box);
	double sum = NAN;

	for (size_t i = 0; i < traffic->layout->n_lanes; i++) {
		const struct net_layout_lane *lane = &traffic->layout->lane[i];

		if (lane->to == box && lane->kind == kind && lane->n_links &&
			traffic->net->link[lane->link[0]].to == module && !isnan(traffic->load[i]))
			sum = isnan(sum) ? traffic->load[i] : sum + traffic->load[i];
	}
	return sum;
}

double
traffic_arrivals(const struct traffic *p, const struct net_layout_box *b, size_t module, size_t kind)
{
	double own;

	if (!p->analysis)
		return NAN;
	own = counted_arrivals(p, b, module, kind);
	return isnan(own) && p->layout && b >= p->layout->box && b < p->layout->box + p->layout->n_boxes
		? loads_to(p, b, module, kind) : own;
}

const struct net_queue *
traffic_queue_of(const struct traffic *p, size_t module, size_t owner, size_t kind)
{
	return p->analysis ? p->queue[traffic_cell_at(p, module, owner, kind)] : NULL;
}

const struct net_queue *
traffic_longest(const struct traffic *traffic, const struct net_layout_box *box)
{
	const struct net_queue *longest = NULL;

	for (size_t m = 0; traffic->analysis && m < box->n_modules; m++)
		for (size_t i = 0; i < box->n_owners; i++)
			for (size_t k = 0; k < traffic->net->n_kinds; k++) {
				const struct net_queue *queue =
					traffic->queue[traffic_cell_at(traffic, box->module[m], box->owner[i], k)];

				if (queue && (!longest || queue->length > longest->length))
					longest = queue;
			}
	return longest;
}

double
traffic_owner_queue(const struct traffic *traffic, const struct net_layout_box *box, size_t owner)
{
	double sum = NAN;

	for (size_t m = 0; traffic->analysis && m < box->n_modules; m++)
		for (size_t k = 0; k < traffic->net->n_kinds; k++) {
			const struct net_queue *queue =
				traffic->queue[traffic_cell_at(traffic, box->module[m], owner, k)];

			if (queue)
				sum = isnan(sum) ? queue->length : sum + queue->length;
		}
	return sum;
}

/* --- counters ---------------------------------------------------------------------------------------------------- */

double
traffic_counter(const struct timeline_analysis *analysis, size_t counter, enum scope scope, size_t owner)
{
	const struct network *network = net_state_network(analysis->state);
	const struct counter_item *item = &network->counter[counter];
	const struct net_shape *shape = net_state_shape(analysis->state);
	size_t each = item->of_pairs ? shape->n[item->to] : 1;
	enum scope per = item->scope;
	const double *count = &analysis->count[analysis->first[counter]];
	size_t all = analysis->first[counter + 1] - analysis->first[counter];
	bool parts = scope_within(per, scope);
	double sum = 0;

	for (size_t i = 0; i < all; i++)
		if (!parts || net_owner_within(shape, per, i / each, scope) == owner)
			sum += count[i];
	return sum;
}

struct parts {
	const struct traffic *t;
	const struct net_layout_box *box;
	enum scope scope;
	double *sum;
	size_t n;
};

static void
traffic_add_parts(void *ctx, const struct aexpr *name)
{
	struct parts *parts = ctx;
	const struct network *network = parts->t->net;
	const struct timeline_analysis *analysis = parts->t->analysis;
	const struct net_shape *shape = net_state_shape(analysis->state);
	enum scope per;

	if (name->index >= network->n_counters)
		return;
	per = network->counter[name->index].scope;
	if (per == parts->box->per || !scope_within(per, parts->box->per) || (parts->sum && per != parts->scope) ||
		shape->n[per] < 2)
		return;
	if (!parts->sum) {
		parts->scope = per;
		parts->n = shape->n[per];
		parts->sum = mem_new_array(parts->n, sizeof *parts->sum);
	}
	for (size_t i = 0; i < parts->n; i++) {
		double v = analysis->count[analysis->first[name->index] + i];

		for (size_t o = 0; o < parts->box->n_owners; o++)
			if (!isnan(v) && net_owner_within(shape, per, i, parts->box->per) == parts->box->owner[o])
				parts->sum[i] += v;
	}
}

double *
traffic_parts(const struct traffic *t, const struct net_layout_box *b, size_t module, enum scope *scope, size_t *n)
{
	struct parts p = {.t = t, .box = b};

	for (size_t k = 0; t->analysis && k < t->net->n_kinds; k++)
		if (t->net->module[module].cell[k].field[NET_OCCUPANCY])
			aexpr_each_name(t->net->module[module].cell[k].field[NET_OCCUPANCY], traffic_add_parts, &p);
	*scope = p.scope;
	*n = p.n;
	return p.sum;
}

/* --- largest shares of a stage's requests ------------------------------------------------------------------------- */

static void
keep_most(unsigned short *most, double part, double all)
{
	unsigned short share = (unsigned short)(all > 0 ? lround(part / all * 1000) : 0);

	*most = share > *most ? share : *most;
}

/* Requests of a kind that a module counted for one owner. */
static double
carried(const struct net_state *s, size_t module, size_t owner, size_t kind)
{
	struct net_cell_values t = net_state_cell(s, module, owner, kind);

	return (isnan(t.hits) ? 0 : t.hits) + (isnan(t.misses) ? 0 : t.misses);
}

bool
traffic_add_shares(const struct timeline_analysis *analysis, unsigned short *share)
{
	const struct network *network = net_state_network(analysis->state);
	size_t first = 0, owners = 0;
	bool some = false;

	for (size_t m = 0; m < network->n_modules; m++)
		owners += net_state_owners(analysis->state, m);
	for (size_t g = 0; g < network->n_stages; g++) {
		const struct net_stage *stage = &network->stage[g];
		double kind[NETWORK_KINDS_MAX] = {0}, all = 0;
		size_t at = first;

		for (size_t m = stage->first; m < stage->first + stage->n; m++)
			for (size_t o = 0; o < net_state_owners(analysis->state, m); o++)
				for (size_t k = 0; k < network->n_kinds; k++)
					kind[k] += carried(analysis->state, m, o, k);
		for (size_t k = 0; k < network->n_kinds; k++)
			all += kind[k];
		some |= all > 0;
		for (size_t m = stage->first; m < stage->first + stage->n; m++)
			for (size_t o = 0; o < net_state_owners(analysis->state, m); o++, at++) {
				double sum = 0;

				for (size_t k = 0; k < network->n_kinds; k++)
					sum += carried(analysis->state, m, o, k);
				keep_most(&share[at], sum, all);
			}
		for (size_t k = 0; k < network->n_kinds; k++)
			keep_most(&share[owners + k], kind[k], all);
		first = at;
	}
	return some;
}

void
traffic_add_used(const struct timeline_analysis *analysis, bool *used)
{
	const struct network *network = net_state_network(analysis->state);

	for (size_t m = 0; m < network->n_modules; m++) {
		bool told = false;

		for (size_t k = 0; k < network->n_kinds; k++) {
			enum net_cell_state cell = network->module[m].cell[k].state;

			used[m] |= cell == NET_CELL_UNREPORTED;
			for (size_t o = 0; cell == NET_CELL_REPORTED && o < net_state_owners(analysis->state, m); o++) {
				struct net_cell_values t = net_state_cell(analysis->state, m, o, k);

				told |= !isnan(t.hits) || !isnan(t.misses);
				used[m] |= t.hits > 0 || t.misses > 0 || (isnan(t.hits) && isnan(t.misses));
			}
		}
		used[m] |= !told;
	}
}
