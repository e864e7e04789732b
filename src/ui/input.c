#include "ui/input.h"

#include <stdio.h>
#include <string.h>

#include "base/journal.h"
#include "base/str.h"
#include "base/utf8.h"
#include "draw/view/view.h"
#include "explorer/state/action.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_timeline.h"
#include "ui/term.h"

/* Does the screen show the current view and popup? If a key has changed them since, a click would mean something else
 * than the user saw. */
static bool
is_seen(const struct state *s, const struct drawn *d)
{
	return d->layout.view == s->view.current && d->layout.popup == s->view.popup.kind;
}

static bool
input_is_list(enum popup p)
{
	return p == POPUP_VARIANT || p == POPUP_LOSS || p == POPUP_NOTES || p == POPUP_WRITE || p == POPUP_SIMULATED ||
		p == POPUP_INSTRUCTIONS || p == POPUP_COLUMNS || p == POPUP_PALETTE || p == POPUP_THEMES ||
		p == POPUP_LEAVE;
}

/* A row of a list popup has no pane. Nothing below a popup can be clicked. */
/* As Esc: a question about tracefs goes on without it. */
static void
leave_popup(struct state *s)
{
	bool runs = s->view.popup.kind == POPUP_TRACEFS;

	if (state_scope(s) == 0)
		state_prompt_key(s, PROMPT_ESCAPE);
	else
		state_act(s, ACTION_back);
	if (runs)
		state_request(s, REQUEST_RUN);
}

static void
take_popup_click(struct state *s, const struct hit *h, int button)
{
	if (h->kind != HIT_ROW || h->pane >= 0 || !input_is_list(s->view.popup.kind))
		return;
	state_point_popup(s, h->row);
	if (s->view.popup.kind == POPUP_LEAVE || (button == MOUSE_DOUBLE && s->view.popup.kind != POPUP_LOSS))
		state_prompt_key(s, PROMPT_ENTER);
}

/* The topmost region of a kind under the pointer; NULL: none. */
static const struct hit *
hit_of(const struct drawn *d, enum hit_kind kind, const struct term_event *event)
{
	for (int i = d->n_hits - 1; i >= 0; i--)
		if (d->hit[i].kind == kind && rect_has(d->hit[i].r, event->x, event->y))
			return &d->hit[i];
	return NULL;
}

/* Moves the cursor of the pane under the pointer, which need not have the keys. */
static void
take_wheel(struct state *s, const struct drawn *d, const struct term_event *event)
{
	int by = event->button == MOUSE_WHEEL_UP ? -1 : 1;
	const struct hit *pane = is_seen(s, d) && s->view.popup.kind == POPUP_NONE && s->view.current != VIEW_START
		? hit_of(d, HIT_PANE, event) : NULL;

	if (pane)
		state_scroll(s, (enum pane_id)pane->pane, by);
	else
		state_act(s, by < 0 ? ACTION_up : ACTION_down);
}

static void
take_drag(struct state *s, const struct drawn *d, const struct term_event *event)
{
	struct drag drag = s->view.panes.drag;
	struct pane_share share[PANE_COUNT];

	if (event->button == MOUSE_RELEASE)
		state_drag(s, (struct drag){0});
	if (!drag.going || event->button != MOUSE_DRAG || !is_seen(s, d))
		return;
	memcpy(share, s->view.panes.share, sizeof share);
	panes_drag(&d->panes, (int)drag.pane, drag.title, event->x, event->y, share);
	state_set_shares(s, share);
}

/* A press on a separator begins to drag it; a double click gives the view's panes their own sizes again. */
static void
take_edge(struct state *s, const struct hit *hit, int button)
{
	if (hit->row)
		state_focus(s, (enum pane_id)hit->pane);
	state_drag(s, (struct drag){button == MOUSE_PRESS, hit->row, (enum pane_id)hit->pane});
	if (button == MOUSE_DOUBLE)
		state_forget_shares(s);
}

static void
say_gone(struct state *s)
{
	state_say(s, false, "that row is gone; nothing was done");
	state_seen(s);
}

