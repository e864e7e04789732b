/* The steps of a lesson and its keys. What is true of the screen is looked at in state_lesson_look.c. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/lesson_parts.h"
#include "explorer/state/requests.h"
#include "explorer/state/state.h"
#include "explorer/state/state_probes.h"
#include "explorer/state/state_views.h"
#include "text/diag.h"
#include "work/lesson/judge.h"
#include "work/probe/probe_book.h"

const struct lesson_step *
state_lesson_step(const struct state *state)
{
	return &state->lesson->lesson->step[state->lesson->answers->at];
}

const struct lesson_answer *
state_lesson_answers(const struct state *state)
{
	return &state->lesson->answers->step[state->lesson->answers->at];
}

size_t
state_lesson_open_task(const struct state *state, bool asks)
{
	const struct lesson_step *step = state_lesson_step(state);
	const struct lesson_answer *answer = state_lesson_answers(state);
	size_t i = 0;

	while (i < step->n_tasks && (answer->given[i].answer ||
		(asks && step->task[i].kind != LESSON_PICK && step->task[i].kind != LESSON_NUMBER)))
		i++;
	return i;
}

void
state_lesson_say(struct state *state, bool right, const char *text)
{
	free(state->lesson->said);
	state->lesson->said = text ? mem_str(text) : NULL;
	state->lesson->right = right;
}

void
state_lesson_say_errors(struct state *state, const struct diags *found, const char *otherwise)
{
	struct str why = {0};

	if (found->n)
		str_addf(&why, "%d:%d: %s%s%s", found->item[0].line, found->item[0].col, found->item[0].text,
			found->item[0].hint ? "; " : "", found->item[0].hint ? found->item[0].hint : "");
	else
		str_add(&why, otherwise);
	state_lesson_say(state, false, str_text(&why));
	str_free(&why);
}

const struct lesson_task *
state_lesson_model_task(const struct state *state)
{
	const struct lesson_step *step = state->lesson ? state_lesson_step(state) : NULL;

	for (size_t i = 0; step && i < step->n_tasks; i++)
		if (step->task[i].kind == LESSON_MODEL)
			return &step->task[i];
	return NULL;
}

static enum view
view_of(int64_t key)
{
	for (enum view v = VIEW_START + 1; v < VIEW_COUNT; v++)
		if (atoi(view_row(v)->key) == (int)key)
			return v;
	return VIEW_START;
}

static void
show_view(struct state *state, int64_t key)
{
	enum view view = view_of(key);

	if (view != VIEW_START && view != state->view.current)
		state_show_view(state, view);
}

/* Does what a rule says, as far as that is a choice of the screen. */
static void
obey(struct state *state, const struct lesson_rule *rule)
{
	struct fset on = state->question.on;
	struct err e = {0};

	if (rule->kind == LESSON_VIEW)
		show_view(state, rule->number);
	else if (rule->kind == LESSON_OBSERVE)
		state->lesson->observe = rule->name;
	else if (state->question.model && lesson_features(rule, state->question.model, &on) &&
		!fset_equal(&on, &state->question.on) && udd_legal(state->question.model, &on, &e))
		state_switch_to(state, &on);
}

static void
open_step(struct state *state)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_step *step = state_lesson_step(state);

	memset(play->used, 0, sizeof play->used);
	play->choice = 0;
	play->astray = 0;
	play->hints = 0;
	play->observe = NULL;
	state_lesson_say(state, false, NULL);
	for (size_t i = 0; i < step->n_shows; i++)
		obey(state, &step->show[i]);
	play->begin = state->question.on;
}

void
state_lesson_begin(struct state *state, struct lesson *lesson, struct lesson_answers *answers)
{
	state_lesson_free(state->lesson);
	state->lesson = mem_new(sizeof *state->lesson);
	state->lesson->lesson = lesson;
	state->lesson->answers = answers;
	state->lesson->was_done = lesson_answers_done(answers);
	open_step(state);
	state_say_nothing(state);
}

void
state_lesson_free(struct lesson_play *play)
{
	if (!play)
		return;
	lesson_answers_free(play->answers);
	lesson_free(play->lesson);
	free(play->said);
	free(play);
}

