/* A diagram in the form that FDL can express. Every decision is on a named property, every edge out of a decision has
 * one value, and all other nodes are actions, counters and ends. Private to convert/fdl. */
#ifndef CONVERT_FDL_GRAPH_H
#define CONVERT_FDL_GRAPH_H

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
	FDL_IMPOSSIBLE, /* no µpath goes here; fdl_graph_prune() removes such nodes */
};

struct fdl_node {
	enum fdl_node_kind kind;
	uint32_t name;     /* action or counter: its number in the diagram or in the model */
	uint32_t amount;   /* counter: by how much it rises */
	/* switch: a property of the diagram; numbers from its n_properties on stand for decisions without a property,
	 * one for each */
	uint32_t property;
	uint32_t first_edge, n_edges;
	uint32_t origin;   /* node of the diagram */
};

struct fdl_edge {
	uint32_t to;
	uint32_t value; /* out of a switch: 1, 2, …; equal for equal values of one property */
	/* the value's text, which belongs to the diagram; "(other)" for a value without a name. The diagram must
	 * outlive the graph. */
	const char *text;
};

/* Nodes are in topological order. There is one root: if the diagram has several, node 0 decides between them by the
 * last property. */
struct fdl_graph {
	struct fdl_node *node;
	size_t n_nodes, cap_nodes;
	struct fdl_edge *edge;
	size_t n_edges, cap_edges;
	size_t n_properties;
	bool impossible; /* some node is FDL_IMPOSSIBLE */
};

struct fdl_graph *fdl_graph_new(const struct udd_diagram *);
void fdl_graph_free(struct fdl_graph *);

/* The states in which µpaths arrive at the nodes. A state is the values of the properties that are still needed from
 * there on; 0 if a property has no value yet. */
struct fdl_states {
	const struct fdl_graph *g;
	bool *live;                 /* node × property: whether it is still needed */
	struct fdl_state_table *at; /* per node; private */
	size_t cells;
};

/* All states; NULL when there are too many. */
struct fdl_states *fdl_states_new(const struct fdl_graph *);
void fdl_states_free(struct fdl_states *);
size_t fdl_states_count(const struct fdl_states *, uint32_t node);
const uint32_t *fdl_states_value(const struct fdl_states *, uint32_t node, size_t state); /* per property */
/* The state that the µpaths of a state have at the end of an edge out of its node. SIZE_MAX when none takes the
 * edge. */
size_t fdl_states_next(const struct fdl_states *, uint32_t node, size_t state, uint32_t edge);

/* Returns a graph of the same µpaths without FDL_IMPOSSIBLE. Each state of a node becomes a node, so no property is
 * decided twice. NULL when there are too many states. */
struct fdl_graph *fdl_graph_prune(const struct fdl_graph *);

#endif
