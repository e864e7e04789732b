/* Evaluates a network's expressions for one snapshot.
 *
 * Scopes are handled from fine to coarse, and within a scope all owners at once: a value is a column of numbers, one
 * per owner.
 *
 *     counts of thread, core, slice …  ── added up per owner ──▶  columns: one per value (network.h)
 *     columns  ── expressions of the scope's modules ──▶  cell, place, clock, qos, load
 *     columns  ── values that coarser scopes use ──▶  sums of the owners that these are part of
 *
 * `column` has the values of one scope at a time: its counters, the constants, cells of modules in the order in which
 * they use each other, the length of the snapshot. Only values that some expression of the scope uses are set
 * (struct net_scope_use). A counter of the scope that needs no correction is the snapshot's own array. */
#include "core/network/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/delays.h"
#include "core/network/increments.h"
#include "core/network/mix.h"
#include "core/network/plan.h"
#include "core/network/state_parts.h"

/* The columns in `same` are those of the constants, then these two. */
static size_t
elapsed_column(const struct net_state *state)
{
	return state->net->n_constants;
}

static size_t
unknown_column(const struct net_state *state)
{
	return state->net->n_constants + 1;
}

static void
fill_column(struct net_state *state, size_t at, double value)
{
	for (size_t o = 0; o < state->most; o++)
		state->same[at * state->most + o] = value;
}

static size_t
larger_room(const struct aexpr *e, size_t room)
{
	size_t own = e ? aexpr_room(e) : 0;

	return own > room ? own : room;
}

/* Returns the scratch that any expression of the network needs. */
static size_t
most_room(const struct network *network)
{
	size_t room = 0;

	for (size_t m = 0; m < network->n_modules; m++) {
		const struct net_module *module = &network->module[m];

		room = larger_room(module->clock, larger_room(module->frequency, room));
		for (size_t q = 0; q < module->n_qos; q++)
			room = larger_room(module->qos[q].e, room);
		for (size_t k = 0; k < network->n_kinds; k++) {
			for (size_t i = 0; i < module->cell[k].n_hits; i++)
				room = larger_room(module->cell[k].hit[i].e, room);
			for (int f = 0; f < NET_FIELDS; f++)
				room = larger_room(module->cell[k].field[f], room);
		}
	}
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds; k++)
			room = larger_room(network->link[l].load[k], room);
	for (size_t i = 0; i < network->n_totals; i++)
		room = larger_room(network->total[i].e, room);
	for (size_t i = 0; i < network->n_laws; i++)
		room = larger_room(network->law[i].left, larger_room(network->law[i].right, room));
	return room;
}

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
	for (int k = 0; k < SCOPES; k++)
		state->most = shape->n[k] > state->most ? shape->n[k] : state->most;
	state->column = mem_new_array(network->n_values, sizeof *state->column);
	state->same = mem_new_array((network->n_constants + 2) * state->most, sizeof *state->same);
	state->room = mem_new_array(most_room(network) * state->most, sizeof *state->room);
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
		fill_column(state, i, network->constant[i].value);
	fill_column(state, unknown_column(state), NAN);
	return state;
}

