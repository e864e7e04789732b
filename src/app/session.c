#include "app/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/live.h"
#include "app/session_rows.h"
#include "app/session_start.h"
#include "app/session_views.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "core/obs/obs.h"
#include "core/udd/model.h"
#include "core/udd/outline.h"

#define OUTLINE_ROWS 5000

void
session_init(struct session *s)
{
	*s = (struct session){.motion = true, .page = 10, .why_rows = 1, .popup_rows = 1, .visible = ~0, .program = "hecate " HECATE_VERSION};
	doctor_look(&s->doctor);
	session_list_models(s);
}

static void
forget_answers(struct session *s)
{
	session_forget_views(s);
	result_free(s->result);
	neighbours_free(s->neighbours);
	s->result = NULL;
	s->neighbours = NULL;
}

void
session_forget_history(struct session *s)
{
	s->n_history = 0;
	s->history_step = 0;
	free(s->history_of);
	s->history_of = NULL;
}

static void
forget_model(struct session *s)
{
	forget_answers(s);
	live_free(s->live);
	s->live = NULL;
	for (size_t i = 0; i < s->n_tables; i++)
		obs_table_free(s->table[i]);
	free(s->table);
	s->table = NULL;
	s->n_tables = 0;
	udd_outline_free(s->outline);
	s->outline = NULL;
	udd_free(s->model);
	s->model = NULL;
	bundle_free(&s->bundle);
	analysis_options_free(&s->how);
	free(s->folded);
	s->folded = NULL;
	free(s->so_far);
	free(s->counted);
	s->so_far = NULL;
	s->counted = NULL;
	s->n_folded = 0;
	session_forget_history(s);
	free(s->marked);
	s->marked = NULL;
	s->n_marked = 0;
	s->selected = s->constraint = 0;
	s->had_run = s->chose_constraint = false;
	memset(s->cursor, 0, sizeof s->cursor);
}

void
session_free(struct session *s)
{
	forget_model(s);
	free(s->data_name);
	str_split_free(s->argv);
	str_free(&s->output);
	str_free(&s->run_notes);
	free(s->history);
	free(s->history_of);
	if (s->target)
		free((void *)(uintptr_t)s->target->id);
	free(s->target);
	str_free(&s->log);
	str_free(&s->input);
	str_free(&s->text);
	free(s->find);
	for (int v = 0; v < VIEW_COUNT; v++)
		free(s->filter[v]);
	str_split_free(s->known);
	str_split_free(s->known_text);
	free(s->want.open);
}

bool
session_has_subject(const struct session *s)
{
	return s->argv || s->target;
}

const char *
session_subject(const struct session *s)
{
	return s->live ? live_name(s->live) : s->argv ? s->argv[0] : "";
}

void
session_add_point(struct session *s, const struct live_point *p)
{
	size_t n = s->n_history;

	if (n >= 2 && p->seconds - s->history[n - 2].seconds < s->history_step) {
		s->history[n - 1] = *p; /* the newest is always there */
		return;
	}
	if (n >= HISTORY_MOST) {
		s->history_step = (s->history[n - 1].seconds - s->history[0].seconds) / (HISTORY_MOST / 2);
		for (size_t i = 0; i < n / 2; i++)
			s->history[i] = s->history[2 * i];
		s->n_history /= 2;
	}
	mem_grow(&s->history, &s->cap_history, s->n_history + 1, sizeof *s->history);
	s->history[s->n_history++] = *p;
}

static void
make_outline(struct session *s)
{
	udd_outline_free(s->outline);
	s->outline = udd_outline_new(s->model, &s->on, OUTLINE_ROWS);
	if (s->n_folded == s->outline->n)
		return;
	free(s->folded);
	s->n_folded = s->outline->n;
	s->folded = mem_new_array(s->n_folded, sizeof *s->folded);
	session_fold_at_first(s);
}

void
session_set_model(struct session *s, struct bundle *b, struct udd_model *m, const struct analysis_options *how, const struct fset *on)
{
	forget_model(s);
	s->bundle = *b;
	*b = (struct bundle){0};
	s->model = m;
	s->how = *how;
	s->on = *on;
	s->view = VIEW_MODELS;
	s->came_from = VIEW_START;
	s->focus = s->shown = PANE_FEATURES;
	s->popup = POPUP_NONE;
	make_outline(s);
	s->want.load = true;
	s->want.engine = true;
}

bool
session_stale(const struct session *s)
{
	return !s->result || !fset_equal(&s->result->on, &s->on);
}

