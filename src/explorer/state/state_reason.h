/* Why a key does nothing: one sentence, which also says what would make it work. */
#ifndef EXPLORER_STATE_STATE_REASON_H
#define EXPLORER_STATE_STATE_REASON_H

#include <stdbool.h>

#include "explorer/state/action.h"

struct state;
struct str;

/* Returns what the action lacks, as a sentence; NULL: it can be done now. It asks for data alone: the cursor may still
 * be in another pane than the action is for. */
const char *action_reason(const struct state *, enum action);

/* Why a view cannot be shown; NULL: it can. */
const char *view_reason(const struct state *, enum view);

/* Says where a key works that has no action here, and what it does there. */
void state_say_no_key(struct state *, const char *key);
/* Adds the same for an action. False, and nothing is added: it works here. */
bool action_is_elsewhere(const struct state *, enum action, struct str *out);

#endif
