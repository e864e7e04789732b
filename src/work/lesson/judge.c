#include "work/lesson/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"
#include "text/diag.h"
#include "text/source.h"
#include "work/analysis/result.h"

static const struct finding *
find_finding(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (str_eq(result->finding[i].name, name))
			return &result->finding[i];
	return NULL;
}

bool
lesson_features(const struct lesson_rule *rule, const struct udd_model *model, struct fset *on)
{
	size_t i;

	if (rule->kind == LESSON_FEATURE && (i = udd_feature_named(model, rule->name)) < model->n_features) {
		fset_put(on, i, rule->on);
		return true;
	}
	if (rule->kind != LESSON_FEATURES && !rule->with)
		return false;
	*on = (struct fset){0};
	for (size_t k = 0; k < rule->n_list; k++)
		if ((i = udd_feature_named(model, rule->list[k])) < model->n_features)
			fset_put(on, i, true);
	return true;
}

enum lesson_truth
lesson_rule_holds(const struct lesson_rule *rule, const struct lesson_world *world)
{
	const struct finding *finding;
	struct fset wanted = world->on;

	switch (rule->kind) {
	case LESSON_NOTHING:
	case LESSON_RULES:
		break;
	case LESSON_VIEW:
		return world->view == (int)rule->number ? LESSON_YES : LESSON_NO;
	case LESSON_OBSERVE:
		return world->observation && str_eq(world->observation, rule->name) ? LESSON_YES : LESSON_NO;
	case LESSON_FEATURE:
	case LESSON_FEATURES:
		return world->model && lesson_features(rule, world->model, &wanted) && fset_equal(&wanted, &world->on)
			? LESSON_YES : LESSON_NO;
	case LESSON_VERDICT:
		if (!world->result)
			return LESSON_UNKNOWN;
		finding = find_finding(world->result, rule->name);
		return finding && finding->verdict == rule->verdict ? LESSON_YES : LESSON_NO;
	case LESSON_COUNT:
		if (!world->result)
			return LESSON_UNKNOWN;
		return (int64_t)world->result->count[VERDICT_INFEASIBLE] == rule->number ? LESSON_YES : LESSON_NO;
	case LESSON_KEY:
		return world->used && world->used(world->ctx, rule->name) ? LESSON_YES : LESSON_NO;
	case LESSON_PROBE:
		return world->probed && world->probed(world->ctx, rule->name) ? LESSON_YES : LESSON_NO;
	}
	return LESSON_NO;
}

double
lesson_right_number(const struct lesson_task *task, const struct lesson_world *world)
{
	const struct result *result = world->result;
	double n = 0;

	if (task->figure == LESSON_GIVEN)
		return task->number;
	if (!result)
		return NAN;
	switch (task->figure) {
	case LESSON_GIVEN:
	case LESSON_FIGURES:
		break;
	case LESSON_INFEASIBLE:
		return (double)result->count[VERDICT_INFEASIBLE];
	case LESSON_FEASIBLE:
		return (double)result->count[VERDICT_FEASIBLE];
	case LESSON_OBSERVATIONS:
		return (double)result->n_findings;
	case LESSON_SIGNATURES:
		return (double)result->signatures;
	case LESSON_CONSTRAINTS:
		return (double)(result->n_constraints - result->n_equalities);
	case LESSON_EQUALITIES:
		return (double)result->n_equalities;
	case LESSON_FEATURES_ON:
		for (size_t i = 0; world->model && i < world->model->n_features; i++)
			n += fset_has(&world->on, i);
		return n;
	}
	return NAN;
}

enum lesson_truth
lesson_number_is(const struct lesson_task *task, double answer, const struct lesson_world *world)
{
	double right = lesson_right_number(task, world);

	if (isnan(right))
		return LESSON_UNKNOWN;
	return fabs(answer - right) <= fabs(right) * task->within + 1e-9 * fabs(right) ? LESSON_YES : LESSON_NO;
}

enum lesson_truth
lesson_choice_is(const struct lesson_task *task, size_t choice, const struct lesson_world *world)
{
	if (task->rule.kind)
		return lesson_rule_holds(&task->rule, world);
	return choice < task->n_choices && task->choice[choice].right ? LESSON_YES : LESSON_NO;
}

static const char *
file_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

enum lesson_truth
lesson_case_holds(const struct lesson_case *test, const struct lesson_world *world)
{
	size_t n = 0, refuted = 0, feasible = 0;

	if (!world->result)
		return LESSON_UNKNOWN;
	for (size_t i = 0; i < world->result->n_findings; i++) {
		const struct finding *finding = &world->result->finding[i];

		if (!str_eq(file_part(finding->source ? finding->source : ""), file_part(test->data)))
			continue;
		n++;
		refuted += finding->verdict == VERDICT_INFEASIBLE;
		feasible += finding->verdict == VERDICT_FEASIBLE;
	}
	return n && (test->accepts ? feasible == n : refuted > 0) ? LESSON_YES : LESSON_NO;
}