bool
state_lesson_leave(struct state *state)
{
	if (!state->lesson)
		return false;
	state_say(state, false, "the lesson is left at step %zu of %zu; hecate --lesson %s goes on there",
		state->lesson->answers->at + 1, state->lesson->lesson->n_steps, state->lesson->lesson->name);
	state_lesson_free(state->lesson);
	state->lesson = NULL;
	return true;
}

void
state_lesson_go(struct state *state, int by)
{
	struct lesson_play *play = state->lesson;
	size_t n = play->lesson->n_steps, done = lesson_answers_done(play->answers), last = 0;

	for (size_t i = 0; i < n; i++)
		last += play->lesson->step[i].n_tasks == 0;
	if (by > 0 && play->answers->at + 1 == n) {
		if (done + last >= n)
			state_say(state, false, "this was the last step, and all are done; Esc leaves the lesson");
		else
			state_say(state, false, "this was the last step; %zu are open (○), < goes back to them",
				n - last - done);
		return;
	}
	if (by < 0 && !play->answers->at) {
		state_say(state, false, "this is the first step");
		return;
	}
	play->answers->at += by > 0 ? 1 : (size_t)-1;
	state_say_nothing(state);
	open_step(state);
	state_request(state, REQUEST_KEEP_LESSON);
}

void
state_lesson_hint(struct state *state)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_step *step = state_lesson_step(state);
	struct lesson_answer *answer = &play->answers->step[play->answers->at];

	if (!step->n_hints) {
		state_say(state, false, step->n_tasks ? "this step has no hint; X shows how it is done"
						      : "this step asks for nothing; > goes on");
		return;
	}
	play->folded = false;
	if (play->hints == step->n_hints) {
		state_say(state, false, "there is no further hint; X shows how it is done");
		return;
	}
	play->hints++;
	if (play->hints > answer->hints)
		answer->hints = play->hints;
	state_request(state, REQUEST_KEEP_LESSON);
}

bool
state_lesson_has(const struct state *state, enum action a)
{
	return state->lesson || a < ACTION_lesson_next || a > ACTION_lesson_fold;
}

