/* A picture of a µDD in the style of a paper. Decisions are diamonds with a label on each outgoing edge, counters are
 * pills in the accent colour, events are boxes, `both` lies between bars, a µpath ends in a dot, and happens-before is
 * dashed. Time flows down. After the figures of CounterPoint (Lindsay et al., ASPLOS 2026). */
#ifndef DRAW_DAG_SVG_H
#define DRAW_DAG_SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/layered.h"

struct err;
struct str;
struct theme;
struct udd_diagram;

#define DAG_NODES_MAX 4000 /* most nodes of the diagram; a larger picture is illegible */

enum dag_kind { DAG_ROOT, DAG_EVENT, DAG_COUNT, DAG_DECISION, DAG_LABEL, DAG_BAR, DAG_DONE, DAG_IMPOSSIBLE };

/* The nodes of the picture: layered.node[i] places nodes[i]. */
struct dag_node {
	enum dag_kind kind;
	size_t node; /* node of the diagram; for DAG_LABEL the edge, for DAG_ROOT the root */
	char *text;  /* owned; "" for none */
};

struct dag {
	struct layered layered; /* edges: soft are happens-before, the others causality */
	struct dag_node *node;
	size_t cap_nodes, cap_nodes_layered, cap_edges;
};

/* Makes the contents of the picture and places them. NULL and *e if the diagram is too large. */
struct dag *dag_new(const struct udd_diagram *, struct err *e);
void dag_free(struct dag *);

/* Appends the SVG. False and *e, with nothing appended, if the diagram is too large. */
bool dag_svg(const struct udd_diagram *, const struct theme *, struct str *out, struct err *e);

#endif
