#include "core/network/stalls.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/network/meet.h"
#include "core/network/state.h"

struct work {
	const struct net_state *state;
	const struct network *net;
	struct net_stalls *s;
	double *requests; /* owners × kinds: served here, or sent on */
};

/* An unknown count takes no part: shares are of what is known. */
static double
known(double v)
{
	return isnan(v) ? 0 : v;
}

static double
requests_at(const struct work *w, size_t module, size_t owner, size_t kind)
{
	double sum = known(net_state_cell(w->state, module, owner, kind).hits);

	for (size_t l = 0; l < w->net->n_links; l++)
		if (w->net->link[l].from == module)
			sum += known(net_state_load(w->state, l, owner, kind));
	return sum;
}

/* Of what goes over this link, the part that ends at the destination: the mean over the owners that it may go to, by their requests. */
static double
part_beyond(const struct work *w, const struct net_link *l, size_t owner, size_t kind)
{
	double sum = 0, weight = 0;

	for (size_t b = 0; b < net_state_owners(w->state, l->to); b++) {
		size_t at = net_stalls_at(w->s, l->to, b, kind);

		if (!net_may_meet(w->state, l->from, owner, l->to, b) || isnan(w->s->part[at]))
			continue;
		sum += w->s->part[at] * w->requests[at];
		weight += w->requests[at];
	}
	return weight > 0 ? sum / weight : 0;
}

static double
part_at(const struct work *w, size_t module, size_t owner, size_t kind)
{
	double all = w->requests[net_stalls_at(w->s, module, owner, kind)], sum = 0;

	if (module == w->s->destination)
		return 1;
	for (size_t l = 0; l < w->net->n_links; l++)
		if (w->net->link[l].from == module)
			sum += known(net_state_load(w->state, l, owner, kind)) * part_beyond(w, &w->net->link[l], owner, kind);
	return all > 0 ? fmin(sum / all, 1) : 0;
}

/* From the right to the left: what lies behind a module is known when it is looked at. */
static void
find_parts(struct work *w)
{
	for (size_t m = w->net->n_modules; m-- > 0;)
		for (size_t o = 0; o < net_state_owners(w->state, m); o++)
			for (size_t k = 0; k < w->net->n_kinds; k++) {
				size_t at = net_stalls_at(w->s, m, o, k);

				w->requests[at] = requests_at(w, m, o, k);
				w->s->part[at] = part_at(w, m, o, k);
			}
}

/* Its own part on top of what came. */
static void
add_own(struct work *w, size_t module, size_t owner, size_t kind)
{
	struct net_stalls *s = w->s;
	size_t at = net_stalls_at(s, module, owner, kind);
	double *from = s->from + at * s->n_modules;

	s->own[at] = known(net_state_cell(w->state, module, owner, kind).field[NET_STALL]) * s->part[at];
	from[module] += s->own[at];
	for (size_t i = 0; i < s->n_modules; i++)
		s->stall[at] += from[i];
}

/* Over the limit all shrink alike. */
static void
shrink(struct net_stalls *s, size_t at, double factor)
{
	s->hidden[at] = s->stall[at] * (1 - factor);
	s->stall[at] *= factor;
	for (size_t i = 0; i < s->n_modules; i++)
		s->from[at * s->n_modules + i] *= factor;
}

/* The limit is one for all destinations together: the core sees that it stalls, not for whom. */
static void
settle(struct work *w, size_t n, size_t module, size_t owner, size_t kind)
{
	size_t at = net_stalls_at(w->s, module, owner, kind);
	double most = net_state_cell(w->state, module, owner, kind).field[NET_LIMIT], sum = 0;

	for (size_t d = 0; d < n; d++) {
		add_own(&w[d], module, owner, kind);
		sum += w[d].s->stall[at];
	}
	for (size_t d = 0; d < n && sum > most; d++)
		shrink(w[d].s, at, most / sum);
}

static double
weight_of(const struct work *w, size_t link, size_t a, size_t module, size_t owner, size_t kind)
{
	if (!net_may_meet(w->state, w->net->link[link].from, a, module, owner))
		return 0;
	return fmax(0, known(net_state_load(w->state, link, a, kind)));
}