void
net_state_calibrate(struct net_state *state, const char *name, double value)
{
	const struct network *network = state->net;

	for (size_t i = 0; i < network->n_constants; i++)
		if (network->constant[i].calibrated && str_eq(network->constant[i].calibrated, name))
			fill_column(state, i, value);
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
	free(state->column);
	free(state->same);
	free(state->room);
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

/* Copies a column with 0 for values below 0; state->below_zero counts those. */
static void
copy_column(struct net_state *state, const double *from, size_t n, double *to)
{
	size_t below = 0;

	for (size_t o = 0; o < n; o++) {
		below += from[o] < 0;
		to[o] = from[o] < 0 ? 0 : from[o];
	}
	state->below_zero += below;
}

static const double *
state_values(const struct net_state *state, const struct aexpr *e, size_t n)
{
	return aexpr_column(e, state->column, n, state->room);
}

/* Adds up the places of a kind, which stand by owner. */
static void
take_hits(struct net_state *state, size_t module, size_t kind, size_t n, double *out)
{
	const struct net_cell *cell = &state->net->module[module].cell[kind];
	double *place = places_of(state, module, 0, kind);

	if (cell->n_hits == 1) {
		copy_column(state, state_values(state, cell->hit[0].e, n), n, place);
		memcpy(out, place, n * sizeof *out);
		return;
	}
	memset(out, 0, n * sizeof *out);
	for (size_t i = 0; i < cell->n_hits; i++) {
		const double *value = state_values(state, cell->hit[i].e, n);

		for (size_t o = 0; o < n; o++) {
			state->below_zero += value[o] < 0;
			place[o * cell->n_hits + i] = value[o] < 0 ? 0 : value[o];
			out[o] += place[o * cell->n_hits + i];
		}
	}
}

static void
state_evaluate(struct net_state *state, size_t value, struct net_value v, size_t n)
{
	double *out = cell_column(state, v.module, v.kind, v.field == NET_FIELDS ? 0 : 1 + (size_t)v.field);

	if (v.field == NET_FIELDS)
		take_hits(state, v.module, v.kind, n, out);
	else
		copy_column(state, state_values(state, state->net->module[v.module].cell[v.kind].field[v.field], n), n,
			out);
	state->column[value] = out;
}

/* Adds to each whole what its parts have, times a factor. */
static void
add_parts(const struct net_state *state, enum scope fine, enum scope coarse, const double *from, double factor,
	double *sum)
{
	for (size_t o = 0; o < state->shape->n[coarse]; o++) {
		struct net_range parts = net_meets(state->plan, coarse, o, fine);
		bool in_a_row = parts.n && parts.at[parts.n - 1] - parts.at[0] == parts.n - 1;
		double all = in_a_row ? mix_sum(from + parts.at[0], parts.n) : 0;

		for (size_t i = 0; i < parts.n && !in_a_row; i++)
			all += from[parts.at[i]];
		sum[o] += all * factor;
	}
}

/* Add what coarser scopes use of this one to their sums. */
static void
add_to_wholes(struct net_state *state, enum scope per)
{
	for (int coarse = 0; coarse < SCOPES; coarse++) {
		const struct net_scope_use *use = &state->plan->use[coarse];

		if (coarse == (int)per || !scope_within(per, (enum scope)coarse))
			continue;
		for (size_t i = 0; i < use->n_cells; i++)
			if (state->net->module[net_value(state->net, use->cell[i]).module].per == per)
				add_parts(state, per, (enum scope)coarse, state->column[use->cell[i]], 1,
					state->sums[coarse] + i * state->shape->n[coarse]);
	}
}

static const double *
state_load(const struct net_state *s, size_t link, size_t kind, size_t n)
{
	const struct net_link *l = &s->net->link[link];

	if (l->load[kind])
		return state_values(s, l->load[kind], n);
	if (!net_load_reported(s->plan, link, kind))
		return s->same + unknown_column(s) * s->most;
	return cell_column(s, l->from, kind, 1 + NET_MISS);
}

/* Finds the cycles of the module's clock in the length of the snapshot; its `clock` is worked out. */
static void
find_state_ticks(struct net_state *state, size_t m, size_t n)
{
	const struct net_module *module = &state->net->module[m];
	double elapsed = state->seconds > 0 ? state->seconds * 1e9 : NAN, *out = state->ticks + state->plan->first[m];
	/* perhaps the clocks of several owners: too fast for one, if the time were known */
	bool many = state->shape->unknown[module->per] && isnan(elapsed);
	const double *value = module->frequency && !many ? state_values(state, module->frequency, n) : NULL,
		     *clock = state->clock + state->plan->first[m];

	for (size_t o = 0; o < n; o++) {
		double ticks = value ? value[o] * elapsed : NAN;

		if (isnan(ticks) && state->plan->in_cycles[m] && !many)
			ticks = clock[o];
		out[o] = ticks > 0 && !(ticks > NET_FREQUENCY_MAX * elapsed) ? ticks : NAN;
	}
}

static void
take_module(struct net_state *state, size_t m, size_t n)
{
	const struct net_module *module = &state->net->module[m];
	size_t first = state->plan->first[m];

	memcpy(state->clock + first,
		module->clock ? state_values(state, module->clock, n)
			      : state->same + elapsed_column(state) * state->most,
		n * sizeof *state->clock);
	find_state_ticks(state, m, n);
	for (size_t q = 0; q < module->n_qos; q++) {
		const double *value = state_values(state, module->qos[q].e, n);

		for (size_t o = 0; o < n; o++)
			state->qos[state->first_qos[m] + o * module->n_qos + q] = value[o];
	}
}

/* Returns the column of a counter for the owners of a scope; adds up in `sum` what finer owners counted. */
static const double *
counter_column(
	const struct net_state *state, enum scope per, const struct net_snapshot *snapshot, size_t counter, double *sum)
{
	const struct counter_item *item = &state->net->counter[counter];
	size_t owners = state->shape->n[per], finer = state->shape->n[item->scope];
	const double *from = finer ? snapshot->count[counter] : NULL;
	bool whole = net_increments_whole(state->increments, counter);

	if (!from)
		return state->same + unknown_column(state) * state->most;
	if (whole && item->scope == per && !(item->factor < 1) && !(item->factor > 1))
		return from;
	memset(sum, 0, owners * sizeof *sum);
	if (whole)
		add_parts(state, item->scope, per, from, item->factor, sum);
	for (size_t k = 0; k < finer && !whole; k++)
		sum[net_owner_within(state->shape, item->scope, k, per)] += net_increments_count(state->increments,
										    counter, from[k]) *
			item->factor;
	return sum;
}

static void
set_columns(struct net_state *state, enum scope per, const struct net_snapshot *snapshot)
{
	const struct network *network = state->net;
	const struct net_scope_use *use = &state->plan->use[per];
	size_t owners = state->shape->n[per];

	for (size_t i = 0; i < use->n_counters; i++)
		state->column[use->counter[i]] = counter_column(
			state, per, snapshot, use->counter[i], state->counts + i * owners);
	for (size_t i = 0; i < network->n_constants; i++)
		state->column[network->n_counters + i] = state->same + i * state->most;
	for (size_t i = 0; i < use->n_cells; i++)
		state->column[use->cell[i]] = state->sums[per] + i * owners;
	for (int s = 0; s < SCOPES; s++)
		if (use->owners[s])
			state->column[net_value_of_owners(network, (enum scope)s)] = use->owners[s];
	state->column[net_value_of_elapsed(network)] = state->same + elapsed_column(state) * state->most;
}

static void
take_scope(struct net_state *state, enum scope per, const struct net_snapshot *snapshot)
{
	const struct network *network = state->net;
	const struct net_scope_use *use = &state->plan->use[per];
	size_t owners = state->shape->n[per];

	if (!owners || (!use->n_modules && per != SCOPE_SYSTEM))
		return;
	set_columns(state, per, snapshot);
	for (size_t i = 0; i < use->n_own; i++)
		state_evaluate(state, use->own[i], use->what[i], owners);
	for (size_t i = 0; i < use->n_modules; i++)
		take_module(state, use->module[i], owners);
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds && network->module[network->link[l].from].per == per; k++)
			copy_column(state, state_load(state, l, k, owners), owners, load_column(state, l, k));
	add_to_wholes(state, per);
}

