/* Solves all destinations in two passes over the modules, from the right to the left.
 *
 * The first pass finds where each module's requests end (stall_shares.c). The second passes stalls back, module by
 * module: each owner adds its own stalls and applies its limit, then keeps what begins there, and its senders get the
 * rest. Only cells are visited whose stalls may not be 0 (stall_sets.c). */
#include "core/network/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/mix.h"
#include "core/network/plan.h"
#include "core/network/stall_parts.h"

struct net_stalls_scratch {
	const struct net_plan *plan;
	const struct network *net;
	struct net_stalls **s;
	size_t n;
	size_t *end; /* destinations: modules */
	struct stall_shares *shares;
	double *own;               /* n: own stalls of one cell by destination */
	double *elsewhere, *ticks; /* per cell */
	double *all;               /* per owner of one module: requests of its senders */
	/* owners of one module × width: stalls to be passed back, by `part`; and the same in units of the snapshot's
	 * length */
	double *parcel, *priced;
	double *load; /* width: what one sender gets */
	size_t width; /* of parcels: whole blocks (mix.h) */
	struct parcel_part {
		size_t d, origin;
	} * part;
	size_t n_parts;
	bool *stalling;             /* per kind: some module reports stalls */
	bool *unconverted, *spread; /* per link */
	struct stall_sets *sets;
};

static size_t
stalls_cell(const struct net_stalls_scratch *w, size_t module, size_t owner, size_t kind)
{
	return (w->plan->first[module] + owner) * w->net->n_kinds + kind;
}

/* Returns the first known ticks of the cells that requests go to from here. */
static double
ticks_after(const struct net_stalls_scratch *w, size_t module, size_t owner, size_t kind)
{
	struct net_range links = net_links_from(w->plan, module);

	for (size_t l = 0; l < links.n; l++) {
		const struct net_link *link = &w->net->link[links.at[l]];
		struct net_range to = net_meets(
			w->plan, w->net->module[module].per, owner, w->net->module[link->to].per);

		for (size_t b = 0; b < to.n && net_load_reported(w->plan, links.at[l], kind); b++) {
			double ticks = w->ticks[stalls_cell(w, link->to, to.at[b], kind)];

			if (!isnan(ticks))
				return ticks;
		}
	}
	return NAN;
}

/* Finds what each cell's stalls count in the length of the snapshot. Those of later modules must be known. */
static void
find_ticks(const struct net_stalls_scratch *w, const struct net_state *state, size_t module, size_t kind)
{
	const struct net_cell *cell = &w->net->module[module].cell[kind];
	const struct aexpr *told = cell->field[NET_STALL] ? cell->field[NET_STALL] : cell->field[NET_LIMIT];
	double elapsed = net_state_seconds(state) > 0 ? net_state_seconds(state) * 1e9 : NAN;

	for (size_t o = 0; o < net_state_owners(state, module); o++) {
		double ticks = told && unit_equal(told->unit, unit_of(UNIT_NS)) ? elapsed
										: net_state_ticks(state, module, o);

		w->ticks[stalls_cell(w, module, o, kind)] = isnan(ticks) && !told ? ticks_after(w, module, o, kind)
										  : ticks;
	}
}

/* Add the module's own stalls for the destination to those passed back to it. */
static void
add_own(const struct net_stalls *s, const struct stall_origins *from_where, size_t module, size_t at, double own)
{
	double *from = s->from + at * s->n_modules, sum = 0;

	s->own[at] = own;
	from[module] += s->own[at];
	for (size_t i = 0; i < from_where->n; i++)
		sum += from[from_where->at[i]];
	s->stall[at] = sum;
}

/* Shrink all amounts of a cell by the same factor. */
static void
shrink(const struct net_stalls *s, size_t at, double factor)
{
	s->hidden[at] = s->stall[at] * (1 - factor);
	s->stall[at] *= factor;
	for (size_t i = 0; i < s->n_modules; i++)
		s->from[at * s->n_modules + i] *= factor;
}

