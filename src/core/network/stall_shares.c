/* Finds parts from the right to the left: what leaves a module ends where the requests of the next modules end. */
#include "core/network/stall_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/delays.h"
#include "core/network/mix.h"
#include "core/network/plan.h"

#define SLIP 1e-12 /* a smaller rest of a difference is one of rounding */

/* Where the requests over one link end, per request: as in `part` and `late`, without those served at the sender. */
struct stall_beyond {
	bool known;          /* for the owners that follow, too */
	bool listed;         /* `row` has the receivers' parts */
	double *part, *late; /* one array, as wide as a row */
	double *row;         /* owners × row_width() */
};

/* Width of the rows for mix_rows(): n + 1 parts, and n + 1 times the delay. */
static size_t
row_width(size_t n)
{
	return mix_width(2 * n + 2);
}

/* Returns whether the module's shares matter: some module from here to the left has stalls of its own to divide. */
static bool
is_divided(const struct net_plan *plan, size_t module, size_t kind)
{
	bool wanted = false;

	for (size_t m = 0; m <= module && !wanted; m++)
		wanted = plan->net->module[m].cell[kind].field[NET_STALL] && net_links_from(plan, m).n;
	return wanted;
}

struct stall_shares *
stall_shares_new(const struct net_plan *plan, enum net_weight weight, const size_t *end, size_t n)
{
	struct stall_shares *shares = mem_new(sizeof *shares);
	size_t kinds = plan->net->n_kinds, cells = plan->first[plan->net->n_modules] * kinds, most = 0, owners = 0;

	shares->plan = plan;
	shares->weight = weight;
	shares->end = end;
	shares->n = n;
	shares->requests = mem_new_array(cells, sizeof *shares->requests);
	shares->part = mem_new_array(cells * (n + 2), sizeof *shares->part);
	shares->late = mem_new_array(cells * (n + 2), sizeof *shares->late);
	for (size_t m = 0; m < plan->net->n_modules; m++) {
		size_t here = plan->first[m + 1] - plan->first[m];

		most = net_links_from(plan, m).n > most ? net_links_from(plan, m).n : most;
		owners = here > owners ? here : owners;
	}
	shares->divided = mem_new_array(plan->net->n_modules * kinds, sizeof *shares->divided);
	for (size_t m = 0; m < plan->net->n_modules; m++)
		for (size_t k = 0; k < kinds; k++) {
			shares->divided[m * kinds + k] = is_divided(plan, m, k);
			shares->some |= shares->divided[m * kinds + k];
		}
	shares->n_beyond = most;
	shares->beyond = mem_new_array(most, sizeof *shares->beyond);
	for (size_t i = 0; i < most; i++) {
		shares->beyond[i].part = mem_new_array(row_width(n), sizeof(double));
		shares->beyond[i].late = shares->beyond[i].part + n + 1;
		shares->beyond[i].row = mem_new_array(owners * row_width(n), sizeof(double));
	}
	for (size_t d = 0; d < n; d++)
		for (size_t at = plan->first[end[d]] * kinds; at < plan->first[end[d] + 1] * kinds; at++)
			shares->part[at * (n + 2) + d] = 1;
	return shares;
}

void
stall_shares_free(struct stall_shares *shares)
{
	if (!shares)
		return;
	free(shares->requests);
	free(shares->part);
	free(shares->late);
	free(shares->divided);
	for (size_t i = 0; i < shares->n_beyond; i++) {
		free(shares->beyond[i].part);
		free(shares->beyond[i].row);
	}
	free(shares->beyond);
	free(shares);
}

static void
find_requests(struct stall_shares *shares, const struct net_state *state)
{
	const struct net_plan *plan = shares->plan;
	size_t kinds = plan->net->n_kinds;

	for (size_t m = 0; m < plan->net->n_modules; m++) {
		struct net_range links = net_links_from(plan, m);

		for (size_t k = 0; k < kinds; k++) {
			double *out = shares->requests + plan->first[m] * kinds + k;
			const double *hits = net_state_hits(state, m, k);
			size_t owners = plan->first[m + 1] - plan->first[m];

			for (size_t o = 0; o < owners; o++)
				out[o * kinds] = net_known(hits[o]);
			for (size_t l = 0; l < links.n; l++) {
				const double *load = net_state_loads(state, links.at[l], k);

				for (size_t o = 0; o < owners; o++)
					out[o * kinds] += net_known(load[o]);
			}
		}
	}
}

