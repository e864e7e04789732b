/* Passes over a parsed model: names, the full expansion, labels, variants. Private to core/udd. */
#ifndef CORE_UDD_CHECK_H
#define CORE_UDD_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lang/bexpr.h"

struct arena;
struct diags;
struct udd_ast;
struct udd_frame;
struct udd_item;
struct udd_model;
struct udd_stmt;

#define UDD_CALLS_MAX 256    /* calls in calls */
#define UDD_LEVELS_MAX 1024  /* calls and blocks in each other, all together */
/* of one expansion: statements, names in conditions, and 16 bytes of a word each are one */
#define UDD_STEPS_MAX 16000000

/* Names that mean the same whatever the call: features, defs and how many arguments they take, bounds of numbers. Binds
 * the features of expressions. */
void udd_check_names(struct udd_ast *, struct diags *);

/* Everything else is checked where each def is expanded, with every when branch and case taken: words with pieces,
 * recursion, a value twice in one switch. Fills the tail of ast->counter_names with the counters that are counted and
 * not declared. Each pair of def and arguments is looked at once, so that a tree of calls costs what its distinct calls
 * cost. */
void udd_check_expansion(struct udd_ast *, const struct udd_model *, struct diags *);

/* `repeat (3..1)` */
void udd_complain_range(const struct udd_ast *, struct diags *, const struct udd_frame *, const struct udd_stmt *,
	uint32_t lo, uint32_t hi);

/* Labels of one expansion of a body: none twice, and before names some that are there. */
void udd_check_labels(const struct udd_ast *, const struct udd_frame *, struct diags *);

/* Fills model->variant; a variant that breaks requires or excludes is an error. */
void udd_check_variants(struct udd_ast *, struct udd_model *, struct diags *);

/* What a legal choice of features keeps, as expressions that must all hold. In the arena. */
const struct bexpr *const *udd_laws(const struct udd_model *, struct arena *, size_t *n);

/* How `<PARAM>` pieces in the features of an expression are read in a frame: use bexpr_names{udd_feature_index, &that}.
 */
struct udd_features {
	const struct udd_ast *ast;
	const struct udd_frame *frame;
	struct names *words;
};
uint32_t udd_feature_index(void *features, const struct bexpr *name);

#endif
