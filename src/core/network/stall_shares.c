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

/* Returns whether the module's shares matter: some module from here to the left has stalls of its own to divide. */
static bool
is_divided(const struct net_plan *plan, size_t module, size_t kind)
{
	bool wanted = false;

	for (size_t m = 0; m <= module && !wanted; m++)
		wanted = plan->net->module[m].cell[kind].field[NET_STALL] && net_links_from(plan, m).n;
	return wanted;
}

/* The parts of a cell's requests at one place, and the same times the delay: a number for each owner. */
struct place {
	double *part, *late;
};

static struct place
column_of(const struct stall_shares *shares, size_t module, size_t kind, size_t place)
{
	const struct net_plan *plan = shares->plan;
	size_t at = net_delays_at(plan, module, 0, kind) * (shares->n + 2) +
		place * (plan->first[module + 1] - plan->first[module]);

	return (struct place){shares->part + at, shares->late + at};
}

/* Returns false if none of the cell's requests can be at the place. */
static bool
is_reached(const struct stall_shares *shares, size_t module, size_t kind, size_t place)
{
	return place >= shares->n ||
		shares->reached[(module * shares->plan->net->n_kinds + kind) * shares->n + place];
}

/* Marks the destinations that requests of each module and kind can get to. */
static void
mark_reached(struct stall_shares *shares)
{
	const struct net_plan *plan = shares->plan;
	size_t kinds = plan->net->n_kinds, n = shares->n;

	shares->reached = mem_new_array(plan->net->n_modules * kinds * n, sizeof *shares->reached);
	for (size_t i = plan->net->n_modules * kinds; i-- > 0;) {
		struct net_range links = net_links_from(plan, i / kinds);

		for (size_t d = 0; d < n; d++) {
			bool *reached = &shares->reached[i * n + d];

			*reached = shares->end[d] == i / kinds;
			for (size_t l = 0; l < links.n; l++)
				*reached |= net_load_reported(plan, links.at[l], i % kinds) &&
					shares->reached[(plan->net->link[links.at[l]].to * kinds + i % kinds) * n + d];
		}
	}
}

struct stall_shares *
stall_shares_new(const struct net_plan *plan, enum net_weight weight, const size_t *end, size_t n)
{
	struct stall_shares *shares = mem_new(sizeof *shares);
	size_t kinds = plan->net->n_kinds, cells = plan->first[plan->net->n_modules] * kinds, owners = 0;

	shares->plan = plan;
	shares->weight = weight;
	shares->end = end;
	shares->n = n;
	shares->requests = mem_new_array(cells, sizeof *shares->requests);
	shares->part = mem_new_array(cells * (n + 2), sizeof *shares->part);
	shares->late = mem_new_array(cells * (n + 2), sizeof *shares->late);
	shares->divided = mem_new_array(plan->net->n_modules * kinds, sizeof *shares->divided);
	for (size_t m = 0; m < plan->net->n_modules; m++) {
		size_t here = plan->first[m + 1] - plan->first[m];

		owners = here > owners ? here : owners;
		for (size_t k = 0; k < kinds; k++) {
			shares->divided[m * kinds + k] = is_divided(plan, m, k);
			shares->some |= shares->divided[m * kinds + k];
		}
	}
	mark_reached(shares);
	shares->listed = mem_new_array(n + 1, sizeof *shares->listed);
	shares->inverse = mem_new_array(owners, sizeof *shares->inverse);
	shares->rate = mem_new_array(owners, sizeof *shares->rate);
	shares->times = mem_new_array(owners, sizeof *shares->times);
	shares->sum = mem_new_array(owners, sizeof *shares->sum);
	shares->row = mem_new_array((owners + 1) * (2 * n + 2), sizeof *shares->row);
	for (size_t d = 0; d < n; d++)
		for (size_t k = 0; k < kinds; k++)
			for (size_t o = 0; o < plan->first[end[d] + 1] - plan->first[end[d]]; o++)
				column_of(shares, end[d], k, d).part[o] = 1;
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
	free(shares->reached);
	free(shares->listed);
	free(shares->inverse);
	free(shares->rate);
	free(shares->times);
	free(shares->sum);
	free(shares->row);
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
			double *out = shares->requests + net_delays_at(plan, m, 0, k);
			const double *hits = net_state_hits(state, m, k);
			size_t owners = plan->first[m + 1] - plan->first[m];

			for (size_t o = 0; o < owners; o++)
				out[o] = net_known(hits[o]);
			for (size_t l = 0; l < links.n; l++) {
				const double *load = net_state_loads(state, links.at[l], k);

				for (size_t o = 0; o < owners; o++)
					out[o] += net_known(load[o]);
			}
		}
	}
}

