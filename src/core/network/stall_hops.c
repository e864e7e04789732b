/* Passes stalls of one module and kind back over its links, all destinations and origins at once. */
#include <math.h>
#include <string.h>

#include "core/network/mix.h"
#include "core/network/stall_parts.h"

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
	return hop->pair ? hop->pair[sender * hop->receivers + receiver]
		: hop->load[sender] > 0 ? hop->load[sender] : 0;
}

/* Finds, for each owner of a module, the requests of all its senders and those that begin there: scratch->all. Keeps
 * the stalls of the latter. What nobody takes is stuck. Returns true if something is left to pass back. */
static bool
keep_begun(const struct net_stalls_scratch *scratch, const struct net_state *state, size_t module, size_t kind)
{
	struct net_range links = net_links_to(scratch->plan, module);
	size_t owners = scratch->plan->first[module + 1] - scratch->plan->first[module];
	size_t cell = stalls_cell(scratch, module, 0, kind);
	bool first = true, begins = scratch->net->module[module].cell[kind].ingress, some = false, stuck = false;

	memset(scratch->all, 0, owners * sizeof *scratch->all);
	for (size_t l = 0; l < links.n; l++) {
		struct hop hop = hop_of(scratch, state, links.at[l], kind);
		double of_all = 0;

		first &= scratch->plan->shape->n[hop.from] == 0;
		if (hop.pair && net_meets_all(hop.from, hop.to)) { /* row by row */
			for (size_t a = 0; a < scratch->plan->shape->n[hop.from]; a++)
				mix_add(scratch->all, hop.pair + a * owners, owners);
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
		double begun = first || begins ? fmax(0, scratch->shares->requests[cell + o] - scratch->all[o]) : 0;

		scratch->all[o] += begun;
		scratch->inverse[o] = scratch->all[o] > 0 ? 1 / scratch->all[o] : 0;
		scratch->times[o] = first ? 1 : scratch->all[o] > 0 ? begun / scratch->all[o] : 0;
		stuck |= !first && !(scratch->all[o] > 0) && scratch->sum[o] > 0;
		some |= !first && scratch->all[o] > 0 && scratch->sum[o] > 0;
	}
	for (size_t d = 0; d < scratch->n; d++) {
		struct net_stalls *s = scratch->s[d];

		if (!stall_origins(scratch->sets, d, module, kind).n)
			continue;
		memcpy(s->kept + cell, s->stall + cell, owners * sizeof *s->kept);
		mix_multiply(s->kept + cell, scratch->times, owners);
		memset(s->stuck + cell, 0, owners * sizeof *s->stuck);
		for (size_t o = 0; o < owners && stuck; o++)
			s->stuck[cell + o] = scratch->all[o] > 0 ? 0 : s->stall[cell + o];
	}
	return some;
}

/* The columns at both ends of a link. */
struct ends {
	const double *receiver; /* its columns, of hop.receivers each */
	double *sender;
	size_t senders;         /* and length of the sender's columns */
	const size_t *to;       /* the sender's column of each of the receiver's */
	size_t n;               /* columns of the receiver */
	const double *there, *here; /* ticks of receivers and senders */
};

/* Returns what a request of the sender is worth of a receiver's stalls. Without both clocks, one cycle is one. */
static double
worth_of(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e, size_t a, size_t b)
{
	double weight = weight_of(hop, a, b), ratio = e->here[a] / e->there[b];

	if (!(weight > 0) || !(w->sum[b] * w->inverse[b] > 0))
		return 0;
	if (isnan(ratio))
		w->unconverted[hop->link - w->net->link] = true;
	return weight * w->inverse[b] * (isnan(ratio) ? 1 : ratio);
}

/* stalls_pass_back() where one owner is part of the other, or the same. */
static void
pass_within(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e)
{
	const size_t *receiver = w->plan->whole[hop->from][hop->to], *sender = w->plan->whole[hop->to][hop->from];
	size_t n = receiver ? e->senders : hop->receivers;

	for (size_t i = 0; i < n; i++)
		w->times[i] = worth_of(w, hop, e, receiver ? i : sender[i], receiver ? receiver[i] : i);
	for (size_t x = 0; x < e->n; x++) {
		const double *in = e->receiver + x * hop->receivers;
		double *out = e->sender + e->to[x] * e->senders;

		if (hop->from == hop->to)
			mix_add_products(out, in, w->times, n);
		else if (receiver)
			for (size_t i = 0; i < n; i++)
				out[i] += w->times[i] * in[receiver[i]];
		else
			for (size_t i = 0; i < n; i++)
				out[sender[i]] += w->times[i] * in[i];
	}
}

/* stalls_pass_back() with some clocks known and some not: by pairs, with the clocks of each. */
static void
pass_mixed(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e)
{
	for (size_t b = 0; b < hop->receivers; b++) {
		if (!(w->sum[b] * w->inverse[b] > 0))
			continue;
		for (size_t a = 0; a < e->senders; a++)
			w->times[a] = worth_of(w, hop, e, a, b);
		for (size_t x = 0; x < e->n; x++)
			mix_add_scaled(e->sender + e->to[x] * e->senders, e->receiver[x * hop->receivers + b], w->times,
				e->senders);
	}
}

/* stalls_pass_back() for loads of pairs, with `price`: each sender gets a weighted sum of the receivers' stalls. */
static void
pass_pairs(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e)
{
	size_t width = mix_width(e->n);
	double *load = w->priced + hop->receivers * width;

	for (size_t b = 0; b < hop->receivers; b++) {
		memset(w->priced + b * width + e->n, 0, (width - e->n) * sizeof *w->priced);
		for (size_t x = 0; x < e->n; x++)
			w->priced[b * width + x] = w->price[b] * e->receiver[x * hop->receivers + b];
	}
	for (size_t a = 0; a < e->senders; a++) {
		mix_rows(hop->pair + a * hop->receivers, w->priced, hop->receivers, width, load);
		for (size_t x = 0; x < e->n; x++)
			e->sender[e->to[x] * e->senders + a] += e->here[a] * load[x];
	}
}

/* stalls_pass_back() for senders that share all receivers alike, with `price`. */
static void
pass_spread(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e)
{
	for (size_t a = 0; a < e->senders; a++)
		w->times[a] = weight_of(hop, a, 0) * e->here[a];
	for (size_t x = 0; x < e->n; x++) {
		const double *in = e->receiver + x * hop->receivers;
		double sum = mix_dot(in, w->price, hop->receivers);

		if (sum > 0)
			mix_add_scaled(e->sender + e->to[x] * e->senders, sum, w->times, e->senders);
	}
}

/* Passes stalls back over a link whose owners all meet, in proportion to requests. */
static void
pass_between(const struct net_stalls_scratch *w, const struct hop *hop, const struct ends *e)
{
	size_t receiving = 0, sending = 0;
	bool known = true;

	for (size_t b = 0; b < hop->receivers; b++) {
		receiving += w->sum[b] * w->inverse[b] > 0;
		known &= e->there[b] > 0;
	}
	for (size_t a = 0; a < e->senders; a++) {
		known &= !isnan(e->here[a]);
		sending += !hop->pair && weight_of(hop, a, 0) > 0;
	}
	w->spread[hop->link - w->net->link] |= receiving > 0 && sending > 1 && hop->receivers > 1;
	if (!known) {
		pass_mixed(w, hop, e);
		return;
	}
	for (size_t b = 0; b < hop->receivers; b++)
		w->price[b] = w->inverse[b] / e->there[b];
	(hop->pair ? pass_pairs : pass_spread)(w, hop, e);
}

void
stalls_pass_back(struct net_stalls_scratch *w, const struct net_state *state, size_t module, size_t kind)
{
	size_t kinds = w->net->n_kinds;
	const struct stall_columns *columns = &w->columns[module * kinds + kind];
	struct net_range links = net_links_to(w->plan, module);

	if (!keep_begun(w, state, module, kind))
		return;
	for (size_t l = 0; l < links.n; l++) {
		struct hop hop = hop_of(w, state, links.at[l], kind);
		struct ends ends = {.receiver = w->from + columns->at,
			.sender = w->from + w->columns[hop.link->from * kinds + kind].at,
			.senders = stalls_owners(w, hop.link->from),
			.to = w->to + w->first_to[links.at[l] * kinds + kind],
			.n = columns->n,
			.there = w->ticks + stalls_cell(w, module, 0, kind),
			.here = w->ticks + stalls_cell(w, hop.link->from, 0, kind)};

		if (net_load_reported(w->plan, links.at[l], kind))
			(net_meets_all(hop.from, hop.to) ? pass_between : pass_within)(w, &hop, &ends);
	}
}
