/* The µDD for one choice of features: a directed acyclic graph in arrays.
 *
 * Nodes are in topological order: every edge leads to a higher number. `both { A } and { B }` has three nodes:
 *
 *          ┌─ A ─┐                                  walk order: FORK → A → MID → B → JOIN
 *     FORK ┤     ├ JOIN                             causality:  FORK → A → JOIN, FORK → B → JOIN
 *          └─ B ─┘
 *
 * In the walk order (the stored edges) A comes before B, because properties are assigned in text order. For
 * causality an edge into MID is an edge into its JOIN, and an edge out of MID is an edge out of its FORK.
 *
 * Source: CounterPoint section 3 (Lindsay et al., ASPLOS 2026): decision, event and counter nodes, causality and
 * happens-before edges. `both` and features are hecate's additions. */
#ifndef CORE_UDD_DIAGRAM_H
#define CORE_UDD_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/udd/fset.h"

struct diags;
struct str;
struct udd_model;

#define UDD_NO_PROPERTY UINT32_MAX

enum udd_node_kind {
	UDD_EVENT,      /* an event that no counter counts */
	UDD_COUNT,      /* counter `name` rises by `amount` */
	UDD_DECISION,   /* switch (has a property), or choose and repeat (no property) */
	UDD_FORK,       /* both { */
	UDD_MID,        /* } and { */
	UDD_JOIN,       /* } */
	UDD_DONE,       /* the µpath ends; with an edge (inside both): only its block ends */
	UDD_IMPOSSIBLE, /* no µpath gets here */
};

struct udd_node {
	enum udd_node_kind kind;
	uint32_t name;     /* COUNT: counter number; EVENT: event number; MID, JOIN: number of the node's FORK node */
	uint32_t amount;   /* COUNT: 1 … 2^31-1 */
	uint32_t property; /* DECISION: property number, or UDD_NO_PROPERTY */
	uint32_t first_edge, n_edges;
	uint32_t line;     /* line in its file; 0 for the end of a path's block */
	uint32_t file;     /* index into udd_diagram.file */
};

struct udd_edge {
	uint32_t to;
	uint32_t value;  /* out of a switch: number of the property's value; else 0 */
	uint32_t label;  /* out of a decision: index into udd_diagram.label ("Hit", "3 times"); else 0 */
	/* out of a switch: this is the edge of `default`, taken for every value of the property's domain that has no
	 * edge of its own; `value` has no meaning */
	bool fallback;
	/* set by udd_expand_marked(): the edge leads through a part that depends on the features in question */
	bool mark;
};

/* A mark on an edge for one value only: without the features in question, the switch has a separate case for that
 * value. */
struct udd_mark {
	uint32_t edge, value;
};

struct udd_before {
	uint32_t from, to; /* nodes: `from` happens before `to` if both are on a µpath */
};

/* The values that a property can take: udd_diagram.domain[first … first+n-1], in order of first mention; the unnamed
 * value 0 is last. */
struct udd_domain {
	uint32_t first, n;
};

struct udd_diagram {
	const struct udd_model *model; /* owned by the caller, must outlive the diagram */
	struct fset on;
	struct udd_node *node;
	size_t n_nodes;
	struct udd_edge *edge;
	size_t n_edges;
	struct udd_before *before;
	size_t n_before;
	/* per root that is on: its first node; its last node is the one before the next root's first node */
	uint32_t *root_node;
	uint32_t *root;       /* per root that is on: its number in the model */
	size_t n_roots;
	char **event;         /* names of event nodes */
	size_t n_events;
	/* names of properties. A property belongs to one root, where it starts unassigned, so a name may occur several
	 * times */
	char **property;
	struct udd_domain *property_domain; /* per property */
	size_t n_properties;
	uint32_t *domain;     /* value numbers */
	char **value;         /* names of values; number 0 is the unnamed value of a `default`: "(other)" */
	size_t n_values;
	char **label;
	size_t n_labels;
	char **file;
	size_t n_files;
	size_t n_causality;    /* number of causality edges, for the summary */
	bool marked;           /* made by udd_expand_marked() */
	bool *root_mark;       /* if `marked`, per root that is on: all µpaths of the root pass a mark; else NULL */
	struct udd_mark *mark; /* sorted by edge */
	size_t n_marks;
	struct udd_origins *origins; /* the call that each node comes from; private to core/udd */
};

/* Expand the model for a legal choice of features. Returns NULL and adds diagnostics if the choice causes an error: a
 * decision without cases, a happens-before cycle, too many nodes, no path on. Free with udd_diagram_free(). */
struct udd_diagram *udd_expand(const struct udd_model *, const struct fset *, struct diags *);
void udd_diagram_free(struct udd_diagram *);

/* The same, with marks where the expansion differs from that for `off`, a subset of the features `on`. An edge is
 * marked if it leads
 *
 *     into a case or path that does not exist with `off`
 *     past a branch of a `when`, or into another branch
 *     by `default` for a value that has a case of its own with `off`
 *     to an event, counter or end in a branch that does not exist with `off`
 *
 * Decisions alone, and an order that labels give, cause no mark. Everything on a µpath without marks also happens on a
 * µpath of the diagram for `off`. `off` is not checked: it may be a choice that causes an error. */
struct udd_diagram *udd_expand_marked(
	const struct udd_model *, const struct fset *on, const struct fset *off, struct diags *);

/* Report the error `text` at a node's place. Its hint consists of `hint` (may be NULL) and the calls that lead there.
 */
void udd_node_error(const struct udd_diagram *, uint32_t node, struct diags *, const char *hint, const char *text);

/* Report an error at the place of a sum that the model declares. */
struct udd_sum;
void udd_sum_error(const struct udd_model *, const struct udd_sum *, struct diags *, const char *hint,
	const char *text);

/* Byte offset of the node's statement in its file. Copies of one statement that calls and repeats make have the same
 * offset. */
uint32_t udd_node_offset(const struct udd_diagram *, uint32_t node);
/* Number of the call that made this copy of the node, the same for all nodes of one call; and that call as text:
 * "fault(Xur, Fu)", or "" for a path. */
uint32_t udd_node_copy(const struct udd_diagram *, uint32_t node);
void udd_node_call(const struct udd_diagram *, uint32_t node, struct str *out);
/* Append the file's line that contains the node, without blanks at its ends, with `text` inserted before the node's
 * statement. */
void udd_node_insert(const struct udd_diagram *, uint32_t node, const char *text, struct str *out);

/* Append the diagram as Graphviz text, with both kinds of edge. */
void udd_dot(const struct udd_diagram *, struct str *out);

#endif