static size_t
cell_of(const struct stall_shares *shares, size_t module, size_t owner, size_t kind)
{
	return (shares->plan->first[module] + owner) * shares->plan->net->n_kinds + kind;
}

/* Adds `weight` requests that go to a cell. Those that are served there are served in between for the sender. */
static void
add_cell(const struct stall_shares *shares, size_t cell, double weight, double *part_out, double *late_out)
{
	size_t n = shares->n;
	const double *part = shares->part + cell * (n + 2), *late = shares->late + cell * (n + 2);

	for (size_t d = 0; d <= n; d++) {
		part_out[d] += weight * part[d];
		late_out[d] += weight * late[d];
	}
	part_out[n] += weight * part[n + 1];
	late_out[n] += weight * late[n + 1];
}

/* Lists the parts of all receivers of a link as rows. Returns false if a delay is not known: that must not count where
 * nothing is sent. */
static bool
list_receivers(const struct stall_shares *shares, size_t link, size_t kind, const struct stall_beyond *out)
{
	size_t to = shares->plan->net->link[link].to, n = shares->n;
	bool known = true;

	for (size_t b = 0; b < shares->plan->first[to + 1] - shares->plan->first[to]; b++) {
		double *row = out->row + b * row_width(n);

		memset(row, 0, row_width(n) * sizeof *row);
		add_cell(shares, cell_of(shares, to, b, kind), 1, row, row + n + 1);
		for (size_t d = 0; d <= n; d++)
			known &= !isnan(row[n + 1 + d]);
	}
	return known;
}

/* Finds them for one sender: the mean over the owners that requests can go to, weighted by the pair's requests, or else
 * by all requests there. */
static void
find_beyond(const struct stall_shares *shares, const struct net_state *state, size_t link, size_t owner, size_t kind,
	const struct stall_beyond *out)
{
	const struct net_plan *plan = shares->plan;
	const struct net_link *l = &plan->net->link[link];
	const double *pair = net_state_pairs(state, link, kind);
	size_t n = shares->n, receivers = plan->shape->n[plan->net->module[l->to].per];
	struct net_range to = net_meets(plan, plan->net->module[l->from].per, owner, plan->net->module[l->to].per);
	double all = 0;

	memset(out->part, 0, row_width(n) * sizeof *out->part);
	if (out->listed) {
		mix_rows(pair + owner * receivers, out->row, receivers, row_width(n), out->part);
		all = mix_sum(pair + owner * receivers, receivers);
	}
	for (size_t b = 0; b < to.n && !out->listed; b++) {
		size_t cell = cell_of(shares, l->to, to.at[b], kind);
		double weight = pair ? pair[owner * receivers + to.at[b]] : shares->requests[cell];

		if (weight > 0) {
			all += weight;
			add_cell(shares, cell, weight, out->part, out->late);
		}
	}
	for (size_t d = 0; d <= n && all > 0; d++) {
		out->part[d] /= all;
		out->late[d] /= all;
	}
}

