#include "work/lesson/answers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "text/diag.h"
#include "text/item.h"
#include "work/files/files.h"
#include "work/files/keep.h"
#include "work/lesson/lesson_files.h"

struct lesson_answers *
lesson_answers_new(const struct lesson *lesson)
{
	struct lesson_answers *answers = mem_new(sizeof *answers);

	answers->lesson = mem_str(lesson->name);
	answers->n_steps = lesson->n_steps;
	answers->step = mem_new_array(lesson->n_steps, sizeof *answers->step);
	return answers;
}

static void
answer_clear(struct lesson_answer *answer)
{
	for (size_t k = 0; k < LESSON_TASKS_MAX; k++) {
		free(answer->given[k].answer);
		free(answer->given[k].features);
	}
	*answer = (struct lesson_answer){0};
}

void
lesson_answers_free(struct lesson_answers *answers)
{
	if (!answers)
		return;
	for (size_t i = 0; i < answers->n_steps; i++)
		answer_clear(&answers->step[i]);
	free(answers->step);
	free(answers->lesson);
	free(answers);
}

size_t
lesson_answers_done(const struct lesson_answers *answers)
{
	size_t n = 0;

	for (size_t i = 0; i < answers->n_steps; i++)
		n += answers->step[i].done;
	return n;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static bool
is_empty(const struct lesson_answer *a)
{
	for (size_t k = 0; k < LESSON_TASKS_MAX; k++)
		if (a->given[k].answer)
			return false;
	return !a->done && !a->shown && !a->tries && !a->hints;
}

void
lesson_answers_print(const struct lesson_answers *answers, struct str *out)
{
	str_addf(out, "// a student's answers, which hecate grade judges again\nanswers \"%s\" steps %zu at %zu;\n",
		answers->lesson, answers->n_steps, answers->at + 1);
	for (size_t i = 0; i < answers->n_steps; i++) {
		const struct lesson_answer *a = &answers->step[i];

		if (is_empty(a))
			continue;
		str_addf(out, "step %zu {\n", i + 1);
		for (unsigned k = 0; k < LESSON_TASKS_MAX; k++) {
			if (!a->given[k].answer)
				continue;
			str_addf(out, "\tanswer %u ", k + 1);
			lex_add_string(a->given[k].answer, out);
			if (a->given[k].features) {
				str_add(out, " features ");
				lex_add_string(a->given[k].features, out);
			}
			str_add(out, ";\n");
		}
		str_addf(out, "\ttries %u;\n\thints %u;\n", a->tries, a->hints);
		str_addf(out, "%s%s}\n", a->shown ? "\tshown;\n" : "", a->done ? "\tdone;\n" : "");
	}
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct answers_parser {
	struct item_reader r;
	struct lesson_answers *answers;
	struct lesson_answer *step;
};

struct answer_item {
	const char *word;
	bool (*parse)(struct answers_parser *);
};

static bool
take_text(struct answers_parser *p, char **out)
{
	const char *text;

	if (!item_text(&p->r, "a text in quotes", &text))
		return false;
	free(*out);
	*out = mem_str(text);
	return true;
}

static bool
parse_answer(struct answers_parser *p)
{
	struct lesson_given *given;
	unsigned k = 0;

	lex_next(&p->r.x);
	if (!item_count(&p->r, "the task's number", 1, LESSON_TASKS_MAX, &k, NULL))
		return false;
	given = &p->step->given[k - 1];
	return take_text(p, &given->answer) &&
		(!item_take_word(&p->r, "features") || take_text(p, &given->features)) &&
		item_punct(&p->r, ';', "after the answer");
}

static bool
parse_tries(struct answers_parser *p)
{
	lex_next(&p->r.x);
	return item_count(&p->r, "the wrong answers", 0, 1000000, &p->step->tries, NULL) &&
		item_punct(&p->r, ';', "after the number");
}

static bool
parse_hints(struct answers_parser *p)
{
	lex_next(&p->r.x);
	return item_count(&p->r, "the hints", 0, 1000000, &p->step->hints, NULL) &&
		item_punct(&p->r, ';', "after the number");
}

static bool
parse_shown(struct answers_parser *p)
{
	lex_next(&p->r.x);
	p->step->shown = true;
	return item_punct(&p->r, ';', "after 'shown'");
}

static bool
parse_done(struct answers_parser *p)
{
	lex_next(&p->r.x);
	p->step->done = true;
	return item_punct(&p->r, ';', "after 'done'");
}

static bool
answers_parse_step(struct answers_parser *p)
{
	static const struct answer_item item[] = {
		{"answer", parse_answer}, {"tries", parse_tries}, {"hints", parse_hints}, {"shown", parse_shown},
		{"done", parse_done},
	};
	size_t n = sizeof item / sizeof *item;
	unsigned number = 0;

	if (!item_take_word(&p->r, "step"))
		return item_fail(&p->r, "'step'", "in answers");
	if (!item_count(&p->r, "the step's number", 1, (unsigned)p->answers->n_steps, &number, NULL) ||
		!item_punct(&p->r, '{', "after the step's number"))
		return false;
	p->step = &p->answers->step[number - 1];
	while (!item_take_punct(&p->r, '}')) {
		size_t i = item_choose(&p->r, item, n, sizeof *item);

		if (i == n || !item[i].parse(p))
			return false;
	}
	return true;
}

static bool
parse_all(struct answers_parser *p)
{
	const char *name;
	struct place at;
	unsigned steps = 0, here = 0;

	if (!item_take_word(&p->r, "answers"))
		return item_fail(&p->r, "'answers'", "at the beginning: answers LESSON steps 9 at 1;");
	if (!item_name(&p->r, "the lesson's name", &name, &at))
		return false;
	p->answers->lesson = mem_str(name);
	if (!item_take_word(&p->r, "steps"))
		return item_fail(&p->r, "'steps'", "after the lesson's name");
	if (!item_count(&p->r, "the number of steps", 1, LESSON_STEPS_MAX, &steps, NULL))
		return false;
	p->answers->n_steps = steps;
	p->answers->step = mem_new_array(steps, sizeof *p->answers->step);
	if (!item_take_word(&p->r, "at"))
		return item_fail(&p->r, "'at'", "after the number of steps");
	if (!item_count(&p->r, "the step that is shown", 1, steps, &here, NULL) ||
		!item_punct(&p->r, ';', "after the step that is shown"))
		return false;
	p->answers->at = here - 1;
	while (p->r.x.now.kind != TOKEN_END)
		if (!answers_parse_step(p))
			return false;
	return true;
}

struct lesson_answers *
lesson_answers_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct answers_parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.answers = mem_new(sizeof *p.answers);
	p.r.arena = arena_new();
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_all(&p);
	source_free(&p.r.source);
	arena_free(p.r.arena);
	if (diags->errors == before)
		return p.answers;
	lesson_answers_free(p.answers);
	return NULL;
}

struct lesson_answers *
lesson_answers_read(const struct lesson *lesson, const char *path, struct err *e)
{
	struct lesson_answers *answers;
	struct diags diags = {0};
	size_t n = 0;
	char *text;

	if (!path || access(path, F_OK) != 0)
		return lesson_answers_new(lesson);
	text = file_read(path, LESSON_FILE_MAX, &n, e);
	if (!text)
		return NULL;
	answers = lesson_answers_parse(mem_str(path), text, n, &diags);
	diags_good(&diags, e);
	diags_free(&diags);
	if (answers && (!str_eq(answers->lesson, lesson->name) || answers->n_steps != lesson->n_steps)) {
		err_set(e, "%s has answers to lesson %s of %zu steps, and this one, %s, has %zu", path, answers->lesson,
			answers->n_steps, lesson->name, lesson->n_steps);
		err_hint(e, "the lesson has changed; remove %s to begin again", path);
		lesson_answers_free(answers);
		answers = NULL;
	}
	return answers;
}

bool
lesson_answers_write(const struct lesson_answers *answers, struct err *e)
{
	char *path = lesson_answers_path(answers->lesson, true);
	struct str text = {0};
	bool good;

	if (!path) {
		err_set(e, "the answers have no place: neither XDG_STATE_HOME nor HOME is set");
		return false;
	}
	lesson_answers_print(answers, &text);
	good = keep_write(path, &text, e);
	str_free(&text);
	free(path);
	return good;
}

char *
lesson_progress_words(const struct lesson *lesson)
{
	char *path = lesson_answers_path(lesson->name, false);
	struct err e = {0};
	struct lesson_answers *answers = path && access(path, F_OK) == 0 ? lesson_answers_read(lesson, path, &e) : NULL;
	size_t tasks = 0, done = answers ? lesson_answers_done(answers) : 0;
	char *words;

	for (size_t i = 0; i < lesson->n_steps; i++)
		tasks += lesson->step[i].n_tasks > 0;
	if (!answers)
		words = mem_str(*e.what ? "answers do not load" : "");
	else if (done == tasks)
		words = mem_str("done");
	else
		words = str_format("step %zu of %zu", answers->at + 1, lesson->n_steps);
	lesson_answers_free(answers);
	free(path);
	return words;
}
