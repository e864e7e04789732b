/* Builds the parts that stay the same for all snapshots: links by module, owners by the owner that they are part of,
 * and the values that expressions of each scope use.
 *
 * Parts of owners are stored as ranges of one array. Here sockets are the coarse scope and cores the fine one:
 *
 *     whole        0 0 0 1 1 1       the socket of each core
 *     first_part   0     3     6     where the cores of each socket begin in `part`
 *     part         0 1 2 3 4 5       cores sorted by socket */
#include "core/network/plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

bool
net_shape_is_sound(const struct net_shape *shape)
{
	static const enum scope whole[SCOPES] = {
		[SCOPE_THREAD] = SCOPE_CORE,
		[SCOPE_CORE] = SCOPE_SOCKET,
		[SCOPE_SLICE] = SCOPE_SOCKET,
		[SCOPE_CHANNEL] = SCOPE_SOCKET,
	};

	if (shape->n[SCOPE_SYSTEM] != 1)
		return false;
	for (int k = SCOPE_THREAD; k <= SCOPE_CHANNEL; k++)
		for (size_t i = 0; i < shape->n[k]; i++)
			if (!shape->part_of[k] || shape->part_of[k][i] >= shape->n[whole[k]])
				return false;
	return true;
}

size_t
net_owner_within(const struct net_shape *s, enum scope fine, size_t i, enum scope coarse)
{
	if (fine == coarse)
		return i;
	if (coarse == SCOPE_SYSTEM)
		return 0;
	if (fine == SCOPE_THREAD && coarse == SCOPE_SOCKET)
		return s->part_of[SCOPE_CORE][s->part_of[SCOPE_THREAD][i]];
	return s->part_of[fine][i];
}

double
net_owners_number(const struct net_shape *shape, enum scope per, size_t owner, enum scope counted)
{
	enum scope both = SCOPE_SYSTEM;
	size_t within, n = 0;

	if (shape->unknown[counted])
		return NAN;
	if (scope_within(per, counted))
		return 1;
	if (scope_within(counted, per))
		both = per;
	else if (scope_within(counted, SCOPE_SOCKET) && scope_within(per, SCOPE_SOCKET))
		both = SCOPE_SOCKET;
	within = net_owner_within(shape, per, owner, both);
	for (size_t i = 0; i < shape->n[counted]; i++)
		n += net_owner_within(shape, counted, i, both) == within;
	return (double)n;
}

/* Sort links by the module at one end; ties stay in the network's order. */
static void
sort_links(const struct network *network, bool from, size_t **first, size_t **link)
{
	size_t *next = mem_new_array(network->n_modules + 1, sizeof *next);

	*link = mem_new_array(network->n_links, sizeof **link);
	for (size_t l = 0; l < network->n_links; l++)
		next[(from ? network->link[l].from : network->link[l].to) + 1]++;
	for (size_t m = 0; m < network->n_modules; m++)
		next[m + 1] += next[m];
	*first = mem_new_array(network->n_modules + 1, sizeof **first);
	for (size_t m = 0; m <= network->n_modules; m++)
		(*first)[m] = next[m];
	for (size_t l = 0; l < network->n_links; l++)
		(*link)[next[from ? network->link[l].from : network->link[l].to]++] = l;
	free(next);
}

static void
match_owners(struct net_plan *plan, enum scope fine, enum scope coarse)
{
	size_t n_fine = plan->shape->n[fine], n_coarse = plan->shape->n[coarse];
	size_t *whole, *first, *part;

	if (plan->whole[fine][coarse])
		return;
	whole = plan->whole[fine][coarse] = mem_new_array(n_fine + 1, sizeof *whole);
	first = plan->first_part[fine][coarse] = mem_new_array(n_coarse + 2, sizeof *first);
	part = plan->part[fine][coarse] = mem_new_array(n_fine + 1, sizeof *part);
	for (size_t i = 0; i < n_fine; i++) {
		whole[i] = net_owner_within(plan->shape, fine, i, coarse);
		first[whole[i] + 2]++;
	}
	for (size_t i = 0; i < n_coarse; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; i < n_fine; i++)
		part[first[whole[i] + 1]++] = i;
}

struct using
{
	const struct network *n;
	bool *used; /* n_values */
};

static void
use_name(void *ctx, const struct aexpr *name)
{
	struct using *u = ctx;

	u->used[name->index] = true;
}

static void
use_expression(struct using *u, const struct aexpr *e)
{
	if (e)
		aexpr_each_name(e, use_name, u);
}

static void
use_module(struct using *u, const struct net_module *m)
{
	use_expression(u, m->clock);
	use_expression(u, m->frequency);
	for (size_t i = 0; i < m->n_qos; i++)
		use_expression(u, m->qos[i].e);
	for (size_t k = 0; k < u->n->n_kinds; k++) {
		for (size_t i = 0; i < m->cell[k].n_hits; i++)
			use_expression(u, m->cell[k].hit[i].e);
		for (size_t f = 0; f < NET_FIELDS; f++)
			use_expression(u, m->cell[k].field[f]);
	}
}

/* Returns owners(counted) for each owner of scope `per`. */
static double *
count_owners(const struct net_shape *shape, enum scope per, enum scope counted)
{
	double *number = mem_new_array(shape->n[per], sizeof *number);

	for (size_t o = 0; o < shape->n[per]; o++)
		number[o] = net_owners_number(shape, per, o, counted);
	return number;
}

