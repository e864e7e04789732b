#include "app/state/layout.h"

#include "app/state/state.h"

const struct layout layout_initial = {
	.visible = UINT64_MAX,
	.page = 10,
};

enum pane_id
state_pane(const struct state *s)
{
	const struct layout *l = s->layout;

	return l->view == s->view.current && l->chosen == s->view.focus ? l->focus : s->view.focus;
}

bool
state_shows_pane(const struct state *s, enum pane_id pane)
{
	return s->layout->view != s->view.current || s->layout->visible & PANE_BIT(pane);
}

enum start_pane
state_start_pane(const struct state *s)
{
	bool room = s->view.start.focus != START_MODELS || s->layout->start_models || s->layout->view != VIEW_START;

	return room ? s->view.start.focus : START_MENU;
}
