#include "explorer/state/state_rows.h"

#include <stdlib.h>

#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_instructions.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_texts.h"
#include "work/files/instruction_stacks.h"

/* From `step` rows after the cursor on. */
static bool
find_row(struct state *state, const struct pane_ops *ops, const char *words, int step)
{
	enum pane_id pane = state_pane(state);
	int n = ops->length && ops->has ? ops->length(state) : 0;

	for (int k = 0; k < n; k++) {
		int i = (state->view.cursor[pane] + step + k) % n;

		if (ops->has(state, (size_t)i, words)) {
			state_choose(state, pane, i);
			return true;
		}
	}
	return false;
}

void
state_find_next(struct state *s)
{
	const struct pane_ops *ops = pane_ops(state_pane(s));

	if (!s->view.find || !*s->view.find)
		return;
	if (!(ops->find ? ops->find(s, s->view.find) : find_row(s, ops, s->view.find, 1)))
		state_say(s, true, "nothing here contains \"%s\"", s->view.find);
}

void
state_find_first(struct state *s, const char *words)
{
	const struct pane_ops *ops = pane_ops(state_pane(s));

	if (!ops->find)
		find_row(s, ops, words, 0);
	else if (!ops->found || !ops->found(s, words).at)
		ops->find(s, words);
}

struct rows_found
state_rows_found(const struct state *s, const char *words)
{
	const struct pane_ops *ops = pane_ops(state_pane(s));
	int n = ops->length && ops->has ? ops->length(s) : 0;
	struct rows_found out = {0};

	if (ops->found)
		return ops->found(s, words);
	for (int i = 0; i < n; i++)
		if (ops->has(s, (size_t)i, words)) {
			out.n++;
			out.at = i == s->view.cursor[state_pane(s)] ? out.n : out.at;
		}
	return out;
}

static int
popup_length(const struct state *state)
{
	unsigned char column[COLUMNS_MOST];
	struct leave_row answer[LEAVE_ROWS];
	size_t n;

	if (state->view.popup.kind == POPUP_PALETTE) {
		state_palette_rows(state, &n);
		return (int)n;
	}
	if (state->view.popup.kind == POPUP_VARIANT)
		return (int)state_choices(state);
	if (state->view.popup.kind == POPUP_SIMULATED)
		return (int)state_sim_rows(state);
	if (state->view.popup.kind == POPUP_INSTRUCTIONS && state_instructions(state))
		return (int)state_instructions(state)->n;
	if (state->view.popup.kind == POPUP_NOTES)
		return (int)state->question.remarks.n;
	if (state->view.popup.kind == POPUP_COLUMNS)
		return (int)state_listed_columns(state, column);
	if (state->view.popup.kind == POPUP_THEMES)
		return state_count_themes(state);
	if (state->view.popup.kind == POPUP_WRITE)
		return WRITE_ITEMS;
	if (state->view.popup.kind == POPUP_LEAVE)
		return (int)state_leave_rows(state, answer);
	if (state->view.popup.kind == POPUP_LOSS)
		return (int)state_count_shown(state, &shown_counters);
	return state->layout->popup_rows > 0 ? state->layout->popup_rows : 1;
}

static int
start_length(const struct state *s)
{
	enum start_pane at = state_start_pane(s);

	return at == START_MENU ? START_ITEMS
		: at == START_MEASURE ? (int)s->data.machine.n : (int)state_home_rows(s);
}

int
state_pane_length(const struct state *s, enum pane_id pane)
{
	if (pane_ops(pane)->length)
		return pane_ops(pane)->length(s);
	return s->layout->rows[pane] > 0 ? s->layout->rows[pane] : 1;
}

int
state_list_length(const struct state *s)
{
	if (s->view.popup.kind != POPUP_NONE)
		return popup_length(s);
	if (s->view.current == VIEW_START)
		return start_length(s);
	return state_pane_length(s, state_pane(s));
}
