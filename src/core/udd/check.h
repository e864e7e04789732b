/* Checks of a parsed model: names, the full expansion, labels, variants. Private to core/udd. */
#ifndef CORE_UDD_CHECK_H
#define CORE_UDD_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/bexpr.h"

struct arena;
struct diags;
struct udd_ast;
struct udd_frame;
struct udd_item;
struct udd_model;
struct udd_stmt;

#define UDD_CALLS_MAX 256    /* depth of nested calls */
#define UDD_LEVELS_MAX 1024  /* depth of nested calls and blocks together */
/* steps of one expansion: a statement, a name in a condition, or 16 bytes of a word count as one */
#define UDD_STEPS_MAX 16000000

/* Check what is the same in every call: names of features, names of defs and their numbers of arguments, bounds of
 * numbers. Binds the features of expressions. */
void udd_check_names(struct udd_ast *, struct diags *);

/* Check that the names with pieces in an expression become names of features in this frame. */
void udd_check_features(struct udd_ast *, const struct udd_frame *, struct bexpr *, struct diags *);

/* Check everything else in the expansion of each def, with every when branch and case taken: words with pieces,
 * recursion, a value that appears twice in one switch. Adds counters that are counted but not declared to the end of
 * ast->counter_names. Each pair of def and arguments is visited once, so a tree of calls costs as much as its
 * distinct calls. */
void udd_check_expansion(struct udd_ast *, const struct udd_model *, struct diags *);

/* Report a range whose upper bound is below its lower one, as in `repeat (3..1)`. */
void udd_complain_range(const struct udd_ast *, struct diags *, const struct udd_frame *, const struct udd_stmt *,
	uint32_t lo, uint32_t hi);

/* Check the labels of one expansion of a body: each is defined once, and `before` names existing ones. */
void udd_check_labels(const struct udd_ast *, const struct udd_frame *, struct diags *);

/* Fill model->variant. A variant that breaks a requires or an excludes is an error. */
void udd_check_variants(struct udd_ast *, struct udd_model *, struct diags *);

/* Returns the expressions that every legal choice of features satisfies. They live in the arena. */
const struct bexpr *const *udd_laws(const struct udd_model *, struct arena *, size_t *n);

/* Resolves `<PARAM>` pieces in the features of an expression within a frame. Pass it as
 * bexpr_names{udd_feature_index, &that}. */
struct udd_features {
	const struct udd_ast *ast;
	const struct udd_frame *frame;
	struct names *words;
};
uint32_t udd_feature_index(void *features, const struct bexpr *name);

#endif
