/* Expansion's own vocabulary, shared by its files. Private to core/udd. */
#ifndef CORE_UDD_EXPANDER_H
#define CORE_UDD_EXPANDER_H

#include "base/names.h"
#include "core/udd/ast.h"
#include "core/udd/diagram.h"
#include "core/udd/word.h"

struct arena;
struct diags;

#define UDD_NONE UINT32_MAX

/* Where nodes come from, for messages: a frame per call that made nodes, and the words replaced in them. */
struct udd_origins {
	struct arena *arena;
	struct names words;
	struct udd_frame **frame;
	size_t n_frames, cap_frames;
	struct origin { uint32_t frame, at, len; } *node, *before;
	size_t cap_node, cap_before;
};

/* Edges whose end is not known yet, as a chain through `to`: the flow that reaches a point of the text. O(1) to join.
 */
struct flow {
	uint32_t first, last; /* edges; UDD_NONE: none */
	bool entry;           /* a root's first node comes next */
};
#define FLOW_NOTHING ((struct flow){UDD_NONE, UDD_NONE, false})

/* A `before` whose labels are looked for. */
struct pending {
	uint32_t node[2];
	const char *label[2];
	struct origin origin;
};

/* Labels of one expansion, or of one time through a repeat. */
struct label_scope {
	struct label_scope *outer;
	struct names names;
	uint32_t *node;
	size_t cap;
	struct pending *pending;
	size_t n_pending, cap_pending;
};

/* Where the expansion stands: the call, and where done and return lead. */
struct place_in {
	const struct udd_frame *frame;
	uint32_t frame_id;    /* in origins; UDD_NONE until a node asks */
	struct place_in *caller;
	struct flow *on_return, *on_done; /* NULL: the µpath ends */
	struct label_scope *labels;
	bool in_part;         /* it began within a part of the features in question: a return does not leave the part */
};

struct expander {
	const struct udd_model *model;
	struct udd_ast *ast;
	struct udd_diagram *g;
	struct diags *diags;
	size_t cap_node, cap_edge, cap_before, cap_property, cap_property_domain, n_domain;
	struct names events, values, labels;
	struct names properties;  /* of this root */
	size_t first_property;    /* … its first in the diagram */
	struct names mentions;    /* of this root: property and value, in order */
	struct { uint32_t property, value; } *mention;
	size_t cap_mention;
	bool *has_other;          /* of this root, per property: some default is on */
	size_t cap_other;
	struct names targets;     /* of this root: names of jumps' targets */
	struct flow *target_flow; /* … and what jumps there */
	size_t cap_targets;
	const struct fset *off;   /* marks are made where these features lead elsewhere; NULL: none */
	size_t cap_mark;
	bool in_part;             /* the text is there only because of them: what it does is marked */
	struct flow flow;
	size_t steps;
	int level;
	bool stopped;
};

/* expand.c: text to nodes */
void expand_block(struct expander *, struct place_in *, const struct udd_stmt *);
/* A word with its parameters replaced. False stops the expansion. */
bool expand_resolve(
	struct expander *, struct place_in *, const struct udd_word *, enum word_kind, struct udd_word *out);
/* A condition (NULL: none) with these features on; with those of the diagram. */
bool expand_holds_for(struct expander *, struct place_in *, const struct bexpr *, const struct fset *on);
bool expand_holds(struct expander *, struct place_in *, const struct bexpr *);
/* An error that this choice of features brings out, with the features that are on. */
void expand_complain(struct expander *, struct place_in *, uint32_t at, uint32_t len, const char *text);

/* expand_decision.c: switch and choose */
void expand_decision(struct expander *, struct place_in *, const struct udd_stmt *);

/* expand_node.c: nodes, edges, flows */
bool flow_lives(const struct flow *);
void flow_join(struct expander *, struct flow *into, const struct flow *from);
struct flow flow_of_edge(struct expander *, uint32_t edge);
/* A node that the flow now reaches, with n_edges open edges; the flow is empty behind it. UDD_NONE where nothing gets
 * to, and (with a diagnostic) when there are too many. */
uint32_t expand_node(struct expander *, struct place_in *, const struct udd_stmt *, enum udd_node_kind, uint32_t name,
	uint32_t n_edges);
/* The same with one edge, on which the flow goes on. */
uint32_t expand_step(struct expander *, struct place_in *, const struct udd_stmt *, enum udd_node_kind, uint32_t name);
struct origin expand_origin(struct expander *, struct place_in *, uint32_t at, uint32_t len);

/* expand_label.c: labels and happens-before edges */
void expand_label(struct expander *, struct place_in *, const struct udd_stmt *, uint32_t node);
void expand_before(struct expander *, struct place_in *, const struct udd_stmt *);
void labels_close(struct expander *, struct label_scope *);

/* expand_node.c, marks: where the text leads elsewhere without the features in question */
/* whoever has got here passes a mark */
void mark_flow(struct expander *);
void mark_values(struct expander *, const uint32_t *value, size_t n,
	uint32_t edge); /* … whoever takes this default with one of these */
/* the block leaves every µpath as it is */
bool mark_no_part(const struct udd_stmt *);
void marks_sort(struct udd_diagram *);

/* before.c */
/* False and a diagnostic when the happens-before edges and causality make a cycle. */
bool before_check(const struct udd_diagram *, struct diags *);

#endif