void
lesson_rule_text(const struct lesson_rule *rule, struct str *out)
{
	switch (rule->kind) {
	case LESSON_NOTHING:
	case LESSON_RULES:
		break;
	case LESSON_VIEW:
		str_addf(out, "go to view %d", (int)rule->number);
		break;
	case LESSON_OBSERVE:
		str_addf(out, "select the observation %s", rule->name);
		break;
	case LESSON_FEATURE:
		str_addf(out, "switch %s %s", rule->name, rule->on ? "on" : "off");
		break;
	case LESSON_FEATURES:
		str_add(out, rule->n_list ? "have on exactly " : "switch all features off");
		for (size_t i = 0; i < rule->n_list; i++)
			str_addf(out, "%s%s", i ? ", " : "", rule->list[i]);
		break;
	case LESSON_VERDICT:
		str_addf(out, "make %s %s", rule->name, verdict_name(rule->verdict));
		break;
	case LESSON_COUNT:
		if (rule->number)
			str_addf(out, "leave %d observation%s infeasible", (int)rule->number,
				rule->number == 1 ? "" : "s");
		else
			str_add(out, "leave no observation infeasible");
		break;
	case LESSON_KEY:
		str_addf(out, "use %s", rule->name);
		break;
	case LESSON_PROBE:
		str_addf(out, "measure the probe %s", rule->name);
		break;
	}
}

/* --- names -------------------------------------------------------------------------------------------------------- */

struct naming {
	const struct lesson *lesson;
	struct lesson_names known;
	const char **feature, **observation; /* NULL-terminated; NULL: not checked */
	struct diags *diags;
};

static void
check_name(const struct naming *naming, const char *what, const char *name, const char *const *known, uint32_t at,
	uint32_t len)
{
	struct place place = {naming->lesson->source, at, len};
	size_t n = 0;
	char *hint;

	for (; known && known[n]; n++)
		if (str_eq(known[n], name))
			return;
	if (!known)
		return;
	hint = near_hint(name, known, n);
	diag_add(naming->diags, DIAG_ERROR, &place, hint, "there is no %s %s", what, name);
	free(hint);
}

static void
check_rule(const struct naming *n, const struct lesson_rule *rule)
{
	if (rule->kind == LESSON_FEATURE)
		check_name(n, "feature", rule->name, n->feature, rule->at, rule->len);
	for (size_t i = 0; i < rule->n_list; i++)
		check_name(n, "feature", rule->list[i], n->feature, rule->at, rule->len);
	if (rule->kind == LESSON_OBSERVE || rule->kind == LESSON_VERDICT)
		check_name(n, "observation", rule->name, n->observation, rule->at, rule->len);
	if (rule->kind == LESSON_KEY)
		check_name(n, "action", rule->name, n->known.action, rule->at, rule->len);
	if (rule->kind == LESSON_PROBE)
		check_name(n, "probe", rule->name, n->known.probe, rule->at, rule->len);
}

static void
check_step(const struct naming *n, const struct lesson_step *step)
{
	for (size_t i = 0; i < step->n_shows; i++)
		check_rule(n, &step->show[i]);
	for (size_t i = 0; i < step->n_wrongs; i++)
		check_rule(n, &step->wrong[i].when);
	for (size_t i = 0; i < step->n_tasks; i++) {
		const struct lesson_task *task = &step->task[i];

		check_rule(n, &task->rule);
		for (size_t k = 0; k < task->n_choices; k++)
			if (task->choice[k].feature)
				check_name(n, "feature", task->choice[k].feature, n->feature, task->at, task->len);
	}
}

void
lesson_check_names(const struct lesson *lesson, const struct udd_model *model, const struct result *result,
	const struct lesson_names *known, struct diags *diags)
{
	struct naming n = {.lesson = lesson, .known = *known, .diags = diags};
	static const char *none[] = {NULL};

	n.feature = none;
	if (model) {
		n.feature = mem_new_array(model->n_features + 1, sizeof *n.feature);
		for (size_t i = 0; i < model->n_features; i++)
			n.feature[i] = model->feature[i].name;
	}
	if (result) {
		n.observation = mem_new_array(result->n_findings + 1, sizeof *n.observation);
		for (size_t i = 0; i < result->n_findings; i++)
			n.observation[i] = result->finding[i].name;
	}
	check_rule(&n, &lesson->begin);
	for (size_t i = 0; i < lesson->n_steps; i++)
		check_step(&n, &lesson->step[i]);
	if (model)
		free(n.feature);
	free(n.observation);
}
