/* Computes the states in which µpaths arrive at the nodes of a graph. Hand-written flows have some hundred. When there
 * are very many, the computation is abandoned. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "convert/fdl/graph.h"

#define CELLS_MAX ((size_t)1 << 25) /* states times properties, and nodes times properties */

/* The distinct states of one node. */
struct fdl_state_table {
	struct names keys;
	uint32_t *value; /* n × properties */
	size_t cap;
};

static void
find_live(struct fdl_states *s)
{
	const struct fdl_graph *g = s->g;
	size_t n = g->n_properties;

	for (uint32_t v = (uint32_t)g->n_nodes; v-- > 0;) {
		bool *live = &s->live[v * n];

		for (uint32_t e = g->node[v].first_edge; e < g->node[v].first_edge + g->node[v].n_edges; e++)
			for (size_t p = 0; p < n; p++)
				live[p] |= s->live[g->edge[e].to * n + p];
		if (g->node[v].kind == FDL_SWITCH)
			live[g->node[v].property] = true;
	}
}

/* Writes the live values as a text that differs for each state of the node. */
static void
add_key(const struct fdl_states *s, uint32_t node, const uint32_t *value, struct str *key)
{
	size_t n = s->g->n_properties;

	for (size_t p = 0; p < n; p++)
		if (s->live[node * n + p])
			str_addf(key, "%x ", value[p]);
}

/* Adds a state to a node; false when there are too many. */
static bool
states_arrive(struct fdl_states *s, uint32_t node, const uint32_t *value)
{
	struct fdl_state_table *t = &s->at[node];
	size_t known = t->keys.n, n = s->g->n_properties, i;
	struct str key = {0};

	add_key(s, node, value, &key);
	i = names_add(&t->keys, str_text(&key), key.n);
	str_free(&key);
	if (i < known)
		return true;
	mem_grow(&t->value, &t->cap, (i + 1) * n + 1, sizeof *t->value);
	for (size_t p = 0; p < n; p++)
		t->value[i * n + p] = s->live[node * n + p] ? value[p] : 0;
	s->cells += n + 8;
	return s->cells < CELLS_MAX;
}

/* Whether a µpath in this state takes the edge; `after` gets its values then. */
static bool
states_take(const struct fdl_states *s, uint32_t node, const uint32_t *value, uint32_t edge, uint32_t *after)
{
	const struct fdl_node *v = &s->g->node[node];

	if (s->g->n_properties)
		memcpy(after, value, s->g->n_properties * sizeof *after);
	if (v->kind != FDL_SWITCH)
		return true;
	if (after[v->property] == 0)
		after[v->property] = s->g->edge[edge].value;
	return after[v->property] == s->g->edge[edge].value;
}

static bool
states_walk(struct fdl_states *s)
{
	const struct fdl_graph *g = s->g;
	uint32_t *after = mem_new_array(g->n_properties, sizeof *after);
	bool good = states_arrive(s, 0, after);

	for (uint32_t n = 0; n < g->n_nodes; n++)
		for (size_t i = 0; i < s->at[n].keys.n; i++)
			for (uint32_t e = g->node[n].first_edge;
				e < g->node[n].first_edge + g->node[n].n_edges && good; e++)
				if (states_take(s, n, &s->at[n].value[i * g->n_properties], e, after))
					good = states_arrive(s, g->edge[e].to, after);
	free(after);
	return good;
}

struct fdl_states *
fdl_states_new(const struct fdl_graph *g)
{
	struct fdl_states *s;

	if (g->n_properties && g->n_nodes > CELLS_MAX / g->n_properties)
		return NULL;
	s = mem_new(sizeof *s);
	s->g = g;
	s->live = mem_new_array(g->n_nodes, g->n_properties * sizeof *s->live);
	s->at = mem_new_array(g->n_nodes, sizeof *s->at);
	find_live(s);
	if (states_walk(s))
		return s;
	fdl_states_free(s);
	return NULL;
}

void
fdl_states_free(struct fdl_states *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->g->n_nodes; i++) {
		names_free(&s->at[i].keys);
		free(s->at[i].value);
	}
	free(s->at);
	free(s->live);
	free(s);
}

size_t
fdl_states_count(const struct fdl_states *s, uint32_t node)
{
	return s->at[node].keys.n;
}

const uint32_t *
fdl_states_value(const struct fdl_states *s, uint32_t node, size_t state)
{
	return &s->at[node].value[state * s->g->n_properties];
}

size_t
fdl_states_next(const struct fdl_states *s, uint32_t node, size_t state, uint32_t edge)
{
	uint32_t *after = mem_new_array(s->g->n_properties, sizeof *after), to = s->g->edge[edge].to;
	struct str key = {0};
	size_t next = SIZE_MAX;

	if (states_take(s, node, fdl_states_value(s, node, state), edge, after)) {
		add_key(s, to, after, &key);
		next = names_find(&s->at[to].keys, str_text(&key), key.n);
	}
	str_free(&key);
	free(after);
	return next;
}
