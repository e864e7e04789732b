/* What a state says of its snapshot. */
#include <math.h>

#include "core/network/delays.h"
#include "core/network/increments.h"
#include "core/network/plan.h"
#include "core/network/state.h"
#include "core/network/state_parts.h"

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
	struct net_cell_values c = {
		.hits = net_state_hits(s, module, kind)[owner], .place = places_of(s, module, owner, kind)};

	for (size_t f = 0; f < NET_FIELDS; f++)
		c.field[f] = cell_column(s, module, kind, 1 + f)[owner];
	c.misses = c.field[NET_MISS];
	return c;
}

const double *
net_state_hits(const struct net_state *s, size_t module, size_t kind)
{
	return cell_column(s, module, kind, 0);
}

const double *
net_state_field(const struct net_state *s, size_t module, size_t kind, enum net_field field)
{
	return cell_column(s, module, kind, 1 + (size_t)field);
}

const double *
net_state_places(const struct net_state *s, size_t module, size_t kind)
{
	return places_of(s, module, 0, kind);
}

const double *
net_state_loads(const struct net_state *s, size_t link, size_t kind)
{
	return load_column(s, link, kind);
}

const double *
net_state_clocks(const struct net_state *s, size_t module)
{
	return s->clock + s->plan->first[module];
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
	return load_column(s, link, kind)[owner];
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
