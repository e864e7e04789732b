/* Parses the items of a .spec file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include "core/spec/parser.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/number_list.h"
#include "base/str.h"
#include "text/aexpr.h"

/* Parse an expression of numbers without names. */
static bool
spec_parse_constant(struct spec_parser *p, struct aexpr **e, double *out)
{
	if (!item_expression(&p->r, e) ||
		!aexpr_bind_numbers(*e, &p->r.source, "a number with its unit is expected", p->r.diags))
		return false;
	*out = aexpr_value(*e, NULL);
	return true;
}

bool
spec_parse_seconds(struct spec_parser *parser, const char *what, double least, double most, double *out)
{
	struct aexpr *aexpr;
	struct place at;
	double ns;

	if (!spec_parse_constant(parser, &aexpr, &ns))
		return false;
	at = (struct place){&parser->r.source, aexpr->at, aexpr->len};
	*out = ns * 1e-9;
	if (!unit_equal(aexpr->unit, unit_of(UNIT_NS)))
		diag_add(parser->r.diags, DIAG_ERROR, &at, "for instance 100 ms", "%s is a time", what);
	else if (!(*out >= least && *out <= most))
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "%s is from %g s to %g s", what, least, most);
	return true;
}

bool
spec_parse_numbers(struct spec_parser *parser, const char *what, struct spec_numbers *out)
{
	int *list = NULL;
	size_t cap = 0, n = 0;
	bool good;

	do {
		struct place at = lex_place(&parser->r.x);
		unsigned from = 0, to = 0;

		good = item_count(&parser->r, what, 0, SPEC_NUMBER_MAX, &from, NULL);
		to = from;
		if (good && item_take_punct(&parser->r, '-'))
			good = item_count(&parser->r, what, 0, SPEC_NUMBER_MAX, &to, NULL);
		if (good && from > to)
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the range %u-%u runs backwards", from, to);
		for (unsigned v = from; good && v <= to && n <= 2 * SPEC_NUMBER_MAX; v++) {
			mem_grow(&list, &cap, n + 1, sizeof *list);
			list[n++] = (int)v;
		}
	} while (good && item_take_punct(&parser->r, ','));
	out->n = number_list_sort(list, n);
	out->at = arena_copy(parser->r.arena, list, out->n * sizeof *list);
	free(list);
	return good;
}

/* Report "a second X" if *given. Reads nothing. */
static bool
once(struct spec_parser *p, bool *given, const char *word)
{
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	if (*given)
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second '%s': there may be one", word);
	if (*given)
		return false;
	*given = true;
	return true;
}

static bool
parse_profile(struct spec_parser *p)
{
	struct place at;

	return once(p, &p->named, "profile") && item_name(&p->r, "the profile's name", &p->spec->name, &at) &&
		item_optional_text(&p->r, &p->spec->text) && item_punct(&p->r, ';', "after the profile's name");
}

static bool
parse_program(struct spec_parser *p)
{
	lex_next(&p->r.x);
	return spec_parse_program(p);
}

static bool
spec_parse_stack(struct spec_parser *parser)
{
	struct profile_spec *spec = parser->spec;
	struct place at;

	lex_next(&parser->r.x);
	do {
		const char *name;

		if (!item_name(&parser->r, "a stack's name, or a file in quotes,", &name, &at))
			return false;
		mem_grow(&spec->stack, &parser->cap_stacks, spec->n_stacks + 1, sizeof *spec->stack);
		spec->stack[spec->n_stacks++] = name;
	} while (item_take_punct(&parser->r, ','));
	return item_punct(&parser->r, ';', "after the stack");
}

static bool
parse_mode(struct spec_parser *p)
{
	if (!once(p, &p->mode_given, "mode"))
		return false;
	if (item_take_word(&p->r, "aggregated"))
		p->spec->mode = SPEC_AGGREGATED;
	else if (!item_take_word(&p->r, "continuous"))
		return item_fail(&p->r, "continuous or aggregated", "after 'mode'");
	return item_punct(&p->r, ';', "after the mode");
}