const struct finding *
session_finding(const struct session *s)
{
	return s->result && s->selected < s->result->n_findings ? &s->result->finding[s->selected] : NULL;
}

int
session_scope(const struct session *s)
{
	if (s->popup == POPUP_PROMPT)
		return 0;
	if (s->popup == POPUP_HELP)
		return IN_HELP;
	if (s->popup != POPUP_NONE)
		return IN_POPUP;
	if (s->view == VIEW_START)
		return IN_START;
	return 1 << s->shown;
}

void
session_say(struct session *s, bool bad, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->message, sizeof s->message, fmt, ap);
	va_end(ap);
	s->message_bad = bad;
}

/* The observation that breaks the model most: the user should see it without looking for it. */
static size_t
worst_finding(const struct result *r)
{
	size_t worst = 0;

	for (size_t i = 1; i < r->n_findings; i++) {
		const struct finding *a = &r->finding[worst], *b = &r->finding[i];
		double x = a->n_violated ? a->violated->margin : 0, y = b->n_violated ? b->violated->margin : 0;

		if (b->verdict == VERDICT_INFEASIBLE && (a->verdict != VERDICT_INFEASIBLE || y > x))
			worst = i;
	}
	return worst;
}

void
session_take_result(struct session *s, struct result *r)
{
	bool grew = !s->result || s->result->n_findings != r->n_findings;
	struct kept kept = session_keep(s, r);
	struct neighbours *neighbours = NULL;

	/* What the features would change stands until it is known anew, lest it flicker with each sample. */
	if (s->result && !grew && fset_equal(&s->result->on, &r->on)) {
		neighbours = s->neighbours;
		s->neighbours = NULL;
	}
	forget_answers(s);
	s->neighbours = neighbours;
	s->result = r;
	s->before = r->on;
	if (grew && r->n_findings)
		s->selected = s->had_run && s->live && live_table(s->live)->n ? r->n_findings - 1 : worst_finding(r);
	if (s->selected >= r->n_findings)
		s->selected = r->n_findings ? r->n_findings - 1 : 0;
	session_look_at_result(s, kept);
}

void
session_take_neighbours(struct session *s, struct neighbours *t)
{
	neighbours_free(s->neighbours);
	s->neighbours = t;
}

void
session_revert(struct session *s)
{
	if (!s->result)
		return;
	s->on = s->result->on;
	make_outline(s);
}

static void
choose(struct session *s, const struct fset *on)
{
	s->on = *on;
	make_outline(s);
	s->want.engine = true;
	s->message[0] = '\0';
}

static void
toggle_feature(struct session *s)
{
	size_t i = (size_t)s->cursor[PANE_FEATURES];
	struct fset on = s->on;
	struct err e = {0};

	if (i >= s->model->n_features)
		return;
	fset_put(&on, i, !fset_has(&on, i));
	if (!udd_legal(s->model, &on, &e)) {
		session_say(s, true, "%s%s%s", e.what, *e.hint ? "; " : "", e.hint);
		return;
	}
	choose(s, &on);
}

static void
move(struct session *s, long by)
{
	bool list = s->popup == POPUP_NONE && s->view != VIEW_START;
	int *at = s->popup != POPUP_NONE ? &s->popup_cursor : s->view == VIEW_START ? &s->start_cursor[s->start_focus] : &s->cursor[s->shown];
	long to, n = session_list_length(s);

	if (list)
		session_sync_cursors(s);
	to = *at + by;
	to = to >= n ? n - 1 : to;
	*at = (int)(to < 0 ? 0 : to);
	if (list)
		session_choose(s, s->shown, *at);
}

/* The panes of a view have consecutive numbers. */
static int
view_panes(enum view v, int *first)
{
	*first = v == VIEW_CONSTRAINTS ? PANE_CONSTRAINTS : v == VIEW_OBSERVATIONS ? PANE_LIST : PANE_FEATURES;
	return (v == VIEW_CONSTRAINTS ? PANE_LIST : v == VIEW_OBSERVATIONS ? PANE_COUNT : PANE_CONSTRAINTS) - *first;
}

