/* Evaluates a network's expressions for one snapshot.
 *
 * Scopes are handled from fine to coarse, and within a scope one owner after the other:
 *
 *     counts of thread, core, slice …  ── added up per owner ──▶  row: one value per number (network.h)
 *     row  ── expressions of the scope's modules ──▶  cell, place, clock, qos, load of this owner
 *     row  ── values that coarser scopes use ──▶  sums of the owner that this one is part of
 *
 * `row` has the values of one owner at a time: its counters, the constants, cells of modules in the order in which
 * they use each other, the length of the snapshot. Only values that some expression of the scope uses are filled in
 * (struct net_scope_use). */
#include "core/network/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/delays.h"
#include "core/network/increments.h"
#include "core/network/plan.h"

struct net_state {
	const struct network *net;
	const struct net_shape *shape;
	double *row;               /* n_values, of the current owner */
	double *sums[SCOPES];      /* per scope: owners × use.n_cells, sums of values of finer scopes */
	struct net_plan *plan;
	size_t owners;             /* number of owners of all modules together */
	double *counts;            /* scratch for one scope: owners × use.n_counters */
	double *cell;              /* owners × kinds × NET_CELL_VALUES; always NAN if not reported */
	size_t *first_place;       /* module × kind: index of its first hit in `place` */
	double *place;
	double *clock, *ticks;     /* per owner of each module */
	size_t *first_qos;         /* per module: index of its first value in `qos` */
	double *qos;               /* by owner, then sign */
	size_t *first_load;        /* per link: index of its first value in `load` */
	double *load;
	double *total, *left, *right;
	double seconds, tear;
	size_t below_zero;
	struct net_increments *increments;
	struct net_pairs *pairs;
	struct net_delays *delays;
};

struct net_state *
net_state_new(const struct network *network, const struct net_shape *shape)
{
	struct net_state *state = mem_new(sizeof *state);
	size_t places = 0, loads = 0, counts = 0, qos = 0;

	state->net = network;
	state->shape = shape;
	state->plan = net_plan_new(network, shape);
	for (int k = 0; k < SCOPES; k++) {
		size_t used = shape->n[k] * state->plan->use[k].n_counters;

		state->sums[k] = mem_new_array(shape->n[k] * state->plan->use[k].n_cells, sizeof *state->sums[k]);
		counts = used > counts ? used : counts;
	}
	state->counts = mem_new_array(counts, sizeof *state->counts);
	state->increments = net_increments_new(network, shape);
	state->pairs = net_pairs_new(state->plan);
	state->delays = net_delays_new(state->plan);
	state->first_place = mem_new_array(network->n_modules * network->n_kinds, sizeof *state->first_place);
	state->first_qos = mem_new_array(network->n_modules, sizeof *state->first_qos);
	for (size_t m = 0; m < network->n_modules; m++) {
		for (size_t k = 0; k < network->n_kinds; k++) {
			state->first_place[m * network->n_kinds + k] = places;
			places += shape->n[network->module[m].per] * network->module[m].cell[k].n_hits;
		}
		state->first_qos[m] = qos;
		qos += shape->n[network->module[m].per] * network->module[m].n_qos;
	}
	state->owners = state->plan->first[network->n_modules];
	state->first_load = mem_new_array(network->n_links, sizeof *state->first_load);
	for (size_t l = 0; l < network->n_links; l++) {
		state->first_load[l] = loads;
		loads += shape->n[network->module[network->link[l].from].per] * network->n_kinds;
	}
	state->row = mem_new_array(network->n_values, sizeof *state->row);
	state->cell = mem_new_array(state->owners * network->n_kinds * NET_CELL_VALUES, sizeof *state->cell);
	for (size_t i = 0; i < state->owners * network->n_kinds * NET_CELL_VALUES; i++)
		state->cell[i] = NAN;
	state->place = mem_new_array(places, sizeof *state->place);
	state->clock = mem_new_array(state->owners, sizeof *state->clock);
	state->ticks = mem_new_array(state->owners, sizeof *state->ticks);
	state->qos = mem_new_array(qos, sizeof *state->qos);
	state->load = mem_new_array(loads, sizeof *state->load);
	state->total = mem_new_array(network->n_totals, sizeof *state->total);
	state->left = mem_new_array(network->n_laws, sizeof *state->left);
	state->right = mem_new_array(network->n_laws, sizeof *state->right);
	for (size_t i = 0; i < network->n_constants; i++)
		state->row[network->n_counters + i] = network->constant[i].value;
	return state;
}

