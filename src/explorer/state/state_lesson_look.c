/* Looks whether what a lesson waits for is true. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "explorer/state/lesson_parts.h"
#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_cursor.h"
#include "explorer/state/state_lists.h"
#include "work/analysis/result.h"
#include "work/probe/probe_book.h"

static bool
lesson_used(const void *ctx, const char *action)
{
	const struct state *state = ctx;

	for (int a = 1; a < ACTION_COUNT; a++)
		if (state->lesson->used[a] && str_eq(action_row((enum action)a)->id, action))
			return true;
	return false;
}

static bool
lesson_probed(const void *ctx, const char *probe)
{
	const struct state *state = ctx;
	const struct probe_book *book = state->data.probes;
	const struct probe_measured *curve = book ? probe_book_curve(book, book->machine, probe) : NULL;

	return curve && curve->whole;
}

struct lesson_world
lesson_world_of(const struct state *state)
{
	const struct finding *finding = state_finding(state);
	const struct result *result = state->answers.result;

	return (struct lesson_world){
		.view = state->view.current == VIEW_START ? -1 : atoi(view_row(state->view.current)->key),
		.observation = finding ? finding->name : NULL,
		.model = state->question.model,
		.on = state->question.on,
		.result = result && !result->error && result->n_findings && !state_stale(state) ? result : NULL,
		.used = lesson_used,
		.probed = lesson_probed,
		.ctx = state,
	};
}

static char *
features_on(const struct state *state)
{
	const struct udd_model *model = state->question.model;
	struct str names = {0};

	for (size_t i = 0; model && i < model->n_features; i++)
		if (fset_has(&state->question.on, i))
			str_addf(&names, "%s%s", names.n ? " " : "", model->feature[i].name);
	return model ? str_take(&names) : NULL;
}

void
lesson_take(struct state *state, size_t task, const char *answer)
{
	struct lesson_answers *answers = state->lesson->answers;
	struct lesson_given *given = &answers->step[answers->at].given[task];

	free(given->answer);
	free(given->features);
	given->answer = mem_str(answer);
	given->features = features_on(state);
	state_lesson_say(state, true, NULL);
	state_request(state, REQUEST_KEEP_LESSON);
}

/* What the student did, as it is kept. */
static void
take_done(struct state *state, size_t k, const struct lesson_rule *rule)
{
	char *key = rule->kind == LESSON_VIEW ? str_format("%d", (int)rule->number) : NULL;

	lesson_take(state, k, key ? key : rule->name ? rule->name : "yes");
	free(key);
}

/* Judges the choice that was switched on. False: the engine has not answered yet. */
static bool
judge_choice(struct state *state, const struct lesson_world *world)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_task *task = &state_lesson_step(state)->task[play->task];
	const struct lesson_choice *choice = &task->choice[play->choice - 1];
	enum lesson_truth truth = lesson_choice_is(task, play->choice - 1, world);
	bool shown = play->answers->step[play->answers->at].shown;
	struct fset begin = play->begin;
	char *text;

	if (truth == LESSON_UNKNOWN)
		return false;
	if (truth == LESSON_YES) {
		text = str_format("%zu", play->choice);
		play->choice = 0;
		lesson_take(state, play->task, text);
		free(text);
		return true;
	}
	if (shown && play->choice < task->n_choices) { /* key X tries the next one */
		struct lesson_rule rule = {.kind = LESSON_FEATURE, .name = choice[1].feature, .on = true};

		play->choice++;
		lesson_features(&rule, state->question.model, &begin);
		state_switch_to(state, &begin);
		return false;
	}
	play->choice = 0;
	text = str_format("%s was tried, and it does not %s%s. It is off again.", choice->feature,
		task->rule.kind == LESSON_VERDICT && task->rule.verdict == VERDICT_FEASIBLE ? "free " : "do it",
		task->rule.kind == LESSON_VERDICT && task->rule.verdict == VERDICT_FEASIBLE ? task->rule.name : "");
	lesson_refuse(state, choice->because ? choice->because : text);
	free(text);
	state_switch_to(state, &begin);
	return true;
}

/* Says which data the student's model gets wrong. True: none. */
static bool
model_passes(struct state *state, const struct lesson_task *task, const struct lesson_world *world)
{
	for (size_t i = 0; i < task->n_tests; i++) {
		enum lesson_truth truth = lesson_case_holds(&task->test[i], world);

		if (truth == LESSON_NO) {
			char *text = str_format("Not yet: %s must be %s.", task->test[i].data,
				task->test[i].accepts ? "accepted" : "refuted");

			state_lesson_say(state, false, text);
			free(text);
		}
		if (truth != LESSON_YES)
			return false;
	}
	return true;
}

/* Is the model that is judged the file of the task? What was read last may be of another step, or does not parse. */
static bool
model_is_read(const struct state *state, const struct lesson_task *task)
{
	return state->question.model && str_ends(state->question.model->file, task->file) &&
		!(state->lesson->said && !str_starts(state->lesson->said, "Not yet"));
}

static void
look_at_tasks(struct state *state, const struct lesson_world *world)
{
	const struct lesson_step *step = state_lesson_step(state);
	struct lesson_answer *answer = &state->lesson->answers->step[state->lesson->answers->at];

	for (size_t k = 0; k < step->n_tasks; k++) {
		const struct lesson_task *task = &step->task[k];

		if (answer->given[k].answer)
			continue;
		if (task->kind == LESSON_DO && lesson_rule_holds(&task->rule, world) == LESSON_YES)
			take_done(state, k, &task->rule);
		else if (task->kind == LESSON_MODEL && model_is_read(state, task) && model_passes(state, task, world))
			lesson_take(state, k, task->file);
	}
}

/* Says once what is wrong, each time the student comes to a wrong way. */
static void
look_for_wrong(struct state *state, const struct lesson_world *world)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_step *step = state_lesson_step(state);

	for (size_t i = 0; i < step->n_wrongs && i < 64; i++) {
		enum lesson_truth truth = lesson_rule_holds(&step->wrong[i].when, world);
		uint64_t bit = UINT64_C(1) << i;

		if (truth == LESSON_YES && !(play->astray & bit))
			lesson_refuse(state, step->wrong[i].text);
		if (truth == LESSON_YES)
			play->astray |= bit;
		else if (truth == LESSON_NO)
			play->astray &= ~bit;
	}
}

/* Selects the observation that the step shows, once there is one of that name. */
static void
observe(struct state *state)
{
	const struct result *result = state->answers.result;

	for (size_t i = 0; result && i < result->n_findings; i++)
		if (str_eq(result->finding[i].name, state->lesson->observe)) {
			state->view.selected = i;
			state->lesson->observe = NULL;
			state_sync_cursors(state);
			return;
		}
}

void
state_lesson_look(struct state *state)
{
	struct lesson_play *play = state->lesson;
	const struct lesson_step *step;
	struct lesson_answer *answer;
	struct lesson_world world;

	if (!play)
		return;
	step = state_lesson_step(state);
	answer = &play->answers->step[play->answers->at];
	if (play->observe)
		observe(state);
	world = lesson_world_of(state);
	if (play->choice && !judge_choice(state, &world))
		return;
	if (answer->done || !step->n_tasks)
		return;
	world = lesson_world_of(state);
	look_at_tasks(state, &world);
	answer->done = state_lesson_open_task(state, false) == step->n_tasks;
	if (answer->done)
		state_lesson_say(state, true, step->done ? step->done : "Right.");
	else
		look_for_wrong(state, &world);
}

void
state_lesson_used(struct state *state, enum action action)
{
	if (state->lesson)
		state->lesson->used[action] = true;
}
