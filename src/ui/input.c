#include "ui/input.h"

#include <string.h>

#include "app/action.h"
#include "app/session/session.h"
#include "base/str.h"
#include "draw/view/view.h"
#include "ui/keys.h"
#include "ui/term.h"

/* What the keys before this click have changed is not drawn yet: it would mean something else than what is seen. */
static bool
is_seen(const struct session *s, const struct drawn *d)
{
	return d->view == s->view && d->popup == s->popup;
}

static bool
is_list(enum popup p)
{
	return p == POPUP_VARIANT || p == POPUP_LOSS || p == POPUP_NOTES || p == POPUP_WRITE || p == POPUP_SIMULATED;
}

/* A row of a list popup, which has no pane. What lies below a popup cannot be clicked. */
static void
take_popup_click(struct session *s, const struct hit *h, int button)
{
	if (h->kind != HIT_ROW || h->pane >= 0 || !is_list(s->popup))
		return;
	s->popup_cursor = h->row;
	if (button == MOUSE_DOUBLE && s->popup != POPUP_LOSS)
		session_prompt_key(s, PROMPT_ENTER);
}

static void
take_mouse(struct session *s, const struct drawn *d, const struct term_event *e)
{
	if (e->button == MOUSE_WHEEL_UP || e->button == MOUSE_WHEEL_DOWN) {
		session_act(s, e->button == MOUSE_WHEEL_UP ? ACTION_up : ACTION_down);
		return;
	}
	for (int i = is_seen(s, d) ? d->n_hits - 1 : -1; i >= 0; i--) {
		const struct hit *h = &d->hit[i];

		if (!rect_has(h->r, e->x, e->y))
			continue;
		if (h->kind == HIT_ACTION) {
			session_act(s, h->action);
		} else if (s->popup != POPUP_NONE) {
			take_popup_click(s, h, e->button);
		} else if (h->kind == HIT_PANE) {
			s->focus = s->shown = (enum pane_id)h->pane;
		} else if (s->view == VIEW_START) {
			s->start_focus = (enum start_pane)h->pane;
			s->start_cursor[h->pane] = h->row;
			if (e->button == MOUSE_DOUBLE)
				session_act(s, h->action);
		} else {
			s->focus = s->shown = (enum pane_id)h->pane;
			session_choose(s, s->shown, h->row);
			if (e->button == MOUSE_DOUBLE)
				session_act(s, h->action);
		}
		return;
	}
}

void
input_take(struct session *s, const struct drawn *d, const struct term_event *e)
{
	char name[KEY_NAME];
	int scope = session_scope(s);

	if (e->key == TK_MOUSE) {
		take_mouse(s, d, e);
		return;
	}
	key_name(e->key, name);
	s->message[0] = scope ? '\0' : s->message[0];
	if (scope == 0) {
		if (str_eq(name, "Enter"))
			session_prompt_key(s, PROMPT_ENTER);
		else if (str_eq(name, "Esc"))
			session_prompt_key(s, PROMPT_ESCAPE);
		else if (e->key == TK_BACKSPACE)
			session_prompt_key(s, PROMPT_ERASE);
		else if (str_eq(name, "C-u"))
			session_prompt_key(s, PROMPT_CLEAR);
		else if (e->key >= 0x20 && e->key < 0x110000)
			session_input(s, (unsigned)e->key);
		return;
	}
	if (scope == IN_POPUP && str_eq(name, "Enter")) {
		session_prompt_key(s, PROMPT_ENTER);
		return;
	}
	if (scope == IN_POPUP && s->popup == POPUP_TRACEFS && str_eq(name, "Esc")) {
		s->popup = POPUP_NONE;
		s->want.command = true;
		return;
	}
	session_act(s, action_for_key(name, scope));
}

bool
input_note_drawn(struct session *s, const struct drawn *d)
{
	s->page = d->page;
	s->visible = d->visible;
	s->why_rows = d->why_rows;
	s->shown_zoom = d->zoom;
	s->run.network_w = d->network_w;
	s->run.network_h = d->network_h;
	memcpy(s->rows, d->rows, sizeof s->rows);
	s->popup_rows = d->popup_rows;
	if (s->popup != POPUP_NONE && !is_list(s->popup) && s->popup_rows > 0 && s->popup_cursor >= s->popup_rows)
		s->popup_cursor = s->popup_rows - 1; /* more has come into sight with the size */
	s->shown = (enum pane_id)d->focus;
	s->start_models = d->start_models;
	if (s->start_models || s->start_focus != START_MODELS)
		return false;
	s->start_focus = START_MENU; /* its pane has gone with the size */
	return true;
}