void
net_state_calibrate(struct net_state *state, const char *name, double value)
{
	const struct network *network = state->net;

	for (size_t i = 0; i < network->n_constants; i++)
		if (network->constant[i].calibrated && str_eq(network->constant[i].calibrated, name))
			state->row[network->n_counters + i] = value;
}

void
net_state_free(struct net_state *state)
{
	if (!state)
		return;
	net_increments_free(state->increments);
	net_pairs_free(state->pairs);
	net_delays_free(state->delays);
	for (int k = 0; k < SCOPES; k++)
		free(state->sums[k]);
	net_plan_free(state->plan);
	free(state->row);
	free(state->counts);
	free(state->cell);
	free(state->first_place);
	free(state->place);
	free(state->clock);
	free(state->ticks);
	free(state->first_qos);
	free(state->qos);
	free(state->first_load);
	free(state->load);
	free(state->total);
	free(state->left);
	free(state->right);
	free(state);
}

/* The value, or 0 if it is negative; s->below_zero counts such values. */
static double
not_below_zero(struct net_state *s, double v)
{
	if (!(v < 0))
		return v;
	s->below_zero++;
	return 0;
}

static double *
state_cell_of(const struct net_state *s, size_t module, size_t owner, size_t kind)
{
	return s->cell + ((s->plan->first[module] + owner) * s->net->n_kinds + kind) * NET_CELL_VALUES;
}

static double *
places_of(const struct net_state *s, size_t module, size_t owner, size_t kind)
{
	return s->place + s->first_place[module * s->net->n_kinds + kind] +
		owner * s->net->module[module].cell[kind].n_hits;
}

static void
state_evaluate(struct net_state *state, size_t value, struct net_value v, size_t owner)
{
	const struct net_cell *cell = &state->net->module[v.module].cell[v.kind];
	double *out = state_cell_of(state, v.module, owner, v.kind), sum = 0;

	if (v.field == NET_FIELDS) {
		double *place = places_of(state, v.module, owner, v.kind);

		for (size_t i = 0; i < cell->n_hits; i++) {
			place[i] = not_below_zero(state, aexpr_value(cell->hit[i].e, state->row));
			sum += place[i];
		}
		state->row[value] = out[0] = sum;
	} else {
		state->row[value] = out[1 + v.field] = not_below_zero(
			state, aexpr_value(cell->field[v.field], state->row));
	}
}

/* Add what coarser scopes use of this owner to their sums. */
static void
add_to_wholes(struct net_state *state, enum scope per, size_t owner)
{
	for (int coarse = 0; coarse < SCOPES; coarse++) {
		const struct net_scope_use *use = &state->plan->use[coarse];
		double *sum;

		if (coarse == (int)per || !scope_within(per, (enum scope)coarse))
			continue;
		sum = state->sums[coarse] +
			net_owner_within(state->shape, per, owner, (enum scope)coarse) * use->n_cells;
		for (size_t i = 0; i < use->n_cells; i++)
			if (state->net->module[net_value(state->net, use->cell[i]).module].per == per)
				sum[i] += state->row[use->cell[i]];
	}
}

static double
state_load(const struct net_state *s, size_t link, size_t owner, size_t kind)
{
	const struct net_link *l = &s->net->link[link];

	if (l->load[kind])
		return aexpr_value(l->load[kind], s->row);
	if (!net_load_reported(s->plan, link, kind))
		return NAN;
	return state_cell_of(s, l->from, owner, kind)[1 + NET_MISS];
}

/* Returns the cycles of the module's clock in the length of the snapshot; its `clock` is worked out. */
static double
ticks_of(const struct net_state *state, size_t m, double clock)
{
	const struct net_module *module = &state->net->module[m];
	double elapsed = state->seconds > 0 ? state->seconds * 1e9 : NAN, ticks = NAN;

	if (state->shape->unknown[module->per] && isnan(elapsed))
		return NAN; /* perhaps the clocks of several owners: too fast for one, if the time were known */
	if (module->frequency)
		ticks = aexpr_value(module->frequency, state->row) * elapsed;
	else if (state->plan->in_cycles[m])
		ticks = clock;
	return ticks > 0 && !(ticks > NET_FREQUENCY_MAX * elapsed) ? ticks : NAN;
}

