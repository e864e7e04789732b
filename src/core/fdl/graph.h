/* A diagram as FDL could say it: every decision is on a property of its own name, every edge out of one has one
 * value, and nothing else is left but actions, counters and ends. Private to core/fdl. */
#ifndef CORE_FDL_GRAPH_H
#define CORE_FDL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct udd_diagram;

enum fdl_node_kind {
	FDL_PASS,       /* nothing happens */
	FDL_ACTION,
	FDL_COUNTER,
	FDL_SWITCH,
	FDL_DONE,
	FDL_IMPOSSIBLE, /* no µpath goes here; fdl_graph_prune() takes them out */
};

struct fdl_node {
	enum fdl_node_kind kind;
	uint32_t name;     /* action or counter: its number in the diagram, or the model */
	uint32_t amount;   /* counter */
	uint32_t property; /* switch; those of the diagram, from its n_properties on one for each decision without */
	uint32_t first_edge, n_edges;
	uint32_t origin;   /* node of the diagram */
};

struct fdl_edge {
	uint32_t to;
	uint32_t value; /* out of a switch: 1, 2, …, equal for equal values of one property */
	const char *text; /* … as the diagram, which must outlive it, has it. "(other)": a value that has no name */
};

/* Nodes stand in topological order. One root: where the diagram has several, node 0 decides between them, on the
 * last property. */
struct fdl_graph {
	struct fdl_node *node;
	size_t n_nodes, cap_nodes;
	struct fdl_edge *edge;
	size_t n_edges, cap_edges;
	size_t n_properties;
	bool impossible; /* some node is */
};

struct fdl_graph *fdl_graph_new(const struct udd_diagram *);
void fdl_graph_free(struct fdl_graph *);

/* States in which µpaths come to the nodes: the values of the properties that are asked for from there on, 0 for
 * those that have none yet. */
struct fdl_states {
	const struct fdl_graph *g;
	bool *live;              /* node × property */
	struct fdl_state_table *at; /* per node; private */
	size_t cells;
};

/* All of them; NULL where there are too many to go through. */
struct fdl_states *fdl_states_new(const struct fdl_graph *);
void fdl_states_free(struct fdl_states *);
size_t fdl_states_count(const struct fdl_states *, uint32_t node);
const uint32_t *fdl_states_value(const struct fdl_states *, uint32_t node, size_t state); /* per property */
/* Where µpaths of a state get to along an edge out of its node: the state of the edge's end; SIZE_MAX where none
 * takes it. */
size_t fdl_states_next(const struct fdl_states *, uint32_t node, size_t state, uint32_t edge);

/* The same µpaths without what is impossible, each state of a node a node of its own, so that a decision that was
 * made is not asked for again. NULL where there are too many states. */
struct fdl_graph *fdl_graph_prune(const struct fdl_graph *);

#endif