static void
next_pane(struct session *s, int by)
{
	if (s->view == VIEW_START) {
		int panes = s->start_models ? START_PANES : START_MODELS;

		s->start_focus = (enum start_pane)(((int)s->start_focus + panes + by) % panes);
		return;
	}
	/* Among the panes that are shown; where only one fits, Tab walks through all of them. */
	s->focus = s->shown;
	do {
		int first, n = view_panes(s->view, &first);

		s->focus = (enum pane_id)(first + ((int)s->focus - first + n + by) % n);
	} while ((s->visible & (s->visible - 1)) && !(s->visible & 1 << s->focus));
	s->shown = s->focus;
}

void
session_open_popup(struct session *s, enum popup p)
{
	s->popup = p;
	s->popup_cursor = 0;
}

void
session_open_prompt(struct session *s, enum prompt p, const char *text)
{
	s->popup = POPUP_PROMPT;
	s->prompt = p;
	str_clear(&s->input);
	str_add(&s->input, text);
}

static void
witness(struct session *s)
{
	size_t n, *row = session_tree_rows(s, &n), at = (size_t)s->cursor[PANE_TREE];
	const struct outline_row *r = at < n ? &s->outline->row[row[at]] : NULL;

	for (size_t k = 0; r && k < r->n_items; k++)
		if (r->item[k].kind == OUTLINE_COUNT && !r->item[k].off) {
			s->want.witness = r->item[k].counter + 1;
			break;
		}
	if (!s->want.witness)
		session_say(s, false, "this row raises no counter; choose one with %s", "■");
	free(row);
}

static void
stop(struct session *s)
{
	if (s->live && live_running(s->live))
		s->want.kill = true;
	else if (s->busy || s->asked.kind != QUESTION_NONE)
		s->want.stop = true;
	else
		session_go_back(s);
}

static void
accept_popup(struct session *s)
{
	if (s->popup == POPUP_VARIANT) {
		struct fset on = s->model->variant[s->popup_cursor].on;

		s->popup = POPUP_NONE;
		choose(s, &on);
	} else if (s->popup == POPUP_TRACEFS) {
		s->popup = POPUP_NONE;
		s->want.mount = true;
	} else if (s->popup == POPUP_CONSTRAINT || (s->popup == POPUP_CERTIFICATE && s->view == VIEW_CONSTRAINTS)) {
		s->popup = POPUP_NONE;
		session_jump_from_constraint(s);
	}
}

static void
find_next(struct session *s)
{
	if (!session_find_next(s))
		session_say(s, true, "nothing here holds \"%s\"", s->find);
}

static void
quit(struct session *s)
{
	if (s->popup != POPUP_NONE)
		s->popup = POPUP_NONE;
	else
		s->want.quit = true;
}