/* Apply the module's limit to all destinations together: the core counts that it stalls, not for which one. */
static void
stalls_settle(const struct net_stalls_scratch *scratch, const struct net_state *state, size_t module, size_t owner,
	size_t kind)
{
	size_t at = net_stalls_at(scratch->s[0], module, owner, kind);
	double most = net_state_field(state, module, kind, NET_LIMIT)[owner],
	       own = net_known(net_state_field(state, module, kind, NET_STALL)[owner]), sum = 0;

	memset(scratch->own, 0, scratch->n * sizeof *scratch->own);
	scratch->elsewhere[at] = own > 0 ? stall_shares_divide(scratch->shares, module, owner, kind, own, scratch->own)
					 : 0;
	for (size_t d = 0; d < scratch->n; d++) {
		struct stall_origins o = stall_origins(scratch->sets, d, module, kind);

		if (o.n)
			add_own(scratch->s[d], &o, module, at, scratch->own[d]);
		sum += scratch->s[d]->stall[at];
	}
	for (size_t d = 0; d < scratch->n && sum > most; d++)
		shrink(scratch->s[d], at, most / sum);
}

/* What the owners at the end of a link got from its senders. */
struct hop {
	const struct net_link *link;
	const double *load, *pair; /* by sender; by sender and receiver, NULL: not counted */
	enum scope from, to;
	size_t kind, receivers;
};

static struct hop
hop_of(const struct net_stalls_scratch *w, const struct net_state *state, size_t link, size_t kind)
{
	const struct net_link *l = &w->net->link[link];
	enum scope to = w->net->module[l->to].per;

	return (struct hop){.link = l,
		.load = net_state_loads(state, link, kind),
		.pair = net_state_pairs(state, link, kind),
		.from = w->net->module[l->from].per,
		.to = to,
		.kind = kind,
		.receivers = w->plan->shape->n[to]};
}

/* The requests of a sender that count for a receiver. */
static double
weight_of(const struct hop *hop, size_t sender, size_t receiver)
{
	return hop->pair ? hop->pair[sender * hop->receivers + receiver] : fmax(0, net_known(hop->load[sender]));
}

/* Finds, for each owner of a module, the requests of all its senders and those that begin there: scratch->all. Keeps
 * the stalls of the latter. What nobody takes is stuck. Returns true if something is left to pass back. */
static bool
keep_begun(const struct net_stalls_scratch *scratch, const struct net_state *state, size_t module, size_t kind)
{
	struct net_range links = net_links_to(scratch->plan, module);
	size_t owners = scratch->plan->first[module + 1] - scratch->plan->first[module];
	bool first = true, begins = scratch->net->module[module].cell[kind].ingress, some = false;

	memset(scratch->all, 0, owners * sizeof *scratch->all);
	for (size_t l = 0; l < links.n; l++) {
		struct hop hop = hop_of(scratch, state, links.at[l], kind);
		double of_all = 0;

		first &= scratch->plan->shape->n[hop.from] == 0;
		if (hop.pair && net_meets_all(hop.from, hop.to)) { /* row by row */
			for (size_t a = 0; a < scratch->plan->shape->n[hop.from]; a++)
				for (size_t o = 0; o < owners; o++)
					scratch->all[o] += hop.pair[a * owners + o];
			continue;
		}
		for (size_t o = 0; o < owners; o++) {
			struct net_range from = net_meets(scratch->plan, hop.to, o, hop.from);
			bool same = o > 0 && !hop.pair && net_meets_all(hop.from, hop.to);

			of_all = same ? of_all : 0;
			for (size_t a = 0; a < from.n && !same; a++)
				of_all += weight_of(&hop, from.at[a], o);
			scratch->all[o] += of_all;
		}
	}
	for (size_t o = 0; o < owners; o++) {
		size_t at = stalls_cell(scratch, module, o, kind);
		double begun = first || begins ? fmax(0, scratch->shares->requests[at] - scratch->all[o]) : 0;

		scratch->all[o] += begun;
		for (size_t d = 0; d < scratch->n; d++) {
			struct net_stalls *s = scratch->s[d];

			if (!(s->stall[at] > 0))
				continue;
			s->kept[at] = first           ? s->stall[at]
				: scratch->all[o] > 0 ? s->stall[at] * begun / scratch->all[o]
						      : 0;
			s->stuck[at] = !first && !(scratch->all[o] > 0) ? s->stall[at] : 0;
			some |= !first && scratch->all[o] > 0;
		}
	}
	return some;
}

