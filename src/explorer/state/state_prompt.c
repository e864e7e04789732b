/* Popups that ask for a line of text or for a choice. */
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/utf8.h"
#include "explorer/state/state.h"
#include "explorer/state/state_notes.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_views.h"
#include "work/files/simulation_text.h"

static void
accept_popup(struct state *s)
{
	if (s->view.popup.kind == POPUP_VARIANT) {
		struct fset on = s->question.model->variant[s->view.popup.cursor].on;

		state_close_popup(s);
		state_switch_to(s, &on);
	} else if (s->view.popup.kind == POPUP_SIMULATED) {
		state_sim_choose(s);
	} else if (s->view.popup.kind == POPUP_NOTES) {
		state_edit_note(s);
	} else if (s->view.popup.kind == POPUP_WRITE) {
		state_write_item(s, (enum write_item)s->view.popup.cursor);
	} else if (s->view.popup.kind == POPUP_TRACEFS) {
		state_close_popup(s);
		state_request(s, REQUEST_MOUNT);
	} else if (s->view.popup.kind == POPUP_CONSTRAINT && state_show_relaxers(s, s->view.constraint, NULL)) {
		return; /* its popup has replaced this one */
	} else if (s->view.popup.kind == POPUP_CONSTRAINT ||
		(s->view.popup.kind == POPUP_CERTIFICATE && s->view.current == VIEW_CONSTRAINTS)) {
		state_close_popup(s);
		state_jump_from_constraint(s);
	}
}

static void
finish_prompt(struct state *s)
{
	struct err e = {0};
	char **argv;

	state_close_popup(s);
	switch (s->view.prompt.kind) {
	case PROMPT_COMMAND:
		argv = shell_split(str_text(&s->view.prompt.input), &e);
		if (!argv) {
			state_say(s, true, "%s", e.what);
			break;
		}
		state_set_command(s, argv);
		if (state_running(s) && simulation_is(argv[0]))
			state_request(s, REQUEST_RERUN);
		else
			state_request(s, REQUEST_RUN);
		break;
	case PROMPT_OPEN:
		if (s->view.prompt.input.n)
			requests_add(&s->requests, REQUEST_OPEN, OPEN_ONLY, str_text(&s->view.prompt.input));
		break;
	case PROMPT_FILTER:
		state_set_filter(s, str_text(&s->view.prompt.input));
		break;
	case PROMPT_FIND:
		free(s->view.find);
		s->view.find = mem_str(str_text(&s->view.prompt.input));
		state_find_next(s);
		break;
	case PROMPT_NOTE:
		state_note_finish(s);
		break;
	case PROMPT_KEEP:
		if (s->view.prompt.input.n)
			requests_add(&s->requests, REQUEST_KEEP, 0, str_text(&s->view.prompt.input));
		break;
	}
}

void
state_prompt_key(struct state *s, enum prompt_key key)
{
	switch (key) {
	case PROMPT_ENTER:
		if (s->view.popup.kind == POPUP_PROMPT)
			finish_prompt(s);
		else
			accept_popup(s);
		break;
	case PROMPT_ESCAPE:
		state_close_popup(s);
		break;
	case PROMPT_ERASE:
		while (s->view.prompt.input.n &&
			((unsigned char)s->view.prompt.input.s[--s->view.prompt.input.n] & 0xc0) == 0x80)
			;
		if (s->view.prompt.input.s)
			s->view.prompt.input.s[s->view.prompt.input.n] = '\0';
		break;
	case PROMPT_CLEAR:
		str_clear(&s->view.prompt.input);
		break;
	}
}

void
state_input(struct state *s, unsigned code_point)
{
	char bytes[4];

	if (!utf8_is_control(code_point))
		str_addn(&s->view.prompt.input, bytes, utf8_encode(code_point, bytes));
}