/* A link and kind: where requests over it end is added to the sender's parts. */
struct way {
	size_t from, to, kind; /* modules */
	size_t senders, receivers;
	const double *pair;    /* by sender and receiver; NULL: not counted */
	const double *requests; /* by receiver */
};

static double
weight_at(const struct way *way, size_t sender, size_t receiver)
{
	return way->pair ? way->pair[sender * way->receivers + receiver] : way->requests[receiver];
}

/* What is served at the receiver is served in between for the sender. */
static struct place
place_at_sender(const struct stall_shares *shares, const struct way *way, size_t place)
{
	return column_of(shares, way->from, way->kind, place < shares->n ? place : shares->n);
}

/* One owner is part of the other, or the same. */
static void
add_within(struct stall_shares *shares, const struct way *way)
{
	const struct net_plan *plan = shares->plan;
	enum scope from = plan->net->module[way->from].per, to = plan->net->module[way->to].per;
	const size_t *receiver = plan->whole[from][to], *sender = plan->whole[to][from];
	size_t n = receiver ? way->senders : way->receivers;

	memset(shares->sum, 0, way->senders * sizeof *shares->sum);
	for (size_t i = 0; i < n; i++) {
		size_t a = receiver ? i : sender[i];

		shares->times[i] = weight_at(way, a, receiver ? receiver[i] : i);
		shares->times[i] = shares->times[i] > 0 ? shares->times[i] : 0;
		shares->sum[a] += shares->times[i];
	}
	for (size_t i = 0; i < n; i++) {
		size_t a = receiver ? i : sender[i];

		shares->times[i] = shares->times[i] > 0 ? shares->rate[a] * (shares->times[i] / shares->sum[a]) : 0;
	}
	for (size_t p = 0; p < shares->n + 2; p++) {
		struct place in = column_of(shares, way->to, way->kind, p), out = place_at_sender(shares, way, p);

		if (!is_reached(shares, way->to, way->kind, p))
			continue;
		if (from == to) {
			mix_add_taken(out.part, shares->times, in.part, n);
			mix_add_taken(out.late, shares->times, in.late, n);
			continue;
		}
		for (size_t i = 0; i < n; i++)
			if (shares->times[i] > 0) {
				out.part[receiver ? i : sender[i]] += shares->times[i] *
					in.part[receiver ? receiver[i] : i];
				out.late[receiver ? i : sender[i]] += shares->times[i] *
					in.late[receiver ? receiver[i] : i];
			}
	}
}

/* All senders use all receivers alike, in proportion to the requests there. */
static void
add_alike(struct stall_shares *shares, const struct way *way)
{
	double all = mix_sum(way->requests, way->receivers);

	for (size_t b = 0; b < way->receivers && all > 0; b++)
		shares->times[b] = way->requests[b] / all;
	for (size_t p = 0; p < shares->n + 2 && all > 0; p++) {
		struct place in = column_of(shares, way->to, way->kind, p), out = place_at_sender(shares, way, p);
		double part, late;

		if (!is_reached(shares, way->to, way->kind, p))
			continue;
		part = mix_dot_taken(shares->times, in.part, way->receivers);
		late = mix_dot_taken(shares->times, in.late, way->receivers);
		mix_add_scaled(out.part, part, shares->rate, way->senders);
		if (!isnan(late))
			mix_add_scaled(out.late, late, shares->rate, way->senders);
		for (size_t a = 0; a < way->senders && isnan(late); a++)
			out.late[a] = shares->rate[a] > 0 ? NAN : out.late[a];
	}
}

/* Lists the parts of all receivers as rows, without places where nothing ends. Returns the width of a row, 0 if a delay
 * is not known: that must not count where nothing is sent. */
