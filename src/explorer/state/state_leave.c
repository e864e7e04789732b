#include "explorer/state/state_leave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "collect/source.h"
#include "core/search/search_graph.h"
#include "core/udd/model.h"
#include "explorer/state/lesson_play.h"
#include "explorer/state/requests.h"
#include "explorer/state/state.h"
#include "explorer/state/state_diff.h"
#include "explorer/state/state_flows.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_views.h"
#include "work/files/files.h"
#include "work/files/simulation_text.h"
#include "work/run/run.h"

/* --- what would be lost ------------------------------------------------------------------------------------------- */

bool
state_command_runs(const struct state *s)
{
	const struct subject *of = &s->question.subject;

	return state_running(s) && (of->argv ? !simulation_is(of->argv[0]) : of->spec != NULL);
}

static bool
in_a_file(const struct state *s)
{
	return s->data.saved.in && !s->data.saved.failed;
}

/* The number of observations counted here that are in no file. Tasks come and go: those of one run count as one, and
 * they count only where nothing else was counted. */
static size_t
unsaved_observations(const struct state *state)
{
	size_t judged = 0, others = 0;

	for (size_t i = 0; i < state->data.n_runs && !in_a_file(state); i++) {
		struct run *run = state->data.run[i];

		judged += run->ops->judged ? run_table(run)->n : 0;
		others += run->ops->shown && !run->ops->judged;
	}
	return judged ? judged : others;
}

static size_t
unsaved_notes(const struct state *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->question.remarks.n && !in_a_file(s); i++)
		n += s->question.remarks.remark[i].unsaved;
	return n;
}

/* The number of models that searches have judged, and that are in no file. */
static size_t
unsaved_models(const struct state *s)
{
	const struct search_graph *graph = s->answers.search.graph;
	size_t n = 0;

	for (size_t i = 0; graph && i < graph->n_models && !in_a_file(s); i++)
		n += graph->model[i].step == GRAPH_DISCOVERY || graph->model[i].step == GRAPH_ELIMINATION;
	return n;
}

bool
state_leave_loses(const struct state *s)
{
	return unsaved_observations(s) + unsaved_notes(s) + unsaved_models(s) + state_unsaved_curves(s) > 0;
}

bool
state_leave_asks(const struct state *s)
{
	return state_command_runs(s) || state_leave_loses(s);
}

bool
state_quit_asks(const struct state *s)
{
	return state_leave_asks(s) || state_measures(s) || state_unsaved_runs(s);
}

/* Adds a line such as "  2 notes", if there are any. */
static void
add_count(struct str *out, size_t n, const char *what)
{
	if (n)
		str_addf(out, "  %zu %s%s\n", n, what, plural_s(n));
}

static void
add_losses(const struct state *s, struct str *out)
{
	size_t observations = unsaved_observations(s), models = unsaved_models(s);
	char seconds[NUMBER_TEXT];

	number_seconds(seconds, state_run_seconds(s), false);
	if (observations == 1)
		str_addf(out, "  a run of %s, %s%s\n", state_subject(s), seconds, state_running(s) ? " so far" : "");
	else if (observations)
		str_addf(out, "  %zu observations counted here; the last run: %s, %s\n", observations,
			state_subject(s), seconds);
	if (models)
		str_addf(out, "  a search over %zu feature%s, which has judged %zu model%s\n",
			s->question.model->n_features, plural_s(s->question.model->n_features), models,
			plural_s(models));
	add_count(out, unsaved_notes(s), "note");
	add_count(out, state_unsaved_curves(s), "curve");
	if (s->view.leaving.to == LEAVE_HECATE && state_unsaved_runs(s))
		str_addf(out, "  %zu runs of A and B%s\n", state_unsaved_runs(s),
			state_measures(s) ? ", so far" : "");
}

/* --- the question ------------------------------------------------------------------------------------------------- */

void
state_leave_forget(struct state *s)
{
	struct leaving *l = &s->view.leaving;

	free(l->opens);
	free(l->file);
	free(l->failure);
	*l = (struct leaving){.asked_tracefs = l->asked_tracefs};
}

/* What is in no file is only runs of A and B, which are kept as JSON. */
static bool
loses_runs_alone(const struct state *s)
{
	return state_unsaved_runs(s) && !state_leave_loses(s);
}

/* Everything that the question is about. */
static bool
loses_anything(const struct state *s)
{
	return state_leave_loses(s) || (s->view.leaving.to == LEAVE_HECATE && state_unsaved_runs(s));
}

/* Named for the runs of A and B, else the command, else the model, so that a folder of sessions can be read. */
static char *
new_file_name(const struct state *s)
{
	bool json = loses_runs_alone(s);
	char *const *argv = s->question.subject.argv;

	return file_new_name(json ? NULL : argv ? *argv : s->question.model ? s->question.model->name : NULL,
		json ? "json" : "hct");
}

