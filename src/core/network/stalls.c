/* Solves all destinations in two passes over the modules, from the right to the left.
 *
 * The first pass finds which part of each module's requests ends at each destination. The second passes stalls back.
 * Two sets of modules per cell are known from the network alone: those whose stalls can get there (`arising`), and
 * those from which requests get to a destination (`leading`). Only cells in these sets are visited; all others are
 * always 0. */
#include "core/network/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/plan.h"

#define WORD_BITS 64

/* Sets of modules as bits: one set for each module and kind, or for each destination and kind. */
struct module_sets {
	uint64_t *bits;
	size_t words; /* words of one set */
};

struct net_stalls_scratch {
	const struct net_plan *plan;
	const struct network *net;
	struct net_stalls **s;
	size_t n;
	double *requests;           /* owners × kinds: requests served here or sent on */
	struct module_sets arising; /* module × kind: modules that report stalls and get requests from it */
	struct module_sets leading; /* destination × kind: modules whose requests get there */
};

static struct module_sets
module_sets(size_t n, size_t modules)
{
	size_t words = (modules + WORD_BITS - 1) / WORD_BITS;

	return (struct module_sets){mem_new_array(n * words, sizeof(uint64_t)), words};
}

static uint64_t *
set_at(const struct module_sets *s, size_t i)
{
	return s->bits + i * s->words;
}

static void
set_add(uint64_t *set, size_t module)
{
	set[module / WORD_BITS] |= UINT64_C(1) << module % WORD_BITS;
}

static bool
set_has(const uint64_t *set, size_t module)
{
	return set[module / WORD_BITS] >> module % WORD_BITS & 1;
}

/* The first module from `at` on that is in both sets; `modules` if there is none. */
static size_t
next_in_both(const uint64_t *a, const uint64_t *b, size_t at, size_t modules)
{
	while (at < modules) {
		uint64_t left = (a[at / WORD_BITS] & b[at / WORD_BITS]) >> at % WORD_BITS;

		if (left)
			return at + (size_t)__builtin_ctzll(left);
		at = (at / WORD_BITS + 1) * WORD_BITS;
	}
	return modules;
}

/* The modules where a cell's stalls for a destination may have arisen: those in both sets. */
struct origins {
	const uint64_t *arising, *leading;
	size_t modules;
};

static struct origins
origins_of(const struct net_stalls_scratch *w, size_t d, size_t module, size_t kind)
{
	size_t kinds = w->net->n_kinds;

	return (struct origins){
		set_at(&w->arising, module * kinds + kind), set_at(&w->leading, d * kinds + kind), w->net->n_modules};
}

static size_t
origin_from(const struct origins *o, size_t at)
{
	return next_in_both(o->arising, o->leading, at, o->modules);
}

static void
find_sets(struct net_stalls_scratch *scratch)
{
	const struct network *network = scratch->net;

	scratch->arising = module_sets(network->n_modules * network->n_kinds, network->n_modules);
	scratch->leading = module_sets(scratch->n * network->n_kinds, network->n_modules);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++) {
			uint64_t *here = set_at(&scratch->arising, m * network->n_kinds + k);
			struct net_range links = net_links_from(scratch->plan, m);

			if (network->module[m].cell[k].field[NET_STALL])
				set_add(here, m);
			for (size_t d = 0; d < scratch->n; d++)
				if (scratch->s[d]->destination == m)
					set_add(set_at(&scratch->leading, d * network->n_kinds + k), m);
			for (size_t i = 0; i < links.n; i++) {
				size_t to = network->link[links.at[i]].to;

				if (!net_load_reported(scratch->plan, links.at[i], k))
					continue;
				for (size_t word = 0; word < scratch->arising.words; word++)
					here[word] |= set_at(&scratch->arising, to * network->n_kinds + k)[word];
				for (size_t d = 0; d < scratch->n; d++)
					if (set_has(set_at(&scratch->leading, d * network->n_kinds + k), to))
						set_add(set_at(&scratch->leading, d * network->n_kinds + k), m);
			}
		}
}