/* A row may have moved, or gone, since it was drawn. */
static void
take_row(struct state *s, const struct hit *hit, int button)
{
	enum pane_id pane = (enum pane_id)hit->pane;
	int row = hit->thing ? state_row_of(s, pane, hit->thing, hit->row) : hit->row;

	if (row < 0) {
		say_gone(s);
		return;
	}
	state_point(s, pane, row);
	if (button == MOUSE_DOUBLE)
		state_act(s, hit->action);
	state_seen(s);
}

/* A click outside an open popup closes it, as Esc does. */
static bool
closes_popup(struct state *s, const struct drawn *d, const struct term_event *event)
{
	if (s->view.popup.kind == POPUP_NONE || !is_seen(s, d) || hit_of(d, HIT_ACTION, event) ||
		rect_has(d->popup, event->x, event->y))
		return false;
	if (state_prompt_is_line(s)) { /* it covers nothing: what was found stays, and the click counts */
		state_prompt_key(s, PROMPT_ENTER);
		return false;
	}
	leave_popup(s);
	return true;
}

static void
take_press(struct state *state, const struct hit *hit, const struct term_event *event)
{
	if (hit->kind == HIT_ACTION) {
		state_act(state, hit->action);
	} else if (hit->kind == HIT_TITLE && state->view.popup.kind == POPUP_NONE) {
		state_click_title(state, (enum pane_id)hit->pane, (size_t)hit->row);
	} else if (state->view.popup.kind != POPUP_NONE) {
		take_popup_click(state, hit, event->button);
	} else if (hit->kind == HIT_PANE) {
		state_focus(state, (enum pane_id)hit->pane);
	} else if (hit->kind == HIT_EDGE) {
		take_edge(state, hit, event->button);
	} else if (state->view.current == VIEW_START) {
		state_point_start(state, (enum start_pane)hit->pane, hit->row);
		if (event->button == MOUSE_DOUBLE)
			state_act(state, hit->action);
	} else {
		take_row(state, hit, event->button);
	}
}

static void
take_mouse(struct state *state, const struct drawn *d, const struct term_event *event)
{
	bool seen = is_seen(state, d);

	if (event->button == MOUSE_WHEEL_UP || event->button == MOUSE_WHEEL_DOWN) {
		take_wheel(state, d, event);
		return;
	}
	if (event->button == MOUSE_DRAG || event->button == MOUSE_RELEASE) {
		take_drag(state, d, event);
		return;
	}
	if (closes_popup(state, d, event))
		return;
	for (int i = seen ? d->n_hits - 1 : -1; i >= 0; i--)
		if (rect_has(d->hit[i].r, event->x, event->y)) {
			take_press(state, &d->hit[i], event);
			return;
		}
}

/* Keys of a prompt that are no text. */
static const struct {
	const char *key;
	enum prompt_key does;
} prompt_keys[] = {
	{"Enter", PROMPT_ENTER}, {"Esc", PROMPT_ESCAPE}, {"Backspace", PROMPT_ERASE}, {"C-u", PROMPT_CLEAR},
	{"C-w", PROMPT_ERASE_WORD}, {"C-d", PROMPT_DELETE}, {"Left", PROMPT_LEFT}, {"Right", PROMPT_RIGHT},
	{"Home", PROMPT_HOME}, {"C-a", PROMPT_HOME}, {"End", PROMPT_END}, {"C-e", PROMPT_END}, {"Up", PROMPT_UP},
	{"Down", PROMPT_DOWN}, {"Tab", PROMPT_COMPLETE},
};

static void
take_prompt_key(struct state *s, const char *name, int key)
{
	for (size_t i = 0; i < sizeof prompt_keys / sizeof *prompt_keys; i++)
		if (str_eq(name, prompt_keys[i].key)) {
			state_prompt_key(s, prompt_keys[i].does);
			return;
		}
	if (key >= 0x20 && key < 0x110000)
		state_input(s, (unsigned)key);
}