void
session_act(struct session *s, enum action a)
{
	switch (a) {
	case ACTION_none:
	case ACTION_COUNT:
		break;
	case ACTION_toggle:
		toggle_feature(s);
		break;
	case ACTION_demo:
		session_start_item(s, START_DEMO);
		break;
	case ACTION_haswell:
		session_start_item(s, START_HASWELL);
		break;
	case ACTION_open_file:
		session_start_item(s, START_OPEN);
		break;
	case ACTION_open:
		session_start_open(s);
		break;
	case ACTION_witness:
		witness(s);
		break;
	case ACTION_fold:
		session_fold(s, 0);
		break;
	case ACTION_fold_all:
		session_fold_all(s);
		break;
	case ACTION_whence:
	case ACTION_whence_too:
		if (session_finding(s))
			session_open_popup(s, POPUP_WHENCE);
		break;
	case ACTION_run:
		session_run_command(s);
		break;
	case ACTION_command:
		session_ask_for_command(s);
		break;
	case ACTION_output:
		session_open_popup(s, POPUP_OUTPUT);
		break;
	case ACTION_variant:
		if (s->model->n_variants)
			session_open_popup(s, POPUP_VARIANT);
		else
			session_say(s, false, "the model has no variants");
		break;
	case ACTION_find:
		session_open_prompt(s, PROMPT_FIND, "");
		break;
	case ACTION_find_next:
		find_next(s);
		break;
	case ACTION_observe_next:
		session_step_observation(s, 1);
		break;
	case ACTION_observe_back:
		session_step_observation(s, -1);
		break;
	case ACTION_pane_next:
		next_pane(s, 1);
		break;
	case ACTION_pane_back:
		next_pane(s, -1);
		break;
	case ACTION_up:
		move(s, -1);
		break;
	case ACTION_down:
		move(s, 1);
		break;
	case ACTION_left:
		if (s->popup == POPUP_HELP)
			move(s, -s->page);
		else if (session_shows_samples(s))
			s->sample_column -= s->sample_column > 0;
		else if (s->popup == POPUP_NONE)
			session_fold(s, -1);
		break;
	case ACTION_right:
		if (s->popup == POPUP_HELP)
			move(s, s->page);
		else if (session_shows_samples(s))
			session_next_column(s);
		else if (s->popup == POPUP_NONE)
			session_fold(s, 1);
		break;
	case ACTION_page_up:
		move(s, -s->page);
		break;
	case ACTION_page_down:
		move(s, s->page);
		break;
	case ACTION_first:
		move(s, -(1L << 30));
		break;
	case ACTION_last:
		move(s, 1L << 30);
		break;
	case ACTION_models:
		session_show_view(s, VIEW_MODELS);
		break;
	case ACTION_constraints:
		session_show_view(s, VIEW_CONSTRAINTS);
		break;
	case ACTION_observations:
		session_show_view(s, VIEW_OBSERVATIONS);
		break;
	case ACTION_details:
		session_open_about(s, POPUP_CONSTRAINT, session_constraint(s) != NULL);
		break;
	case ACTION_certificate:
		session_open_about(s, POPUP_CERTIFICATE, s->view == VIEW_CONSTRAINTS ? session_constraint(s) != NULL : session_finding(s) != NULL);
		break;
	case ACTION_lose:
		session_open_about(s, POPUP_LOSS, s->result && s->result->n_constraints);
		break;
	case ACTION_samples:
		session_open_about(s, POPUP_OBSERVATION, session_finding(s) != NULL);
		break;
	case ACTION_compare:
		session_compare(s);
		break;
	case ACTION_jump:
		session_jump_from_constraint(s);
		break;
	case ACTION_sort:
		session_sort(s);
		break;
	case ACTION_filter:
		session_open_prompt(s, PROMPT_FILTER, s->filter[s->view] ? s->filter[s->view] : "");
		break;
	case ACTION_mark:
		session_mark(s);
		break;
	case ACTION_unmark:
		session_unmark(s);
		break;
	case ACTION_unfold:
		session_unfold_phases(s);
		break;
	case ACTION_start:
		s->view_focus[s->view] = s->focus;
		s->view = VIEW_START;
		break;
	case ACTION_doctor:
		session_open_popup(s, POPUP_DOCTOR);
		break;
	case ACTION_theme:
		s->want.theme = true;
		break;
	case ACTION_write:
		s->want.write = true;
		break;
	case ACTION_redraw:
		s->want.redraw = true;
		break;
	case ACTION_help:
		session_open_popup(s, POPUP_HELP);
		break;
	case ACTION_back:
		s->popup = POPUP_NONE;
		break;
	case ACTION_stop:
		stop(s);
		break;
	case ACTION_quit:
		quit(s);
		break;
	}
}

static void
finish_prompt(struct session *s)
{
	struct err e = {0};
	char **argv;

	s->popup = POPUP_NONE;
	switch (s->prompt) {
	case PROMPT_COMMAND:
		argv = command_split(str_text(&s->input), &e);
		if (!argv) {
			session_say(s, true, "%s", e.what);
			break;
		}
		str_split_free(s->argv);
		s->argv = argv;
		s->want.command = true;
		break;
	case PROMPT_OPEN:
		free(s->want.open);
		s->want.open = s->input.n ? mem_str(str_text(&s->input)) : NULL;
		break;
	case PROMPT_FILTER:
		session_set_filter(s, str_text(&s->input));
		break;
	case PROMPT_FIND:
		free(s->find);
		s->find = mem_str(str_text(&s->input));
		find_next(s);
		break;
	}
}

void
session_prompt_key(struct session *s, enum prompt_key key)
{
	switch (key) {
	case PROMPT_ENTER:
		if (s->popup == POPUP_PROMPT)
			finish_prompt(s);
		else
			accept_popup(s);
		break;
	case PROMPT_ESCAPE:
		s->popup = POPUP_NONE;
		break;
	case PROMPT_ERASE:
		while (s->input.n && ((unsigned char)s->input.s[--s->input.n] & 0xc0) == 0x80)
			;
		if (s->input.s)
			s->input.s[s->input.n] = '\0';
		break;
	case PROMPT_CLEAR:
		str_clear(&s->input);
		break;
	}
}

void
session_input(struct session *s, unsigned code_point)
{
	char bytes[4];

	if (!utf8_is_control(code_point))
		str_addn(&s->input, bytes, utf8_encode(code_point, bytes));
}
