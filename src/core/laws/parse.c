/* Parses a .laws file. After an error it goes on with the next item, so that all errors are reported at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/laws/laws.h"
#include "text/aexpr.h"
#include "text/diag.h"
#include "text/item.h"

struct laws_parser {
	struct item_reader r;
	struct laws *laws;
	struct names names; /* of events, in their order */
	size_t cap_events, cap_laws;
	bool named;
};

static size_t
laws_event(struct laws_parser *parser, const char *name)
{
	struct laws *laws = parser->laws;
	size_t at = names_add(&parser->names, name, strlen(name));

	if (at < laws->n_events)
		return at;
	mem_grow(&laws->event, &parser->cap_events, laws->n_events + 1, sizeof *laws->event);
	laws->event[laws->n_events++] = (struct law_event){.name = name, .says = "", .says_source = ""};
	return at;
}

static bool
parse_head(struct laws_parser *parser)
{
	struct place at = lex_place(&parser->r.x), name;

	if (parser->named) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second name: a file of laws has one");
		return false;
	}
	lex_next(&parser->r.x);
	parser->named = true;
	return item_name(&parser->r, "the name of the laws", &parser->laws->name, &name) &&
		item_optional_text(&parser->r, &parser->laws->text) && item_punct(&parser->r, ';', "after the name");
}

static bool
parse_source(struct laws_parser *parser, const char **out)
{
	if (!item_take_word(&parser->r, "source"))
		return item_fail(&parser->r, "'source'", "and where it comes from");
	return item_text(&parser->r, "the source", out);
}

static bool
parse_event(struct laws_parser *parser)
{
	const char **also = NULL, *name;
	size_t cap = 0, n = 0, at;
	struct law_event *event;
	struct place place;
	bool good;

	lex_next(&parser->r.x);
	if (!item_name(&parser->r, "the event", &name, &place))
		return false;
	at = laws_event(parser, name);
	event = &parser->laws->event[at];
	if (event->also || *event->says) {
		diag_add(parser->r.diags, DIAG_ERROR, &place, NULL, "'%.60s' was described before", name);
		return false;
	}
	good = true;
	while (good && item_take_word(&parser->r, "or")) {
		mem_grow(&also, &cap, n + 2, sizeof *also);
		good = item_name(&parser->r, "another name of the event", &also[n], &place);
		if (good && names_find(&parser->names, also[n], strlen(also[n])) != NAMES_NONE)
			diag_add(parser->r.diags, DIAG_ERROR, &place, NULL, "'%.60s' is an event of its own", also[n]);
		also[++n] = NULL;
	}
	if (n)
		event->also = arena_copy(parser->r.arena, also, (n + 1) * sizeof *also);
	free(also);
	if (good && parser->r.x.now.kind == TOKEN_STRING)
		good = item_text(&parser->r, "what is said about it", &event->says) &&
			parse_source(parser, &event->says_source);
	return good && item_punct(&parser->r, ';', "after the event");
}

/* Returns true if the expression has no names, and sets its value. */
static bool
is_constant(const struct aexpr *e, double *out)
{
	if (e->op == AEXPR_NAME || e->op == AEXPR_OWNERS)
		return false;
	for (int i = 0; i < 2; i++)
		if (e->arg[i] && !is_constant(e->arg[i], out))
			return false;
	*out = aexpr_value(e, NULL);
	return true;
}

/* What an expression adds to a form while it is parsed: a multiple per event of the file. */
struct sides {
	double *times;
	double constant;
};

/* Adds `by` times an expression. False if it is no sum of multiples of events. */
static bool
laws_add_side(struct sides *sides, const struct aexpr *e, double by)
{
	double v = NAN;

	if (is_constant(e, &v)) {
		sides->constant += by * v;
		return isfinite(v);
	}
	if (e->op == AEXPR_NAME) {
		sides->times[e->index] += by;
		return true;
	}
	if (e->op == AEXPR_NEGATE)
		return laws_add_side(sides, e->arg[0], -by);
	if (e->op == AEXPR_ADD || e->op == AEXPR_SUBTRACT)
		return laws_add_side(sides, e->arg[0], by) &&
			laws_add_side(sides, e->arg[1], e->op == AEXPR_ADD ? by : -by);
	if (e->op == AEXPR_TIMES && is_constant(e->arg[0], &v))
		return isfinite(v) && laws_add_side(sides, e->arg[1], by * v);
	if ((e->op == AEXPR_TIMES || e->op == AEXPR_DIVIDE) && is_constant(e->arg[1], &v))
		return isfinite(v) && laws_add_side(sides, e->arg[0], e->op == AEXPR_TIMES ? by * v : by / v);
	return false;
}

static bool
laws_find_event(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	struct laws_parser *parser = ctx;

	(void)hint;
	*index = (uint32_t)laws_event(parser, arena_str(parser->r.arena, name));
	*unit = (struct unit){{0}};
	return true;
}

enum relation { AT_MOST, AT_LEAST, EQUAL };

static bool
parse_relation(struct laws_parser *parser, enum relation *out)
{
	if (item_take_punct(&parser->r, '<'))
		*out = AT_MOST;
	else if (item_take_punct(&parser->r, '>'))
		*out = AT_LEAST;
	else
		*out = EQUAL;
	return item_punct(&parser->r, '=', "or '<=' or '>=' between the sides of a law");
}