/* To those who sent requests here, by how many; the part of the requests that begin here is kept. */
static void
pass_back(struct work *w, size_t module, size_t owner, size_t kind)
{
	const struct network *n = w->net;
	struct net_stalls *s = w->s;
	size_t at = net_stalls_at(s, module, owner, kind);
	double all = 0, begun = 0;
	bool first = true;

	if (!(s->stall[at] > 0))
		return;
	for (size_t l = 0; l < n->n_links; l++)
		for (size_t a = 0; a < net_state_owners(w->state, n->link[l].from) && n->link[l].to == module; a++) {
			first = false;
			all += weight_of(w, l, a, module, owner, kind);
		}
	if (first || n->module[module].cell[kind].ingress)
		begun = fmax(0, w->requests[at] - all);
	all += begun;
	s->kept[at] = first ? s->stall[at] : all > 0 ? s->stall[at] * begun / all : 0;
	if (first)
		return;
	if (!(all > 0)) {
		s->stuck[at] = s->stall[at];
		return;
	}
	for (size_t l = 0; l < n->n_links; l++)
		for (size_t a = 0; a < net_state_owners(w->state, n->link[l].from) && n->link[l].to == module; a++) {
			double share = weight_of(w, l, a, module, owner, kind) / all;
			double *to = s->from + net_stalls_at(s, n->link[l].from, a, kind) * s->n_modules;

			for (size_t i = 0; i < s->n_modules && share > 0; i++)
				to[i] += share * s->from[at * s->n_modules + i];
		}
}

static struct net_stalls *
begin(const struct net_state *state, size_t destination)
{
	const struct network *n = net_state_network(state);
	struct net_stalls *s = mem_new(sizeof *s);
	size_t cells;

	s->destination = destination;
	s->n_modules = n->n_modules;
	s->n_kinds = n->n_kinds;
	s->first = mem_new_array(n->n_modules + 1, sizeof *s->first);
	for (size_t m = 0; m < n->n_modules; m++)
		s->first[m + 1] = s->first[m] + net_state_owners(state, m);
	s->n_owners = s->first[n->n_modules];
	cells = s->n_owners * n->n_kinds;
	s->part = mem_new_array(cells, sizeof *s->part);
	s->own = mem_new_array(cells, sizeof *s->own);
	s->stall = mem_new_array(cells, sizeof *s->stall);
	s->hidden = mem_new_array(cells, sizeof *s->hidden);
	s->kept = mem_new_array(cells, sizeof *s->kept);
	s->stuck = mem_new_array(cells, sizeof *s->stuck);
	s->from = mem_new_array(cells * n->n_modules, sizeof *s->from);
	return s;
}

/* All destinations side by side, module by module from the right: s[i]->destination says which. */
static void
solve(const struct net_state *state, struct net_stalls **s, size_t n)
{
	const struct network *net = net_state_network(state);
	struct work *w = mem_new_array(n, sizeof *w);

	for (size_t d = 0; d < n; d++) {
		w[d] = (struct work){.state = state, .net = net, .s = s[d]};
		w[d].requests = mem_new_array(s[d]->n_owners * s[d]->n_kinds, sizeof *w[d].requests);
		find_parts(&w[d]);
	}
	for (size_t m = net->n_modules; m-- > 0 && n;)
		for (size_t o = 0; o < net_state_owners(state, m); o++)
			for (size_t k = 0; k < net->n_kinds; k++) {
				settle(w, n, m, o, k);
				for (size_t d = 0; d < n; d++)
					pass_back(&w[d], m, o, k);
			}
	for (size_t d = 0; d < n; d++)
		free(w[d].requests);
	free(w);
}

struct net_stalls *
net_stalls_new(const struct net_state *state, size_t destination)
{
	struct net_stalls *s = begin(state, destination);

	solve(state, &s, 1);
	return s;
}

static bool
is_end(const struct network *n, size_t module)
{
	bool in = false;

	for (size_t l = 0; l < n->n_links; l++) {
		if (n->link[l].from == module)
			return false;
		in |= n->link[l].to == module;
	}
	return in;
}

struct net_stalls **
net_stalls_all(const struct net_state *state, size_t *n)
{
	const struct network *net = net_state_network(state);
	struct net_stalls **s = mem_new_array(net->n_modules, sizeof *s);

	*n = 0;
	for (size_t m = 0; m < net->n_modules; m++)
		if (is_end(net, m))
			s[(*n)++] = begin(state, m);
	solve(state, s, *n);
	return s;
}

void
net_stalls_all_free(struct net_stalls **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		net_stalls_free(s[i]);
	free(s);
}

void
net_stalls_free(struct net_stalls *s)
{
	if (!s)
		return;
	free(s->first);
	free(s->part);
	free(s->own);
	free(s->stall);
	free(s->hidden);
	free(s->kept);
	free(s->stuck);
	free(s->from);
	free(s);
}