static void
leave_ask(struct state *s, enum leave_to to)
{
	state_leave_forget(s);
	s->view.leaving.to = to;
	if (to != LEAVE_RUN && (!in_a_file(s) || loses_runs_alone(s)))
		s->view.leaving.file = new_file_name(s);
	state_open_popup(s, POPUP_LEAVE);
}

void
state_leave_failed(struct state *s, const char *why)
{
	struct leaving *l = &s->view.leaving;

	free(l->failure);
	l->failure = why ? mem_str(why) : NULL;
	l->since = 0;
	free(l->file);
	l->file = new_file_name(s);
	state_open_popup(s, POPUP_LEAVE);
}

void
state_leave_words(const struct state *state, struct str *out)
{
	const struct leaving *l = &state->view.leaving;
	bool runs = state_command_runs(state), loses = loses_anything(state);
	char seconds[NUMBER_TEXT];

	number_seconds(seconds, state_run_seconds(state), false);
	if (l->to == LEAVE_RUN) {
		str_addf(out, "It has run for %s. What was measured so far stays.\n", seconds);
		return;
	}
	if (l->since > 0) {
		str_addf(out, "Stopping %s, then saving.\n", state_subject(state));
		return;
	}
	if (l->failure)
		str_addf(out, "Not saved: %s.\n", l->failure);
	if (l->to == LEAVE_HECATE && state_measures(state))
		str_add(out, "A and B are measured; leaving ends them. ");
	if (runs && loses)
		str_addf(out, "%s runs. ", state_subject(state));
	else if (runs)
		str_addf(out, "%s runs (%s). ", state_subject(state), seconds);
	if (loses && state->data.saved.in && state_leave_loses(state))
		str_addf(out, "Not in %s, which cannot be written:\n", state->data.saved.in);
	else if (loses)
		str_add(out, "In no file:\n");
	else if (state->data.saved.in)
		str_addf(out, "What was measured is in %s.\n", state->data.saved.in);
	add_losses(state, out);
}

const char *
state_leave_opens(const struct state *s)
{
	const char *name = s->view.leaving.opens, *slash = name ? strrchr(name, '/') : NULL;

	return slash && slash[1] ? slash + 1 : name;
}

/* "open mine.udd", "leave" */
static char *
goal(const struct state *s)
{
	return s->view.leaving.to == LEAVE_FOR ? str_format("open %s", state_leave_opens(s)) : mem_str("leave");
}

static void __attribute__((format(printf, 5, 6)))
add_row(struct leave_row *row, size_t *n, enum leave_answer does, const char *key, const char *fmt, ...)
{
	va_list ap;

	row[*n] = (struct leave_row){.does = does, .key = key};
	va_start(ap, fmt);
	vsnprintf(row[*n].text, sizeof row[*n].text, fmt, ap);
	va_end(ap);
	++*n;
}

size_t
state_leave_rows(const struct state *state, struct leave_row row[LEAVE_ROWS])
{
	const struct leaving *l = &state->view.leaving;
	const char *name = state_subject(state);
	bool runs = state_command_runs(state), loses = loses_anything(state), named = loses && l->file;
	char *then = goal(state);
	size_t n = 0;

	if (l->to == LEAVE_RUN) {
		add_row(row, &n, LEAVE_STOPS, "Enter", "stop %s", name);
		add_row(row, &n, LEAVE_STAYS, "Esc", "go on");
		free(then);
		return n;
	}
	if (l->since == 0 && runs && named)
		add_row(row, &n, LEAVE_SAVES, "s", "stop %s, save as %s, and %s", name, l->file, then);
	else if (l->since == 0 && runs)
		add_row(row, &n, LEAVE_SAVES, "s", "stop %s and %s", name, then);
	else if (l->since == 0 && (loses || state->data.saved.in))
		add_row(row, &n, LEAVE_SAVES, "s", "save%s%s and %s", named ? " as " : "", named ? l->file : "", then);
	if (l->since == 0 && runs && state->question.subject.argv && l->to == LEAVE_HECATE)
		add_row(row, &n, LEAVE_LETS_RUN, "l", "%s%s%sleave; %s runs on", named ? "save as " : "",
			named ? l->file : "", named ? " and " : "", name);
	if (runs && (loses || l->since > 0))
		add_row(row, &n, LEAVE_LOSES, "x", "stop %s and %s without saving", name, then);
	else if (loses || l->since > 0 || (!runs && l->to == LEAVE_HECATE))
		add_row(row, &n, LEAVE_LOSES, "x", loses || l->since > 0 ? "%s without saving" : "%s", then);
	if (l->failure)
		add_row(row, &n, LEAVE_ELSEWHERE, "f", "save in another folder");
	add_row(row, &n, LEAVE_STAYS, "Esc", "stay");
	free(then);
	return n;
}

void
state_back(struct state *s)
{
	if (s->view.popup.kind == POPUP_LEAVE)
		state_leave_forget(s);
	state_close_popup(s);
}