/* Lists the stalls of a module by destination and origin, for each owner per request: scratch->parcel. */
static void
pack_parcels(struct net_stalls_scratch *scratch, size_t module, size_t kind)
{
	size_t owners = scratch->plan->first[module + 1] - scratch->plan->first[module], n = 0;

	for (size_t d = 0; d < scratch->n; d++) {
		struct stall_origins o = stall_origins(scratch->sets, d, module, kind);

		for (size_t i = 0; i < o.n; i++)
			scratch->part[n++] = (struct parcel_part){d, o.at[i]};
	}
	scratch->n_parts = n;
	scratch->width = mix_width(n);
	memset(scratch->parcel, 0, owners * scratch->width * sizeof *scratch->parcel);
	for (size_t o = 0; o < owners; o++)
		for (size_t x = 0; x < n; x++) {
			const struct net_stalls *s = scratch->s[scratch->part[x].d];
			size_t at = stalls_cell(scratch, module, o, kind);

			scratch->parcel[o * scratch->width + x] = scratch->all[o] > 0
				? s->from[at * s->n_modules + scratch->part[x].origin] / scratch->all[o]
				: 0;
		}
}

/* Add `times` parcels of a receiver to a sender's stalls. */
static void
deliver(const struct net_stalls_scratch *scratch, const double *parcel, double times, size_t sender)
{
	for (size_t x = 0; x < scratch->n_parts; x++) {
		const struct net_stalls *s = scratch->s[scratch->part[x].d];

		s->from[sender * s->n_modules + scratch->part[x].origin] += times * parcel[x];
	}
}

static bool
is_empty(const double *parcel, size_t n)
{
	bool empty = true;

	for (size_t x = 0; x < n; x++)
		empty &= !(parcel[x] > 0);
	return empty;
}

/* Returns true if all clocks at both ends of a link are known. */
static bool
clocks_are_known(const struct net_stalls_scratch *w, const struct net_link *link, size_t kind)
{
	bool known = true;

	for (size_t i = w->plan->first[link->from]; i < w->plan->first[link->from + 1]; i++)
		known &= !isnan(w->ticks[i * w->net->n_kinds + kind]);
	for (size_t i = w->plan->first[link->to]; i < w->plan->first[link->to + 1]; i++)
		known &= !isnan(w->ticks[i * w->net->n_kinds + kind]);
	return known;
}

/* pass_link() for pairs of owners that all meet, with known clocks: each sender gets a weighted sum of parcels. */
static void
pass_pairs(const struct net_stalls_scratch *scratch, const struct hop *hop)
{
	size_t senders = scratch->plan->shape->n[hop->from], width = scratch->width;

	for (size_t b = 0; b < hop->receivers; b++) {
		double there = scratch->ticks[stalls_cell(scratch, hop->link->to, b, hop->kind)];

		for (size_t x = 0; x < width; x++)
			scratch->priced[b * width + x] = scratch->parcel[b * width + x] / there;
	}
	for (size_t a = 0; a < senders; a++) {
		size_t at = stalls_cell(scratch, hop->link->from, a, hop->kind);

		mix_rows(hop->pair + a * hop->receivers, scratch->priced, hop->receivers, width, scratch->load);
		deliver(scratch, scratch->load, scratch->ticks[at], at);
	}
}

/* Pass stalls back over one link, in proportion to requests. */
static void
pass_link(const struct net_stalls_scratch *scratch, const struct net_state *state, size_t link, size_t kind)
{
	struct hop hop = hop_of(scratch, state, link, kind);
	size_t receivers = 0, senders = 0;

	if (hop.pair && net_meets_all(hop.from, hop.to) && clocks_are_known(scratch, hop.link, kind)) {
		pass_pairs(scratch, &hop);
		return;
	}
	for (size_t b = 0; b < hop.receivers; b++) {
		struct net_range from = net_meets(scratch->plan, hop.to, b, hop.from);
		const double *parcel = scratch->parcel + b * scratch->width;
		double there = scratch->ticks[stalls_cell(scratch, hop.link->to, b, kind)];

		if (is_empty(parcel, scratch->n_parts))
			continue;
		receivers++;
		senders = 0;
		for (size_t a = 0; a < from.n; a++) {
			double weight = weight_of(&hop, from.at[a], b), times;
			size_t at = stalls_cell(scratch, hop.link->from, from.at[a], kind);

			if (!(weight > 0))
				continue;
			senders++;
			times = scratch->ticks[at] / there;
			if (isnan(times)) {
				scratch->unconverted[link] = true;
				times = 1;
			}
			deliver(scratch, parcel, weight * times, at);
		}
	}
	scratch->spread[link] |= !hop.pair && receivers > 0 && senders > 1 && hop.receivers > 1 &&
		net_meets_all(hop.from, hop.to);
}

/* Pass the stalls of one module back to all its senders. */
static void
pass_back(struct net_stalls_scratch *scratch, const struct net_state *state, size_t module, size_t kind)
{
	struct net_range links = net_links_to(scratch->plan, module);

	if (!keep_begun(scratch, state, module, kind))
		return;
	pack_parcels(scratch, module, kind);
	for (size_t l = 0; l < links.n; l++)
		pass_link(scratch, state, links.at[l], kind);
}

