/* Parses what a student is to do, and what may be true of the screen. */
#include "core/lesson/parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/str.h"

#define NUMBER_MAX 1000000000

static const char *const rule_words[LESSON_RULES] = {"", "view", "observe", "feature", "features", "verdict",
	"infeasible", "key", "probe"};
static const char *const figure_words[LESSON_FIGURES] = {"", "infeasible", "feasible", "observations", "signatures",
	"constraints", "equalities", "features"};

void
lesson_append(struct arena *arena, void *array, size_t *n, size_t size, const void *element)
{
	void *old, *new = arena_alloc(arena, (*n + 1) * size);

	memcpy(&old, array, sizeof old);
	if (*n)
		memcpy(new, old, *n * size);
	memcpy((char *)new + *n * size, element, size);
	memcpy(array, &new, sizeof new);
	(*n)++;
}

bool
lesson_parse_name(struct lesson_parser *parser, const char *what, const char **out)
{
	struct place at = lex_place(&parser->r.x);
	bool pieces;

	if (parser->r.x.now.kind == TOKEN_STRING)
		return item_name(&parser->r, what, out, &at);
	at = lex_join(&parser->r.x, "-.", &pieces);
	if (!at.len)
		return item_fail(&parser->r, what, "");
	*out = arena_strn(parser->r.arena, at.source->text + at.at, at.len);
	return true;
}

bool
lesson_parse_text(struct lesson_parser *parser, const char *what, const char **out)
{
	struct str all = {0};
	bool good = item_joined_text(&parser->r, what, &all);

	*out = arena_str(parser->r.arena, str_text(&all));
	str_free(&all);
	return good;
}

bool
lesson_parse_names(struct lesson_parser *parser, const char *what, const char ***list, size_t *n)
{
	*list = NULL;
	*n = 0;
	if (item_take_word(&parser->r, "none"))
		return true;
	do {
		const char *name;

		if (!lesson_parse_name(parser, what, &name))
			return false;
		lesson_append(parser->r.arena, list, n, sizeof name, &name);
	} while (item_take_punct(&parser->r, ','));
	return true;
}

static bool
parse_verdict_word(struct lesson_parser *parser, enum verdict_kind *out)
{
	for (int v = 0; v <= VERDICT_UNDECIDED; v++)
		if (item_take_word(&parser->r, verdict_words[v])) {
			*out = (enum verdict_kind)v;
			return true;
		}
	return item_fail(&parser->r, "feasible, infeasible, borderline or undecided", "after the observation's name");
}

static bool
lesson_parse_rest(struct lesson_parser *parser, struct lesson_rule *rule)
{
	switch (rule->kind) {
	case LESSON_NOTHING:
	case LESSON_RULES:
		break;
	case LESSON_VIEW:
		return item_number(&parser->r, "the view's key", NOTATION_WHOLE, 0, 9, &rule->number, NULL);
	case LESSON_OBSERVE:
		return lesson_parse_name(parser, "an observation's name", &rule->name);
	case LESSON_FEATURE:
		if (!lesson_parse_name(parser, "a feature's name", &rule->name))
			return false;
		rule->on = !item_take_word(&parser->r, "off");
		if (rule->on)
			item_take_word(&parser->r, "on");
		return true;
	case LESSON_FEATURES:
		return lesson_parse_names(parser, "a feature's name, or none,", &rule->list, &rule->n_list);
	case LESSON_VERDICT:
		return lesson_parse_name(parser, "an observation's name", &rule->name) &&
			parse_verdict_word(parser, &rule->verdict);
	case LESSON_COUNT:
		return item_number(&parser->r, "infeasible observations", NOTATION_WHOLE, 0, NUMBER_MAX, &rule->number,
			NULL);
	case LESSON_KEY:
		return lesson_parse_name(parser, "an action's name, as find,", &rule->name);
	case LESSON_PROBE:
		if (!lesson_parse_name(parser, "a probe's name", &rule->name))
			return false;
		item_take_word(&parser->r, "run");
		return true;
	}
	return false;
}

