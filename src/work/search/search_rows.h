/* The graph of a search as rows of a list, and names for its models. */
#ifndef WORK_SEARCH_SEARCH_ROWS_H
#define WORK_SEARCH_SEARCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/search/search_graph.h"

struct str;
struct udd_model;

/* The kind of a row. PROPOSAL: what the last discovery would add. FOLDED: models that are not shown, below their
 * parent's row. */
enum search_row_kind { SEARCH_ROW_PROPOSAL, SEARCH_ROW_MODEL, SEARCH_ROW_FOLDED };

struct search_row {
	enum search_row_kind kind;
	size_t model;              /* MODEL: its number in the graph */
	size_t parent;             /* row of its parent; SIZE_MAX: none */
	size_t edge;               /* edge from its parent; SIZE_MAX: none */
	size_t refuted, surviving; /* FOLDED: number of refuted and of surviving models */
	int depth;                 /* levels of indentation; an only child of a row of depth 0 stays at depth 0 */
	bool last;                 /* no sibling follows */
	uint64_t lines;            /* bit k: at level k+1 a line continues to a later sibling of an ancestor */
};

#define SEARCH_ROWS_UNFOLDED 24 /* up to this number of models nothing is folded */

/* Makes the rows. The tree consists of shortest ways from the first model; models that nothing leads to are at its end.
 * A larger graph is folded, unless `all`. Then these models are shown, and all models on the way to them:
 *
 * - the first model, the smallest survivors, and `here`,
 * - those that the user chose,
 * - those that the best one was reduced to.
 *
 * The caller frees. */
struct search_row *search_rows(const struct search_graph *, const struct fset *here, bool all, size_t *n);

/* Returns the first smallest survivor; n_models: none survives. */
size_t search_best(const struct search_graph *);

/* Returns the name of the first variant with exactly these features; NULL: none. */
const char *search_variant(const struct udd_model *, const struct fset *);
/* Appends "A C D"; "∅" for no features. */
void search_features(const struct udd_model *, const struct fset *, struct str *out);
/* Appends the variant's name, or else the features. */
void search_name(const struct udd_model *, const struct fset *, struct str *out);
/* Appends "+B +H" or "−B": the way from one set of features to another. */
void search_change(const struct udd_model *, const struct fset *from, const struct fset *to, struct str *out);

#endif