/* Clear what the previous snapshot left in one module's cells of a kind. */
static void
stalls_clear(const struct net_stalls_scratch *w, size_t d, size_t module, size_t kind)
{
	struct net_stalls *s = w->s[d];
	struct stall_origins o = stall_origins(w->sets, d, module, kind);

	if (!o.n)
		return;
	for (size_t at = net_stalls_at(s, module, 0, kind); at < s->first[module + 1] * s->n_kinds; at += s->n_kinds) {
		s->own[at] = s->stall[at] = s->hidden[at] = s->kept[at] = s->stuck[at] = 0;
		memset(s->from + at * s->n_modules, 0, s->n_modules * sizeof *s->from);
	}
}

static bool
has_origin(const struct net_stalls_scratch *w, size_t module, size_t kind)
{
	bool some = false;

	for (size_t d = 0; d < w->n && !some; d++) {
		struct stall_origins o = stall_origins(w->sets, d, module, kind);

		some = o.n > 0;
	}
	return some;
}

/* The stalls of a module whose requests of the kind get to no destination. */
static void
leave_elsewhere(const struct net_stalls_scratch *w, const struct net_state *state, size_t module, size_t kind)
{
	bool own = w->net->module[module].cell[kind].field[NET_STALL] != NULL;

	for (size_t o = 0; own && o < net_state_owners(state, module); o++)
		w->elsewhere[stalls_cell(w, module, o, kind)] = net_known(
			net_state_cell(state, module, o, kind).field[NET_STALL]);
}

static void
stalls_solve(struct net_stalls_scratch *scratch, const struct net_state *state)
{
	const struct network *network = scratch->net;

	stall_shares_find(scratch->shares, state);
	memset(scratch->unconverted, 0, network->n_links * sizeof *scratch->unconverted);
	memset(scratch->spread, 0, network->n_links * sizeof *scratch->spread);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t d = 0; d < scratch->n; d++)
			for (size_t k = 0; k < network->n_kinds; k++)
				stalls_clear(scratch, d, m, k);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++)
			if (scratch->stalling[k])
				find_ticks(scratch, state, m, k);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++) {
			if (!has_origin(scratch, m, k)) {
				leave_elsewhere(scratch, state, m, k);
				continue;
			}
			for (size_t o = 0; o < net_state_owners(state, m); o++)
				stalls_settle(scratch, state, m, o, k);
			pass_back(scratch, state, m, k);
		}
	for (size_t d = 0; d < scratch->n; d++)
		scratch->s[d]->elapsed_ns = net_state_seconds(state) > 0 ? net_state_seconds(state) * 1e9 : NAN;
}

static struct net_stalls *
stalls_begin(const struct net_plan *plan, size_t destination)
{
	const struct network *network = plan->net;
	struct net_stalls *stalls = mem_new(sizeof *stalls);
	size_t cells;

	stalls->destination = destination;
	stalls->n_modules = network->n_modules;
	stalls->n_kinds = network->n_kinds;
	stalls->first = mem_new_array(network->n_modules + 1, sizeof *stalls->first);
	memcpy(stalls->first, plan->first, (network->n_modules + 1) * sizeof *stalls->first);
	stalls->n_owners = stalls->first[network->n_modules];
	cells = stalls->n_owners * network->n_kinds;
	stalls->own = mem_new_array(cells, sizeof *stalls->own);
	stalls->stall = mem_new_array(cells, sizeof *stalls->stall);
	stalls->hidden = mem_new_array(cells, sizeof *stalls->hidden);
	stalls->kept = mem_new_array(cells, sizeof *stalls->kept);
	stalls->stuck = mem_new_array(cells, sizeof *stalls->stuck);
	stalls->from = mem_new_array(cells * network->n_modules, sizeof *stalls->from);
	return stalls;
}

/* Allocates room for the stalls of any module and kind. */
static void
size_parcels(struct net_stalls_scratch *w)
{
	size_t owners = 0, parts = 0, most = 0;

	for (size_t m = 0; m < w->net->n_modules; m++)
		for (size_t k = 0; k < w->net->n_kinds; k++) {
			size_t n = 0, here = w->plan->first[m + 1] - w->plan->first[m];

			for (size_t d = 0; d < w->n; d++) {
				struct stall_origins o = stall_origins(w->sets, d, m, k);

				n += o.n;
			}
			owners = here > owners ? here : owners;
			parts = n > parts ? n : parts;
			most = mix_width(n) * here > most ? mix_width(n) * here : most;
		}
	w->all = mem_new_array(owners, sizeof *w->all);
	w->part = mem_new_array(parts, sizeof *w->part);
	w->parcel = mem_new_array(most, sizeof *w->parcel);
	w->priced = mem_new_array(most, sizeof *w->priced);
	w->load = mem_new_array(mix_width(parts), sizeof *w->load);
}

