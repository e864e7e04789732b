/* How a pane handles the cursor, notes and find. draw/view/ says how it looks. */
#ifndef EXPLORER_STATE_PANE_H
#define EXPLORER_STATE_PANE_H

#include <stdbool.h>
#include <stddef.h>

#include "explorer/state/pane_ids.h"
#include "work/remarks.h"

struct state;

struct rows_found {
	size_t n, at;
};

struct pane_ops {
	/* number of rows that the cursor can be on; NULL: the pane is a text, which scrolls */
	int (*length)(const struct state *);
	/* called after the cursor has moved to a row; NULL: nothing to do */
	void (*choose)(struct state *, enum pane_id, int row);
	/* what the row is about, so that the cursor can follow it (state_follow.h); 0: there is no such row. NULL: the
	 * number of the row says it */
	uint64_t (*thing)(const struct state *, enum pane_id, size_t row);
	/* sets the object that a note would be on; the caller frees *what. False: none. NULL: this pane has none */
	bool (*note)(const struct state *, enum pane_id, enum remark_on *, char **what);
	/* does the row contain the words? NULL: nothing to find, or `find` does it */
	bool (*has)(const struct state *, size_t row, const char *words);
	/* moves the cursor to the next row that contains the words; false: none does. NULL: `has` searches rows */
	bool (*find)(struct state *, const char *words);
	/* how many rows contain the words, and which of them the cursor is on, from 1; 0: none. NULL: `has` says it */
	struct rows_found (*found)(const struct state *, const char *words);
};

const struct pane_ops *pane_ops(enum pane_id);

#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) extern const struct pane_ops state_pane_##ops;
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE

#endif