/* The count, or 0 if it is unknown: shares are computed from the known counts alone. */
static double
known(double v)
{
	return isnan(v) ? 0 : v;
}

static void
find_requests(struct net_stalls_scratch *scratch, const struct net_state *state)
{
	size_t kinds = scratch->net->n_kinds;

	for (size_t m = 0; m < scratch->net->n_modules; m++) {
		const double *cell = net_state_cells(state, m);
		size_t first = scratch->plan->first[m] * kinds, n = scratch->plan->first[m + 1] * kinds - first;
		struct net_range links = net_links_from(scratch->plan, m);

		for (size_t i = 0; i < n; i++)
			scratch->requests[first + i] = known(cell[i * NET_CELL_VALUES]);
		for (size_t l = 0; l < links.n; l++) {
			const double *load = net_state_loads(state, links.at[l]);

			for (size_t i = 0; i < n; i++)
				scratch->requests[first + i] += known(load[i]);
		}
	}
}

/* The part of requests over this link that ends at the destination: the mean over the owners that it can go to,
 * weighted by their requests. */
static double
part_beyond(const struct net_stalls_scratch *scratch, const struct net_stalls *stalls, const struct net_link *l,
	size_t owner, size_t kind)
{
	struct net_range to = net_meets(
		scratch->plan, scratch->net->module[l->from].per, owner, scratch->net->module[l->to].per);
	double sum = 0, weight = 0;

	for (size_t b = 0; b < to.n; b++) {
		size_t at = net_stalls_at(stalls, l->to, to.at[b], kind);

		sum += stalls->part[at] * scratch->requests[at];
		weight += scratch->requests[at];
	}
	return weight > 0 ? sum / weight : 0;
}

/* Add what each owner sends over the link towards the destination. */
static void
add_link(const struct net_stalls_scratch *w, const struct net_state *state, const struct net_stalls *stalls,
	size_t link, size_t kind)
{
	const struct net_link *net_link = &w->net->link[link];
	const double *load = net_state_loads(state, link);
	bool one = net_meets_all(w->net->module[net_link->from].per, w->net->module[net_link->to].per);
	double beyond = 0;

	for (size_t o = 0; o < w->plan->first[net_link->from + 1] - w->plan->first[net_link->from]; o++) {
		if (!one || o == 0)
			beyond = part_beyond(w, stalls, net_link, o, kind);
		stalls->part[net_stalls_at(stalls, net_link->from, o, kind)] +=
			known(load[o * stalls->n_kinds + kind]) * beyond;
	}
}

/* Finds which part of a module's requests ends at the destination. The parts of later modules must be known. */
static void
find_parts(
	const struct net_stalls_scratch *scratch, const struct net_state *state, size_t d, size_t module, size_t kind)
{
	const uint64_t *leading = set_at(&scratch->leading, d * scratch->net->n_kinds + kind);
	const struct net_stalls *stalls = scratch->s[d];
	struct net_range links = net_links_from(scratch->plan, module);
	size_t owners = scratch->plan->first[module + 1] - scratch->plan->first[module];

	if (module == stalls->destination || !set_has(leading, module))
		return; /* the part is 1 or 0 in all snapshots, as stalls_begin() set it */
	for (size_t o = 0; o < owners; o++)
		stalls->part[net_stalls_at(stalls, module, o, kind)] = 0;
	for (size_t i = 0; i < links.n; i++)
		if (set_has(leading, scratch->net->link[links.at[i]].to))
			add_link(scratch, state, stalls, links.at[i], kind);
	for (size_t o = 0; o < owners; o++) {
		size_t at = net_stalls_at(stalls, module, o, kind);

		stalls->part[at] = scratch->requests[at] > 0 ? fmin(stalls->part[at] / scratch->requests[at], 1) : 0;
	}
}

