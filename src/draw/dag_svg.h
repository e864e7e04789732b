/* A picture of a µDD, as one would put it into a paper: decisions are diamonds with a label on each way out, counters
 * are pills in the accent colour, events boxes, `both` lies between bars, a µpath ends in a dot; happens-before is
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

#define DAG_NODES_MAX 4000 /* of the diagram; beyond nobody could read it */

enum dag_kind { DAG_ROOT, DAG_EVENT, DAG_COUNT, DAG_DECISION, DAG_LABEL, DAG_BAR, DAG_DONE, DAG_IMPOSSIBLE };

/* What stands in the picture: nodes[i] is what layered.node[i] places. */
struct dag_node {
	enum dag_kind kind;
	size_t node; /* of the diagram; the edge for DAG_LABEL, the root for DAG_ROOT */
	char *text;  /* owned; "" for none */
};

struct dag {
	struct layered layered; /* edges: soft are happens-before, the others causality */
	struct dag_node *node;
	size_t cap_nodes, cap_nodes_layered, cap_edges;
};

/* The picture's contents and places, for tests and other painters. NULL and *e when the diagram is too large. */
struct dag *dag_new(const struct udd_diagram *, struct err *e);
void dag_free(struct dag *);

/* Appends the SVG. False and *e, with nothing appended, when the diagram is too large. */
bool dag_svg(const struct udd_diagram *, const struct theme *, struct str *out, struct err *e);

#endif