/* Reports a word that is neither a rule's nor one of `also`. */
static bool
refuse_word(struct lesson_parser *parser, const char *const *also)
{
	const char *known[LESSON_RULES + 8];
	struct place at = lex_place(&parser->r.x);
	struct str seen = {0};
	char *word = mem_strn(at.source->text + at.at, at.len), *hint;
	size_t n = 0;

	for (int i = 1; i < LESSON_RULES; i++)
		known[n++] = rule_words[i];
	for (size_t i = 0; also && also[i] && n < sizeof known / sizeof *known; i++)
		known[n++] = also[i];
	hint = near_hint(word, known, n);
	if (!hint) {
		struct str all = {0};

		for (size_t i = 0; i < n; i++)
			str_addf(&all, "%s%s", i ? ", " : "there are: ", known[i]);
		hint = str_take(&all);
	}
	lex_describe(&parser->r.x, &seen);
	diag_add(parser->r.diags, DIAG_ERROR, &at, hint, "what the student does expected, not %s", str_text(&seen));
	str_free(&seen);
	free(hint);
	free(word);
	return false;
}

bool
lesson_parse_rule(struct lesson_parser *parser, const char *const *also, struct lesson_rule *rule)
{
	*rule = (struct lesson_rule){.at = parser->r.x.now.at, .len = parser->r.x.now.len};
	for (int i = 1; i < LESSON_RULES && !rule->kind; i++)
		if (item_take_word(&parser->r, rule_words[i]))
			rule->kind = (enum lesson_rule_kind)i;
	if (!rule->kind && item_take_word(&parser->r, "action"))
		rule->kind = LESSON_KEY;
	if (!rule->kind && item_take_word(&parser->r, "select"))
		rule->kind = LESSON_OBSERVE;
	if (!rule->kind)
		return refuse_word(parser, also);
	if (!lesson_parse_rest(parser, rule))
		return false;
	if ((rule->kind == LESSON_VERDICT || rule->kind == LESSON_COUNT) && item_take_word(&parser->r, "with")) {
		rule->with = true;
		if (!lesson_parse_names(parser, "a feature's name, or none,", &rule->list, &rule->n_list))
			return false;
	}
	rule->len = parser->r.x.last_end - rule->at;
	return true;
}

/* --- pick -------------------------------------------------------------------------------------------------------- */

static bool
parse_choice(struct lesson_parser *parser, struct lesson_task *task)
{
	struct lesson_choice choice = {0};
	struct place at = lex_place(&parser->r.x);

	if (task->n_choices == LESSON_CHOICES_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a question has %d choices at most: each is a digit",
			LESSON_CHOICES_MAX);
		return false;
	}
	if (!lesson_parse_text(parser, "the choice, in quotes,", &choice.text))
		return false;
	for (;;) {
		if (item_take_word(&parser->r, "right")) {
			choice.right = true;
		} else if (item_take_word(&parser->r, "because")) {
			if (!lesson_parse_text(parser, "why it is wrong, in quotes,", &choice.because))
				return false;
		} else if (item_take_word(&parser->r, "feature")) {
			if (!lesson_parse_name(parser, "a feature's name", &choice.feature))
				return false;
		} else {
			break;
		}
	}
	lesson_append(parser->r.arena, &task->choice, &task->n_choices, sizeof choice, &choice);
	return item_punct(&parser->r, ';', "or right, because or feature after the choice");
}

static bool
check_pick(struct lesson_parser *parser, const struct lesson_task *task)
{
	struct place at = {&parser->r.source, task->at, task->len};
	size_t right = 0, features = 0;

	for (size_t i = 0; i < task->n_choices; i++) {
		right += task->choice[i].right;
		features += task->choice[i].feature != NULL;
	}
	if (task->n_choices < 2)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "choice \"TEXT\" right;", "a question needs two choices");
	else if (task->rule.kind && (right || features != task->n_choices))
		diag_add(parser->r.diags, DIAG_ERROR, &at, "choice \"TEXT\" feature NAME;",
			"what is right is computed, so each choice needs its feature, and none says that it is right");
	else if (!task->rule.kind && right != 1)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "mark it: choice \"TEXT\" right;",
			"one choice is right, and %zu say so", right);
	else
		return true;
	return false;
}