/* Add the module's own stalls for the destination to those passed back to it. */
static void
add_own(const struct net_stalls *s, const struct origins *from_where, size_t module, size_t at, double own)
{
	double *from = s->from + at * s->n_modules, sum = 0;

	s->own[at] = known(own) * s->part[at];
	from[module] += s->own[at];
	for (size_t i = origin_from(from_where, 0); i < s->n_modules; i = origin_from(from_where, i + 1))
		sum += from[i];
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
	const double *cell = net_state_cells(state, module) + (owner * scratch->net->n_kinds + kind) * NET_CELL_VALUES +
		1;
	size_t at = net_stalls_at(scratch->s[0], module, owner, kind);
	double most = cell[NET_LIMIT], sum = 0;

	for (size_t d = 0; d < scratch->n; d++) {
		struct origins o = origins_of(scratch, d, module, kind);

		if (origin_from(&o, 0) < o.modules)
			add_own(scratch->s[d], &o, module, at, cell[NET_STALL]);
		sum += scratch->s[d]->stall[at];
	}
	for (size_t d = 0; d < scratch->n && sum > most; d++)
		shrink(scratch->s[d], at, most / sum);
}

static double
weight_of(const struct net_stalls_scratch *w, const struct net_state *state, size_t link, size_t owner, size_t kind)
{
	return fmax(0, known(net_state_loads(state, link)[owner * w->net->n_kinds + kind]));
}

/* The owners that may have sent requests over the link to this owner. */
static struct net_range
senders(const struct net_stalls_scratch *w, size_t link, size_t owner)
{
	const struct net_link *l = &w->net->link[link];

	return net_meets(w->plan, w->net->module[l->to].per, owner, w->net->module[l->from].per);
}

/* Pass stalls back to the senders in proportion to their requests. Keep the part of requests that begin here. */
static void
pass_back(const struct net_stalls_scratch *scratch, const struct net_state *state, size_t d, size_t module,
	size_t owner, size_t kind)
{
	const struct network *network = scratch->net;
	struct net_stalls *stalls = scratch->s[d];
	struct net_range links = net_links_to(scratch->plan, module);
	struct origins where = origins_of(scratch, d, module, kind);
	size_t at = net_stalls_at(stalls, module, owner, kind);
	double all = 0, begun = 0;
	bool first = true;

	if (!(stalls->stall[at] > 0))
		return;
	for (size_t l = 0; l < links.n; l++) {
		struct net_range from = senders(scratch, links.at[l], owner);

		first &= scratch->plan->shape->n[network->module[network->link[links.at[l]].from].per] == 0;
		for (size_t a = 0; a < from.n; a++)
			all += weight_of(scratch, state, links.at[l], from.at[a], kind);
	}
	if (first || network->module[module].cell[kind].ingress)
		begun = fmax(0, scratch->requests[at] - all);
	all += begun;
	stalls->kept[at] = first ? stalls->stall[at] : all > 0 ? stalls->stall[at] * begun / all : 0;
	if (first)
		return;
	if (!(all > 0)) {
		stalls->stuck[at] = stalls->stall[at];
		return;
	}
	for (size_t l = 0; l < links.n; l++) {
		struct net_range from = senders(scratch, links.at[l], owner);

		for (size_t a = 0; a < from.n; a++) {
			double share = weight_of(scratch, state, links.at[l], from.at[a], kind) / all;
			double *to = stalls->from +
				net_stalls_at(stalls, network->link[links.at[l]].from, from.at[a], kind) *
					stalls->n_modules;

			for (size_t i = origin_from(&where, 0); i < stalls->n_modules && share > 0;
				i = origin_from(&where, i + 1))
				to[i] += share * stalls->from[at * stalls->n_modules + i];
		}
	}
}