static size_t
list_receivers(const struct stall_shares *shares, const struct way *way)
{
	struct place rest = column_of(shares, way->to, way->kind, shares->n + 1);
	size_t width = 0, x = 0;
	bool known = true;

	for (size_t p = 0; p <= shares->n; p++) {
		struct place in = column_of(shares, way->to, way->kind, p);
		double sum = is_reached(shares, way->to, way->kind, p) ? mix_sum(in.part, way->receivers) : 0;

		if (p == shares->n)
			sum += mix_sum(rest.part, way->receivers);
		shares->listed[p] = sum > 0;
		width += sum > 0 ? 2 : 0;
	}
	for (size_t p = 0; p <= shares->n; p++) {
		struct place in = column_of(shares, way->to, way->kind, p);
		double *row = shares->row + x;

		if (!shares->listed[p])
			continue;
		for (size_t b = 0; b < way->receivers; b++, row += width) {
			row[0] = in.part[b] + (p < shares->n ? 0 : rest.part[b]);
			row[1] = in.late[b] + (p < shares->n ? 0 : rest.late[b]);
			known &= !isnan(row[1]);
		}
		x += 2;
	}
	return known ? width : 0;
}

/* Loads of pairs, with all delays known. */
static void
add_rows(struct stall_shares *shares, const struct way *way, size_t width)
{
	double *got = shares->row + way->receivers * width;

	for (size_t a = 0; a < way->senders; a++) {
		const double *pair = way->pair + a * way->receivers;
		double all = mix_sum(pair, way->receivers), times = all > 0 ? shares->rate[a] / all : 0;
		size_t x = 0;

		if (!(times > 0))
			continue;
		mix_rows(pair, shares->row, way->receivers, width, got);
		for (size_t p = 0; p <= shares->n; p++) {
			struct place out = column_of(shares, way->from, way->kind, p);

			if (!shares->listed[p])
				continue;
			out.part[a] += times * got[x];
			out.late[a] += times * got[x + 1];
			x += 2;
		}
	}
}

/* Loads of pairs, where some delays are not known. */
static void
add_pairs(struct stall_shares *shares, const struct way *way)
{
	for (size_t a = 0; a < way->senders; a++) {
		const double *pair = way->pair + a * way->receivers;
		double all = mix_sum(pair, way->receivers), times = all > 0 ? shares->rate[a] / all : 0;

		for (size_t p = 0; p < shares->n + 2 && times > 0; p++) {
			struct place in = column_of(shares, way->to, way->kind, p),
				     out = place_at_sender(shares, way, p);

			out.part[a] += times * mix_dot_taken(pair, in.part, way->receivers);
			out.late[a] += times * mix_dot_taken(pair, in.late, way->receivers);
		}
	}
}

static void
add_beyond(struct stall_shares *shares, const struct net_state *state, size_t link, size_t kind)
{
	const struct net_plan *plan = shares->plan;
	const struct net_link *l = &plan->net->link[link];
	const double *load = net_state_loads(state, link, kind);
	struct way way = {.from = l->from,
		.to = l->to,
		.kind = kind,
		.senders = plan->first[l->from + 1] - plan->first[l->from],
		.receivers = plan->first[l->to + 1] - plan->first[l->to],
		.pair = net_state_pairs(state, link, kind),
		.requests = shares->requests + net_delays_at(plan, l->to, 0, kind)};
	bool all = net_meets_all(plan->net->module[l->from].per, plan->net->module[l->to].per);
	size_t width = 0;

	for (size_t a = 0; a < way.senders; a++)
		shares->rate[a] = load[a] > 0 ? load[a] * shares->inverse[a] : 0;
	if (all && way.pair)
		width = list_receivers(shares, &way);
	if (width)
		add_rows(shares, &way, width);
	else
		(!all ? add_within : way.pair ? add_pairs : add_alike)(shares, &way);
}

