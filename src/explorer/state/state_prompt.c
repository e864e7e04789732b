/* Popups that ask for a line of text or for a choice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_columns.h"
#include "explorer/state/state_follow.h"
#include "explorer/state/state_leave.h"
#include "explorer/state/state_notes.h"
#include "explorer/state/state_palette.h"
#include "explorer/state/state_reason.h"
#include "explorer/state/state_relax.h"
#include "explorer/state/state_rows.h"
#include "explorer/state/state_sim.h"
#include "explorer/state/state_start.h"
#include "explorer/state/state_texts.h"
#include "explorer/state/state_views.h"
#include "explorer/state/undo_steps.h"
#include "work/files/files.h"
#include "work/files/simulation_text.h"

static void
accept_popup(struct state *state)
{
	if (state->view.popup.kind == POPUP_VARIANT) {
		state_take_choice(state);
	} else if (state->view.popup.kind == POPUP_SIMULATED) {
		state_sim_choose(state);
	} else if (state->view.popup.kind == POPUP_THEMES) {
		state_keep_theme(state);
	} else if (state->view.popup.kind == POPUP_COLUMNS) {
		state_sort_by_column(state);
	} else if (state->view.popup.kind == POPUP_NOTES) {
		state_edit_note(state);
	} else if (state->view.popup.kind == POPUP_WRITE) {
		state_write_item(state, (enum write_item)state->view.popup.cursor);
	} else if (state->view.popup.kind == POPUP_LEAVE) {
		state_leave_take(state);
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

/* Opens the name under the cursor; a text that fits no name is a path. */
static void
open_typed(struct state *state)
{
	const struct openables *of = state_offered(state);
	size_t *order = mem_new_array(of->n, sizeof *order),
	       n = openable_match(of, str_text(&state->view.prompt.input), order);
	const struct openable *item = n ? &of->item[order[(size_t)state->view.prompt.choice % n]] : NULL;
	char *path = openable_expand(item ? item->name : str_text(&state->view.prompt.input));

	if (state->view.prompt.kind == PROMPT_JUDGE)
		requests_add(&state->requests, REQUEST_JUDGE, 0, path);
	else if (item)
		state_open_listed(state, item);
	else if (*path)
		requests_add(&state->requests, REQUEST_OPEN, OPEN_ONLY, path);
	free(path);
	free(order);
}

/* Moves the cursor among the names that fit, or completes what they have in common. */
static void
choose_typed(struct state *state, enum prompt_key key)
{
	struct prompt_state *prompt = &state->view.prompt;
	struct openables *of = state_offered(state);
	size_t *order;
	int n;
	char *text;

	if (key == PROMPT_COMPLETE) {
		if (prompt->kind == PROMPT_OPEN && strchr(str_text(&prompt->input), '/'))
			openable_add_typed(of, str_text(&prompt->input)); /* what is in that folder */
		text = openable_complete(of, str_text(&prompt->input));
		str_clear(&prompt->input);
		str_add(&prompt->input, text);
		free(text);
		prompt->at = prompt->input.n;
		prompt->proposed = false;
		prompt->choice = 0;
		return;
	}
	order = mem_new_array(of->n, sizeof *order);
	n = (int)openable_match(of, str_text(&prompt->input), order);
	if (n)
		prompt->choice = (prompt->choice + n + (key == PROMPT_UP ? -1 : 1)) % n;
	free(order);
}

