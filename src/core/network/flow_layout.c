/* Finds which counters of a network cores have, and where the requests end that they count (flow_layout.h).
 *
 *     1. If a hit at a destination is a counter or a sum of counters, each of them counts requests that end there.
 *     2. The hits of all kinds at a destination are added up, and parts cancel out. A counter that remains, once,
 *        counts requests that end there.
 *     3. If hits at a destination have no counters of tasks, the loads of links to it take their place.
 *
 * A counter that is found at two destinations identifies neither (struct ends). */
#include "core/network/flow_layout.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
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

/* For each counter of the network, the module where all requests that it counts end. */
struct ends {
	const struct network *n;
	size_t *at;   /* per counter: a module; FLOW_NOWHERE: unknown */
	bool *torn;   /* per counter: it is part of sums of several modules */
};

static bool
is_sum(const struct aexpr *e, size_t n_counters)
{
	if (e->op == AEXPR_ADD)
		return is_sum(e->arg[0], n_counters) && is_sum(e->arg[1], n_counters);
	return e->op == AEXPR_NAME && e->index < n_counters;
}

static void
end_here(struct ends *x, size_t counter, size_t destination)
{
	x->torn[counter] |= x->at[counter] != FLOW_NOWHERE && x->at[counter] != destination;
	x->at[counter] = destination;
}

static void
end_at(struct ends *x, const struct aexpr *e, size_t destination)
{
	if (e->op == AEXPR_ADD) {
		end_at(x, e->arg[0], destination);
		end_at(x, e->arg[1], destination);
		return;
	}
	end_here(x, e->index, destination);
}

static void
use_hits(struct ends *x, size_t module, size_t destination)
{
	for (size_t k = 0; k < x->n->n_kinds; k++) {
		const struct net_cell *c = &x->n->module[module].cell[k];

		for (size_t i = 0; i < c->n_hits; i++)
			if (is_sum(c->hit[i].e, x->n->n_counters))
				end_at(x, c->hit[i].e, destination);
	}
}

/* --- hits of all kinds together ---
 *
 * Parts that one kind takes from another cancel out. `start + min(a, b)` of one kind and `ahead - min(a, b)` of
 * another make start + ahead, and each of these counts is a request that ends there. So all hits of a module are
 * written as a sum of counters and of terms that are not sums. Two terms are the same if they print alike. */

#define EXPAND_MOST 32 /* nested values of modules */

struct term {
	char *text;
	double times;
	bool of_others; /* uses a counter that is not per task or core: requests of the whole machine */
};

struct linear {
	const struct network *n;
	double *times; /* per counter */
	struct term *term;
	size_t n_terms, cap;
};

static bool
is_own(const struct network *n, size_t counter)
{
	const struct counter_item *item = &n->counter[counter];

	return !item->of_pairs && (item->scope == SCOPE_TASK || scope_within(item->scope, SCOPE_CORE));
}

struct scope_search {
	const struct network *n;
	bool found;
};

static void
match_others(void *ctx, const struct aexpr *name)
{
	struct scope_search *l = ctx;

	if (name->index < l->n->n_counters)
		l->found |= !is_own(l->n, name->index);
}

static void
flow_layout_add_term(struct linear *linear, const struct aexpr *aexpr, double times)
{
	struct scope_search search = {.n = linear->n};
	struct str text = {0};
	size_t i = 0;

	aexpr_print(aexpr, &text);
	while (i < linear->n_terms && !str_eq(linear->term[i].text, str_text(&text)))
		i++;
	if (i == linear->n_terms) {
		aexpr_each_name(aexpr, match_others, &search);
		mem_grow(&linear->term, &linear->cap, i + 1, sizeof *linear->term);
		linear->term[linear->n_terms++] = (struct term){
			.text = mem_str(str_text(&text)), .of_others = search.found};
	}
	linear->term[i].times += times;
	str_free(&text);
}

static void add_expression(struct linear *, const struct aexpr *, double times, unsigned depth);

/* Adds a value of another module that the expression uses. */
static void
flow_layout_add_value(struct linear *linear, const struct aexpr *aexpr, double times, unsigned depth)
{
	struct net_value v;
	const struct net_cell *cell;

	if (!net_value_is_of_cell(linear->n, aexpr->index) || depth == EXPAND_MOST) {
		flow_layout_add_term(linear, aexpr, times);
		return;
	}
	v = net_value(linear->n, aexpr->index);
	cell = &linear->n->module[v.module].cell[v.kind];
	if (cell->state != NET_CELL_REPORTED || (v.field == NET_FIELDS ? cell->n_hits == 0 : !cell->field[v.field])) {
		flow_layout_add_term(linear, aexpr, times);
		return;
	}
	if (v.field != NET_FIELDS)
		add_expression(linear, cell->field[v.field], times, depth + 1);
	for (size_t i = 0; i < cell->n_hits && v.field == NET_FIELDS; i++)
		add_expression(linear, cell->hit[i].e, times, depth + 1);
}

