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
#include "explorer/state/state_reason.h"
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
		p == POPUP_INSTRUCTIONS || p == POPUP_COLUMNS || p == POPUP_PALETTE;
}

/* A row of a list popup has no pane. Nothing below a popup can be clicked. */
static void
take_popup_click(struct state *s, const struct hit *h, int button)
{
	if (h->kind != HIT_ROW || h->pane >= 0 || !input_is_list(s->view.popup.kind))
		return;
	state_point_popup(s, h->row);
	if (button == MOUSE_DOUBLE && s->view.popup.kind != POPUP_LOSS)
		state_prompt_key(s, PROMPT_ENTER);
}

static void
take_mouse(struct state *state, const struct drawn *d, const struct term_event *event)
{
	if (event->button == MOUSE_WHEEL_UP || event->button == MOUSE_WHEEL_DOWN) {
		state_act(state, event->button == MOUSE_WHEEL_UP ? ACTION_up : ACTION_down);
		return;
	}
	for (int i = is_seen(state, d) ? d->n_hits - 1 : -1; i >= 0; i--) {
		const struct hit *hit = &d->hit[i];

		if (!rect_has(hit->r, event->x, event->y))
			continue;
		if (hit->kind == HIT_ACTION) {
			state_act(state, hit->action);
		} else if (hit->kind == HIT_TITLE && state->view.popup.kind == POPUP_NONE) {
			state_click_title(state, (enum pane_id)hit->pane, (size_t)hit->row);
		} else if (state->view.popup.kind != POPUP_NONE) {
			take_popup_click(state, hit, event->button);
		} else if (hit->kind == HIT_PANE) {
			state_focus(state, (enum pane_id)hit->pane);
		} else if (state->view.current == VIEW_START) {
			state_point_start(state, (enum start_pane)hit->pane, hit->row);
			if (event->button == MOUSE_DOUBLE)
				state_act(state, hit->action);
		} else {
			state_point(state, (enum pane_id)hit->pane, hit->row);
			if (event->button == MOUSE_DOUBLE)
				state_act(state, hit->action);
		}
		return;
	}
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

	if (event->key == TK_MOUSE) {
		take_mouse(state, drawn, event);
		return;
	}
	key_name(event->key, name);
	if (scope)
		state_say_nothing(state);
	if (scope == 0) {
		if (str_eq(name, "Enter"))
			state_prompt_key(state, PROMPT_ENTER);
		else if (str_eq(name, "Esc"))
			state_prompt_key(state, PROMPT_ESCAPE);
		else if (event->key == TK_BACKSPACE)
			state_prompt_key(state, PROMPT_ERASE);
		else if (str_eq(name, "C-u"))
			state_prompt_key(state, PROMPT_CLEAR);
		else if (state->view.popup.kind == POPUP_PALETTE && palette_move(event->key))
			state_act(state, palette_move(event->key));
		else if (event->key >= 0x20 && event->key < 0x110000)
			state_input(state, (unsigned)event->key);
		return;
	}
	if (scope == IN_POPUP && str_eq(name, "Enter")) {
		state_prompt_key(state, PROMPT_ENTER);
		return;
	}
	if (scope == IN_POPUP && state->view.popup.kind == POPUP_TRACEFS && str_eq(name, "Esc")) {
		state_close_popup(state);
		state_request(state, REQUEST_RUN);
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