void
state_lesson_fold(struct state *state)
{
	state->lesson->folded = !state->lesson->folded;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

char *
state_lesson_question(const struct state *state)
{
	const struct lesson_step *step = state_lesson_step(state);
	size_t k = state_lesson_open_task(state, true);

	if (k < step->n_tasks && step->task[k].kind == LESSON_PICK)
		return str_format("your answer, 1 to %zu: ", step->task[k].n_choices);
	return mem_str("your answer, a number: ");
}

void
state_lesson_ask(struct state *state)
{
	const struct lesson_step *step = state_lesson_step(state);

	if (state_lesson_open_task(state, true) < step->n_tasks) {
		state->lesson->folded = false;
		state_open_prompt(state, PROMPT_ANSWER, "");
	} else if (state_lesson_open_task(state, false) < step->n_tasks) {
		state_say(state, false, "this step asks for no answer, but for something to do; H gives a hint");
	} else {
		state_say(state, false, step->n_tasks ? "this step is done; > goes on" : "this step asks nothing");
	}
}

/* A choice that stands for a feature: switches it on, so that the engine judges it and the student sees what it does.
 */
static void
try_choice(struct state *state, size_t k, size_t choice)
{
	const struct lesson_task *task = &state_lesson_step(state)->task[k];
	struct lesson_rule rule = {.kind = LESSON_FEATURE, .name = task->choice[choice].feature, .on = true};
	struct fset on = state->lesson->begin;

	lesson_features(&rule, state->question.model, &on);
	state->lesson->task = k;
	state->lesson->choice = choice + 1;
	state_lesson_say(state, false, NULL);
	if (!fset_equal(&on, &state->question.on))
		state_switch_to(state, &on);
}

void
lesson_refuse(struct state *state, const char *why)
{
	struct lesson_answers *answers = state->lesson->answers;

	answers->step[answers->at].tries++;
	state_lesson_say(state, false, why);
	state_request(state, REQUEST_KEEP_LESSON);
}

static void
take_choice(struct state *state, size_t k, const char *text)
{
	const struct lesson_task *task = &state_lesson_step(state)->task[k];
	struct lesson_world world = lesson_world_of(state);
	int64_t choice;

	if (!str_to_i64(text, &choice) || choice < 1 || choice > (int64_t)task->n_choices) {
		state_say(state, true, "the answers are 1 to %zu; = asks again", task->n_choices);
		return;
	}
	if (task->rule.kind && state->question.model)
		try_choice(state, k, (size_t)choice - 1);
	else if (lesson_choice_is(task, (size_t)choice - 1, &world) == LESSON_YES)
		lesson_take(state, k, text);
	else
		lesson_refuse(state, task->choice[choice - 1].because ? task->choice[choice - 1].because
			: "That is not it. Look again, or press H for a hint.");
}

static void
take_number(struct state *state, size_t k, const char *text)
{
	struct lesson_world world = lesson_world_of(state);
	double number;

	if (!str_to_double(text, &number)) {
		state_say(state, true, "the answer is a number, such as 12 or 0.5; = asks again");
		return;
	}
	switch (lesson_number_is(&state_lesson_step(state)->task[k], number, &world)) {
	case LESSON_YES:
		lesson_take(state, k, text);
		break;
	case LESSON_NO:
		lesson_refuse(state, "That is another number. Look again, or press H for a hint.");
		break;
	case LESSON_UNKNOWN:
		state_say(state, true, "the engine still computes it; = asks again");
		break;
	}
}

void
state_lesson_answer(struct state *state, const char *text)
{
	const struct lesson_step *step = state_lesson_step(state);
	size_t k = state_lesson_open_task(state, true);
	char *trimmed;

	while (*text == ' ')
		text++;
	trimmed = mem_strn(text, strcspn(text, " "));
	if (*trimmed && k < step->n_tasks && step->task[k].kind == LESSON_PICK)
		take_choice(state, k, trimmed);
	else if (*trimmed && k < step->n_tasks)
		take_number(state, k, trimmed);
	free(trimmed);
	state_lesson_look(state);
}

/* --- show me ------------------------------------------------------------------------------------------------------ */

static void
show_choice(struct state *state, size_t k)
{
	const struct lesson_task *task = &state_lesson_step(state)->task[k];

	for (size_t i = 0; i < task->n_choices; i++)
		if (task->choice[i].right) {
			char *text = str_format("%zu", i + 1);

			lesson_take(state, k, text);
			free(text);
			return;
		}
	/* what is right is computed: the choices are tried one after the other (state_lesson_look.c) */
	if (!state->lesson->choice)
		try_choice(state, k, 0);
}

static void
show_number(struct state *state, size_t k)
{
	struct lesson_world world = lesson_world_of(state);
	double right = lesson_right_number(&state_lesson_step(state)->task[k], &world);
	char *text = str_format("%g", right);

	if (right - right < 0 || right - right > 0 || right != right)
		state_say(state, false, "the engine still computes it; X again in a moment");
	else
		lesson_take(state, k, text);
	free(text);
}

static void
show_rule(struct state *state, const struct lesson_rule *rule)
{
	size_t probe;

	obey(state, rule);
	if (rule->kind == LESSON_KEY) {
		for (int a = 1; a < ACTION_COUNT; a++)
			if (str_eq(action_row((enum action)a)->id, rule->name)) {
				char key[ACTION_KEY_TEXT];

				state_say(state, false, "the key is %s: %s", action_key((enum action)a, key),
					action_row((enum action)a)->help);
				state->lesson->used[a] = true;
			}
	} else if (rule->kind == LESSON_PROBE && state->data.probes) {
		show_view(state, 9);
		probe = probe_book_find(state->data.probes, rule->name);
		if (probe < state->data.probes->n)
			requests_add(&state->requests, REQUEST_PROBE, PROBE_HERE, rule->name);
	}
}

void
state_lesson_show(struct state *state)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_step *step = state_lesson_step(state);
	size_t k = state_lesson_open_task(state, false);

	if (k == step->n_tasks) {
		state_say(state, false, step->n_tasks ? "this step is done; > goes on"
						      : "this step asks for nothing; > goes on");
		return;
	}
	play->answers->step[play->answers->at].shown = true;
	switch (step->task[k].kind) {
	case LESSON_DO:
		show_rule(state, &step->task[k].rule);
		break;
	case LESSON_PICK:
		show_choice(state, k);
		break;
	case LESSON_NUMBER:
		show_number(state, k);
		break;
	case LESSON_MODEL:
		state_request(state, REQUEST_SOLUTION);
		break;
	}
	state_request(state, REQUEST_KEEP_LESSON);
	state_lesson_look(state);
}