static bool
parse_granularity(struct spec_parser *parser)
{
	struct profile_spec *spec = parser->spec;

	if (!once(parser, &parser->granularity_given, "granularity") ||
		!spec_parse_seconds(
			parser, "the granularity", SPEC_GRANULARITY_LEAST, SPEC_GRANULARITY_MOST, &spec->granularity))
		return false;
	if (item_take_word(&parser->r, "and")) {
		if (!item_take_word(&parser->r, "switches"))
			return item_fail(&parser->r, "'switches'", "after 'and'");
		spec->at_switches = true;
	}
	return item_punct(&parser->r, ';', "or 'and switches' after the granularity");
}

static bool
parse_duration(struct spec_parser *p)
{
	return once(p, &p->duration_given, "duration") &&
		spec_parse_seconds(p, "the duration", 1e-3, 1e9, &p->spec->duration) &&
		item_punct(&p->r, ';', "after the duration");
}

static bool
parse_processor_limit(struct spec_parser *parser)
{
	struct aexpr *aexpr;
	struct place at;
	double v;

	if (!once(parser, &parser->processor_given, "limit processor") || !spec_parse_constant(parser, &aexpr, &v))
		return false;
	at = (struct place){&parser->r.source, aexpr->at, aexpr->len};
	if (!item_punct(&parser->r, '%', "after the limit: of one CPU"))
		return false;
	if (!unit_equal(aexpr->unit, (struct unit){{0}}) || !(v >= 0.01 && v <= 100))
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL,
			"hecate's own part of one CPU is from 0.01 %% to 100 %%");
	parser->spec->processor = v / 100;
	return item_punct(&parser->r, ';', "after the limit");
}

static bool
parse_memory_limit(struct spec_parser *parser)
{
	struct aexpr *aexpr;
	struct place at;

	if (!once(parser, &parser->memory_given, "limit memory") ||
		!spec_parse_constant(parser, &aexpr, &parser->spec->memory))
		return false;
	at = (struct place){&parser->r.source, aexpr->at, aexpr->len};
	if (!unit_equal(aexpr->unit, unit_of(UNIT_BYTES)) ||
		!(parser->spec->memory >= 1 << 20 && isfinite(parser->spec->memory)))
		diag_add(parser->r.diags, DIAG_ERROR, &at, "for instance 64 MiB",
			"hecate's own memory is in bytes, KiB or MiB, and is 1 MiB at least");
	return item_punct(&parser->r, ';', "after the limit");
}

static bool
parse_limit(struct spec_parser *p)
{
	lex_next(&p->r.x);
	if (lex_is_word(&p->r.x, "processor"))
		return parse_processor_limit(p);
	if (lex_is_word(&p->r.x, "memory"))
		return parse_memory_limit(p);
	return item_fail(&p->r, "processor or memory", "after 'limit'");
}

static bool
parse_statistic(struct spec_parser *parser)
{
	const char *known[SPEC_STATISTICS];
	struct place at = lex_place(&parser->r.x);
	char *word, *hint;

	for (int i = 0; i < SPEC_STATISTICS; i++) {
		known[i] = spec_statistic_name((enum spec_statistic)i);
		if (item_take_word(&parser->r, known[i])) {
			if (parser->spec->report[i])
				diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "'%s' is in the report already",
					known[i]);
			parser->spec->report[i] = true;
			return true;
		}
	}
	word = mem_strn(parser->r.source.text + at.at, at.len);
	hint = near_hint(word, known, SPEC_STATISTICS);
	diag_add(parser->r.diags, DIAG_ERROR, &at, hint, "what the report has, as paths or queues, expected");
	free(hint);
	free(word);
	return false;
}

static bool
parse_report(struct spec_parser *p)
{
	if (!once(p, &p->spec->report_given, "report"))
		return false;
	do
		if (!parse_statistic(p))
			return false;
	while (item_take_punct(&p->r, ','));
	return item_punct(&p->r, ';', "after what the report has");
}

