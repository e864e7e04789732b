/* Whether what a lesson waits for is true. The explorer fills a `lesson_world` from its state, `hecate grade` from a
 * student's answers and an analysis: both ask the same functions. */
#ifndef WORK_LESSON_JUDGE_H
#define WORK_LESSON_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lesson/lesson.h"
#include "core/udd/fset.h"

struct diags;
struct result;
struct str;
struct udd_model;

struct lesson_world {
	int view;                       /* the key of the view that is shown; −1: the start screen */
	const char *observation;        /* the one that is selected; NULL: none */
	const struct udd_model *model;  /* NULL: none */
	struct fset on;
	const struct result *result;    /* of these features; NULL: it is not known yet */
	bool (*used)(const void *ctx, const char *action); /* was this action used in the step? */
	bool (*probed)(const void *ctx, const char *probe); /* is this probe's curve measured? */
	const void *ctx;
};

/* UNKNOWN: the engine has not answered yet. */
enum lesson_truth { LESSON_NO, LESSON_YES, LESSON_UNKNOWN };

enum lesson_truth lesson_rule_holds(const struct lesson_rule *, const struct lesson_world *);
/* Compares a number with the right one. */
enum lesson_truth lesson_number_is(const struct lesson_task *, double answer, const struct lesson_world *);
/* Does a choice stand, given the world after its feature was switched on? */
enum lesson_truth lesson_choice_is(const struct lesson_task *, size_t choice, const struct lesson_world *);
/* The right number; NAN: not known yet. */
double lesson_right_number(const struct lesson_task *, const struct lesson_world *);
/* Does the result accept and refute what the task, or a case, says? The data are known by their files' names. */
enum lesson_truth lesson_case_holds(const struct lesson_case *, const struct lesson_world *);

/* Changes features as a rule says: FEATURE, FEATURES, and VERDICT and COUNT with features; false for another. */
bool lesson_features(const struct lesson_rule *, const struct udd_model *, struct fset *);

/* Adds a diagnostic for each feature or observation of the lesson that the model and data do not have, and for each
 * action and probe that is not among the NULL-terminated names. `result` may be NULL. */
struct lesson_names {
	const char *const *action, *const *probe;
};
void lesson_check_names(const struct lesson *, const struct udd_model *, const struct result *,
	const struct lesson_names *, struct diags *);

/* Appends what the student is to do, as a sentence: "switch on early_psc". */
void lesson_rule_text(const struct lesson_rule *, struct str *out);

#endif