/* What is pasted is text for a prompt, its line ends are blanks, and it is never keys. */
static void
take_pasted(struct state *s, int key)
{
	bool blank = key == '\r' || key == '\n' || key == '\t';

	if (state_scope(s) == 0 && (blank || (key >= 0x20 && key < 0x110000)))
		state_input(s, blank ? ' ' : (unsigned)key);
	else if (state_scope(s))
		state_say(s, false, "what is pasted is text for a prompt; no prompt is open");
}

/* The keys that move the palette's cursor while all others are text. */
static enum action
palette_move(int key)
{
	return key == TK_UP ? ACTION_up : key == TK_DOWN ? ACTION_down : key == TK_PAGE_UP ? ACTION_page_up
		: key == TK_PAGE_DOWN ? ACTION_page_down : ACTION_none;
}

void
input_take(struct state *state, const struct drawn *drawn, const struct term_event *event)
{
	char name[KEY_NAME];
	uint64_t scope = state_scope(state);
	enum action action;

	if (event->key == TK_PASTE || event->key == TK_PASTE_END) {
		state_prompt_paste(state, event->key == TK_PASTE);
		return;
	}
	/* Esc ends a paste whose end was lost: terminals take it out of what they paste */
	if (state->view.prompt.pasting && event->key == 0x1b)
		state_prompt_paste(state, false);
	if (state->view.prompt.pasting && event->key != TK_MOUSE) {
		take_pasted(state, event->key);
		return;
	}
	state_timeline_show(state);
	if (event->key == TK_MOUSE) {
		take_mouse(state, drawn, event);
		return;
	}
	key_name(event->key, name);
	if (scope)
		state_say_nothing(state);
	if (scope == 0) {
		if (state->view.popup.kind == POPUP_PALETTE && palette_move(event->key))
			state_act(state, palette_move(event->key));
		else
			take_prompt_key(state, name, event->key);
		return;
	}
	if (scope == IN_POPUP && str_eq(name, "Enter")) {
		state_prompt_key(state, PROMPT_ENTER);
		return;
	}
	if (scope == IN_POPUP && state->view.popup.kind == POPUP_LEAVE && state_leave_key(state, name))
		return;
	if (scope == IN_POPUP && state->view.popup.kind == POPUP_TRACEFS && str_eq(name, "Esc")) {
		leave_popup(state);
		return;
	}
	if (scope & IN_VIEWS && !state_follow_seen(state) && (str_eq(name, "Enter") || str_eq(name, "Space"))) {
		say_gone(state);
		return;
	}
	action = action_for_key(name, scope);
	journal_line("ui", "key %s: %s", name, action_row(action)->id);
	if (action)
		state_act(state, action);
	else
		state_say_no_key(state, name);
}

static const struct {
	int key;
	const char *name;
} names[] = {
	{' ', "Space"}, {'\r', "Enter"}, {'\n', "Enter"}, {0x1b, "Esc"}, {'\t', "Tab"},
	{TK_SHIFT_TAB, "S-Tab"}, {TK_UP, "Up"}, {TK_DOWN, "Down"}, {TK_LEFT, "Left"}, {TK_RIGHT, "Right"},
	{TK_HOME, "Home"}, {TK_END, "End"}, {TK_PAGE_UP, "PgUp"}, {TK_PAGE_DOWN, "PgDn"}, {TK_BACKSPACE, "Backspace"},
};

char *
key_name(int key, char out[KEY_NAME])
{
	out[0] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].key == key) {
			snprintf(out, KEY_NAME, "%s", names[i].name);
			return out;
		}
	if (key >= TK_F1 && key <= TK_F12)
		snprintf(out, KEY_NAME, "F%d", key - TK_F1 + 1);
	else if (key > 0 && key < 0x20)
		snprintf(out, KEY_NAME, "C-%c", key - 1 + 'a');
	else if (key >= 0x20 && key < 0x110000)
		out[utf8_encode((uint32_t)key, out)] = '\0';
	return out;
}
