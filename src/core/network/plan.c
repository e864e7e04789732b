#include "core/network/plan.h"

#include <stdlib.h>

#include "base/mem.h"

/* Links by the module at one end, in the network's order. */
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
	size_t fines = p->shape->n[fine], coarses = p->shape->n[coarse];
	size_t *whole, *first, *part;

	if (p->whole[fine][coarse])
		return;
	whole = p->whole[fine][coarse] = mem_new_array(fines + 1, sizeof *whole);
	first = p->first_part[fine][coarse] = mem_new_array(coarses + 2, sizeof *first);
	part = p->part[fine][coarse] = mem_new_array(fines + 1, sizeof *part);
	for (size_t i = 0; i < fines; i++) {
		whole[i] = net_owner_within(p->shape, fine, i, coarse);
		first[whole[i] + 2]++;
	}
	for (size_t i = 0; i < coarses; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; i < fines; i++)
		part[first[whole[i] + 1]++] = i;
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
	return p;
}

void
net_plan_free(struct net_plan *p)
{
	if (!p)
		return;
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