static void
finish_prompt(struct state *state)
{
	struct err e = {0};
	char **argv;

	state_close_popup(state);
	state_prompt_forget(state);
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
	case PROMPT_JUDGE:
		open_typed(state);
		break;
	case PROMPT_FILTER:
		state_set_filter(state, str_text(&state->view.prompt.input));
		break;
	case PROMPT_FIND:
		free(state->view.find);
		state->view.find = mem_str(str_text(&state->view.prompt.input));
		if (state->view.prompt.input.n && !state_rows_found(state, state->view.find).n)
			state_say(state, true, "nothing here contains \"%s\"", state->view.find);
		break;
	case PROMPT_NOTE:
		state_note_finish(state);
		break;
	case PROMPT_ANSWER:
		if (state->lesson)
			state_lesson_answer(state, str_text(&state->view.prompt.input));
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

/* Does the prompt list names to choose from? */
static bool
offers_names(const struct state *s)
{
	return s->view.popup.kind == POPUP_PROMPT &&
		(s->view.prompt.kind == PROMPT_OPEN || s->view.prompt.kind == PROMPT_JUDGE);
}

/* --- find and filter, as one types -------------------------------------------------------------------------------- */

bool
state_prompt_is_line(const struct state *s)
{
	return s->view.popup.kind == POPUP_PROMPT &&
		(s->view.prompt.kind == PROMPT_FIND || s->view.prompt.kind == PROMPT_FILTER ||
			s->view.prompt.kind == PROMPT_ANSWER);
}

/* Does each letter act at once? */
static bool
acts_at_once(const struct state *s)
{
	return state_prompt_is_line(s) && s->view.prompt.kind != PROMPT_ANSWER;
}

/* Puts the cursor where it was before the prompt, if that is in the list. */
static void
back_to_place(struct state *s)
{
	const struct prompt_before *b = &s->view.prompt.before;
	enum pane_id pane = state_searched_pane(s);
	int n = state_pane_length(s, pane), row;

	if (b->folded && b->n_folded == s->view.tree.n) {
		memcpy(s->view.tree.folded, b->folded, b->n_folded * sizeof *b->folded);
		state_shown_changed(s);
	}
	row = b->thing ? state_row_of(s, pane, b->thing, b->row) : b->row;
	if (row >= 0 && row < n && row != s->view.cursor[pane])
		state_choose(s, pane, row);
}

static void
apply_line(struct state *s)
{
	const char *words = str_text(&s->view.prompt.input);

	state_say_nothing(s);
	if (s->view.prompt.kind == PROMPT_FILTER)
		state_set_filter(s, words);
	back_to_place(s);
	if (s->view.prompt.kind == PROMPT_FIND && *words)
		state_find_first(s, words);
	state_want(s, state_searched_pane(s));
	state_seen(s);
}

static void
leave_line(struct state *s)
{
	if (s->view.prompt.kind == PROMPT_FILTER)
		state_set_filter(s, s->view.prompt.before.filter ? s->view.prompt.before.filter : "");
	back_to_place(s);
	state_want(s, state_searched_pane(s));
	state_say_nothing(s);
	state_prompt_forget(s);
}

/* Keeps a text that was searched or filtered by, once. */
static void
keep_past(struct prompt_state *p)
{
	const char *text = str_text(&p->input);
	size_t at = 0;
	char *kept;

	if (!*text)
		return;
	while (at < PROMPTS_PAST - 1 && p->past[at] && !str_eq(p->past[at], text))
		at++;
	kept = p->past[at] && str_eq(p->past[at], text) ? p->past[at] : mem_str(text);
	if (kept != p->past[at])
		free(p->past[at]);
	memmove(p->past + 1, p->past, at * sizeof *p->past);
	p->past[0] = kept;
}

/* --- editing ------------------------------------------------------------------------------------------------------ */

#define PROMPT_MOST 262144 /* bytes of a line; no more are taken */
#define PROMPT_MOST_WORDS 200

static void
set_input(struct prompt_state *p, const char *text)
{
	str_clear(&p->input);
	str_add(&p->input, text);
	p->at = p->input.n;
	p->proposed = false;
}

static void
insert(struct prompt_state *p, const char *bytes, size_t n, size_t most)
{
	if (p->proposed)
		set_input(p, "");
	if (p->input.n + n > most)
		return;
	p->at = p->at < p->input.n ? p->at : p->input.n;
	str_addn(&p->input, bytes, n);
	memmove(p->input.s + p->at + n, p->input.s + p->at, p->input.n - n - p->at);
	memcpy(p->input.s + p->at, bytes, n);
	p->at += n;
}

static void
cut(struct prompt_state *p, size_t from, size_t to)
{
	if (from >= to)
		return;
	memmove(p->input.s + from, p->input.s + to, p->input.n - to + 1);
	p->input.n -= to - from;
	p->at = from;
}

static size_t
character_before(const struct prompt_state *p, size_t at)
{
	while (at > 0 && ((unsigned char)p->input.s[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t
character_after(const struct prompt_state *p, size_t at)
{
	while (at < p->input.n && ((unsigned char)p->input.s[++at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t
word_before(const struct prompt_state *p)
{
	size_t at = p->at;

	while (at > 0 && p->input.s[at - 1] == ' ')
		at--;
	while (at > 0 && p->input.s[at - 1] != ' ')
		at--;
	return at;
}

static void
turn_past(struct prompt_state *p, bool back)
{
	size_t to = back ? p->past_at + 1 : p->past_at ? p->past_at - 1 : 0;

	if (to > PROMPTS_PAST || (to && !p->past[to - 1]) || to == p->past_at)
		return;
	p->past_at = to;
	set_input(p, to ? p->past[to - 1] : "");
}

/* A proposal is taken away as a whole, or edited from where an arrow puts the cursor. Has the text changed? */
static bool
edit(struct prompt_state *p, enum prompt_key key)
{
	size_t n = p->input.n;
	bool whole = p->proposed && (key == PROMPT_ERASE || key == PROMPT_ERASE_WORD || key == PROMPT_DELETE);

	p->at = p->at < n ? p->at : n;
	p->proposed = false;
	if (whole || key == PROMPT_CLEAR)
		set_input(p, "");
	else if (key == PROMPT_ERASE)
		cut(p, character_before(p, p->at), p->at);
	else if (key == PROMPT_ERASE_WORD)
		cut(p, word_before(p), p->at);
	else if (key == PROMPT_DELETE)
		cut(p, p->at, character_after(p, p->at));
	else if (key == PROMPT_LEFT)
		p->at = character_before(p, p->at);
	else if (key == PROMPT_RIGHT)
		p->at = character_after(p, p->at);
	else if (key == PROMPT_HOME || key == PROMPT_END)
		p->at = key == PROMPT_HOME ? 0 : n;
	return p->input.n != n;
}

/* Asks whether the counters fit as soon as the palette's line is a command. */
static void
palette_typed(struct state *s, bool ran)
{
	if (!ran && s->view.popup.kind == POPUP_PALETTE && state_palette_runs(s))
		state_request(s, REQUEST_FIT);
}

void
state_prompt_key(struct state *state, enum prompt_key key)
{
	struct prompt_state *p = &state->view.prompt;
	bool line = acts_at_once(state), ran = state_palette_runs(state);

	state_undo_begin(state);
	if (key != PROMPT_ENTER && state->view.popup.kind == POPUP_PALETTE)
		state->view.popup.cursor = 0;
	if (key == PROMPT_ENTER && state->view.popup.kind == POPUP_PALETTE) {
		accept_palette(state);
	} else if (key == PROMPT_ENTER && state->view.popup.kind != POPUP_PROMPT) {
		accept_popup(state);
	} else if (key == PROMPT_ENTER) {
		if (line)
			keep_past(p);
		finish_prompt(state);
	} else if (key == PROMPT_ESCAPE) {
		if (line)
			leave_line(state);
		if (p->kind == PROMPT_KEEP)
			state_leave_forget(state); /* the question that led here is answered: stay */
		state_close_popup(state);
	} else if (offers_names(state) && (key == PROMPT_COMPLETE || key == PROMPT_UP || key == PROMPT_DOWN)) {
		choose_typed(state, key);
	} else if (key == PROMPT_UP || key == PROMPT_DOWN) {
		if (line) {
			turn_past(p, key == PROMPT_UP);
			apply_line(state);
		}
	} else if (edit(p, key)) {
		p->choice = 0;
		palette_typed(state, ran);
		if (line)
			apply_line(state);
	}
	state_undo_end(state);
}

void
state_prompt_paste(struct state *s, bool begins)
{
	s->view.prompt.pasting = begins;
}

void
state_input(struct state *s, unsigned code_point)
{
	bool line = acts_at_once(s), ran = state_palette_runs(s);
	size_t most = line ? PROMPT_MOST_WORDS : s->view.popup.kind == POPUP_PALETTE ? PALETTE_LINE_MOST : PROMPT_MOST;
	char bytes[4];

	if (utf8_is_control(code_point))
		return;
	s->view.popup.cursor = 0;
	s->view.prompt.choice = 0;
	insert(&s->view.prompt, bytes, utf8_encode(code_point, bytes), most);
	palette_typed(s, ran);
	if (line)
		apply_line(s);
}
