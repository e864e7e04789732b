/* The user's actions: one table, action.def, from which keys, footer, help and the manual page are made (after tig's
 * REQ_INFO). */
#ifndef EXPLORER_STATE_ACTION_H
#define EXPLORER_STATE_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explorer/state/pane_ids.h"

/* Scopes: sets of panes, and of the popups and screens that cover or replace them. */
#define IN(pane) PANE_BIT(PANE_##pane)
#define IN_VIEW(view) (PANE_BIT(END_PANE_##view) - PANE_BIT(FIRST_PANE_##view))
#define IN_START PANE_BIT(PANE_COUNT)
#define IN_POPUP PANE_BIT(PANE_COUNT + 1)
#define IN_HELP PANE_BIT(PANE_COUNT + 2)
#define IN_ANY (PANE_BIT(PANE_COUNT + 3) - 1)
#define IN_TIMELINE (IN_VIEW(PATHS) | IN_VIEW(STALLS) | IN_VIEW(QUEUES))          /* views of snapshots */
#define IN_LISTS (IN_VIEW(MODELS) | IN_VIEW(CONSTRAINTS) | IN_VIEW(OBSERVATIONS))
#define IN_JUDGING (IN_LISTS | IN_VIEW(GEOMETRY))                                 /* views of a model */
#define IN_VIEWS (PANE_BIT(PANE_COUNT) - 1)
#define IN_MOVING (IN_ANY & ~IN_VIEW(GEOMETRY))                                   /* all that have a cursor */

enum action {
	ACTION_none,
#define ACTION(id, name, keys, scopes, help) ACTION_##id,
#include "explorer/state/action.def"
#undef ACTION
	ACTION_COUNT
};

struct action_row {
	const char *id, *name;
	/* names, blanks between: a character, "Space", "Enter", "Esc", "Tab", "S-Tab", "Up" … "PgDn", "F1" …, "C-l" */
	const char *keys;
	uint64_t scopes;
	const char *help;
};

/* Row of an action; ACTION_none has empty texts. */
const struct action_row *action_row(enum action);

/* The action of a key in a scope; ACTION_none: none. */
enum action action_for_key(const char *key, uint64_t scope);

/* Writes the first key of an action into `out`, as the footer shows it, and returns `out`. */
#define ACTION_KEY_TEXT 12
char *action_key(enum action, char out[ACTION_KEY_TEXT]);

#endif