static bool
parse_pick(struct lesson_parser *parser, struct lesson_task *task)
{
	static const char *const also[] = {"choice", NULL};

	if (!lesson_parse_text(parser, "the question, in quotes,", &task->question) ||
		!item_punct(&parser->r, '{', "after the question"))
		return false;
	while (!item_take_punct(&parser->r, '}')) {
		if (item_take_word(&parser->r, "choice")) {
			if (!parse_choice(parser, task))
				return false;
		} else if (item_take_word(&parser->r, "right")) {
			if (!lesson_parse_rule(parser, also, &task->rule) ||
				!item_punct(&parser->r, ';', "after what is right"))
				return false;
		} else {
			return item_fail(&parser->r, "choice, right or '}'", "in a question");
		}
	}
	item_take_punct(&parser->r, ';');
	return check_pick(parser, task);
}

/* --- number, model ------------------------------------------------------------------------------------------------ */

static bool
parse_number(struct lesson_parser *parser, struct lesson_task *task)
{
	double percent = 0;

	if (!lesson_parse_text(parser, "the question, in quotes,", &task->question))
		return false;
	if (!item_take_word(&parser->r, "is"))
		return item_fail(&parser->r, "'is'", "after the question");
	for (int i = 1; i < LESSON_FIGURES; i++)
		if (item_take_word(&parser->r, figure_words[i])) {
			task->figure = (enum lesson_figure)i;
			return item_punct(&parser->r, ';', "after the number");
		}
	if (!item_decimal(&parser->r, "the number", -INFINITY, INFINITY, &task->number,
		    "or what is computed: infeasible, feasible, observations, signatures, constraints, equalities, "
		    "features"))
		return false;
	if (item_take_word(&parser->r, "within")) {
		if (!item_decimal(&parser->r, "how far it may be off", 0, 100, &percent, NULL) ||
			!item_punct(&parser->r, '%', "after how far it may be off"))
			return false;
		task->within = percent / 100;
	}
	return item_punct(&parser->r, ';', "after the number");
}

static bool
parse_model(struct lesson_parser *parser, struct lesson_task *task)
{
	struct place at = lex_place(&parser->r.x);

	if (!item_name(&parser->r, "the file that the student writes, in quotes,", &task->file, &at))
		return false;
	for (;;) {
		struct lesson_case test = {.points = 1, .at = parser->r.x.now.at};

		if (item_take_word(&parser->r, "accepts"))
			test.accepts = true;
		else if (!item_take_word(&parser->r, "refutes"))
			break;
		if (!lesson_parse_name(parser, "a file of data, in quotes,", &test.data))
			return false;
		test.name = test.data;
		test.len = parser->r.x.last_end - test.at;
		lesson_append(parser->r.arena, &task->test, &task->n_tests, sizeof test, &test);
	}
	if (!task->n_tests)
		return item_fail(&parser->r, "accepts \"FILE\" or refutes \"FILE\"", "after the model's file");
	if (item_take_word(&parser->r, "solution") &&
		!item_name(&parser->r, "a model that is right, in quotes,", &task->solution, &at))
		return false;
	return item_punct(&parser->r, ';', "or accepts, refutes or solution after the data");
}

bool
lesson_parse_task(struct lesson_parser *parser, struct lesson_step *step)
{
	static const char *const also[] = {"pick", "number", "model", NULL};
	struct lesson_task task = {.at = parser->r.x.now.at, .len = parser->r.x.now.len};
	struct place at = lex_place(&parser->r.x);
	bool good;

	if (step->n_tasks == LESSON_TASKS_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, "make two steps of it", "a step has %d tasks at most",
			LESSON_TASKS_MAX);
		return false;
	}
	if (item_take_word(&parser->r, "pick")) {
		task.kind = LESSON_PICK;
		good = parse_pick(parser, &task);
	} else if (item_take_word(&parser->r, "number")) {
		task.kind = LESSON_NUMBER;
		good = parse_number(parser, &task);
	} else if (item_take_word(&parser->r, "model")) {
		task.kind = LESSON_MODEL;
		good = parse_model(parser, &task);
	} else {
		good = lesson_parse_rule(parser, also, &task.rule);
		if (good && parser->r.x.now.kind == TOKEN_STRING)
			good = lesson_parse_text(parser, "what the student reads, in quotes,", &task.question);
		good = good && item_punct(&parser->r, ';', "after what the student does");
	}
	if (good)
		lesson_append(parser->r.arena, &step->task, &step->n_tasks, sizeof task, &task);
	return good;
}
