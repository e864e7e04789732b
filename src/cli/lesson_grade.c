#include "cli/lesson_grade.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/print/print.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/lesson/judge.h"
#include "work/lesson/lesson_files.h"

/* What an answer claims was used, or measured. */
static bool
grade_claims(const void *answer, const char *name)
{
	return answer && str_eq(answer, name);
}

/* The features that an answer says were on. False: the model does not have one of them, or forbids them together. */
static bool
claimed_features(const struct udd_model *model, const char *names, struct fset *on)
{
	char **name = str_split(names ? names : "", ' ', NULL);
	struct err e = {0};
	bool good = true;

	*on = (struct fset){0};
	for (size_t i = 0; name[i] && good; i++) {
		struct lesson_rule rule = {.kind = LESSON_FEATURE, .name = name[i], .on = true};

		good = !*name[i] || lesson_features(&rule, model, on);
	}
	str_split_free(name);
	return good && udd_legal(model, on, &e);
}

/* A choice that stands for a feature is right if what is asked for holds with it, and does not without it. */
static bool
is_right_choice(struct lesson_bench *bench, const struct lesson_task *task, size_t choice, struct lesson_world *world)
{
	struct lesson_rule rule = {.kind = LESSON_FEATURE, .name = task->choice[choice].feature, .on = true};
	struct fset on = world->on;

	if (!task->rule.kind)
		return task->choice[choice].right;
	if (!world->result || !lesson_features(&rule, world->model, &on) || !fset_equal(&on, &world->on) ||
		lesson_rule_holds(&task->rule, world) != LESSON_YES)
		return false;
	rule.on = false;
	lesson_features(&rule, world->model, &world->on);
	world->result = lesson_bench_result(bench, &world->on);
	return lesson_rule_holds(&task->rule, world) != LESSON_YES;
}

/* The model that belongs to a file of answers lies beside it: ANSWERS-FILE. */
static bool
passes_tests(const struct lesson *lesson, const struct lesson_task *task, const char *path, bool is_model)
{
	char *model = is_model ? mem_str(path) : str_format("%s-%s", path, task->file);
	bool holds = access(model, R_OK) == 0;

	for (size_t i = 0; i < task->n_tests && holds; i++)
		if (!lesson_bench_case(lesson, lesson->source, model, &task->test[i], &holds))
			holds = false;
	free(model);
	return holds;
}

static bool
task_is_done(const struct lesson *lesson, struct lesson_bench *bench, const struct lesson_task *task,
	const struct lesson_given *given, const char *path)
{
	struct lesson_world world = {.model = lesson_bench_model(bench), .observation = given->answer,
		.used = grade_claims, .probed = grade_claims, .ctx = given->answer};
	int64_t whole = 0;
	double number;

	if (!given->answer)
		return false;
	if (world.model && !claimed_features(world.model, given->features, &world.on))
		return false;
	world.result = lesson_bench_result(bench, &world.on);
	world.view = str_to_i64(given->answer, &whole) ? (int)whole : -1;
	switch (task->kind) {
	case LESSON_DO:
		return lesson_rule_holds(&task->rule, &world) == LESSON_YES;
	case LESSON_PICK:
		return whole >= 1 && whole <= (int64_t)task->n_choices &&
			is_right_choice(bench, task, (size_t)whole - 1, &world);
	case LESSON_NUMBER:
		return str_to_double(given->answer, &number) &&
			lesson_number_is(task, number, &world) == LESSON_YES;
	case LESSON_MODEL:
		return passes_tests(lesson, task, path, false);
	}
	return false;
}

/* The last task that asks for a model; NULL: none does. *step is its step. */
static const struct lesson_task *
last_model_task(const struct lesson *lesson, size_t *step)
{
	for (size_t i = lesson->n_steps; i-- > 0;)
		for (size_t k = lesson->step[i].n_tasks; k-- > 0;)
			if (lesson->step[i].task[k].kind == LESSON_MODEL) {
				*step = i;
				return &lesson->step[i].task[k];
			}
	return NULL;
}

/* Which model is judged by the private cases: the file itself, or the last one beside the answers. NULL: there is
 * none. */
static char *
model_of(const struct lesson *lesson, const char *path, bool is_model)
{
	size_t step;
	const struct lesson_task *task = last_model_task(lesson, &step);
	char *model = is_model ? mem_str(path) : task ? str_format("%s-%s", path, task->file) : NULL;

	if (model && access(model, R_OK) == 0)
		return model;
	free(model);
	return NULL;
}

static void
grade_cases(const struct lesson *lesson, const struct lesson_cases *cases, const char *path, bool is_model,
	struct grade *grade)
{
	char *model = model_of(lesson, path, is_model);

	for (size_t i = 0; i < cases->n; i++) {
		if (model && !lesson_bench_case(lesson, cases->source, model, &cases->item[i], &grade->held[i]))
			grade->held[i] = false;
		grade->of += cases->item[i].points;
		grade->points += grade->held[i] ? cases->item[i].points : 0;
	}
	free(model);
}

/* A model alone earns the points of the last step that asks for one, and only these count. */
static void
grade_model(const struct lesson *lesson, const char *path, struct grade *grade)
{
	size_t step;
	const struct lesson_task *task = last_model_task(lesson, &step);

	if (!task)
		return;
	grade->step[step].of = lesson->step[step].points;
	grade->step[step].points = passes_tests(lesson, task, path, true) ? grade->step[step].of : 0;
}

static void
grade_answers(const struct lesson *lesson, struct lesson_bench *bench, const struct lesson_answers *answers,
	const char *path, struct grade *grade)
{
	for (size_t i = 0; i < lesson->n_steps; i++) {
		const struct lesson_answer *answer = &answers->step[i];
		bool done = lesson->step[i].n_tasks > 0;

		for (size_t k = 0; k < lesson->step[i].n_tasks && done; k++)
			done = task_is_done(lesson, bench, &lesson->step[i].task[k], &answer->given[k], path);
		grade->step[i] = (struct grade_step){.of = lesson->step[i].points, .tries = answer->tries,
			.hints = answer->hints, .shown = answer->shown};
		if (done && !answer->shown)
			grade->step[i].points = lesson->step[i].points;
	}
}

bool
lesson_grade(const struct lesson *lesson, struct lesson_bench *bench, const struct lesson_cases *cases,
	const char *path, struct grade *out)
{
	bool is_model = file_has_ending(path, MODEL_ENDINGS);
	struct lesson_answers *answers = NULL;
	struct err e = {0};

	*out = (struct grade){.path = path, .step = mem_new_array(lesson->n_steps, sizeof *out->step),
		.held = mem_new_array(cases ? cases->n : 0, sizeof *out->held)};
	if (access(path, R_OK) != 0) {
		err_set(&e, "cannot open %s", path);
		err_hint(&e, "answers are kept in $XDG_STATE_HOME/hecate/lessons, or ~/.local/state/hecate/lessons");
		return print_failed(&e);
	}
	if (is_model) {
		grade_model(lesson, path, out);
	} else {
		answers = lesson_answers_read(lesson, path, &e);
		if (!answers)
			return print_failed(&e);
		grade_answers(lesson, bench, answers, path, out);
	}
	for (size_t i = 0; i < lesson->n_steps; i++) {
		out->points += out->step[i].points;
		out->of += out->step[i].of;
	}
	if (cases)
		grade_cases(lesson, cases, path, is_model, out);
	lesson_answers_free(answers);
	return true;
}

void
lesson_grade_clear(struct grade *grade)
{
	free(grade->step);
	free(grade->held);
}
