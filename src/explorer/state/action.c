/* The tables of actions, views and panes. */
#include "explorer/state/action.h"

#include <stdio.h>
#include <string.h>

#include "explorer/state/pane_ids.h"

static const struct action_row rows[] = {
	[ACTION_none] = {"", "", "", 0, ""},
#define ACTION(id, name, keys, scopes, help) [ACTION_##id] = {#id, name, keys, scopes, help},
#include "explorer/state/action.def"
#undef ACTION
};

const struct action_row *
action_row(enum action a)
{
	return &rows[a];
}

/* Is `key` one of the words in `keys`? */
static bool
has_key(const char *keys, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = keys; *p;) {
		size_t len = strcspn(p, " ");

		if (len == n && strncmp(p, key, n) == 0)
			return true;
		p += len;
		p += *p == ' ';
	}
	return false;
}

enum action
action_for_key(const char *key, uint64_t scope)
{
	for (int a = 1; a < ACTION_COUNT; a++)
		if ((rows[a].scopes & scope) && has_key(rows[a].keys, key))
			return (enum action)a;
	return ACTION_none;
}

char *
action_key(enum action a, char out[ACTION_KEY_TEXT])
{
	snprintf(out, ACTION_KEY_TEXT, "%.*s", (int)strcspn(rows[a].keys, " "), rows[a].keys);
	return out;
}

static const struct view_row views[] = {
	[VIEW_START] = {.name = "start"},
#define VIEW(id, name, key, tab, brief, about, help) \
	[VIEW_##id] = {#name, key, tab, brief, VIEW_ABOUT_##about, FIRST_PANE_##id, END_PANE_##id},
#define VIEW_END(id)
#define PANE(id, name, ops, draw)
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof views / sizeof *views == VIEW_COUNT, "a row for each view");

static const char *const names[] = {
#define VIEW(id, name, key, tab, brief, about, help)
#define VIEW_END(id)
#define PANE(id, name, ops, draw) [PANE_##id] = name,
#include "explorer/state/panes.def"
#undef VIEW
#undef VIEW_END
#undef PANE
};
static_assert(sizeof names / sizeof *names == PANE_COUNT, "a name for each pane");

const struct view_row *
view_row(enum view v)
{
	return &views[v];
}

bool
view_needs_nothing(enum view v)
{
	return views[v].about >= VIEW_ABOUT_EVENTS;
}

const char *
pane_name(enum pane_id p)
{
	return names[p];
}
