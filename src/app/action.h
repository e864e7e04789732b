/* What a user can do: one table (action.def) behind keys, footer, help and the manual page (after tig's REQ_INFO). */
#ifndef APP_ACTION_H
#define APP_ACTION_H

#include <stdbool.h>
#include <stddef.h>

/* Where an action can be done: the focused pane, or what lies over it. */
enum key_scope {
	IN_FEATURES = 1,
	IN_TREE = 2,
	IN_WHY = 4,
	IN_OBSERVATIONS = 8,
	IN_SEARCH = 16,
	IN_WITNESS = 32,
	IN_SELECTED = 64,
	IN_CONSTRAINTS = 128,
	IN_TOUCHED = 256,
	IN_BROKEN = 512,
	IN_MATRIX = 1024,
	IN_LIST = 2048,
	IN_OBSERVED = 4096,
	IN_SAMPLES = 8192,
	IN_PLOT = 16384,
	IN_LEGEND = 32768,
	IN_WHOLE = 65536,
	IN_NETWORK = 1 << 17,
	IN_PATH_MAP = 1 << 18,
	IN_NODE = 1 << 19,
	IN_SNAPSHOTS = 1 << 20,
	IN_FLOWS = 1 << 21,
	IN_BARS = 1 << 22,
	IN_COMPONENTS = 1 << 23,
	IN_METHODS = 1 << 24,
	IN_QUEUES = 1 << 25,
	IN_LENGTHS = 1 << 26,
	IN_QUEUE = 1 << 27,
	IN_START = 1 << 28,
	IN_POPUP = 1 << 29,
	IN_HELP = 1 << 30,
	IN_MODELS = IN_FEATURES | IN_TREE | IN_WHY | IN_OBSERVATIONS | IN_SEARCH | IN_WITNESS | IN_SELECTED,
	IN_VIEW2 = IN_CONSTRAINTS | IN_TOUCHED | IN_BROKEN | IN_MATRIX,
	IN_VIEW3 = IN_LIST | IN_OBSERVED | IN_SAMPLES,
	IN_VIEW4 = IN_PLOT | IN_LEGEND | IN_WHOLE,
	IN_VIEW5 = IN_NETWORK | IN_PATH_MAP | IN_NODE | IN_SNAPSHOTS | IN_FLOWS,
	IN_VIEW6 = IN_BARS | IN_COMPONENTS | IN_METHODS,
	IN_VIEW7 = IN_QUEUES | IN_LENGTHS | IN_QUEUE,
	IN_TIMELINE = IN_VIEW5 | IN_VIEW6 | IN_VIEW7, /* what shows snapshots */
	IN_LISTS = IN_MODELS | IN_VIEW2 | IN_VIEW3,
	IN_JUDGING = IN_LISTS | IN_VIEW4,            /* what shows a model */
	IN_VIEWS = IN_JUDGING | IN_TIMELINE,
	IN_ANY = 0x7fffffff,
	IN_MOVING = IN_ANY & ~IN_VIEW4
};

enum action {
	ACTION_none,
#define ACTION(id, name, keys, scopes, help) ACTION_##id,
#include "app/action.def"
#undef ACTION
	ACTION_COUNT
};

struct action_row {
	const char *id, *name;
	/* separated by blanks: a character, "Space", "Enter", "Esc", "Tab", "S-Tab", "Up" … "PgDn", "F1" … "F12", "C-l"
	 */
	const char *keys;
	int scopes;
	const char *help;
};

/* Row of an action; ACTION_none has empty texts. */
const struct action_row *action_row(enum action);

/* What a key does in a scope; ACTION_none when nothing. */
enum action action_for_key(const char *key, int scope);

/* The first key of an action, as the footer shows it. Returns `out`. */
#define ACTION_KEY_TEXT 12
char *action_key(enum action, char out[ACTION_KEY_TEXT]);

#endif