/* Set up the scratch memory; the first of a set has it for the whole set. */
static void
stalls_prepare(struct net_stalls **s, size_t n, enum net_weight weight, const struct net_state *state)
{
	struct net_stalls_scratch *w = s[0]->scratch = mem_new(sizeof *w);
	size_t cells = s[0]->n_owners * s[0]->n_kinds;

	w->plan = net_state_plan(state);
	w->net = w->plan->net;
	w->s = mem_new_array(n, sizeof(struct net_stalls *));
	memcpy(w->s, s, n * sizeof *s);
	w->n = n;
	w->end = mem_new_array(n, sizeof *w->end);
	w->own = mem_new_array(n, sizeof *w->own);
	w->elsewhere = mem_new_array(cells, sizeof *w->elsewhere);
	w->ticks = mem_new_array(cells, sizeof *w->ticks);
	w->stalling = mem_new_array(w->net->n_kinds, sizeof *w->stalling);
	for (size_t m = 0; m < w->net->n_modules; m++)
		for (size_t k = 0; k < w->net->n_kinds; k++)
			w->stalling[k] |= w->net->module[m].cell[k].field[NET_STALL] != NULL;
	w->unconverted = mem_new_array(w->net->n_links, sizeof *w->unconverted);
	w->spread = mem_new_array(w->net->n_links, sizeof *w->spread);
	for (size_t i = 0; i < cells; i++)
		w->ticks[i] = NAN;
	for (size_t d = 0; d < n; d++) {
		w->end[d] = s[d]->destination;
		s[d]->elsewhere = w->elsewhere;
		s[d]->ticks = w->ticks;
	}
	w->shares = stall_shares_new(w->plan, weight, w->end, n);
	w->sets = stall_sets_new(w->plan, w->end, n);
	size_parcels(w);
}

struct net_stalls **
net_stalls_all(const struct net_state *state, enum net_weight weight, size_t *n)
{
	const struct net_plan *plan = net_state_plan(state);
	struct net_stalls **s = mem_new_array(plan->net->n_modules, sizeof *s);

	*n = 0;
	for (size_t m = 0; m < plan->net->n_modules; m++)
		if (net_links_to(plan, m).n && !net_links_from(plan, m).n)
			s[(*n)++] = stalls_begin(plan, m);
	if (*n)
		stalls_prepare(s, *n, weight, state);
	net_stalls_update(s, *n, state);
	return s;
}

void
net_stalls_update(struct net_stalls **s, size_t n, const struct net_state *state)
{
	if (n)
		stalls_solve(s[0]->scratch, state);
}

bool
net_stalls_reported(const struct net_state *state, size_t module, size_t kind)
{
	for (size_t o = 0; o < net_state_owners(state, module); o++)
		if (!isnan(net_state_cell(state, module, o, kind).field[NET_STALL]))
			return true;
	return false;
}

bool
net_stalls_unconverted(struct net_stalls *const *s, size_t n, size_t link)
{
	return n && s[0]->scratch->unconverted[link];
}

bool
net_stalls_spread(struct net_stalls *const *s, size_t n, size_t link)
{
	return n && s[0]->scratch->spread[link];
}

static void
scratch_free(struct net_stalls_scratch *w)
{
	if (!w)
		return;
	stall_shares_free(w->shares);
	free(w->s);
	free(w->end);
	free(w->own);
	free(w->elsewhere);
	free(w->ticks);
	free(w->all);
	free(w->parcel);
	free(w->priced);
	free(w->load);
	free(w->part);
	free(w->stalling);
	free(w->unconverted);
	free(w->spread);
	stall_sets_free(w->sets);
	free(w);
}

static void
net_stalls_free(struct net_stalls *stalls)
{
	scratch_free(stalls->scratch);
	free(stalls->first);
	free(stalls->own);
	free(stalls->stall);
	free(stalls->hidden);
	free(stalls->kept);
	free(stalls->stuck);
	free(stalls->from);
	free(stalls);
}

void
net_stalls_all_free(struct net_stalls **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		net_stalls_free(s[i]);
	free(s);
}
