/* Popups that ask for a line of text or for a choice. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_notes.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_views.h"
#include "work/files/simulation_text.h"

static void
accept_popup(struct state *state)
{
	if (state->view.popup.kind == POPUP_VARIANT) {
		struct fset on = state->question.model->variant[state->view.popup.cursor].on;

		state_close_popup(state);
		state_switch_to(state, &on);
	} else if (state->view.popup.kind == POPUP_SIMULATED) {
		state_sim_choose(state);
	} else if (state->view.popup.kind == POPUP_COLUMNS) {
		state_sort_by_column(state);
	} else if (state->view.popup.kind == POPUP_NOTES) {
		state_edit_note(state);
	} else if (state->view.popup.kind == POPUP_WRITE) {
		state_write_item(state, (enum write_item)state->view.popup.cursor);
	} else if (state->view.popup.kind == POPUP_TRACEFS) {
		state_close_popup(state);
		state_request(state, REQUEST_MOUNT);
	} else if (state->view.popup.kind == POPUP_CONSTRAINT &&
		state_show_relaxers(state, state->view.constraint, NULL)) {
		return; /* its popup has replaced this one */
	} else if (state->view.popup.kind == POPUP_CONSTRAINT ||
		(state->view.popup.kind == POPUP_CERTIFICATE && state->view.current == VIEW_CONSTRAINTS)) {
		state_close_popup(state);
		state_jump_from_constraint(state);
	}
}

static void
finish_prompt(struct state *state)
{
	struct err e = {0};
	char **argv;

	state_close_popup(state);
	switch (state->view.prompt.kind) {
	case PROMPT_COMMAND:
		argv = shell_split(str_text(&state->view.prompt.input), &e);
		if (!argv) {
			state_say(state, true, "%s", e.what);
			break;
		}
		state_set_command(state, argv);
		if (state_running(state) && simulation_is(argv[0]))
			state_request(state, REQUEST_RERUN);
		else
			state_request(state, REQUEST_RUN);
		break;
	case PROMPT_OPEN:
		if (state->view.prompt.input.n)
			requests_add(&state->requests, REQUEST_OPEN, OPEN_ONLY, str_text(&state->view.prompt.input));
		break;
	case PROMPT_FILTER:
		state_set_filter(state, str_text(&state->view.prompt.input));
		break;
	case PROMPT_FIND:
		free(state->view.find);
		state->view.find = mem_str(str_text(&state->view.prompt.input));
		state_find_next(state);
		break;
	case PROMPT_NOTE:
		state_note_finish(state);
		break;
	case PROMPT_KEEP:
		if (state->view.prompt.input.n)
			requests_add(&state->requests, REQUEST_KEEP, 0, str_text(&state->view.prompt.input));
		break;
	}
}

/* Runs the palette's line without the sign at its front, or does what its row says. */
static void
accept_palette(struct state *state)
{
	const char *lacks = action_reason(state, ACTION_command);
	char *line;

	if (!state_palette_runs(state)) {
		state_palette_take(state);
		return;
	}
	if (lacks) {
		state_close_popup(state);
		state_say(state, false, "%s", lacks);
		return;
	}
	line = mem_str(str_text(&state->view.prompt.input) + 1);
	state_open_prompt(state, PROMPT_COMMAND, line);
	free(line);
	finish_prompt(state);
}

void
state_prompt_key(struct state *state, enum prompt_key key)
{
	switch (key) {
	case PROMPT_ENTER:
		if (state->view.popup.kind == POPUP_PROMPT)
			finish_prompt(state);
		else if (state->view.popup.kind == POPUP_PALETTE)
			accept_palette(state);
		else
			accept_popup(state);
		break;
	case PROMPT_ESCAPE:
		state_close_popup(state);
		break;
	case PROMPT_ERASE:
		state->view.popup.cursor = 0;
		while (state->view.prompt.input.n &&
			((unsigned char)state->view.prompt.input.s[--state->view.prompt.input.n] & 0xc0) == 0x80)
			;
		if (state->view.prompt.input.s)
			state->view.prompt.input.s[state->view.prompt.input.n] = '\0';
		break;
	case PROMPT_CLEAR:
		state->view.popup.cursor = 0;
		str_clear(&state->view.prompt.input);
		break;
	}
}

void
state_input(struct state *s, unsigned code_point)
{
	char bytes[4];

	if (s->view.popup.kind == POPUP_PALETTE && s->view.prompt.input.n >= PALETTE_LINE_MOST)
		return;
	s->view.popup.cursor = 0;
	if (!utf8_is_control(code_point))
		str_addn(&s->view.prompt.input, bytes, utf8_encode(code_point, bytes));
}