static void
take_owner(struct net_state *state, enum scope per, size_t owner)
{
	const struct network *network = state->net;
	const struct net_scope_use *use = &state->plan->use[per];

	for (size_t i = 0; i < use->n_cells; i++)
		state->row[use->cell[i]] = state->sums[per][owner * use->n_cells + i];
	for (int s = 0; s < SCOPES; s++)
		if (use->owners[s])
			state->row[net_value_of_owners(network, (enum scope)s)] = use->owners[s][owner];
	for (size_t i = 0; i < use->n_own; i++)
		state_evaluate(state, use->own[i], use->what[i], owner);
	for (size_t i = 0; i < use->n_modules; i++) {
		size_t m = use->module[i], at = state->plan->first[m] + owner;

		state->clock[at] = network->module[m].clock ? aexpr_value(network->module[m].clock, state->row)
							    : state->seconds * 1e9;
		state->ticks[at] = ticks_of(state, m, state->clock[at]);
		for (size_t q = 0; q < network->module[m].n_qos; q++)
			state->qos[state->first_qos[m] + owner * network->module[m].n_qos + q] =
				aexpr_value(network->module[m].qos[q].e, state->row);
	}
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds && network->module[network->link[l].from].per == per; k++)
			state->load[state->first_load[l] + owner * network->n_kinds + k] = not_below_zero(
				state, state_load(state, l, owner, k));
	add_to_wholes(state, per, owner);
}

/* Add up the counters per owner of this scope, then evaluate the owners. */
static void
take_scope(struct net_state *state, enum scope per, const struct net_snapshot *snapshot)
{
	const struct network *network = state->net;
	const struct net_scope_use *use = &state->plan->use[per];
	size_t owners = state->shape->n[per];
	double *counts = state->counts;

	if (!use->n_modules && per != SCOPE_SYSTEM)
		return;
	memset(counts, 0, owners * use->n_counters * sizeof *counts);
	for (size_t i = 0; i < use->n_counters; i++) {
		const struct counter_item *item = &network->counter[use->counter[i]];
		const double *from = state->shape->n[item->scope] ? snapshot->count[use->counter[i]] : NULL;
		bool whole = net_increments_whole(state->increments, use->counter[i]);

		for (size_t o = 0; o < owners && !from; o++)
			counts[o * use->n_counters + i] = NAN;
		for (size_t k = 0; from && k < state->shape->n[item->scope]; k++)
			counts[net_owner_within(state->shape, item->scope, k, per) * use->n_counters + i] +=
				(whole ? from[k] : net_increments_count(state->increments, use->counter[i], from[k])) *
				item->factor;
	}
	for (size_t o = 0; o < owners; o++) {
		for (size_t i = 0; i < use->n_counters; i++)
			state->row[use->counter[i]] = counts[o * use->n_counters + i];
		take_owner(state, per, o);
	}
}

void
net_state_take(struct net_state *state, const struct net_snapshot *snapshot)
{
	const struct network *network = state->net;

	state->seconds = snapshot->seconds;
	state->tear = snapshot->tear;
	state->below_zero = 0;
	state->delays->found = false;
	state->row[net_value_of_elapsed(network)] = state->seconds * 1e9;
	net_increments_check(state->increments, snapshot);
	for (int k = 0; k < SCOPES; k++)
		memset(state->sums[k], 0, state->shape->n[k] * state->plan->use[k].n_cells * sizeof *state->sums[k]);
	for (int k = 0; k < SCOPES; k++)
		take_scope(state, (enum scope)k, snapshot);
	net_pairs_take(state->pairs, state, snapshot, state->increments);
	for (size_t i = 0; i < network->n_totals; i++)
		state->total[i] = aexpr_value(network->total[i].e, state->row);
	for (size_t i = 0; i < network->n_laws; i++) {
		state->left[i] = aexpr_value(network->law[i].left, state->row);
		state->right[i] = aexpr_value(network->law[i].right, state->row);
	}
}

static void
leave_out_cell(struct net_state *s, const struct net_state *without, size_t module, size_t owner, size_t kind)
{
	double *v = state_cell_of(s, module, owner, kind), *place = places_of(s, module, owner, kind);
	const double *w = state_cell_of(without, module, owner, kind), *there = places_of(without, module, owner, kind);

	for (size_t i = 0; i < s->net->module[module].cell[kind].n_hits; i++)
		place[i] = there[i] > 0 ? NAN : place[i];
	v[0] = w[0] > 0 ? NAN : v[0];
	for (int f = 0; f < NET_FIELDS; f++)
		if (net_field_adds((enum net_field)f) && w[1 + f] > 0)
			v[1 + f] = NAN;
}

