#include "app/state/action.h"

#include <stdio.h>
#include <string.h>

static const struct action_row rows[] = {
	[ACTION_none] = {"", "", "", 0, ""},
#define ACTION(id, name, keys, scopes, help) [ACTION_##id] = {#id, name, keys, scopes, help},
#include "app/state/action.def"
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
