/* The graph of a search as rows of a list, and the names of its models. */
#ifndef APP_SEARCH_SEARCH_ROWS_H
#define APP_SEARCH_SEARCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/search/search_graph.h"

struct str;
struct udd_model;

/* What a row is. PROPOSAL: what the last discovery would add; FOLDED: models that are not shown, below the row of their
 * parent. */
enum search_row_kind { SEARCH_ROW_PROPOSAL, SEARCH_ROW_MODEL, SEARCH_ROW_FOLDED };

struct search_row {
	enum search_row_kind kind;
	size_t model;              /* MODEL: its number in the graph */
	size_t parent;             /* row that it hangs below; SIZE_MAX: none */
	size_t edge;               /* … and by which edge; SIZE_MAX: none */
	size_t refuted, surviving; /* FOLDED: so many */
	int depth;                 /* levels of indentation: what is alone below a row of depth 0 stays at depth 0 */
	bool last;                 /* no sibling follows */
	uint64_t lines;            /* bit k: at level k+1 a line passes to a later sibling of an ancestor */
};

/* Models that are shown at any rate, if there are many: the first, the smallest survivors, `here`, what the user chose,
 * all on the way to these, and what the best one was reduced to. `all`: every model. Shortest ways from the first model
 * make the tree; what nothing leads to stands at its end. The caller frees. */
#define SEARCH_ROWS_UNFOLDED 24 /* up to so many models nothing is folded */
struct search_row *search_rows(const struct search_graph *, const struct fset *here, bool all, size_t *n);

/* The smallest survivor, of several the first; n_models: none survives. */
size_t search_best(const struct search_graph *);

/* The first variant that has exactly these features; NULL: none. */
const char *search_variant(const struct udd_model *, const struct fset *);
/* "A C D"; "∅" when there is none. */
void search_features(const struct udd_model *, const struct fset *, struct str *out);
/* The variant's name, else the features. */
void search_name(const struct udd_model *, const struct fset *, struct str *out);
/* "+B +H" or "−B": from one set of features to another. */
void search_change(const struct udd_model *, const struct fset *from, const struct fset *to, struct str *out);

#endif