/* Clear what the previous snapshot left in one module's cells of a kind. */
static void
stalls_clear(const struct net_stalls_scratch *w, size_t d, size_t module, size_t kind)
{
	struct net_stalls *s = w->s[d];
	struct origins o = origins_of(w, d, module, kind);

	if (origin_from(&o, 0) == o.modules)
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
		struct origins o = origins_of(w, d, module, kind);

		some = origin_from(&o, 0) < o.modules;
	}
	return some;
}

static void
stalls_solve(struct net_stalls_scratch *scratch, const struct net_state *state)
{
	const struct network *network = scratch->net;

	find_requests(scratch, state);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t d = 0; d < scratch->n; d++)
			for (size_t k = 0; k < network->n_kinds; k++) {
				find_parts(scratch, state, d, m, k);
				stalls_clear(scratch, d, m, k);
			}
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++) {
			size_t owners = has_origin(scratch, m, k)
				? scratch->plan->first[m + 1] - scratch->plan->first[m]
				: 0;

			for (size_t o = 0; o < owners; o++) {
				stalls_settle(scratch, state, m, o, k);
				for (size_t d = 0; d < scratch->n; d++)
					pass_back(scratch, state, d, m, o, k);
			}
		}
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
	stalls->part = mem_new_array(cells, sizeof *stalls->part);
	stalls->own = mem_new_array(cells, sizeof *stalls->own);
	stalls->stall = mem_new_array(cells, sizeof *stalls->stall);
	stalls->hidden = mem_new_array(cells, sizeof *stalls->hidden);
	stalls->kept = mem_new_array(cells, sizeof *stalls->kept);
	stalls->stuck = mem_new_array(cells, sizeof *stalls->stuck);
	stalls->from = mem_new_array(cells * network->n_modules, sizeof *stalls->from);
	for (size_t at = stalls->first[destination] * network->n_kinds;
		at < stalls->first[destination + 1] * network->n_kinds; at++)
		stalls->part[at] = 1;
	return stalls;
}

/* Set up the scratch memory; the first of a set has it for the whole set. */
static void
stalls_prepare(struct net_stalls **s, size_t n, const struct net_state *state)
{
	struct net_stalls_scratch *w = s[0]->scratch = mem_new(sizeof *w);

	w->plan = net_state_plan(state);
	w->net = w->plan->net;
	w->s = mem_new_array(n, sizeof(struct net_stalls *));
	memcpy(w->s, s, n * sizeof *s);
	w->n = n;
	w->requests = mem_new_array(s[0]->n_owners * s[0]->n_kinds, sizeof *w->requests);
	find_sets(w);
}

struct net_stalls *
net_stalls_new(const struct net_state *state, size_t destination)
{
	struct net_stalls *s = stalls_begin(net_state_plan(state), destination);

	stalls_prepare(&s, 1, state);
	stalls_solve(s->scratch, state);
	return s;
}

struct net_stalls **
net_stalls_all(const struct net_state *state, size_t *n)
{
	const struct net_plan *plan = net_state_plan(state);
	struct net_stalls **s = mem_new_array(plan->net->n_modules, sizeof *s);

	*n = 0;
	for (size_t m = 0; m < plan->net->n_modules; m++)
		if (net_links_to(plan, m).n && !net_links_from(plan, m).n)
			s[(*n)++] = stalls_begin(plan, m);
	if (*n)
		stalls_prepare(s, *n, state);
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

void
net_stalls_all_free(struct net_stalls **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		net_stalls_free(s[i]);
	free(s);
}

void
net_stalls_free(struct net_stalls *stalls)
{
	if (!stalls)
		return;
	if (stalls->scratch) {
		free(stalls->scratch->s);
		free(stalls->scratch->requests);
		free(stalls->scratch->arising.bits);
		free(stalls->scratch->leading.bits);
		free(stalls->scratch);
	}
	free(stalls->first);
	free(stalls->part);
	free(stalls->own);
	free(stalls->stall);
	free(stalls->hidden);
	free(stalls->kept);
	free(stalls->stuck);
	free(stalls->from);
	free(stalls);
}
