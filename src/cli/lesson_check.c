/* Plays a lesson without a student, for its author and the tests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cli/lesson_args.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "explorer/state/action.h"
#include "text/diag.h"
#include "text/source.h"
#include "work/files/files.h"
#include "work/lesson/judge.h"
#include "work/lesson/lesson_files.h"

struct lesson_play_check {
	const struct lesson *lesson;
	struct lesson_bench *bench;
	struct lesson_world world;
	const char *used, *probed; /* what was done last; NULL */
	struct diags diags;
	struct str *out;
	size_t step;
};

static bool
check_used(const void *ctx, const char *action)
{
	const struct lesson_play_check *play = ctx;

	return play->used && str_eq(play->used, action);
}

static bool
check_probed(const void *ctx, const char *probe)
{
	const struct lesson_play_check *play = ctx;

	return play->probed && str_eq(play->probed, probe);
}

static void
blame(struct lesson_play_check *play, uint32_t at, uint32_t len, const char *hint, const char *what)
{
	struct place place = {play->lesson->source, at, len};

	diag_add(&play->diags, DIAG_ERROR, &place, hint, "step %zu: %s", play->step + 1, what);
}

/* Makes the rule true, as key S does. False: nothing does. */
static bool
make_true(struct lesson_play_check *play, const struct lesson_rule *rule)
{
	struct lesson_world *world = &play->world;

	if (world->model && lesson_features(rule, world->model, &world->on))
		world->result = lesson_bench_result(play->bench, &world->on);
	if (rule->kind == LESSON_VIEW)
		world->view = (int)rule->number;
	else if (rule->kind == LESSON_OBSERVE)
		world->observation = rule->name;
	else if (rule->kind == LESSON_KEY)
		play->used = rule->name;
	else if (rule->kind == LESSON_PROBE)
		play->probed = rule->name;
	return lesson_rule_holds(rule, world) == LESSON_YES;
}

/* Can a student come to where the rule holds? Verdicts are looked for one feature away. */
static bool
can_become(struct lesson_play_check *play, const struct lesson_rule *rule)
{
	struct lesson_world before = play->world;
	bool found = make_true(play, rule);

	for (size_t i = 0; before.model && !found && i < before.model->n_features; i++) {
		play->world.on = before.on;
		fset_put(&play->world.on, i, !fset_has(&before.on, i));
		play->world.result = lesson_bench_result(play->bench, &play->world.on);
		found = lesson_rule_holds(rule, &play->world) == LESSON_YES;
	}
	play->world = before;
	play->world.result = lesson_bench_result(play->bench, &play->world.on);
	play->used = play->probed = NULL;
	return found;
}

/* A question whose answer is computed: exactly one choice is right. */
static void
check_choices(struct lesson_play_check *play, const struct lesson_task *task)
{
	size_t right = 0;

	for (size_t i = 0; i < task->n_choices; i++) {
		struct lesson_world world = play->world;
		struct lesson_rule choice = {.kind = LESSON_FEATURE, .name = task->choice[i].feature, .on = true};

		lesson_features(&choice, world.model, &world.on);
		world.result = lesson_bench_result(play->bench, &world.on);
		right += lesson_rule_holds(&task->rule, &world) == LESSON_YES;
	}
	if (right != 1)
		blame(play, task->at, task->len, NULL, right ? "several choices are right" : "no choice is right");
	play->world.result = lesson_bench_result(play->bench, &play->world.on);
}

static void
check_model(struct lesson_play_check *play, const struct lesson_task *task)
{
	char *stub = lesson_beside(play->lesson->source, task->file);
	char *right = task->solution ? lesson_beside(play->lesson->source, task->solution) : NULL;
	bool stub_passes = true;

	for (size_t i = 0; i < task->n_tests; i++) {
		bool holds = false;

		if (!lesson_bench_case(play->lesson, play->lesson->source, stub, &task->test[i], &holds))
			holds = false;
		stub_passes &= holds;
		if (!right)
			continue;
		if (!lesson_bench_case(play->lesson, play->lesson->source, right, &task->test[i], &holds) || !holds)
			blame(play, task->test[i].at, task->test[i].len, NULL, "the solution does not do that");
	}
	if (stub_passes)
		blame(play, task->at, task->len, NULL, "the file that the student begins with is right already");
	if (!right)
		blame(play, task->at, task->len, "solution \"FILE\"", "key S needs a model that is right");
	free(stub);
	free(right);
}