/* Finds the parts of one cell of a module that sends requests on. */
static void
find_parts(struct stall_shares *shares, const struct net_state *state, size_t module, size_t owner, size_t kind)
{
	const struct net_plan *plan = shares->plan;
	size_t cell = cell_of(shares, module, owner, kind), n = shares->n;
	struct net_range links = net_links_from(plan, module);
	double *part = shares->part + cell * (n + 2), *late = shares->late + cell * (n + 2);
	double all = shares->requests[cell], hits = net_known(net_state_hits(state, module, kind)[owner]);

	memset(part, 0, (n + 2) * sizeof *part);
	memset(late, 0, (n + 2) * sizeof *late);
	for (size_t i = 0; i < links.n && all > 0; i++) {
		const struct net_link *l = &plan->net->link[links.at[i]];
		double load = net_known(net_state_loads(state, links.at[i], kind)[owner]);
		struct stall_beyond *beyond = &shares->beyond[i];

		if (!(load > 0))
			continue;
		if (!beyond->known)
			find_beyond(shares, state, links.at[i], owner, kind, beyond);
		beyond->known = !net_state_pairs(state, links.at[i], kind) &&
			net_meets_all(plan->net->module[l->from].per, plan->net->module[l->to].per);
		for (size_t d = 0; d <= n; d++) {
			part[d] += load / all * beyond->part[d];
			late[d] += load / all * beyond->late[d];
		}
	}
	if (hits > 0) {
		part[n + 1] = hits / all;
		late[n + 1] = hits / all * net_state_field(state, module, kind, NET_DELAY)[owner];
	}
}

/* Prepares the links of one module. */
static void
begin_beyond(struct stall_shares *shares, const struct net_state *state, size_t module, size_t kind)
{
	const struct net_plan *plan = shares->plan;
	struct net_range links = net_links_from(plan, module);

	for (size_t i = 0; i < links.n; i++) {
		const struct net_link *l = &plan->net->link[links.at[i]];
		struct stall_beyond *beyond = &shares->beyond[i];

		beyond->known = false;
		beyond->listed = net_state_pairs(state, links.at[i], kind) &&
			net_meets_all(plan->net->module[l->from].per, plan->net->module[l->to].per) &&
			list_receivers(shares, links.at[i], kind, beyond);
	}
}

void
stall_shares_find(struct stall_shares *shares, const struct net_state *state)
{
	const struct net_plan *plan = shares->plan;
	size_t kinds = plan->net->n_kinds, n = shares->n;

	find_requests(shares, state);
	if (shares->weight == NET_BY_DELAY && shares->some)
		shares->here = net_state_delays(state)->here;
	for (size_t m = plan->net->n_modules; m-- > 0;)
		for (size_t k = 0; k < kinds; k++) {
			size_t owners = shares->divided[m * kinds + k] ? plan->first[m + 1] - plan->first[m] : 0, d = 0;

			while (d < n && shares->end[d] != m)
				d++;
			if (owners && d == n)
				begin_beyond(shares, state, m, k);
			for (size_t o = 0; o < owners && d == n; o++)
				find_parts(shares, state, m, o, k);
			for (size_t o = 0; o < owners && d < n; o++)
				shares->late[cell_of(shares, m, o, k) * (n + 2) + d] = net_state_field(
					state, m, k, NET_DELAY)[o];
		}
}

/* The weight by delay of what a cell sends to one place. */
static double
weight_of(const struct stall_shares *shares, size_t cell, size_t place, double here)
{
	size_t i = cell * (shares->n + 2) + place;
	double weight = shares->late[i] - shares->part[i] * here;

	return weight > SLIP * shares->late[i] ? weight : 0;
}

double
stall_shares_divide(
	const struct stall_shares *shares, size_t module, size_t owner, size_t kind, double stall, double *out)
{
	size_t n = shares->n, cell = cell_of(shares, module, owner, kind);
	const double *part = shares->part + cell * (n + 2), *late = shares->late + cell * (n + 2);
	double known = part[n + 1], all = 0, rest = stall,
	       here = shares->here ? shares->here[net_delays_at(shares->plan, module, owner, kind)] : NAN;

	for (size_t d = 0; d < n; d++)
		if (shares->end[d] == module) {
			memset(out, 0, n * sizeof *out);
			out[d] = stall;
			return 0;
		}
	for (size_t d = 0; d <= n && shares->weight == NET_BY_DELAY; d++)
		if (!isnan(late[d])) {
			known += part[d];
			all += weight_of(shares, cell, d, here);
		}
	for (size_t d = 0; d < n; d++) {
		out[d] = !(all > 0) || isnan(late[d]) ? stall * part[d]
						      : stall * known * (weight_of(shares, cell, d, here) / all);
		rest -= out[d];
	}
	return rest > SLIP * stall ? rest : 0;
}
