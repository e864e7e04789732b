/* What Enter does in the palette. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_settings.h"

/* Puts the name at the front of those used last. */
static void
remember(struct palette *p, const char *name)
{
	size_t at = 0;
	char *mine = mem_str(name);

	while (p->recent[at] && !str_eq(p->recent[at], name))
		at++;
	if (at == PALETTE_RECENT)
		at--;
	free(p->recent[at]);
	memmove(&p->recent[1], &p->recent[0], at * sizeof *p->recent);
	p->recent[0] = mine;
}

/* Opens what Home lists by this name. The list may have been read again since the palette was opened. */
static void
open_named(struct state *s, const char *name)
{
	const struct openables *of = &s->data.home.of;

	for (size_t i = 0; i < of->n; i++)
		if (str_eq(of->item[i].name, name)) {
			state_open_listed(s, &of->item[i]);
			return;
		}
}

static void
do_item(struct state *s, const struct palette_item *item)
{
	const char *word = strchr(item->name, ' ');

	switch (item->kind) {
	case PALETTE_ACTION:
		state_act(s, (enum action)item->number);
		break;
	case PALETTE_OPEN:
		open_named(s, word + 1);
		break;
	case PALETTE_VARIANT:
		state_switch_to(s, &s->question.model->variant[item->number].on);
		break;
	case PALETTE_FEATURE:
		s->view.cursor[PANE_FEATURES] = item->number;
		state_act(s, ACTION_toggle);
		break;
	case PALETTE_THEME:
		state_set_theme(s, word + 1);
		break;
	case PALETTE_SETTING:
		setting_take(s, item->number);
		break;
	case PALETTE_COMMAND: /* the prompt's (state_prompt.c) */
		break;
	}
}

void
state_palette_take(struct state *s)
{
	struct palette *p = s->view.popup.palette;
	size_t n, at = (size_t)s->view.popup.cursor;
	const size_t *row = state_palette_rows(s, &n);
	const struct palette_item *item = at < n ? &p->item[row[at]] : NULL;

	if (!item) {
		state_say(s, false, "nothing has such a name; Esc closes the palette");
		return;
	}
	state_close_popup(s);
	remember(p, item->name);
	state_shown_changed(s); /* what was used last comes first */
	if (item->why)
		state_say(s, false, "%s", item->why);
	else
		do_item(s, item);
}