void
net_state_take(struct net_state *state, const struct net_snapshot *snapshot)
{
	const struct network *network = state->net;

	state->seconds = snapshot->seconds;
	state->tear = snapshot->tear;
	state->below_zero = 0;
	state->delays->found = false;
	fill_column(state, elapsed_column(state), state->seconds * 1e9);
	net_increments_check(state->increments, snapshot);
	for (int k = 0; k < SCOPES; k++)
		memset(state->sums[k], 0, state->shape->n[k] * state->plan->use[k].n_cells * sizeof *state->sums[k]);
	for (int k = 0; k < SCOPES; k++)
		take_scope(state, (enum scope)k, snapshot);
	net_pairs_take(state->pairs, state, snapshot, state->increments);
	for (size_t i = 0; i < network->n_totals; i++)
		state->total[i] = *state_values(state, network->total[i].e, 1);
	for (size_t i = 0; i < network->n_laws; i++) {
		state->left[i] = *state_values(state, network->law[i].left, 1);
		state->right[i] = *state_values(state, network->law[i].right, 1);
	}
}

static void
leave_out_cell(struct net_state *s, const struct net_state *without, size_t module, size_t owner, size_t kind)
{
	double *place = places_of(s, module, owner, kind);
	const double *there = places_of(without, module, owner, kind);

	for (size_t i = 0; i < s->net->module[module].cell[kind].n_hits; i++)
		place[i] = there[i] > 0 ? NAN : place[i];
	for (size_t i = 0; i < NET_CELL_VALUES; i++)
		if ((!i || net_field_adds((enum net_field)(i - 1))) && cell_column(without, module, kind, i)[owner] > 0)
			cell_column(s, module, kind, i)[owner] = NAN;
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
				if (!(load_column(without, l, k)[o] > 0))
					continue;
				load_column(state, l, k)[o] = NAN;
				net_pairs_drop(state->pairs, l, k);
			}
}
