/* Parses a teacher's private cases: cases LESSON { case "name" data "FILE" accepts points 2; … } */
#include <stdlib.h>

#include "base/mem.h"
#include "core/lesson/parser.h"

#define CASE_POINTS_MAX 100

static bool
lesson_parse_case(struct lesson_parser *parser, struct lesson_cases *cases)
{
	struct lesson_case one = {.points = 1, .at = parser->r.x.now.at, .len = parser->r.x.now.len};

	if (!item_take_word(&parser->r, "case"))
		return item_fail(&parser->r, "case or '}'", "in a list of cases");
	if (!lesson_parse_text(parser, "the case's name, in quotes,", &one.name))
		return false;
	if (!item_take_word(&parser->r, "data"))
		return item_fail(&parser->r, "'data'", "after the case's name");
	if (!lesson_parse_name(parser, "a file of data, in quotes,", &one.data))
		return false;
	if (item_take_word(&parser->r, "accepts"))
		one.accepts = true;
	else if (!item_take_word(&parser->r, "refutes"))
		return item_fail(&parser->r, "accepts or refutes", "after the data: what a right model does with them");
	if (item_take_word(&parser->r, "points") &&
		!item_count(&parser->r, "the case's points", 1, CASE_POINTS_MAX, &one.points, NULL))
		return false;
	lesson_append(parser->r.arena, &cases->item, &cases->n, sizeof one, &one);
	return item_punct(&parser->r, ';', "or points after the case");
}

static void
parse_all(struct lesson_parser *parser, struct lesson_cases *cases)
{
	if (!item_take_word(&parser->r, "cases")) {
		item_fail(&parser->r, "'cases'", "at the beginning: cases LESSON { … }");
		return;
	}
	if (!lesson_parse_name(parser, "the lesson's name", &cases->lesson) ||
		!item_punct(&parser->r, '{', "after the lesson's name"))
		return;
	while (parser->r.x.now.kind != TOKEN_END && !lex_is(&parser->r.x, '}'))
		if (!lesson_parse_case(parser, cases))
			item_recover(&parser->r, 1);
	if (item_punct(&parser->r, '}', "at the end of the cases") && parser->r.x.now.kind != TOKEN_END)
		item_fail(&parser->r, "the end of the file", "after the cases");
}

struct lesson_cases *
lesson_cases_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct lesson_parser p = {.r.diags = diags};
	struct lesson_cases *cases = mem_new(sizeof *cases);
	size_t before = diags->errors;

	cases->arena = p.r.arena = arena_new();
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_all(&p, cases);
	if (diags->errors == before && !cases->n) {
		struct place nowhere = {&p.r.source, 0, 0};

		diag_add(diags, DIAG_ERROR, &nowhere, "case \"name\" data \"FILE\" accepts;", "there are no cases");
	}
	cases->source = mem_copy(&p.r.source, sizeof p.r.source);
	if (diags->errors == before)
		return cases;
	lesson_cases_free(cases);
	return NULL;
}

void
lesson_cases_free(struct lesson_cases *cases)
{
	if (!cases)
		return;
	source_free(cases->source);
	free(cases->source);
	arena_free(cases->arena);
	free(cases);
}
