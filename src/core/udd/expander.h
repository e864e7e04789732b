/* Declarations that the files of the expansion share. Private to core/udd. */
#ifndef CORE_UDD_EXPANDER_H
#define CORE_UDD_EXPANDER_H

#include "base/names.h"
#include "core/udd/ast.h"
#include "core/udd/diagram.h"
#include "core/udd/word.h"

struct arena;
struct diags;

#define UDD_NONE UINT32_MAX

/* Origins of nodes, for messages: a frame per call that made nodes, and the words replaced in them. */
struct udd_origins {
	struct arena *arena;
	struct names words;
	struct udd_frame **frame;
	size_t n_frames, cap_frames;
	struct origin { uint32_t frame, at, len; } *node, *before;
	size_t cap_node, cap_before;
};

/* The edges that reach a point of the text and whose end is not known yet. They form a chain through `to`, so that
 * two sets of open edges are joined in O(1). */
struct open_edges {
	uint32_t first, last; /* first and last edge; UDD_NONE: none */
	bool entry;           /* the next node is the root's first */
};
#define OPEN_EDGES_NONE ((struct open_edges){UDD_NONE, UDD_NONE, false})

/* A `before` statement that waits for its labels. */
struct pending {
	uint32_t node[2];
	const char *label[2];
	struct origin origin;
};

/* Labels of one expansion, or of one pass through a repeat. */
struct label_scope {
	struct label_scope *outer;
	struct names names;
	uint32_t *node;
	size_t cap;
	struct pending *pending;
	size_t n_pending, cap_pending;
};

/* Position of the expansion: the call, and where done and return lead. */
struct place_in {
	const struct udd_frame *frame;
	uint32_t frame_id;    /* index in origins; UDD_NONE until a node needs it */
	struct place_in *caller;
	struct open_edges *on_return, *on_done; /* NULL: the µpath ends there */
	struct label_scope *labels;
	/* the call is in a part that depends on the features in question, so a return does not leave the part */
	bool in_part;
};

struct expander {
	const struct udd_model *model;
	struct udd_ast *ast;
	struct udd_diagram *g;
	struct diags *diags;
	size_t cap_node, cap_edge, cap_before, cap_property, cap_property_domain, n_domain;
	struct names events, values, labels;
	struct names properties;  /* properties of the current root */
	size_t first_property;    /* index in the diagram of the root's first property */
	struct names mentions;    /* of the current root: pairs of property and value, in order */
	struct { uint32_t property, value; } *mention;
	size_t cap_mention;
	bool *has_other;          /* of the current root, per property: a default is on */
	size_t cap_other;
	struct names targets;            /* of the current root: targets of jumps */
	struct open_edges *target_edges; /* per target: edges that jump there */
	size_t cap_targets;
	const struct fset *off;   /* mark where the expansion for these features differs; NULL: make no marks */
	size_t cap_mark;
	/* the current text exists only with the features in question, so everything in it is marked */
	bool in_part;
	struct open_edges open;
	size_t steps;
	int level;
	bool stopped;
};

/* expand.c: expands text to nodes. */
void expand_block(struct expander *, struct place_in *, const struct udd_stmt *);
/* Replace a word's parameters. If it returns false, the expansion stops. */
bool expand_resolve(
	struct expander *, struct place_in *, const struct udd_word *, enum word_kind, struct udd_word *out);
/* Return the value of a condition (NULL: true), with the features `on`, or with the features of the diagram. */
bool expand_holds_for(struct expander *, struct place_in *, const struct bexpr *, const struct fset *on);
bool expand_holds(struct expander *, struct place_in *, const struct bexpr *);
/* Report an error of this choice of features; the hint lists the features that are on. */
void expand_complain(struct expander *, struct place_in *, uint32_t at, uint32_t len, const char *text);

/* expand_decision.c: switch and choose */
void expand_decision(struct expander *, struct place_in *, const struct udd_stmt *);

/* expand_node.c: nodes, edges, flows */
void open_edges_join(struct expander *, struct open_edges *into, const struct open_edges *from);
struct open_edges open_edges_of(struct expander *, uint32_t edge);
/* Add a node at which the open edges end. It has n_edges edges of its own, and no edge is open afterwards. Returns
 * UDD_NONE if nothing reaches the node, or if there are too many nodes (with a diagnostic). */
uint32_t expand_node(struct expander *, struct place_in *, const struct udd_stmt *, enum udd_node_kind, uint32_t name,
	uint32_t n_edges);
/* The same with one edge, which is open afterwards. */
uint32_t expand_step(struct expander *, struct place_in *, const struct udd_stmt *, enum udd_node_kind, uint32_t name);
struct origin expand_origin(struct expander *, struct place_in *, uint32_t at, uint32_t len);

/* expand_label.c: labels and happens-before edges */
void expand_label(struct expander *, struct place_in *, const struct udd_stmt *, uint32_t node);
void expand_before(struct expander *, struct place_in *, const struct udd_stmt *);
void expand_close_labels(struct expander *, struct label_scope *);

/* expand_node.c: marks where the text leads elsewhere without the features in question. */
/* Mark all open edges. */
void expand_mark_open(struct expander *);
void expand_mark_values(struct expander *, const uint32_t *value, size_t n,
	uint32_t edge); /* Mark an edge of a default for these values. */
/* Returns true if the block changes no µpath. */
bool expand_changes_nothing(const struct udd_stmt *);
void expand_sort_marks(struct udd_diagram *);

/* before.c */
/* Check that happens-before edges and causality edges make no cycle. Returns false and adds a diagnostic if they do. */
bool udd_check_before(const struct udd_diagram *, struct diags *);

#endif