/* Finds the parts of a module that sends requests on. */
static void
find_parts(struct stall_shares *shares, const struct net_state *state, size_t module, size_t kind)
{
	const struct net_plan *plan = shares->plan;
	size_t owners = plan->first[module + 1] - plan->first[module], n = shares->n;
	struct net_range links = net_links_from(plan, module);
	struct place first = column_of(shares, module, kind, 0), here = column_of(shares, module, kind, n + 1);
	const double *requests = shares->requests + net_delays_at(plan, module, 0, kind),
		     *hits = net_state_hits(state, module, kind),
		     *delay = net_state_field(state, module, kind, NET_DELAY);

	memset(first.part, 0, owners * (n + 2) * sizeof *first.part);
	memset(first.late, 0, owners * (n + 2) * sizeof *first.late);
	for (size_t o = 0; o < owners; o++)
		shares->inverse[o] = requests[o] > 0 ? 1 / requests[o] : 0;
	for (size_t i = 0; i < links.n; i++)
		if (net_load_reported(plan, links.at[i], kind))
			add_beyond(shares, state, links.at[i], kind);
	for (size_t o = 0; o < owners; o++)
		if (hits[o] > 0) {
			here.part[o] = hits[o] * shares->inverse[o];
			here.late[o] = here.part[o] * delay[o];
		}
}

/* Returns the destination that the module is; n if it is none. */
static size_t
end_at(const struct stall_shares *shares, size_t module)
{
	size_t d = 0;

	while (d < shares->n && shares->end[d] != module)
		d++;
	return d;
}

void
stall_shares_find(struct stall_shares *shares, const struct net_state *state)
{
	const struct net_plan *plan = shares->plan;
	size_t kinds = plan->net->n_kinds;

	find_requests(shares, state);
	if (shares->weight == NET_BY_DELAY && shares->some)
		shares->here = net_state_delays(state)->here;
	for (size_t i = plan->net->n_modules * kinds; i-- > 0;) {
		size_t m = i / kinds, k = i % kinds, d = end_at(shares, m);

		if (shares->divided[i] && d == shares->n)
			find_parts(shares, state, m, k);
		else if (shares->divided[i])
			memcpy(column_of(shares, m, k, d).late, net_state_field(state, m, k, NET_DELAY),
				(plan->first[m + 1] - plan->first[m]) * sizeof(double));
	}
}

/* Weighs each place by delay: in `out` for each destination. Finds the sums of weights, and of the parts whose delay is
 * known. */
static void
weigh_places(const struct stall_shares *shares, size_t module, size_t kind, double *known, double *all,
	double *const *out)
{
	size_t n = shares->n, owners = shares->plan->first[module + 1] - shares->plan->first[module];
	const double *here = shares->here + net_delays_at(shares->plan, module, 0, kind);

	memcpy(known, column_of(shares, module, kind, n + 1).part, owners * sizeof *known);
	memset(all, 0, owners * sizeof *all);
	for (size_t d = 0; d <= n; d++) {
		struct place at = column_of(shares, module, kind, d);

		if (!is_reached(shares, module, kind, d))
			continue;
		for (size_t o = 0; o < owners; o++) {
			double weight = at.late[o] - at.part[o] * here[o];

			weight = weight > SLIP * at.late[o] ? weight : 0;
			known[o] += isnan(at.late[o]) ? 0 : at.part[o];
			all[o] += weight;
			if (d < n)
				out[d][o] = weight;
		}
	}
}

void
stall_shares_divide(const struct stall_shares *shares, size_t module, size_t kind, const double *stall,
	double *const *out, double *elsewhere)
{
	size_t n = shares->n, end = end_at(shares, module),
	       owners = shares->plan->first[module + 1] - shares->plan->first[module];
	double *known = shares->rate, *all = shares->sum, *scale = shares->times;

	memset(all, 0, owners * sizeof *all);
	if (shares->weight == NET_BY_DELAY && end == n)
		weigh_places(shares, module, kind, known, all, out);
	for (size_t o = 0; o < owners; o++) {
		scale[o] = all[o] > 0 ? stall[o] * known[o] / all[o] : 0;
		elsewhere[o] = stall[o];
	}
	for (size_t d = 0; d < n; d++) {
		struct place at = column_of(shares, module, kind, d);

		if (!is_reached(shares, module, kind, d))
			continue;
		for (size_t o = 0; o < owners; o++) {
			out[d][o] = d == end                           ? stall[o]
				: !(all[o] > 0) || isnan(at.late[o]) ? stall[o] * at.part[o]
								      : scale[o] * out[d][o];
			elsewhere[o] -= out[d][o];
		}
	}
	for (size_t o = 0; o < owners; o++)
		elsewhere[o] = elsewhere[o] > SLIP * stall[o] ? elsewhere[o] : 0;
}
