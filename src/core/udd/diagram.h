/* The µDD for one choice of features: a directed acyclic graph in arrays.
 *
 * Nodes stand in topological order (every edge goes to a higher number). `both { A } and { B }` is three nodes:
 *
 *        ┌─ A ─┐                                   walk order: FORK → A → MID → B → JOIN
 *   FORK ┤     ├ JOIN                              causality:  FORK → A → JOIN, FORK → B → JOIN
 *        └─ B ─┘
 *
 * In the walk order (the edges stored here) A comes before B, because properties are assigned in text order; for
 * causality an edge into MID is one into its JOIN and an edge out of MID is one out of its FORK.
 * Source: CounterPoint section 3 (Lindsay et al., ASPLOS 2026): decision, event and counter nodes, causality and
 * happens-before edges; `both` and features are hecate's. */
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
	UDD_EVENT,      /* happens, no counter sees it */
	UDD_COUNT,      /* counter `name` rises by `amount` */
	UDD_DECISION,   /* switch (property) or choose, repeat (no property) */
	UDD_FORK,       /* both { */
	UDD_MID,        /* } and { */
	UDD_JOIN,       /* } */
	UDD_DONE,       /* the µpath ends; with an edge (inside both): its block ends */
	UDD_IMPOSSIBLE, /* no µpath goes here */
};

struct udd_node {
	enum udd_node_kind kind;
	uint32_t name;     /* COUNT: counter number; EVENT: event number; MID, JOIN: number of the FORK node */
	uint32_t amount;   /* COUNT: 1 … 2^31-1 */
	uint32_t property; /* DECISION: property number, or UDD_NO_PROPERTY */
	uint32_t first_edge, n_edges;
	uint32_t line;     /* in the file that it was written in; 0 for the end of a path's block */
	uint32_t file;     /* index into udd_diagram.file */
};

struct udd_edge {
	uint32_t to;
	uint32_t value;  /* out of a switch: value number of the property; else 0 */
	uint32_t label;  /* out of a decision: index into udd_diagram.label ("Hit", "3 times"); else 0 */
	bool fallback;   /* out of a switch: the one edge that `default` gives for every value of the property's domain
			    without an edge of its   own; `value` means nothing then */
	bool mark;       /* udd_expand_marked(): who takes it passes a part of the features in question */
};

/* … or takes it with this value only: the switch has a case of its own for it while they are off. */
struct udd_mark {
	uint32_t edge, value;
};

struct udd_before {
	uint32_t from, to; /* nodes: `from` happens before `to` where both lie on a µpath */
};

/* The values that a property can take: udd_diagram.domain[first … first+n-1], in order of first mention, the unnamed
 * value 0 last. */
struct udd_domain {
	uint32_t first, n;
};

struct udd_diagram {
	const struct udd_model *model; /* not owned; must outlive the diagram */
	struct fset on;
	struct udd_node *node;
	size_t n_nodes;
	struct udd_edge *edge;
	size_t n_edges;
	struct udd_before *before;
	size_t n_before;
	uint32_t *root_node;  /* per root that is on: its first node; its nodes are all up to the next root's */
	uint32_t *root;       /* … and its number in the model */
	size_t n_roots;
	char **event;         /* names of event nodes */
	size_t n_events;
	/* names; a property belongs to one root (assignments start empty in each), so a name may stand several times */
	char **property;
	struct udd_domain *property_domain; /* per property */
	size_t n_properties;
	uint32_t *domain;     /* value numbers */
	char **value;         /* names of values; number 0 is the unnamed value that a `default` adds: "(other)" */
	size_t n_values;
	char **label;
	size_t n_labels;
	char **file;
	size_t n_files;
	size_t n_causality;   /* causality edges, for the summary */
	bool marked;          /* made by udd_expand_marked() */
	bool *root_mark;      /* then, per root that is on: all its µpaths pass a part; else NULL */
	struct udd_mark *mark; /* by rising edge */
	size_t n_marks;
	struct udd_origins *origins; /* which call each node comes from; private to core/udd */
};

/* NULL and diagnostics when this choice of features makes an error (a decision without cases, a happens-before
 * cycle, too many nodes, no path on). The choice must be legal. */
struct udd_diagram *udd_expand(const struct udd_model *, const struct fset *, struct diags *);
void udd_diagram_free(struct udd_diagram *);

/* The same, and marks where the text goes another way than with the fewer features of `off`: into a case or path that
 * is not there then, past or instead of a branch of a `when`, by `default` for a value that has its own case then, and
 * where something happens (an event, a counter, an end) in a branch that is not there then. Decisions by themselves,
 * and the order that labels give, are no such place. What happens on a µpath without a mark happens on one of `off`
 * too. Nothing is asked of `off`: it may well be a choice that makes an error. */
struct udd_diagram *udd_expand_marked(
	const struct udd_model *, const struct fset *on, const struct fset *off, struct diags *);

/* An error at a node's place: `text`, and behind `hint` (may be NULL) the calls that lead there. */
void udd_node_error(const struct udd_diagram *, uint32_t node, struct diags *, const char *hint, const char *text);

/* An error at the place of a sum that the model declares. */
struct udd_sum;
void udd_sum_error(const struct udd_model *, const struct udd_sum *, struct diags *, const char *hint,
	const char *text);

/* Where the node's statement stands in its file, in bytes: copies that calls and repeats made of one statement have
 * one. */
uint32_t udd_node_offset(const struct udd_diagram *, uint32_t node);
/* Which copy it is: equal in one call; and that call, "fault(Xur, Fu)", "" in a path itself. */
uint32_t udd_node_copy(const struct udd_diagram *, uint32_t node);
void udd_node_call(const struct udd_diagram *, uint32_t node, struct str *out);
/* The line of the file that the node stands in, without blanks at its ends, with `text` put in front of the node's
 * statement. */
void udd_node_insert(const struct udd_diagram *, uint32_t node, const char *text, struct str *out);

/* Graphviz text of the diagram with both kinds of edge. */
void udd_dot(const struct udd_diagram *, struct str *out);

#endif
