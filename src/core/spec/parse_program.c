/* Parses one program: its command, cores, memory, and time. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/spec/parser.h"

struct program_parser {
	struct spec_parser *p;
	struct spec_program *g;
	bool cores, memory, begin, times;
};

static bool
again(struct program_parser *q, bool given, const struct place *at, const char *word)
{
	if (given)
		diag_add(q->p->r.diags, DIAG_ERROR, at, NULL, "a second '%s' of '%.60s'", word, q->g->name);
	return given;
}

static bool
parse_run(struct program_parser *q, const struct place *at)
{
	struct item_reader *reader = &q->p->r;
	const char **word = NULL;
	size_t cap = 0, n = 0;
	bool good = !again(q, q->g->n_args > 0, at, "run");

	while (good && (n == 0 || reader->x.now.kind == TOKEN_STRING)) {
		mem_grow(&word, &cap, n + 2, sizeof *word);
		good = item_text(reader, n ? "an argument" : "the command, in quotes,", &word[n]);
		n += good;
		if (good && n == 1 && !**word)
			good = item_fail(reader, "a command", "between the quotes");
		if (n > SPEC_WORDS_MAX) {
			diag_add(
				reader->diags, DIAG_ERROR, at, NULL, "a command of more than %d words", SPEC_WORDS_MAX);
			good = false;
		}
	}
	if (good) {
		word[n] = NULL;
		q->g->argv = arena_copy(reader->arena, word, (n + 1) * sizeof *word);
		q->g->n_args = n;
	}
	free(word);
	return good;
}

/* Parse NAME=VALUE as one word of an environment: the name has no '='. */
static bool
parse_set(struct program_parser *parser, const struct place *at)
{
	struct item_reader *reader = &parser->p->r;
	struct spec_setting s, *all;
	struct place name;

	if (!item_name(reader, "a variable's name", &s.name, &name) ||
		!item_punct(reader, '=', "after the variable's name") ||
		!item_text(reader, "its value, in quotes,", &s.value))
		return false;
	if (strchr(s.name, '='))
		diag_add(reader->diags, DIAG_ERROR, &name, NULL, "a variable's name has no '='");
	for (size_t i = 0; i < parser->g->n_set; i++)
		if (strcmp(parser->g->set[i].name, s.name) == 0)
			diag_add(reader->diags, DIAG_ERROR, &name, NULL, "'%.60s' is set already", s.name);
	if (parser->g->n_set == SPEC_WORDS_MAX) {
		diag_add(reader->diags, DIAG_ERROR, at, NULL, "more than %d variables are set", SPEC_WORDS_MAX);
		return true;
	}
	all = arena_alloc(reader->arena, (parser->g->n_set + 1) * sizeof *all);
	for (size_t i = 0; i < parser->g->n_set; i++)
		all[i] = parser->g->set[i];
	all[parser->g->n_set++] = s;
	parser->g->set = all;
	return true;
}

static bool
parse_file(struct program_parser *q, const struct place *at, const char *word, const char **out)
{
	struct item_reader *r = &q->p->r;

	if (again(q, *out != NULL, at, word) || !item_text(r, "a path in quotes", out))
		return false;
	return **out || item_fail(r, "a path", "between the quotes");
}

static bool
parse_memory(struct program_parser *parser, const struct place *at)
{
	struct item_reader *reader = &parser->p->r;

	if (again(parser, parser->memory, at, "memory"))
		return false;
	parser->memory = true;
	for (int m = SPEC_MEMORY_BIND; m <= SPEC_MEMORY_INTERLEAVE; m++)
		if (item_take_word(reader, spec_memory_name((enum spec_memory)m)))
			parser->g->memory = (enum spec_memory)m;
	if (parser->g->memory == SPEC_MEMORY_ANY)
		return item_fail(reader, "bind, prefer or interleave", "after 'memory'");
	if (!spec_parse_numbers(parser->p, "a memory node", &parser->g->nodes))
		return false;
	if (parser->g->memory == SPEC_MEMORY_PREFER && parser->g->nodes.n > 1)
		diag_add(reader->diags, DIAG_ERROR, at, NULL, "one memory node can be preferred, not %zu",
			parser->g->nodes.n);
	return true;
}

