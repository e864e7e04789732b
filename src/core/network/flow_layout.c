#include "core/network/flow_layout.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core/network/network.h"

static bool
is_destination(const struct network *n, size_t module)
{
	bool in = false;

	for (size_t l = 0; l < n->n_links; l++) {
		if (n->link[l].from == module)
			return false;
		in |= n->link[l].to == module;
	}
	return in && !scope_within(n->module[module].per, SCOPE_CORE);
}

/* Of the network's counters: where all that it counts ends. */
struct ends {
	const struct network *n;
	size_t *at;   /* per counter; FLOW_NOWHERE */
	bool *torn;   /* … it stands in sums of several */
};

static bool
is_sum(const struct aexpr *e, size_t n_counters)
{
	if (e->op == AEXPR_ADD)
		return is_sum(e->arg[0], n_counters) && is_sum(e->arg[1], n_counters);
	return e->op == AEXPR_NAME && e->index < n_counters;
}

static void
end_at(struct ends *x, const struct aexpr *e, size_t destination)
{
	if (e->op == AEXPR_ADD) {
		end_at(x, e->arg[0], destination);
		end_at(x, e->arg[1], destination);
		return;
	}
	x->torn[e->index] |= x->at[e->index] != FLOW_NOWHERE && x->at[e->index] != destination;
	x->at[e->index] = destination;
}

static void
look_at_hits(struct ends *x, size_t module, size_t destination)
{
	for (size_t k = 0; k < x->n->n_kinds; k++) {
		const struct net_cell *c = &x->n->module[module].cell[k];

		for (size_t i = 0; i < c->n_hits; i++)
			if (is_sum(c->hit[i].e, x->n->n_counters))
				end_at(x, c->hit[i].e, destination);
	}
}

struct flow_layout *
flow_layout_new(const struct network *n, unsigned width)
{
	struct flow_layout *f = mem_new(sizeof *f);
	struct ends x = {.n = n, .at = mem_new_array(n->n_counters, sizeof *x.at), .torn = mem_new_array(n->n_counters, sizeof *x.torn)};

	for (size_t c = 0; c < n->n_counters; c++)
		x.at[c] = FLOW_NOWHERE;
	f->destination = mem_new_array(n->n_modules, sizeof *f->destination);
	for (size_t m = 0; m < n->n_modules; m++)
		if (is_destination(n, m)) {
			look_at_hits(&x, m, f->n_destinations);
			f->destination[f->n_destinations++] = m;
		}
	f->counter = mem_new_array(n->n_counters, sizeof *f->counter);
	f->number = mem_new_array(n->n_counters, sizeof *f->number);
	for (size_t c = 0; c < n->n_counters; c++)
		if (!n->counter[c].unresolved && (scope_within(n->counter[c].scope, SCOPE_CORE) || n->counter[c].scope == SCOPE_TASK)) {
			f->counter[f->n_counters] = (struct flow_counter){
				.width = width, .destination = x.torn[c] ? FLOW_NOWHERE : x.at[c], .weighs = unit_equal(n->counter[c].unit, unit_of(UNIT_REQUESTS))};
			f->number[f->n_counters++] = c;
		}
	free(x.at);
	free(x.torn);
	return f;
}

void
flow_layout_free(struct flow_layout *f)
{
	if (!f)
		return;
	free(f->counter);
	free(f->number);
	free(f->destination);
	free(f);
}
