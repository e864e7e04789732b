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

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
	double *clock;             /* per owner of each module */
	size_t *first_qos;         /* per module: index of its first value in `qos` */
	double *qos;               /* by owner, then sign */
	size_t *first_load;        /* per link: index of its first value in `load` */
	double *load;
	double *total, *left, *right;
	double seconds, tear;
	size_t below_zero;
	size_t *wrong;             /* per counter: owners with an invalid increment */
	bool *seen[SCOPES];        /* per owner: something was counted */
	bool some[SCOPES];         /* per scope: something was counted at some owner */
};

struct net_state *
net_state_new(const struct network *n, const struct net_shape *shape)
{
	struct net_state *s = mem_new(sizeof *s);
	size_t places = 0, loads = 0, counts = 0, qos = 0;

	s->net = n;
	s->shape = shape;
	s->plan = net_plan_new(n, shape);
	for (int k = 0; k < SCOPES; k++) {
		size_t used = shape->n[k] * s->plan->use[k].n_counters;

		s->sums[k] = mem_new_array(shape->n[k] * s->plan->use[k].n_cells, sizeof *s->sums[k]);
		counts = used > counts ? used : counts;
	}
	s->counts = mem_new_array(counts, sizeof *s->counts);
	s->wrong = mem_new_array(n->n_counters, sizeof *s->wrong);
	for (int k = 0; k < SCOPES; k++)
		s->seen[k] = mem_new_array(shape->n[k], sizeof *s->seen[k]);
	s->first_place = mem_new_array(n->n_modules * n->n_kinds, sizeof *s->first_place);
	s->first_qos = mem_new_array(n->n_modules, sizeof *s->first_qos);
	for (size_t m = 0; m < n->n_modules; m++) {
		for (size_t k = 0; k < n->n_kinds; k++) {
			s->first_place[m * n->n_kinds + k] = places;
			places += shape->n[n->module[m].per] * n->module[m].cell[k].n_hits;
		}
		s->first_qos[m] = qos;
		qos += shape->n[n->module[m].per] * n->module[m].n_qos;
	}
	s->owners = s->plan->first[n->n_modules];
	s->first_load = mem_new_array(n->n_links, sizeof *s->first_load);
	for (size_t l = 0; l < n->n_links; l++) {
		s->first_load[l] = loads;
		loads += shape->n[n->module[n->link[l].from].per] * n->n_kinds;
	}
	s->row = mem_new_array(n->n_values, sizeof *s->row);
	s->cell = mem_new_array(s->owners * n->n_kinds * NET_CELL_VALUES, sizeof *s->cell);
	for (size_t i = 0; i < s->owners * n->n_kinds * NET_CELL_VALUES; i++)
		s->cell[i] = NAN;
	s->place = mem_new_array(places, sizeof *s->place);
	s->clock = mem_new_array(s->owners, sizeof *s->clock);
	s->qos = mem_new_array(qos, sizeof *s->qos);
	s->load = mem_new_array(loads, sizeof *s->load);
	s->total = mem_new_array(n->n_totals, sizeof *s->total);
	s->left = mem_new_array(n->n_laws, sizeof *s->left);
	s->right = mem_new_array(n->n_laws, sizeof *s->right);
	for (size_t i = 0; i < n->n_constants; i++)
		s->row[n->n_counters + i] = n->constant[i].value;
	return s;
}