static bool
parse_begin(struct program_parser *q, const struct place *at)
{
	if (again(q, q->begin, at, "begin"))
		return false;
	q->begin = true;
	if (!item_take_word(&q->p->r, "after"))
		return item_fail(&q->p->r, "'after'", "after 'begin'");
	return spec_parse_seconds(q->p, "when it begins", 0, 1e6, &q->g->delay);
}

static bool
parse_cores(struct program_parser *q, const struct place *at)
{
	if (again(q, q->cores, at, "cores"))
		return false;
	q->cores = true;
	return spec_parse_numbers(q->p, "a core", &q->g->cores);
}

static bool
parse_program_parse_times(struct program_parser *q, const struct place *at)
{
	if (again(q, q->times, at, "times"))
		return false;
	q->times = true;
	return item_count(&q->p->r, "how many of it", 1, SPEC_PROGRAMS_MAX, &q->g->times, NULL);
}

static bool
parse_background(struct program_parser *q, const struct place *at)
{
	if (again(q, q->g->background, at, "background"))
		return false;
	q->g->background = true;
	return true;
}

static bool
parse_line(struct program_parser *parser)
{
	struct item_reader *reader = &parser->p->r;
	struct place at = lex_place(&reader->x);
	bool good;

	if (item_take_word(reader, "run"))
		good = parse_run(parser, &at);
	else if (item_take_word(reader, "set"))
		good = parse_set(parser, &at);
	else if (item_take_word(reader, "folder"))
		good = parse_file(parser, &at, "folder", &parser->g->folder);
	else if (item_take_word(reader, "input"))
		good = parse_file(parser, &at, "input", &parser->g->input);
	else if (item_take_word(reader, "output"))
		good = parse_file(parser, &at, "output", &parser->g->output);
	else if (item_take_word(reader, "errors"))
		good = parse_file(parser, &at, "errors", &parser->g->errors);
	else if (item_take_word(reader, "cores"))
		good = parse_cores(parser, &at);
	else if (item_take_word(reader, "memory"))
		good = parse_memory(parser, &at);
	else if (item_take_word(reader, "begin"))
		good = parse_begin(parser, &at);
	else if (item_take_word(reader, "times"))
		good = parse_program_parse_times(parser, &at);
	else if (item_take_word(reader, "background"))
		good = parse_background(parser, &at);
	else
		return item_fail(reader,
			"run, set, folder, input, output, errors, cores, memory, begin, times, background or '}'", "");
	return good && item_punct(reader, ';', "after it");
}

bool
spec_parse_program(struct spec_parser *parser)
{
	struct profile_spec *spec = parser->spec;
	struct spec_program g = {.times = 1};
	struct program_parser q = {.p = parser, .g = &g};
	struct place at;

	if (!item_name(&parser->r, "the program's name", &g.name, &at) || !item_optional_text(&parser->r, &g.text) ||
		!item_punct(&parser->r, '{', "after the program's name"))
		return false;
	g.at = at.at;
	g.len = at.len;
	while (!item_take_punct(&parser->r, '}')) {
		if (parser->r.x.now.kind == TOKEN_END)
			return item_fail(&parser->r, "'}'", "at the end of the program");
		if (!parse_line(&q)) {
			if (parser->r.x.now.kind != TOKEN_END && !lex_is(&parser->r.x, '}') &&
				!lex_is(&parser->r.x, ';'))
				lex_next(&parser->r.x);
			item_recover(&parser->r, 1);
		}
	}
	if (!g.n_args)
		diag_add(parser->r.diags, DIAG_ERROR, &at, "run \"command\" \"argument\";",
			"'%.60s' does not say what is run", g.name);
	for (size_t i = 0; i < spec->n_programs; i++)
		if (strcmp(spec->program[i].name, g.name) == 0)
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%.60s' is a program already", g.name);
	if (spec->n_programs == SPEC_PROGRAMS_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d programs", SPEC_PROGRAMS_MAX);
		return true;
	}
	mem_grow(&spec->program, &parser->cap_programs, spec->n_programs + 1, sizeof *spec->program);
	spec->program[spec->n_programs++] = g;
	return true;
}
