/* Solves all destinations in two passes over the modules, from the right to the left.
 *
 * The first pass finds where each module's requests end (stall_shares.c). The second passes stalls back, module by
 * module: each owner adds its own stalls and applies its limit, then keeps what begins there, and its senders get the
 * rest (stall_hops.c). Only cells are visited whose stalls may not be 0 (stall_sets.c). */
#include "core/network/stalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/network/mix.h"
#include "core/network/plan.h"
#include "core/network/stall_parts.h"

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
	const struct stall_columns *columns = &w->columns[module * w->net->n_kinds + kind];
	double elapsed = net_state_seconds(state) > 0 ? net_state_seconds(state) * 1e9 : NAN;
	double *out = w->ticks + stalls_cell(w, module, 0, kind);

	for (size_t o = 0; o < stalls_owners(w, module); o++) {
		out[o] = columns->in_ns ? elapsed : net_state_ticks(state, module, o);
		if (isnan(out[o]) && !columns->told)
			out[o] = ticks_after(w, module, o, kind);
	}
}

/* Divides the module's own stalls among the destinations. */
static void
divide_own(const struct net_stalls_scratch *w, const struct net_state *state, size_t module, size_t kind)
{
	const double *own = net_state_field(state, module, kind, NET_STALL);
	size_t first = stalls_cell(w, module, 0, kind);

	for (size_t o = 0; o < stalls_owners(w, module); o++)
		w->times[o] = own[o] > 0 ? own[o] : 0;
	for (size_t d = 0; d < w->n; d++)
		w->own[d] = w->s[d]->own + first;
	stall_shares_divide(w->shares, module, kind, w->times, w->own, w->elsewhere + first);
}

/* Shrinks all amounts of each owner above the limit by the same factor. */
static void
apply_limit(const struct net_stalls_scratch *w, const double *most, size_t module, size_t kind)
{
	size_t owners = stalls_owners(w, module), first = stalls_cell(w, module, 0, kind);
	const struct stall_columns *columns = &w->columns[module * w->net->n_kinds + kind];
	bool over = false;

	for (size_t o = 0; o < owners; o++) {
		over |= w->sum[o] > most[o];
		w->times[o] = w->sum[o] > most[o] ? most[o] / w->sum[o] : 1;
	}
	for (size_t d = 0; d < w->n && over; d++) {
		struct net_stalls *s = w->s[d];

		for (size_t o = 0; o < owners && stall_origins(w->sets, d, module, kind).n; o++) {
			s->hidden[first + o] = s->stall[first + o] * (1 - w->times[o]);
			s->stall[first + o] *= w->times[o];
		}
	}
	if (over)
		mix_multiply(w->sum, w->times, owners);
	for (size_t x = 0; x < columns->n && over; x++)
		mix_multiply(w->from + columns->at + x * owners, w->times, owners);
}

/* Adds the module's own stalls to those passed back to it, and applies its limit to all destinations together: the core
 * counts that it stalls, not for which one. */
static void
stalls_settle(const struct net_stalls_scratch *w, const struct net_state *state, size_t module, size_t kind)
{
	size_t owners = stalls_owners(w, module), first = stalls_cell(w, module, 0, kind);
	double *column = w->from + w->columns[module * w->net->n_kinds + kind].at;
	bool own = w->net->module[module].cell[kind].field[NET_STALL] != NULL;

	if (own)
		divide_own(w, state, module, kind);
	memset(w->sum, 0, owners * sizeof *w->sum);
	for (size_t d = 0; d < w->n; d++) {
		struct stall_origins from = stall_origins(w->sets, d, module, kind);
		struct net_stalls *s = w->s[d];

		if (!from.n)
			continue;
		memset(s->stall + first, 0, owners * sizeof *s->stall);
		memset(s->hidden + first, 0, owners * sizeof *s->hidden);
		for (size_t i = 0; i < from.n; i++, column += owners) {
			if (own && from.at[i] == module)
				mix_add(column, s->own + first, owners);
			mix_add(s->stall + first, column, owners);
		}
		mix_add(w->sum, s->stall + first, owners);
	}
	if (w->net->module[module].cell[kind].field[NET_LIMIT])
		apply_limit(w, net_state_field(state, module, kind, NET_LIMIT), module, kind);
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
	memset(scratch->from, 0, scratch->n_from * sizeof *scratch->from);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++)
			if (scratch->stalling[k])
				find_ticks(scratch, state, m, k);
	for (size_t m = network->n_modules; m-- > 0;)
		for (size_t k = 0; k < network->n_kinds; k++) {
			if (!scratch->columns[m * network->n_kinds + k].n) {
				leave_elsewhere(scratch, state, m, k);
				continue;
			}
			stalls_settle(scratch, state, m, k);
			stalls_pass_back(scratch, state, m, k);
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
	return stalls;
}

