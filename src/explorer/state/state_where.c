/* Where a key works that does nothing here. */
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "explorer/state/action.h"
#include "explorer/state/state.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_views.h"

static const uint64_t all_views = IN_VIEWS;

static uint64_t
panes_of(enum view v)
{
	const struct view_row *row = view_row(v);

	return PANE_BIT(row->end) - PANE_BIT(row->first);
}

/* Adds "views 2, 3 and 0". */
static void
add_views(uint64_t scopes, struct str *out)
{
	const char *key[VIEW_COUNT];
	size_t n = 0;

	for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++)
		if (scopes & panes_of(v))
			key[n++] = view_row(v)->key;
	str_add(out, n == 1 ? "view " : "views ");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", key[i]);
}

/* Adds "pane tree (Tab goes there)": the first pane of this view that has the action. */
static void
add_pane(const struct state *s, uint64_t scopes, struct str *out)
{
	enum pane_id pane = view_row(s->view.current)->first;

	while (!(scopes & PANE_BIT(pane)))
		pane++;
	str_addf(out, "in pane %s (Tab goes there)", pane_name(pane));
}

static void
add_place(const struct state *s, enum action a, const char *key, struct str *out)
{
	const struct action_row *row = action_row(a);
	uint64_t here = s->view.current == VIEW_START ? 0 : panes_of(s->view.current);

	str_addf(out, "%s works ", key);
	if (row->scopes & here) {
		add_pane(s, row->scopes & here, out);
	} else if (row->scopes & all_views) {
		str_add(out, "in ");
		add_views(row->scopes, out);
	} else if (row->scopes & IN_START) {
		str_add(out, "on the start screen (S)");
	} else { /* help begins with the place */
		str_add(out, row->help);
		return;
	}
	str_addf(out, ": %s", row->help);
}

bool
action_is_elsewhere(const struct state *s, enum action a, struct str *out)
{
	uint64_t scope = s->view.current == VIEW_START ? IN_START : PANE_BIT(state_pane(s));

	char key[ACTION_KEY_TEXT];

	if (action_row(a)->scopes & scope)
		return false;
	add_place(s, a, action_key(a, key), out);
	return true;
}

/* Of the actions that the key has in these scopes, the one that has most of them. */
static enum action
widest_action(const char *key, uint64_t scopes)
{
	enum action widest = ACTION_none;
	int most = 0;

	for (uint64_t left = scopes; left; left &= left - 1) {
		enum action a = action_for_key(key, left & -left);
		int n = __builtin_popcountll(action_row(a)->scopes & scopes);

		if (a && n > most) {
			most = n;
			widest = a;
		}
	}
	return widest;
}

/* The action of the key in this view, else in any view, on the start screen, or in popups. */
static enum action
action_anywhere(const struct state *s, const char *key)
{
	const uint64_t place[] = {s->view.current == VIEW_START ? 0 : panes_of(s->view.current), all_views, IN_START,
		IN_POPUP};
	enum action a = ACTION_none;

	for (size_t i = 0; i < sizeof place / sizeof *place && !a; i++)
		a = widest_action(key, place[i]);
	return a;
}

void
state_say_no_key(struct state *s, const char *key)
{
	enum action a = action_anywhere(s, key);
	struct str text = {0};

	if (s->view.popup.kind == POPUP_NONE && a)
		add_place(s, a, key, &text);
	else if (*key)
		utf8_add_visible(&text, key, strlen(key));
	else
		str_add(&text, "this key");
	if (s->view.popup.kind != POPUP_NONE)
		str_add(&text, " does nothing in this window; Esc closes it");
	else if (!a)
		str_add(&text, " has no meaning; ? lists the keys, and : finds things by name");
	state_say(s, false, "%s", str_text(&text));
	str_free(&text);
}