static void
spec_parse_items(struct spec_parser *parser)
{
/* a name, or a file: file names with a '/' stand in quotes */
#define NAME(f) \
	{ITEM_NAME, offsetof(struct profile_spec, f), "a name, or a file in quotes,", "after the name", .once = true}
	static const struct {
		const char *word;
		bool (*parse)(struct spec_parser *); /* NULL: the item is this value */
		struct item_value value;
	} item[] = {
		{"profile", .parse = parse_profile},
		{"program", .parse = parse_program},
		{"network", .value = NAME(network)},
		{"stack", .parse = spec_parse_stack},
		{"model", .value = NAME(model)},
		{"mode", .parse = parse_mode},
		{"granularity", .parse = parse_granularity},
		{"duration", .parse = parse_duration},
		{"limit", .parse = parse_limit},
		{"report", .parse = parse_report},
	};
#undef NAME
	size_t n = sizeof item / sizeof *item;

	while (parser->r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&parser->r, item, n, sizeof *item);

		if (i == n ||
			!(item[i].parse ? item[i].parse(parser) : item_value(&parser->r, &item[i].value, parser->spec)))
			item_recover(&parser->r, 0);
	}
}

/* The object that this statistic is computed from: the file's network, stacks or model. NULL: the file names none. */
static const void *
base_of(const struct profile_spec *s, enum spec_statistic what, const char **word)
{
	*word = what < SPEC_ACCOUNTS ? "network" : what == SPEC_ACCOUNTS ? "stack" : "model";
	if (what == SPEC_ACCOUNTS)
		return s->stack;
	return what < SPEC_ACCOUNTS ? s->network : s->model;
}

/* Without a report item the report has everything that can be computed. */
static void
settle_report(struct spec_parser *parser, const struct place *nowhere)
{
	for (int i = 0; i < SPEC_STATISTICS; i++) {
		const char *word;
		bool there = base_of(parser->spec, (enum spec_statistic)i, &word) != NULL;

		if (parser->spec->report[i] && !there)
			diag_add(parser->r.diags, DIAG_ERROR, nowhere, NULL,
				"the report has %s, and there is no %s to compute them from",
				spec_statistic_name((enum spec_statistic)i), word);
		if (!parser->spec->report_given)
			parser->spec->report[i] = there;
	}
}

static void
parse_check(struct spec_parser *parser)
{
	struct profile_spec *spec = parser->spec;
	struct place nowhere = {&parser->r.source, 0, 0};
	bool ends = spec->duration > 0;
	size_t all = 0;

	if (!parser->named)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "it begins with: profile NAME \"text\";",
			"the file names no profile");
	if (!spec->n_programs)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "program NAME { run \"command\"; }",
			"nothing is to be profiled: there is no program");
	if (!spec->network && !spec->n_stacks && !spec->model)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "network NAME;",
			"nothing says what is counted: a network, a stack or a model is needed");
	for (size_t i = 0; i < spec->n_programs; i++) {
		ends |= !spec->program[i].background;
		all += spec->program[i].times;
		if (spec->duration > 0 && spec->program[i].delay >= spec->duration)
			diag_add(parser->r.diags, DIAG_ERROR,
				&(struct place){&parser->r.source, spec->program[i].at, spec->program[i].len}, NULL,
				"'%.60s' would begin when the profile is over", spec->program[i].name);
	}
	if (spec->n_programs && !ends)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "duration 60 s;",
			"all programs run in the background: nothing says when the profile ends");
	if (all > SPEC_PROGRAMS_MAX)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, NULL,
			"%zu programs: there may be %d, each as often as it says", all, SPEC_PROGRAMS_MAX);
	if (spec->mode == SPEC_AGGREGATED && parser->granularity_given)
		diag_add(parser->r.diags, DIAG_ERROR, &nowhere, "leave it out, or say: mode continuous;",
			"an aggregated profile is one snapshot, and has no granularity");
	settle_report(parser, &nowhere);
}

struct profile_spec *
spec_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct spec_parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.spec = mem_new(sizeof *p.spec);
	p.spec->arena = p.r.arena = arena_new();
	p.spec->name = p.spec->text = "";
	p.spec->granularity = 0.1;
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	spec_parse_items(&p);
	if (diags->errors == before)
		parse_check(&p); /* the rest would only repeat these errors */
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.spec;
	spec_free(p.spec);
	return NULL;
}

void
spec_free(struct profile_spec *s)
{
	if (!s)
		return;
	arena_free(s->arena);
	free(s->program);
	free(s->stack);
	free(s);
}
