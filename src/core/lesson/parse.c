/* Parses the items of a .lesson file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include "core/lesson/parser.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

#define MINUTES_MAX 600
#define POINTS_MAX 100

/* --- a step ------------------------------------------------------------------------------------------------------- */

struct step_item {
	const char *word;
	bool (*parse)(struct lesson_parser *, struct lesson_step *);
};

static bool
append_text(struct lesson_parser *parser, const char ***list, size_t *n, const char *what)
{
	const char *text;

	lex_next(&parser->r.x);
	if (!lesson_parse_text(parser, what, &text))
		return false;
	lesson_append(parser->r.arena, list, n, sizeof text, &text);
	return item_punct(&parser->r, ';', "after the text");
}

static bool
parse_text(struct lesson_parser *p, struct lesson_step *step)
{
	return append_text(p, &step->text, &step->n_texts, "a paragraph, in quotes,");
}

static bool
parse_hint(struct lesson_parser *p, struct lesson_step *step)
{
	return append_text(p, &step->hint, &step->n_hints, "a hint, in quotes,");
}

static bool
parse_show(struct lesson_parser *parser, struct lesson_step *step)
{
	struct lesson_rule rule;
	struct place at;

	lex_next(&parser->r.x);
	if (!lesson_parse_rule(parser, NULL, &rule))
		return false;
	at = (struct place){&parser->r.source, rule.at, rule.len};
	if (rule.kind != LESSON_VIEW && rule.kind != LESSON_OBSERVE && rule.kind != LESSON_FEATURE &&
		rule.kind != LESSON_FEATURES) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, "show view 3;",
			"a step can show a view, an observation or features");
		return false;
	}
	lesson_append(parser->r.arena, &step->show, &step->n_shows, sizeof rule, &rule);
	return item_punct(&parser->r, ';', "after what is shown");
}

static bool
parse_step_task(struct lesson_parser *p, struct lesson_step *step)
{
	lex_next(&p->r.x);
	return lesson_parse_task(p, step);
}

static bool
parse_wrong(struct lesson_parser *parser, struct lesson_step *step)
{
	struct lesson_wrong wrong = {0};

	lex_next(&parser->r.x);
	if (!lesson_parse_rule(parser, NULL, &wrong.when) ||
		!lesson_parse_text(parser, "what is said then, in quotes,", &wrong.text))
		return false;
	lesson_append(parser->r.arena, &step->wrong, &step->n_wrongs, sizeof wrong, &wrong);
	return item_punct(&parser->r, ';', "after the text");
}

static bool
parse_done(struct lesson_parser *parser, struct lesson_step *step)
{
	if (!item_once(&parser->r, step->done != NULL))
		return false;
	return lesson_parse_text(parser, "what is said when the step is done, in quotes,", &step->done) &&
		item_punct(&parser->r, ';', "after the text");
}

static bool
parse_points(struct lesson_parser *parser, struct lesson_step *step)
{
	if (!item_once(&parser->r, step->points_given))
		return false;
	step->points_given = true;
	return item_count(&parser->r, "the step's points", 0, POINTS_MAX, &step->points, NULL) &&
		item_punct(&parser->r, ';', "after the points");
}

static void
parse_step_items(struct lesson_parser *parser, struct lesson_step *step)
{
	static const struct step_item item[] = {
		{"text", parse_text},
		{"show", parse_show},
		{"task", parse_step_task},
		{"hint", parse_hint},
		{"wrong", parse_wrong},
		{"done", parse_done},
		{"points", parse_points},
	};
	size_t n = sizeof item / sizeof *item;

	while (parser->r.x.now.kind != TOKEN_END && !lex_is(&parser->r.x, '}')) {
		size_t i = item_choose(&parser->r, item, n, sizeof *item);

		if (i == n || !item[i].parse(parser, step))
			item_recover(&parser->r, 1);
	}
}

static bool
lesson_parse_step(struct lesson_parser *parser)
{
	struct lesson_step step = {0};
	struct place at;

	lex_next(&parser->r.x);
	at = lex_place(&parser->r.x);
	step.at = at.at;
	step.len = at.len;
	if (!lesson_parse_text(parser, "the step's title, in quotes,", &step.title) ||
		!item_punct(&parser->r, '{', "after the step's title"))
		return false;
	parse_step_items(parser, &step);
	if (!step.points_given)
		step.points = step.n_tasks ? 1 : 0;
	if (!step.n_texts)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "text \"…\";", "the step says nothing");
	else if (!step.n_tasks && (step.n_hints || step.n_wrongs || step.done))
		diag_add(parser->r.diags, DIAG_ERROR, &at, "task feature NAME on;",
			"a step without a task has no hint, no wrong and no done");
	lesson_append(parser->r.arena, &parser->lesson->step, &parser->lesson->n_steps, sizeof step, &step);
	return item_punct(&parser->r, '}', "at the end of the step");
}