/* Places the columns of all cells, and of each destination among them. */
static void
place_columns(struct net_stalls_scratch *w)
{
	size_t kinds = w->net->n_kinds, cells = w->net->n_modules * kinds;

	w->columns = mem_new_array(cells, sizeof *w->columns);
	w->first_from = mem_new_array(w->n * cells, sizeof *w->first_from);
	for (size_t i = 0; i < cells; i++) {
		const struct net_cell *cell = &w->net->module[i / kinds].cell[i % kinds];
		const struct aexpr *told = cell->field[NET_STALL] ? cell->field[NET_STALL] : cell->field[NET_LIMIT];

		w->columns[i].at = w->n_from;
		w->columns[i].told = told != NULL;
		w->columns[i].in_ns = told && unit_equal(told->unit, unit_of(UNIT_NS));
		for (size_t d = 0; d < w->n; d++) {
			size_t n = stall_origins(w->sets, d, i / kinds, i % kinds).n;

			w->first_from[d * cells + i] = w->n_from;
			w->columns[i].n += n;
			w->n_from += n * stalls_owners(w, i / kinds);
		}
	}
	w->from = mem_new_array(w->n_from, sizeof *w->from);
	for (size_t d = 0; d < w->n; d++) {
		w->s[d]->from = w->from;
		w->s[d]->first_from = w->first_from + d * cells;
		w->s[d]->first_origin = w->sets->first + d * cells;
		w->s[d]->origin = w->sets->origin;
	}
}

/* Finds the sender's column for each of the receiver's: what may arise beyond a reported load may come back over it. */
static void
match_columns(struct net_stalls_scratch *w)
{
	size_t cap = 0, n = 0, kinds = w->net->n_kinds;

	w->first_to = mem_new_array(w->net->n_links * kinds, sizeof *w->first_to);
	for (size_t i = 0; i < w->net->n_links * kinds; i++) {
		const struct net_link *link = &w->net->link[i / kinds];
		size_t before = 0;

		w->first_to[i] = n;
		for (size_t d = 0; d < w->n && net_load_reported(w->plan, i / kinds, i % kinds); d++) {
			struct stall_origins there = stall_origins(w->sets, d, link->to, i % kinds),
					     here = stall_origins(w->sets, d, link->from, i % kinds);

			for (size_t x = 0, y = 0; x < there.n; x++) { /* both rise */
				while (here.at[y] != there.at[x])
					y++;
				mem_grow(&w->to, &cap, n + 1, sizeof *w->to);
				w->to[n++] = before + y;
			}
			before += here.n;
		}
	}
}

/* Allocates room for the owners of any module. */
static void
size_owners(struct net_stalls_scratch *w)
{
	size_t owners = 0, most = 0;

	for (size_t m = 0; m < w->net->n_modules; m++)
		for (size_t k = 0; k < w->net->n_kinds; k++) {
			size_t n = mix_width(w->columns[m * w->net->n_kinds + k].n), here = stalls_owners(w, m);

			owners = here > owners ? here : owners;
			most = n * (here + 1) > most ? n * (here + 1) : most;
		}
	w->sum = mem_new_array(owners, sizeof *w->sum);
	w->all = mem_new_array(owners, sizeof *w->all);
	w->inverse = mem_new_array(owners, sizeof *w->inverse);
	w->times = mem_new_array(owners, sizeof *w->times);
	w->price = mem_new_array(owners, sizeof *w->price);
	w->priced = mem_new_array(most, sizeof *w->priced);
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
	w->own = mem_new_array(n, sizeof(double *));
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
	place_columns(w);
	match_columns(w);
	size_owners(w);
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

double
net_stalls_from(const struct net_stalls *s, size_t module, size_t owner, size_t kind, size_t origin)
{
	size_t i = module * s->n_kinds + kind, owners = s->first[module + 1] - s->first[module];

	for (size_t x = s->first_origin[i]; x < s->first_origin[i + 1]; x++)
		if (s->origin[x] == origin)
			return s->from[s->first_from[i] + (x - s->first_origin[i]) * owners + owner];
	return 0;
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
	free(w->columns);
	free(w->from);
	free(w->first_from);
	free(w->to);
	free(w->first_to);
	free(w->sum);
	free(w->all);
	free(w->inverse);
	free(w->times);
	free(w->price);
	free(w->priced);
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
	free(stalls);
}

void
net_stalls_all_free(struct net_stalls **s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		net_stalls_free(s[i]);
	free(s);
}