static bool
law_add(struct laws_parser *parser, const struct law *like, const struct aexpr *a, enum relation how,
	const struct aexpr *b)
{
	struct laws *laws = parser->laws;
	struct sides sides = {.times = mem_new_array(laws->n_events, sizeof(double))};
	struct law law = *like;
	struct place at = {&parser->r.source, a->at, b->at + b->len - a->at};
	double by = how == AT_LEAST ? -1 : 1;
	bool good = laws_add_side(&sides, a, by) && laws_add_side(&sides, b, -by);
	struct law_term term[LAW_TERMS_MAX];

	law.form = (struct law_form){.constant = sides.constant, .equality = how == EQUAL};
	for (size_t i = 0; good && i < laws->n_events; i++) {
		if (fabs(sides.times[i]) > 0 && law.form.n == LAW_TERMS_MAX)
			good = false;
		else if (fabs(sides.times[i]) > 0)
			term[law.form.n++] = (struct law_term){i, sides.times[i]};
	}
	free(sides.times);
	if (!good || !law.form.n) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, "for instance: a + 2 * b <= c",
			"each side of a law is a sum of multiples of at most %d events", LAW_TERMS_MAX);
		return false;
	}
	if (laws->n == LAWS_MAX) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d laws", LAWS_MAX);
		return false;
	}
	law.form.term = arena_copy(parser->r.arena, term, law.form.n * sizeof *term);
	mem_grow(&laws->law, &parser->cap_laws, laws->n + 1, sizeof *laws->law);
	laws->law[laws->n++] = law;
	return true;
}

static bool
parse_side(struct laws_parser *parser, struct aexpr **out)
{
	const struct aexpr_names names = {laws_find_event, parser};

	return item_expression(&parser->r, out) && aexpr_bind(*out, &parser->r.source, &names, parser->r.diags);
}

/* Returns a part of the text in which a blank stands for each run of blanks and line ends. */
static const char *
one_line(struct laws_parser *parser, size_t at, size_t end)
{
	struct str str = {0};
	const char *out;

	for (; at < end; at++) {
		char c = parser->r.source.text[at];

		if (!strchr(" \t\r\n", c))
			str_addc(&str, c);
		else if (str.n && str_text(&str)[str.n - 1] != ' ')
			str_addc(&str, ' ');
	}
	out = arena_str(parser->r.arena, str_text(&str));
	str_free(&str);
	return out;
}

/* Takes `without NAME,`, if it is there. */
static bool
parse_without(struct laws_parser *parser, size_t *out)
{
	struct place place;
	const char *name;

	if (!item_take_word(&parser->r, "without"))
		return true;
	if (!item_name(&parser->r, "the event that is left out", &name, &place))
		return false;
	*out = laws_event(parser, name);
	return item_punct(&parser->r, ',', "before the source of the law");
}

#define CHAIN_MAX 4 /* sides of a law */

static bool
parse_law(struct laws_parser *parser)
{
	struct law law = {.note = "", .without = LAW_ALWAYS};
	struct aexpr *side[CHAIN_MAX];
	enum relation how[CHAIN_MAX];
	size_t n = 0;
	bool good;

	lex_next(&parser->r.x);
	if (!item_text(&parser->r, "what the law says", &law.text) || !item_punct(&parser->r, ':', "after that") ||
		!parse_side(parser, &side[n++]))
		return false;
	do
		if (!parse_relation(parser, &how[n]) || !parse_side(parser, &side[n++]))
			return false;
	while (n < CHAIN_MAX && !lex_is(&parser->r.x, ','));
	law.relation = one_line(parser, side[0]->at, side[n - 1]->at + side[n - 1]->len);
	good = item_punct(&parser->r, ',', "before the source of the law") && parse_without(parser, &law.without) &&
		parse_source(parser, &law.source) && item_optional_text(&parser->r, &law.note);
	for (size_t i = 1; good && i < n; i++)
		good = law_add(parser, &law, side[i - 1], how[i], side[i]);
	return good && item_punct(&parser->r, ';', "after the law");
}

static bool
parse_hardware(struct laws_parser *parser)
{
	lex_next(&parser->r.x);
	parser->laws->hardware = true;
	return item_punct(&parser->r, ';', "after 'hardware'");
}

struct laws *
laws_parse(char *name, char *text, size_t n, struct diags *diags)
{
	static const struct {
		const char *word;
		bool (*parse)(struct laws_parser *);
	} item[] = {{"laws", parse_head}, {"hardware", parse_hardware}, {"event", parse_event}, {"law", parse_law}};
	struct laws_parser parser = {.r.diags = diags};
	size_t before = diags->errors;

	parser.laws = mem_new(sizeof *parser.laws);
	parser.laws->arena = parser.r.arena = arena_new();
	parser.laws->name = parser.laws->text = "";
	source_init(&parser.r.source, name, text, n);
	lex_begin(&parser.r.x, &parser.r.source, diags);
	while (parser.r.x.now.kind != TOKEN_END) {
		size_t i = item_choose(&parser.r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(&parser))
			item_recover(&parser.r, 0);
	}
	if (!parser.named && diags->errors == before)
		diag_add(diags, DIAG_ERROR, &(struct place){&parser.r.source, 0, 0},
			"it begins with: laws NAME \"text\";", "the file does not say which laws it has");
	source_free(&parser.r.source);
	names_free(&parser.names);
	if (diags->errors == before)
		return parser.laws;
	laws_free(parser.laws);
	return NULL;
}

void
laws_free(struct laws *laws)
{
	if (!laws)
		return;
	arena_free(laws->arena);
	free(laws->event);
	free(laws->law);
	free(laws);
}