static bool
holds(const struct lesson_play_check *play, const struct lesson_task *task)
{
	return task->kind == LESSON_DO && lesson_rule_holds(&task->rule, &play->world) == LESSON_YES;
}

static void
check_wrongs(struct lesson_play_check *play, const struct lesson_step *step)
{
	for (size_t i = 0; i < step->n_wrongs; i++) {
		const struct lesson_rule *when = &step->wrong[i].when;

		if (lesson_rule_holds(when, &play->world) == LESSON_YES)
			blame(play, when->at, when->len, NULL, "this holds before the student does anything");
		else if (!can_become(play, when))
			blame(play, when->at, when->len, NULL, "nobody can go this wrong way");
	}
}

static void
play_step(struct lesson_play_check *play)
{
	const struct lesson_step *step = &play->lesson->step[play->step];

	play->used = play->probed = NULL;
	for (size_t i = 0; i < step->n_shows; i++)
		if (!make_true(play, &step->show[i]))
			blame(play, step->show[i].at, step->show[i].len, NULL, "this cannot be shown");
	check_wrongs(play, step);
	for (size_t i = 0; i < step->n_tasks; i++)
		if (holds(play, &step->task[i]))
			blame(play, step->task[i].at, step->task[i].len, "change what the step shows, or the task",
				"the task is done before the student does anything");
	for (size_t i = 0; i < step->n_tasks; i++) {
		const struct lesson_task *task = &step->task[i];

		if (task->kind == LESSON_DO) {
			if (!make_true(play, &task->rule))
				blame(play, task->at, task->len,
					task->rule.kind == LESSON_VERDICT || task->rule.kind == LESSON_COUNT
						? "say how: … with FEATURE, FEATURE;" : NULL,
					"key S does not make this true");
		} else if (task->kind == LESSON_PICK && task->rule.kind && play->world.model) {
			check_choices(play, task);
		} else if (task->kind == LESSON_NUMBER && isnan(lesson_right_number(task, &play->world))) {
			blame(play, task->at, task->len, NULL, "this number cannot be computed");
		} else if (task->kind == LESSON_MODEL) {
			check_model(play, task);
		}
	}
	str_addf(play->out, "step %2zu  %-46s %zu task%s, %zu wrong, %u point%s\n", play->step + 1, step->title,
		step->n_tasks, step->n_tasks == 1 ? "" : "s", step->n_wrongs, step->points,
		step->points == 1 ? "" : "s");
}

static const char *const *
action_names(void)
{
	static const char *const names[] = {
#define ACTION(id, name, keys, scopes, help) #id,
#include "explorer/state/action.def"
#undef ACTION
		NULL};

	return names;
}

bool
lesson_check_play(const struct lesson *lesson, struct str *out)
{
	struct lesson_play_check play = {.lesson = lesson, .out = out, .bench = lesson_bench_new(lesson)};
	char **probe = file_names(PROBE_FOLDERS, ".probe");
	struct lesson_names known = {action_names(), (const char *const *)probe};
	bool good = play.bench != NULL;

	if (good) {
		play.world.model = lesson_bench_model(play.bench);
		play.world.on = lesson_bench_begin(play.bench);
		play.world.result = lesson_bench_result(play.bench, &play.world.on);
		play.world.view = -1;
		play.world.used = check_used;
		play.world.probed = check_probed;
		play.world.ctx = &play;
		lesson_check_names(lesson, play.world.model, play.world.result, &known, &play.diags);
	}
	for (; good && !play.diags.errors && play.step < lesson->n_steps; play.step++)
		play_step(&play);
	if (good) {
		print_diagnostics(&(struct options){0}, &play.diags);
		good = play.diags.errors == 0;
	}
	diags_free(&play.diags);
	str_split_free(probe);
	lesson_bench_free(play.bench);
	return good;
}