void
net_state_free(struct net_state *s)
{
	if (!s)
		return;
	free(s->wrong);
	for (int k = 0; k < SCOPES; k++) {
		free(s->seen[k]);
		free(s->sums[k]);
	}
	net_plan_free(s->plan);
	free(s->row);
	free(s->counts);
	free(s->cell);
	free(s->first_place);
	free(s->place);
	free(s->clock);
	free(s->first_qos);
	free(s->qos);
	free(s->first_load);
	free(s->load);
	free(s->total);
	free(s->left);
	free(s->right);
	free(s);
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
state_evaluate(struct net_state *s, size_t value, struct net_value v, size_t owner)
{
	const struct net_cell *c = &s->net->module[v.module].cell[v.kind];
	double *out = state_cell_of(s, v.module, owner, v.kind), sum = 0;

	if (v.field == NET_FIELDS) {
		double *place = places_of(s, v.module, owner, v.kind);

		for (size_t i = 0; i < c->n_hits; i++) {
			place[i] = not_below_zero(s, aexpr_value(c->hit[i].e, s->row));
			sum += place[i];
		}
		s->row[value] = out[0] = sum;
	} else {
		s->row[value] = out[1 + v.field] = not_below_zero(s, aexpr_value(c->field[v.field], s->row));
	}
}

/* Add what coarser scopes use of this owner to their sums. */
static void
add_to_wholes(struct net_state *s, enum scope per, size_t owner)
{
	for (int coarse = 0; coarse < SCOPES; coarse++) {
		const struct net_scope_use *u = &s->plan->use[coarse];
		double *sum;

		if (coarse == (int)per || !scope_within(per, (enum scope)coarse))
			continue;
		sum = s->sums[coarse] + net_owner_within(s->shape, per, owner, (enum scope)coarse) * u->n_cells;
		for (size_t i = 0; i < u->n_cells; i++)
			if (s->net->module[net_value(s->net, u->cell[i]).module].per == per)
				sum[i] += s->row[u->cell[i]];
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

static void
take_owner(struct net_state *s, enum scope per, size_t owner)
{
	const struct network *n = s->net;
	const struct net_scope_use *u = &s->plan->use[per];

	for (size_t i = 0; i < u->n_cells; i++)
		s->row[u->cell[i]] = s->sums[per][owner * u->n_cells + i];
	for (size_t i = 0; i < u->n_own; i++)
		state_evaluate(s, u->own[i], u->what[i], owner);
	for (size_t i = 0; i < u->n_modules; i++) {
		size_t m = u->module[i];

		s->clock[s->plan->first[m] + owner] =
			n->module[m].clock ? aexpr_value(n->module[m].clock, s->row) : s->seconds * 1e9;
		for (size_t q = 0; q < n->module[m].n_qos; q++)
			s->qos[s->first_qos[m] + owner * n->module[m].n_qos + q] =
				aexpr_value(n->module[m].qos[q].e, s->row);
	}
	for (size_t l = 0; l < n->n_links; l++)
		for (size_t k = 0; k < n->n_kinds && n->module[n->link[l].from].per == per; k++)
			s->load[s->first_load[l] + owner * n->n_kinds + k] = not_below_zero(
				s, state_load(s, l, owner, k));
	add_to_wholes(s, per, owner);
}

static bool
is_increment(double v)
{
	return v >= 0 && v <= DBL_MAX;
}

/* Checks a counter that was not counted at some of its owners. */
static void
check_each_count(struct net_state *s, size_t counter, const double *from)
{
	enum scope per = s->net->counter[counter].scope;

	for (size_t i = 0; i < s->shape->n[per]; i++) {
		bool good = is_increment(from[i]);

		s->seen[per][i] |= good;
		s->some[per] |= good;
		s->wrong[counter] += !good && !isnan(from[i]);
	}
}

/* Find the owners for which something was counted, and invalid increments. One counter with a value for each owner
 * settles it for its scope. */
static void
check_counts(struct net_state *s, const struct net_snapshot *x)
{
	bool all[SCOPES] = {false};

	for (int k = 0; k < SCOPES; k++) {
		memset(s->seen[k], 0, s->shape->n[k] * sizeof *s->seen[k]);
		s->some[k] = false;
	}
	for (size_t c = 0; c < s->net->n_counters; c++) {
		enum scope per = s->net->counter[c].scope;
		const double *from = x->count[c];
		size_t lacking = 0;

		s->wrong[c] = 0;
		for (size_t i = 0; from && i < s->shape->n[per]; i++)
			lacking += !is_increment(from[i]);
		if (lacking)
			check_each_count(s, c, from);
		else if (from && !all[per] && s->shape->n[per]) {
			memset(s->seen[per], true, s->shape->n[per] * sizeof *s->seen[per]);
			s->some[per] = all[per] = true;
		}
	}
}

/* Add up the counters per owner of this scope, then evaluate the owners. */
static void
take_scope(struct net_state *s, enum scope per, const struct net_snapshot *x)
{
	const struct network *n = s->net;
	const struct net_scope_use *u = &s->plan->use[per];
	size_t owners = s->shape->n[per];
	double *counts = s->counts;

	if (!u->n_modules && per != SCOPE_SYSTEM)
		return;
	memset(counts, 0, owners * u->n_counters * sizeof *counts);
	for (size_t i = 0; i < u->n_counters; i++) {
		const struct counter_item *c = &n->counter[u->counter[i]];
		const double *from = s->shape->n[c->scope] ? x->count[u->counter[i]] : NULL;
		bool wrong = s->wrong[u->counter[i]] > 0;

		for (size_t o = 0; o < owners && !from; o++)
			counts[o * u->n_counters + i] = NAN;
		for (size_t k = 0; from && k < s->shape->n[c->scope]; k++)
			counts[net_owner_within(s->shape, c->scope, k, per) * u->n_counters + i] +=
				wrong && !is_increment(from[k]) ? NAN : from[k] * c->factor;
	}
	for (size_t o = 0; o < owners; o++) {
		for (size_t i = 0; i < u->n_counters; i++)
			s->row[u->counter[i]] = counts[o * u->n_counters + i];
		take_owner(s, per, o);
	}
}

void
net_state_take(struct net_state *s, const struct net_snapshot *x)
{
	const struct network *n = s->net;

	s->seconds = x->seconds;
	s->tear = x->tear;
	s->below_zero = 0;
	s->row[net_value_of_elapsed(n)] = s->seconds * 1e9;
	check_counts(s, x);
	for (int k = 0; k < SCOPES; k++)
		memset(s->sums[k], 0, s->shape->n[k] * s->plan->use[k].n_cells * sizeof *s->sums[k]);
	for (int k = 0; k < SCOPES; k++)
		take_scope(s, (enum scope)k, x);
	for (size_t i = 0; i < n->n_totals; i++)
		s->total[i] = aexpr_value(n->total[i].e, s->row);
	for (size_t i = 0; i < n->n_laws; i++) {
		s->left[i] = aexpr_value(n->law[i].left, s->row);
		s->right[i] = aexpr_value(n->law[i].right, s->row);
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
net_state_leave_out(struct net_state *s, const struct net_state *without)
{
	const struct network *n = s->net;

	for (size_t m = 0; m < n->n_modules; m++)
		for (size_t o = 0; o < net_state_owners(s, m); o++)
			for (size_t k = 0; k < n->n_kinds; k++)
				leave_out_cell(s, without, m, o, k);
	for (size_t l = 0; l < n->n_links; l++)
		for (size_t i = s->first_load[l], end = i + net_state_owners(s, n->link[l].from) * n->n_kinds; i < end;
			i++)
			s->load[i] = without->load[i] > 0 ? NAN : s->load[i];
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
	double left = s->left[law], right = s->right[law], slack = 1e-9 * fmax(fabs(left), fabs(right));

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
	return s->wrong[counter];
}

bool
net_state_gone(const struct net_state *s, enum scope per, size_t owner)
{
	return s->some[per] && !s->seen[per][owner];
}
