/* What a pane does with the cursor, with notes and with find; how it looks is drawing's. */
#ifndef APP_STATE_PANE_H
#define APP_STATE_PANE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/remarks.h"
#include "app/state/panes.h"

struct state;

struct pane_ops {
	/* rows that the cursor can be on; NULL: it is a text, as far as that scrolls */
	int (*length)(const struct state *);
	/* the cursor was put on a row; NULL: nothing follows */
	void (*choose)(struct state *, enum pane_id, int row);
	/* what a note would be on: the caller frees *what; false: nothing. NULL: notes are on nothing here */
	bool (*note)(const struct state *, enum pane_id, enum remark_on *, char **what);
	/* does the row hold the words? NULL: there is nothing to find, or `find` does it */
	bool (*has)(const struct state *, size_t row, const char *words);
	/* put the cursor on the next row that holds the words; false: none does. NULL: among rows of length() */
	bool (*find)(struct state *, const char *words);
};

const struct pane_ops *pane_ops(enum pane_id);

#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) extern const struct pane_ops state_pane_##ops;
#include "app/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE

#endif