static void
collect_uses(struct net_plan *plan, enum scope per)
{
	const struct network *network = plan->net;
	struct net_scope_use *use = &plan->use[per];
	struct using using = {.n = network, .used = mem_new_array(network->n_values, sizeof(bool))};

	use->module = mem_new_array(network->n_modules, sizeof *use->module);
	for (size_t m = 0; m < network->n_modules; m++)
		if (network->module[m].per == per) {
			use->module[use->n_modules++] = m;
			use_module(&using, &network->module[m]);
			for (size_t l = 0; l < network->n_links; l++)
				for (size_t k = 0; k < network->n_kinds && network->link[l].from == m; k++)
					use_expression(&using, network->link[l].load[k]);
		}
	for (size_t i = 0; i < network->n_totals && per == SCOPE_SYSTEM; i++)
		use_expression(&using, network->total[i].e);
	for (size_t i = 0; i < network->n_laws && per == SCOPE_SYSTEM; i++) {
		use_expression(&using, network->law[i].left);
		use_expression(&using, network->law[i].right);
	}
	use->counter = mem_new_array(network->n_counters, sizeof *use->counter);
	use->cell = mem_new_array(network->n_values, sizeof *use->cell);
	use->own = mem_new_array(network->n_order, sizeof *use->own);
	use->what = mem_new_array(network->n_order, sizeof *use->what);
	for (size_t v = 0; v < network->n_values; v++)
		if (using.used[v] && v < network->n_counters)
			use->counter[use->n_counters++] = v;
		else if (using.used[v] && net_value_is_of_cell(network, v) &&
			network->module[net_value(network, v).module].per != per)
			use->cell[use->n_cells++] = v;
	for (size_t i = 0; i < use->n_counters; i++)
		match_owners(plan, network->counter[use->counter[i]].scope, per);
	for (size_t i = 0; i < use->n_cells; i++)
		match_owners(plan, network->module[net_value(network, use->cell[i]).module].per, per);
	for (int s = 0; s < SCOPES; s++)
		if (using.used[net_value_of_owners(network, (enum scope)s)])
			use->owners[s] = count_owners(plan->shape, per, (enum scope)s);
	for (size_t i = 0; i < network->n_order; i++)
		if (network->module[net_value(network, network->order[i]).module].per == per) {
			use->what[use->n_own] = net_value(network, network->order[i]);
			use->own[use->n_own++] = network->order[i];
		}
	free(using.used);
}

struct net_plan *
net_plan_new(const struct network *network, const struct net_shape *shape)
{
	struct net_plan *plan = mem_new(sizeof *plan);
	size_t most = 0;

	plan->net = network;
	plan->shape = shape;
	plan->first = mem_new_array(network->n_modules + 1, sizeof *plan->first);
	for (size_t m = 0; m < network->n_modules; m++)
		plan->first[m + 1] = plan->first[m] + shape->n[network->module[m].per];
	sort_links(network, true, &plan->first_out, &plan->out);
	sort_links(network, false, &plan->first_in, &plan->in);
	plan->reported = mem_new_array(network->n_links * network->n_kinds, sizeof *plan->reported);
	for (size_t l = 0; l < network->n_links; l++)
		for (size_t k = 0; k < network->n_kinds; k++)
			plan->reported[l * network->n_kinds + k] = net_load_given(network, l, k);
	plan->in_cycles = mem_new_array(network->n_modules, sizeof *plan->in_cycles);
	for (size_t m = 0; m < network->n_modules; m++)
		plan->in_cycles[m] = network->module[m].clock &&
			unit_equal(network->module[m].clock->unit, unit_of(UNIT_CYCLES));
	for (int k = 0; k < SCOPES; k++)
		most = shape->n[k] > most ? shape->n[k] : most;
	plan->count = mem_new_array(most, sizeof *plan->count);
	for (size_t i = 0; i < most; i++)
		plan->count[i] = i;
	for (size_t l = 0; l < network->n_links; l++) {
		enum scope from = network->module[network->link[l].from].per,
			   to = network->module[network->link[l].to].per;

		if (scope_within(from, to))
			match_owners(plan, from, to);
		else if (scope_within(to, from))
			match_owners(plan, to, from);
	}
	for (int k = 0; k < SCOPES; k++)
		collect_uses(plan, (enum scope)k);
	return plan;
}

void
net_plan_free(struct net_plan *plan)
{
	if (!plan)
		return;
	for (int k = 0; k < SCOPES; k++) {
		free(plan->use[k].counter);
		free(plan->use[k].cell);
		free(plan->use[k].own);
		free(plan->use[k].what);
		free(plan->use[k].module);
		for (int s = 0; s < SCOPES; s++)
			free(plan->use[k].owners[s]);
	}
	for (int a = 0; a < SCOPES; a++)
		for (int b = 0; b < SCOPES; b++) {
			free(plan->whole[a][b]);
			free(plan->first_part[a][b]);
			free(plan->part[a][b]);
		}
	free(plan->first);
	free(plan->first_out);
	free(plan->out);
	free(plan->first_in);
	free(plan->in);
	free(plan->count);
	free(plan->reported);
	free(plan->in_cycles);
	free(plan);
}