static void
add_expression(struct linear *linear, const struct aexpr *aexpr, double times, unsigned depth)
{
	switch (aexpr->op) {
	case AEXPR_ADD:
	case AEXPR_SUBTRACT:
		add_expression(linear, aexpr->arg[0], times, depth);
		add_expression(linear, aexpr->arg[1], aexpr->op == AEXPR_ADD ? times : -times, depth);
		return;
	case AEXPR_NEGATE:
		add_expression(linear, aexpr->arg[0], -times, depth);
		return;
	case AEXPR_NAME:
		if (aexpr->index < linear->n->n_counters)
			linear->times[aexpr->index] += times;
		else
			flow_layout_add_value(linear, aexpr, times, depth);
		return;
	case AEXPR_NUMBER:
	case AEXPR_OWNERS:
	case AEXPR_TIMES:
	case AEXPR_DIVIDE:
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_RATIO:
	case AEXPR_IF:
	case AEXPR_EITHER:
	case AEXPR_LESS:
	case AEXPR_COUNTED:
		flow_layout_add_term(linear, aexpr, times);
		return;
	}
}

static bool
has_terms_of_tasks(const struct linear *l)
{
	for (size_t i = 0; i < l->n_terms; i++)
		if (l->term[i].times != 0 && !l->term[i].of_others)
			return true;
	return false;
}

static void
use_all_hits(struct ends *ends, size_t module, size_t destination)
{
	struct linear l = {.n = ends->n, .times = mem_new_array(ends->n->n_counters, sizeof *l.times)};

	for (size_t k = 0; k < ends->n->n_kinds; k++)
		for (size_t i = 0; i < ends->n->module[module].cell[k].n_hits; i++)
			add_expression(&l, ends->n->module[module].cell[k].hit[i].e, 1, 0);
	for (size_t c = 0; c < ends->n->n_counters && !has_terms_of_tasks(&l); c++)
		if (l.times[c] == 1 && is_own(ends->n, c))
			end_here(ends, c, destination);
	for (size_t i = 0; i < l.n_terms; i++)
		free(l.term[i].text);
	free(l.term);
	free(l.times);
}

/* If hits give no destination for tasks' requests, use the loads of links to the module. */
static void
use_links(struct ends *x, size_t module, size_t destination)
{
	for (size_t c = 0; c < x->n->n_counters; c++)
		if (x->at[c] == destination && is_own(x->n, c))
			return;
	for (size_t i = 0; i < x->n->n_links; i++)
		for (size_t k = 0; k < x->n->n_kinds && x->n->link[i].to == module; k++)
			if (x->n->link[i].load && x->n->link[i].load[k] &&
				is_sum(x->n->link[i].load[k], x->n->n_counters))
				end_at(x, x->n->link[i].load[k], destination);
}

struct flow_layout *
flow_layout_new(const struct network *network, unsigned width)
{
	struct flow_layout *layout = mem_new(sizeof *layout);
	struct ends x = {.n = network,
		.at = mem_new_array(network->n_counters, sizeof *x.at),
		.torn = mem_new_array(network->n_counters, sizeof *x.torn)};

	for (size_t c = 0; c < network->n_counters; c++)
		x.at[c] = FLOW_NOWHERE;
	layout->destination = mem_new_array(network->n_modules, sizeof *layout->destination);
	for (size_t m = 0; m < network->n_modules; m++)
		if (is_destination(network, m)) {
			use_hits(&x, m, layout->n_destinations);
			use_all_hits(&x, m, layout->n_destinations);
			use_links(&x, m, layout->n_destinations);
			layout->destination[layout->n_destinations++] = m;
		}
	layout->counter = mem_new_array(network->n_counters, sizeof *layout->counter);
	layout->number = mem_new_array(network->n_counters, sizeof *layout->number);
	for (size_t c = 0; c < network->n_counters; c++)
		if (!network->counter[c].unresolved && is_own(network, c)) {
			layout->counter[layout->n_counters] = (struct flow_counter){
				.width = width, .destination = x.torn[c] ? FLOW_NOWHERE : x.at[c],
				.weighs = unit_equal(network->counter[c].unit, unit_of(UNIT_REQUESTS))};
			layout->number[layout->n_counters++] = c;
		}
	free(x.at);
	free(x.torn);
	return layout;
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
