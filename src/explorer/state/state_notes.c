#include "explorer/state/state_notes.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/network/network.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "explorer/state/pane.h"
#include "explorer/state/screen_layout.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_probes.h"
#include "work/timeline/timeline.h"

/* The object under the cursor, which a note would be on. The caller frees *what. False: none. */
static bool
state_note_subject(const struct state *s, enum remark_on *on, char **what)
{
	enum pane_id pane = state_pane(s);
	enum view_about about = view_row(s->view.current)->about;
	bool open = view_needs_nothing(s->view.current) ||
		(about == VIEW_ABOUT_SNAPSHOTS ? s->data.timeline != NULL : s->question.model != NULL);

	*what = NULL;
	return s->view.current != VIEW_START && open && pane_ops(pane)->note && pane_ops(pane)->note(s, pane, on, what);
}

const struct remark *
state_note_on(const struct state *s, enum remark_on on, const char *what)
{
	return remarks_on(&s->question.remarks, on, what);
}

/* Takes `what` over. */
static void
state_notes_ask(struct state *s, enum remark_on on, char *what)
{
	const struct remark *r = remarks_on(&s->question.remarks, on, what);

	free(s->view.prompt.noting_what);
	s->view.prompt.noting = on;
	s->view.prompt.noting_what = what;
	state_open_prompt(s, PROMPT_NOTE, r ? r->text : "");
}

/* Notes are saved in sessions, and a session has a model, a network or a stack. */
static bool
has_session(struct state *s)
{
	bool has = s->question.model || s->data.timeline;

	if (!has)
		state_say(s, false, "notes are saved with a model, network or stack, and none is open; S opens one");
	return has;
}

void
state_note(struct state *s)
{
	enum remark_on on;
	char *what;

	if (!has_session(s))
		return;
	if (state_note_subject(s, &on, &what))
		state_notes_ask(s, on, what);
	else
		state_say(s, false, "there is nothing under the cursor to write a note on");
}

void
state_note_on_all(struct state *s)
{
	if (has_session(s))
		state_notes_ask(s, REMARK_SESSION, mem_str(""));
}

void
state_note_finish(struct state *s)
{
	const char *text = str_text(&s->view.prompt.input);
	bool changed = s->view.prompt.noting_what &&
		remarks_put(&s->question.remarks, s->view.prompt.noting, s->view.prompt.noting_what, text);

	if (!changed)
		return;
	if (!*text)
		state_say(s, false, "the note is deleted");
	else if (s->data.saved.in)
		state_say(s, false, "noted");
	else
		state_say(s, false, "noted; w saves the note in a file");
}

void
state_list_notes(struct state *s)
{
	if (s->question.remarks.n)
		state_open_popup(s, POPUP_NOTES);
	else
		state_say(s, false,
			"there are no notes yet; n writes one on what the cursor is on, N one on the session");
}

static const struct remark *
chosen(const struct state *s)
{
	size_t at = s->view.popup.cursor > 0 ? (size_t)s->view.popup.cursor : 0;

	return s->view.popup.kind == POPUP_NOTES && at < s->question.remarks.n ? &s->question.remarks.remark[at] : NULL;
}

void
state_edit_note(struct state *s)
{
	const struct remark *r = chosen(s);

	if (r)
		state_notes_ask(s, r->on, mem_str(r->what));
}

void
state_delete_note(struct state *state)
{
	const struct remark *remark = chosen(state);
	char *what;

	if (!remark)
		return;
	what = mem_str(remark->what);
	remarks_put(&state->question.remarks, remark->on, what, "");
	free(what);
	state_say(state, false, "the note is deleted");
	if ((size_t)state->view.popup.cursor >= state->question.remarks.n && state->view.popup.cursor > 0)
		state->view.popup.cursor--;
	if (!state->question.remarks.n)
		state_close_popup(state);
}

char *
state_file_name(const struct state *state)
{
	time_t now = time(NULL);
	struct tm tm;
	char date[32], *name;
	struct str model = {0};
	const struct network *net = state->data.timeline ? timeline_network(state->data.timeline) : NULL;
	const char *of = state->question.model ? state->question.model->name
		: net ? net->name : state->data.timeline ? timeline_stack(state->data.timeline)->name : "probes";

	strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &tm));
	for (const char *p = of; *p; p++)
		str_addc(&model,
			strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p) ? *p : '-');
	name = str_format("%s-%s.hct", str_text(&model), date);
	for (int i = 2; access(name, F_OK) == 0; i++) {
		free(name);
		name = str_format("%s-%s-%d.hct", str_text(&model), date, i);
	}
	str_free(&model);
	return name;
}

void
state_write_item(struct state *state, enum write_item item)
{
	char *name;

	if (state->view.popup.kind != POPUP_WRITE)
		return;
	state_close_popup(state);
	switch (item) {
	case WRITE_SCREEN:
		state_request(state, REQUEST_PICTURE);
		break;
	case WRITE_REPORT:
	case WRITE_PAGE:
		if (state_reports_contest(state))
			requests_add(&state->requests, REQUEST_REPORT, item == WRITE_PAGE, NULL);
		else if (item == WRITE_PAGE && !state->question.model && !state->data.timeline &&
			state_has_curves(state))
			requests_add(&state->requests, REQUEST_REPORT, 1, NULL);
		else if (state->question.model ? state->answers.result && !state->answers.result->error
					  : state->data.timeline &&
					(state->answers.timeline.bars || state->answers.timeline.analysis))
			requests_add(&state->requests, REQUEST_REPORT, item == WRITE_PAGE, NULL);
		else
			state_say(state, false, "there is nothing to report yet");
		break;
	case WRITE_SESSION:
		if (state->view.current == VIEW_DIFF && state_unsaved_runs(state)) {
			state_ask_to_keep_contest(state);
			break;
		}
		if (!state->question.model && !state->data.timeline && !state_has_curves(state)) {
			state_say(state, false, "nothing is open yet, so there is nothing to save");
			break;
		}
		name = state_file_name(state);
		state_open_prompt(state, PROMPT_KEEP, name);
		free(name);
		break;
	case WRITE_ITEMS:
		break;
	}
}