/* --- the lesson --------------------------------------------------------------------------------------------------- */

static bool
parse_lesson(struct lesson_parser *parser)
{
	struct lesson *lesson = parser->lesson;

	if (!item_once(&parser->r, lesson->name != NULL) ||
		!lesson_parse_name(parser, "the lesson's name", &lesson->name) ||
		!lesson_parse_text(parser, "the lesson's title, in quotes,", &lesson->title))
		return false;
	if (item_take_word(&parser->r, "minutes") &&
		!item_count(&parser->r, "the minutes that it takes", 1, MINUTES_MAX, &lesson->minutes, NULL))
		return false;
	if (item_take_word(&parser->r, "place") &&
		!item_count(&parser->r, "the lesson's place in the list", 1, 1000, &lesson->place, NULL))
		return false;
	return item_punct(&parser->r, ';', "or minutes or place after the lesson's title");
}

static bool
parse_about(struct lesson_parser *parser)
{
	return item_once(&parser->r, parser->lesson->about != NULL) &&
		lesson_parse_text(parser, "what the lesson is about, in quotes,", &parser->lesson->about) &&
		item_punct(&parser->r, ';', "after the text");
}

static bool
parse_open(struct lesson_parser *parser)
{
	if (!item_once(&parser->r, parser->lesson->open != NULL))
		return false;
	parser->lesson->open_at = parser->r.x.now.at;
	do {
		const char *text;

		if (!item_text(&parser->r, "an argument of the command line, in quotes,", &text))
			return false;
		lesson_append(parser->r.arena, &parser->lesson->open, &parser->lesson->n_open, sizeof text, &text);
	} while (parser->r.x.now.kind == TOKEN_STRING);
	parser->lesson->open_len = parser->r.x.last_end - parser->lesson->open_at;
	return item_punct(&parser->r, ';', "after the arguments");
}

static bool
parse_features(struct lesson_parser *parser)
{
	struct lesson_rule *begin = &parser->lesson->begin;

	if (!item_once(&parser->r, begin->kind != LESSON_NOTHING))
		return false;
	begin->kind = LESSON_FEATURES;
	begin->at = parser->r.x.now.at;
	if (!lesson_parse_names(parser, "a feature's name, or none,", &begin->list, &begin->n_list))
		return false;
	begin->len = parser->r.x.last_end - begin->at;
	return item_punct(&parser->r, ';', "after the features");
}

static void
parse_items(struct lesson_parser *parser)
{
	static const struct {
		const char *word;
		bool (*parse)(struct lesson_parser *);
	} item[] = {
		{"lesson", parse_lesson},
		{"about", parse_about},
		{"open", parse_open},
		{"features", parse_features},
		{"step", lesson_parse_step},
	};
	size_t n = sizeof item / sizeof *item;

	while (parser->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&parser->r, item, n, sizeof *item);

		if (i == n || !item[i].parse(parser))
			item_recover(&parser->r, 0);
	}
}

static void
check_lesson(struct lesson_parser *parser)
{
	struct lesson *lesson = parser->lesson;
	struct place nowhere = {&parser->r.source, 0, 0};

	if (!lesson->name)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "it begins with: lesson NAME \"title\" minutes 10;",
			"the file names no lesson");
	if (!lesson->n_steps)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "step \"TITLE\" { text \"…\"; }",
			"the lesson has no steps");
	if (lesson->n_steps > LESSON_STEPS_MAX)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "make two lessons of it",
			"the lesson has %zu steps: %d is the most", lesson->n_steps, LESSON_STEPS_MAX);
	if (!lesson->n_open)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "open \"haswell-mmu\" \"data.csv\";",
			"nothing says what the lesson opens");
}

struct lesson *
lesson_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct lesson_parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.lesson = mem_new(sizeof *p.lesson);
	p.lesson->arena = p.r.arena = arena_new();
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_items(&p);
	if (diags->errors == before)
		check_lesson(&p); /* the rest would only repeat these errors */
	p.lesson->source = mem_copy(&p.r.source, sizeof p.r.source);
	if (!p.lesson->about)
		p.lesson->about = "";
	if (diags->errors == before)
		return p.lesson;
	lesson_free(p.lesson);
	return NULL;
}

void
lesson_free(struct lesson *lesson)
{
	if (!lesson)
		return;
	source_free(lesson->source);
	free(lesson->source);
	arena_free(lesson->arena);
	free(lesson);
}

unsigned
lesson_points(const struct lesson *lesson)
{
	unsigned points = 0;

	for (size_t i = 0; i < lesson->n_steps; i++)
		points += lesson->step[i].points;
	return points;
}