void
net_state_leave_out(struct net_state *state, const struct net_state *without)
{
	const struct network *n = state->net;

	state->delays->found = false;
	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(state, m); o++)
			for (size_t k = 0; k < n->n_kinds; k++)
				leave_out_cell(state, without, m, o, k);
	for (size_t l = 0; l < n->n_links; l++)
		for (size_t o = 0; o < net_state_owners(state, n->link[l].from); o++)
			for (size_t k = 0; k < n->n_kinds; k++) {
				size_t i = state->first_load[l] + o * n->n_kinds + k;

				if (!(without->load[i] > 0))
					continue;
				state->load[i] = NAN;
				net_pairs_drop(state->pairs, l, k);
			}
}

const struct network *
net_state_network(const struct net_state *s)
{
	return s->net;
}

const struct net_shape *
net_state_shape(const struct net_state *s)
{
	return s->shape;
}

const struct net_plan *
net_state_plan(const struct net_state *s)
{
	return s->plan;
}

const struct net_delays *
net_state_delays(const struct net_state *s)
{
	if (!s->delays->found)
		net_delays_find(s->delays, s);
	return s->delays;
}

double
net_state_seconds(const struct net_state *s)
{
	return s->seconds;
}

size_t
net_state_owners(const struct net_state *s, size_t module)
{
	return s->plan->first[module + 1] - s->plan->first[module];
}

struct net_cell_values
net_state_cell(const struct net_state *s, size_t module, size_t owner, size_t kind)
{
	const double *v = state_cell_of(s, module, owner, kind);
	struct net_cell_values c = {
		.hits = v[0], .misses = v[1 + NET_MISS], .place = places_of(s, module, owner, kind)};

	memcpy(c.field, v + 1, sizeof c.field);
	return c;
}

const double *
net_state_cells(const struct net_state *s, size_t module)
{
	return state_cell_of(s, module, 0, 0);
}

const double *
net_state_places(const struct net_state *s, size_t module, size_t kind)
{
	return places_of(s, module, 0, kind);
}

const double *
net_state_loads(const struct net_state *s, size_t link)
{
	return s->load + s->first_load[link];
}

double
net_state_clock(const struct net_state *s, size_t module, size_t owner)
{
	return s->clock[s->plan->first[module] + owner];
}

double
net_state_ticks(const struct net_state *s, size_t module, size_t owner)
{
	return s->ticks[s->plan->first[module] + owner];
}

const double *
net_state_pairs(const struct net_state *s, size_t link, size_t kind)
{
	return net_pairs_at(s->pairs, link, kind);
}

bool
net_state_pairs_fit(const struct net_state *s, size_t link, size_t owner, size_t kind, double *sum)
{
	const struct net_link *l = &s->net->link[link];
	const double *pair = net_state_pairs(s, link, kind);
	size_t receivers = s->shape->n[s->net->module[l->to].per];
	double load = net_state_load(s, link, owner, kind);

	*sum = pair && !isnan(load) ? 0 : NAN;
	for (size_t b = 0; b < receivers && !isnan(*sum); b++)
		*sum += pair[owner * receivers + b];
	return isnan(*sum) || fabs(*sum - load) <= 1e-9 * fmax(*sum, load) + s->tear;
}

double
net_state_load(const struct net_state *s, size_t link, size_t owner, size_t kind)
{
	return s->load[s->first_load[link] + owner * s->net->n_kinds + kind];
}

double
net_state_total(const struct net_state *s, size_t total)
{
	return s->total[total];
}

void
net_state_law(const struct net_state *s, size_t law, double *left, double *right)
{
	*left = s->left[law];
	*right = s->right[law];
}

double
net_state_qos(const struct net_state *s, size_t module, size_t owner, size_t qos)
{
	return s->qos[s->first_qos[module] + owner * s->net->module[module].n_qos + qos];
}

bool
net_state_law_holds(const struct net_state *s, size_t law)
{
	const struct net_law *l = &s->net->law[law];
	double left = s->left[law], right = s->right[law],
	       slack = fmax(1e-9, l->within) * fmax(fabs(left), fabs(right));

	if (unit_equal(l->left->unit, unit_of(UNIT_REQUESTS)))
		slack += s->tear;
	return l->equal ? fabs(left - right) <= slack : left <= right + slack;
}

size_t
net_state_below_zero(const struct net_state *s)
{
	return s->below_zero;
}

size_t
net_state_wrong(const struct net_state *s, size_t counter)
{
	return s->increments->wrong[counter];
}

size_t
net_state_impossible(const struct net_state *s, size_t counter)
{
	return s->increments->impossible[counter];
}

bool
net_state_gone(const struct net_state *s, enum scope per, size_t owner)
{
	return s->increments->some[per] && !s->increments->seen[per][owner];
}
