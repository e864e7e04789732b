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
find_live(struct fdl_states *states)
{
	const struct fdl_graph *graph = states->g;
	size_t n = graph->n_properties;

	for (uint32_t v = (uint32_t)graph->n_nodes; v-- > 0;) {
		bool *live = &states->live[v * n];

		for (uint32_t e = graph->node[v].first_edge; e < graph->node[v].first_edge + graph->node[v].n_edges;
			e++)
			for (size_t p = 0; p < n; p++)
				live[p] |= states->live[graph->edge[e].to * n + p];
		if (graph->node[v].kind == FDL_SWITCH)
			live[graph->node[v].property] = true;
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
states_arrive(struct fdl_states *states, uint32_t node, const uint32_t *value)
{
	struct fdl_state_table *table = &states->at[node];
	size_t known = table->keys.n, n = states->g->n_properties, i;
	struct str key = {0};

	add_key(states, node, value, &key);
	i = names_add(&table->keys, str_text(&key), key.n);
	str_free(&key);
	if (i < known)
		return true;
	mem_grow(&table->value, &table->cap, (i + 1) * n + 1, sizeof *table->value);
	for (size_t p = 0; p < n; p++)
		table->value[i * n + p] = states->live[node * n + p] ? value[p] : 0;
	states->cells += n + 8;
	return states->cells < CELLS_MAX;
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
states_walk(struct fdl_states *states)
{
	const struct fdl_graph *graph = states->g;
	uint32_t *after = mem_new_array(graph->n_properties, sizeof *after);
	bool good = states_arrive(states, 0, after);

	for (uint32_t n = 0; n < graph->n_nodes; n++)
		for (size_t i = 0; i < states->at[n].keys.n; i++)
			for (uint32_t e = graph->node[n].first_edge;
				e < graph->node[n].first_edge + graph->node[n].n_edges && good; e++)
				if (states_take(states, n, &states->at[n].value[i * graph->n_properties], e, after))
					good = states_arrive(states, graph->edge[e].to, after);
	free(after);
	return good;
}

struct fdl_states *
fdl_states_new(const struct fdl_graph *graph)
{
	struct fdl_states *states;

	if (graph->n_properties && graph->n_nodes > CELLS_MAX / graph->n_properties)
		return NULL;
	states = mem_new(sizeof *states);
	states->g = graph;
	states->live = mem_new_array(graph->n_nodes, graph->n_properties * sizeof *states->live);
	states->at = mem_new_array(graph->n_nodes, sizeof *states->at);
	find_live(states);
	if (states_walk(states))
		return states;
	fdl_states_free(states);
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
fdl_states_next(const struct fdl_states *states, uint32_t node, size_t state, uint32_t edge)
{
	uint32_t *after = mem_new_array(states->g->n_properties, sizeof *after), to = states->g->edge[edge].to;
	struct str key = {0};
	size_t next = SIZE_MAX;

	if (states_take(states, node, fdl_states_value(states, node, state), edge, after)) {
		add_key(states, to, after, &key);
		next = names_find(&states->at[to].keys, str_text(&key), key.n);
	}
	str_free(&key);
	free(after);
	return next;
}