/* --- its answers -------------------------------------------------------------------------------------------------- */

void
state_leave_goes(struct state *s)
{
	struct leaving *l = &s->view.leaving;
	char *opens = l->opens;
	size_t then = l->then;
	enum leave_to to = l->to;

	l->opens = NULL;
	state_leave_forget(s);
	if (s->view.popup.kind == POPUP_LEAVE)
		state_close_popup(s);
	if (to == LEAVE_HECATE) {
		state_request(s, REQUEST_QUIT);
	} else if (to == LEAVE_FOR && opens) {
		l->agreed = true;
		requests_add(&s->requests, then == OPEN_LESSON ? REQUEST_LESSON : REQUEST_OPEN, then, opens);
	}
	free(opens);
}

static void
leave_give_answer(struct state *s, enum leave_answer does)
{
	struct leaving *l = &s->view.leaving;
	char *name;

	switch (does) {
	case LEAVE_SAVES:
		if (state_running(s))
			l->since = s->view.frame.now > 0 ? s->view.frame.now : 1e-9;
		s->view.popup.cursor = 0;
		requests_add(&s->requests, REQUEST_LEAVE, does, NULL);
		break;
	case LEAVE_LETS_RUN:
		requests_add(&s->requests, REQUEST_LEAVE, does, NULL);
		break;
	case LEAVE_LOSES:
		state_leave_goes(s);
		break;
	case LEAVE_STOPS:
		state_back(s);
		state_request(s, REQUEST_END_RUN);
		break;
	case LEAVE_ELSEWHERE:
		name = mem_str(l->file ? l->file : "");
		state_open_prompt(s, PROMPT_KEEP, name);
		s->view.prompt.proposed = false;
		s->view.prompt.at = 0; /* a folder goes before the name */
		free(name);
		break;
	case LEAVE_STAYS:
		state_back(s);
		break;
	}
}

bool
state_leave_key(struct state *s, const char *key)
{
	struct leave_row row[LEAVE_ROWS];
	size_t n = state_leave_rows(s, row);

	for (size_t i = 0; i < n; i++)
		if (str_eq(row[i].key, key)) {
			leave_give_answer(s, row[i].does);
			return true;
		}
	return false;
}

void
state_leave_take(struct state *s)
{
	struct leave_row row[LEAVE_ROWS];
	size_t n = state_leave_rows(s, row), at = (size_t)s->view.popup.cursor;

	leave_give_answer(s, row[at < n ? at : n - 1].does);
}

void
state_leave_follow(struct state *s)
{
	if (s->view.popup.kind == POPUP_LEAVE && s->view.leaving.to == LEAVE_RUN && !state_command_runs(s))
		state_back(s);
}

bool
state_may_leave(struct state *s, const char *name, size_t then)
{
	bool agreed = s->view.leaving.agreed;

	s->view.leaving.agreed = false;
	if (agreed || !state_leave_asks(s))
		return true;
	leave_ask(s, LEAVE_FOR);
	s->view.leaving.opens = mem_str(name);
	s->view.leaving.then = then;
	return false;
}

void
state_quit(struct state *s)
{
	if (s->view.popup.kind != POPUP_NONE)
		state_back(s);
	else if (state_quit_asks(s))
		leave_ask(s, LEAVE_HECATE);
	else if (s->data.saved.in)
		requests_add(&s->requests, REQUEST_LEAVE, LEAVE_SAVES, NULL);
	else
		state_request(s, REQUEST_QUIT);
}

/* --- Esc ---------------------------------------------------------------------------------------------------------- */

/* Ends the search for a text: key n writes notes again. */
static void
end_find(struct state *s)
{
	free(s->view.find);
	s->view.find = NULL;
	state_say(s, false, "the search for a text has ended");
}

void
state_stop(struct state *state)
{
	if (state_flows_leave(state)) /* before anything else ends */
		return;
	if (state_measures(state) && (state->view.current == VIEW_DIFF || !state_running(state)))
		state_request(state, REQUEST_END_CONTEST);
	else if (state_probing(state) && (state->view.current == VIEW_PROBES || !state_running(state)))
		state_request(state, REQUEST_END_PROBES);
	else if (state_command_runs(state))
		leave_ask(state, LEAVE_RUN);
	else if (state_running(state))
		state_request(state, REQUEST_END_RUN);
	else if (state->answers.progress.busy || state->answers.search.task != SEARCH_NONE ||
		requests_find(&state->requests, REQUEST_SEARCH) || state->answers.asked.kind != DETAIL_NONE)
		state_request(state, REQUEST_STOP);
	else if (state->view.find && *state->view.find)
		end_find(state);
	else if (!state_go_back(state) && !state_lesson_leave(state))
		state_say(state, false, "nothing runs that Esc could stop; q leaves");
}

void
state_go_to_start(struct state *s)
{
	s->view.panes.last_focus[s->view.current] = s->view.focus;
	s->view.current = VIEW_START;
}
