/* Builds the parts that stay the same for all snapshots: links by module, owners by the owner that they are part of,
 * and the values that expressions of each scope use.
 *
 * Parts of owners are stored as ranges of one array. Here sockets are the coarse scope and cores the fine one:
 *
 *     whole        0 0 0 1 1 1       the socket of each core
 *     first_part   0     3     6     where the cores of each socket begin in `part`
 *     part         0 1 2 3 4 5       cores sorted by socket */
#include "core/network/plan.h"

#include <stdlib.h>

#include "base/mem.h"

bool
net_shape_is_sound(const struct net_shape *s)
{
	static const enum scope whole[SCOPES] = {
		[SCOPE_THREAD] = SCOPE_CORE, [SCOPE_CORE] = SCOPE_SOCKET, [SCOPE_SLICE] = SCOPE_SOCKET,
		[SCOPE_CHANNEL] = SCOPE_SOCKET,
	};

	if (s->n[SCOPE_SYSTEM] != 1)
		return false;
	for (int k = SCOPE_THREAD; k <= SCOPE_CHANNEL; k++)
		for (size_t i = 0; i < s->n[k]; i++)
			if (!s->part_of[k] || s->part_of[k][i] >= s->n[whole[k]])
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

/* Sort links by the module at one end; ties stay in the network's order. */
static void
sort_links(const struct network *n, bool from, size_t **first, size_t **link)
{
	size_t *next = mem_new_array(n->n_modules + 1, sizeof *next);

	*link = mem_new_array(n->n_links, sizeof **link);
	for (size_t l = 0; l < n->n_links; l++)
		next[(from ? n->link[l].from : n->link[l].to) + 1]++;
	for (size_t m = 0; m < n->n_modules; m++)
		next[m + 1] += next[m];
	*first = mem_new_array(n->n_modules + 1, sizeof **first);
	for (size_t m = 0; m <= n->n_modules; m++)
		(*first)[m] = next[m];
	for (size_t l = 0; l < n->n_links; l++)
		(*link)[next[from ? n->link[l].from : n->link[l].to]++] = l;
	free(next);
}

static void
match_owners(struct net_plan *p, enum scope fine, enum scope coarse)
{
	size_t n_fine = p->shape->n[fine], n_coarse = p->shape->n[coarse];
	size_t *whole, *first, *part;

	if (p->whole[fine][coarse])
		return;
	whole = p->whole[fine][coarse] = mem_new_array(n_fine + 1, sizeof *whole);
	first = p->first_part[fine][coarse] = mem_new_array(n_coarse + 2, sizeof *first);
	part = p->part[fine][coarse] = mem_new_array(n_fine + 1, sizeof *part);
	for (size_t i = 0; i < n_fine; i++) {
		whole[i] = net_owner_within(p->shape, fine, i, coarse);
		first[whole[i] + 2]++;
	}
	for (size_t i = 0; i < n_coarse; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; i < n_fine; i++)
		part[first[whole[i] + 1]++] = i;
}

struct using {
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
	for (size_t i = 0; i < m->n_qos; i++)
		use_expression(u, m->qos[i].e);
	for (size_t k = 0; k < u->n->n_kinds; k++) {
		for (size_t i = 0; i < m->cell[k].n_hits; i++)
			use_expression(u, m->cell[k].hit[i].e);
		for (size_t f = 0; f < NET_FIELDS; f++)
			use_expression(u, m->cell[k].field[f]);
	}
}

static void
collect_uses(struct net_plan *p, enum scope per)
{
	const struct network *n = p->net;
	struct net_scope_use *u = &p->use[per];
	struct using using = {.n = n, .used = mem_new_array(n->n_values, sizeof(bool))};

	u->module = mem_new_array(n->n_modules, sizeof *u->module);
	for (size_t m = 0; m < n->n_modules; m++)
		if (n->module[m].per == per) {
			u->module[u->n_modules++] = m;
			use_module(&using, &n->module[m]);
			for (size_t l = 0; l < n->n_links; l++)
				for (size_t k = 0; k < n->n_kinds && n->link[l].from == m; k++)
					use_expression(&using, n->link[l].load[k]);
		}
	for (size_t i = 0; i < n->n_totals && per == SCOPE_SYSTEM; i++)
		use_expression(&using, n->total[i].e);
	for (size_t i = 0; i < n->n_laws && per == SCOPE_SYSTEM; i++) {
		use_expression(&using, n->law[i].left);
		use_expression(&using, n->law[i].right);
	}
	u->counter = mem_new_array(n->n_counters, sizeof *u->counter);
	u->cell = mem_new_array(n->n_values, sizeof *u->cell);
	u->own = mem_new_array(n->n_order, sizeof *u->own);
	u->what = mem_new_array(n->n_order, sizeof *u->what);
	for (size_t v = 0; v < n->n_values; v++)
		if (using.used[v] && v < n->n_counters)
			u->counter[u->n_counters++] = v;
		else if (using.used[v] && v >= n->n_counters + n->n_constants && v != net_value_of_elapsed(n) &&
			n->module[net_value(n, v).module].per != per)
			u->cell[u->n_cells++] = v;
	for (size_t i = 0; i < n->n_order; i++)
		if (n->module[net_value(n, n->order[i]).module].per == per) {
			u->what[u->n_own] = net_value(n, n->order[i]);
			u->own[u->n_own++] = n->order[i];
		}
	free(using.used);
}

struct net_plan *
net_plan_new(const struct network *n, const struct net_shape *shape)
{
	struct net_plan *p = mem_new(sizeof *p);
	size_t most = 0;

	p->net = n;
	p->shape = shape;
	p->first = mem_new_array(n->n_modules + 1, sizeof *p->first);
	for (size_t m = 0; m < n->n_modules; m++)
		p->first[m + 1] = p->first[m] + shape->n[n->module[m].per];
	sort_links(n, true, &p->first_out, &p->out);
	sort_links(n, false, &p->first_in, &p->in);
	for (int k = 0; k < SCOPES; k++)
		most = shape->n[k] > most ? shape->n[k] : most;
	p->count = mem_new_array(most, sizeof *p->count);
	for (size_t i = 0; i < most; i++)
		p->count[i] = i;
	for (size_t l = 0; l < n->n_links; l++) {
		enum scope from = n->module[n->link[l].from].per, to = n->module[n->link[l].to].per;

		if (scope_within(from, to))
			match_owners(p, from, to);
		else if (scope_within(to, from))
			match_owners(p, to, from);
	}
	for (int k = 0; k < SCOPES; k++)
		collect_uses(p, (enum scope)k);
	return p;
}

void
net_plan_free(struct net_plan *p)
{
	if (!p)
		return;
	for (int k = 0; k < SCOPES; k++) {
		free(p->use[k].counter);
		free(p->use[k].cell);
		free(p->use[k].own);
		free(p->use[k].what);
		free(p->use[k].module);
	}
	for (int a = 0; a < SCOPES; a++)
		for (int b = 0; b < SCOPES; b++) {
			free(p->whole[a][b]);
			free(p->first_part[a][b]);
			free(p->part[a][b]);
		}
	free(p->first);
	free(p->first_out);
	free(p->out);
	free(p->first_in);
	free(p->in);
	free(p->count);
	free(p);
}

bool
net_load_reported(const struct net_plan *p, size_t link, size_t kind)
{
	const struct net_link *l = &p->net->link[link];

	return l->load[kind] ||
		(net_links_from(p, l->from).n == 1 && p->net->module[l->from].cell[kind].field[NET_MISS]);
}
