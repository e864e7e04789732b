/* Parses .expect files. After an error it goes on with the next item, so that all errors of a file are reported at
 * once. */
#include "work/probe/native_expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/host/cpu.h"
#include "core/probe/probe.h"
#include "text/diag.h"
#include "text/item.h"
#include "work/files/files.h"

#define FILE_MAX ((size_t)1 << 20) /* bytes */
#define ID_MAX 65535               /* of families and models */
#define AMOUNT_MAX ((int64_t)1 << 50)

struct parser {
	struct item_reader r;
	struct expectation *x;
};

/* 512, 64k or 0.25. */
static bool
parse_amount(struct parser *parser, const char *what, double *out)
{
	struct lexer ahead = parser->r.x;
	struct place at = lex_join_decimal(&ahead, false);
	int64_t whole;

	if (memchr(at.source->text + at.at, '.', at.len))
		return item_decimal(
			&parser->r, what, 0, INFINITY, out, "k and M do not go with a fraction: 512, not 0.5k");
	if (!item_number(&parser->r, what, NOTATION_COUNT, 0, AMOUNT_MAX, &whole, NULL))
		return false;
	*out = (double)whole;
	return true;
}

static bool
parse_range(struct parser *parser, const char *what, double *low, double *high)
{
	struct place at = lex_place(&parser->r.x);

	if (!parse_amount(parser, what, low))
		return false;
	*high = *low;
	if (!item_take_punct(&parser->r, '.'))
		return true;
	if (!item_punct(&parser->r, '.', "after the first number") || !parse_amount(parser, "the last number", high))
		return false;
	if (*high >= *low)
		return true;
	diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "the last number is below the first");
	return false;
}

static bool
check_id(struct parser *p, const struct place *at, double id)
{
	if (id == floor(id) && id <= ID_MAX)
		return true;
	diag_add(p->r.diags, DIAG_ERROR, at, "/proc/cpuinfo shows those of a processor",
		"models are whole numbers up to %d", ID_MAX);
	return false;
}

/* cpu vendor "…" family N model N [.. N], …; */
static bool
parse_cpu(struct parser *parser)
{
	struct place at = lex_place(&parser->r.x);
	unsigned family;
	double low, high;

	if (parser->x->n_models) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, "list the models of one family in it", "a second 'cpu'");
		return false;
	}
	lex_next(&parser->r.x);
	if (!item_take_word(&parser->r, "vendor"))
		return item_fail(&parser->r, "'vendor'", "after 'cpu'");
	if (!item_text(&parser->r, "the vendor, in quotes,", &parser->x->vendor))
		return false;
	if (!item_take_word(&parser->r, "family"))
		return item_fail(&parser->r, "'family'", "after the vendor");
	if (!item_count(&parser->r, "the family", 0, ID_MAX, &family, "/proc/cpuinfo shows that of a processor"))
		return false;
	parser->x->family = (int)family;
	if (!item_take_word(&parser->r, "model"))
		return item_fail(&parser->r, "'model'", "after the family");
	do {
		at = lex_place(&parser->r.x);
		if (!parse_range(parser, "a model", &low, &high) || !check_id(parser, &at, low) ||
			!check_id(parser, &at, high))
			return false;
		mem_grow(
			&parser->x->models, &parser->x->cap_models, parser->x->n_models + 1, sizeof *parser->x->models);
		parser->x->models[parser->x->n_models++] = (struct expect_models){(int)low, (int)high};
	} while (item_take_punct(&parser->r, ','));
	return item_punct(&parser->r, ';', "after the models");
}

/* [doubtful] PROBE NUMBER [.. NUMBER] "source"; */
static bool
parse_expected(struct parser *parser)
{
	struct expected e = {.doubtful = item_take_word(&parser->r, "doubtful")};
	struct place at;

	if (!item_name(&parser->r, "a probe's name", &e.probe, &at) ||
		!parse_range(parser, "what it finds", &e.low, &e.high) ||
		!item_text(&parser->r, "the source, in quotes,", &e.source))
		return false;
	if (!*e.source) {
		diag_add(parser->r.diags, DIAG_ERROR, &at,
			"a manual with its section, or a measurement with its address", "'%s' has no source", e.probe);
		return false;
	}
	if (expectation_of(parser->x, e.probe)) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, "one range can hold what several sources say",
			"'%.60s' is given twice", e.probe);
		return false;
	}
	mem_grow(&parser->x->item, &parser->x->cap, parser->x->n + 1, sizeof *parser->x->item);
	parser->x->item[parser->x->n++] = e;
	return item_punct(&parser->r, ';', "after the source");
}

static void
parse_file(struct parser *parser)
{
	struct place at;

	if (!item_take_word(&parser->r, "expect")) {
		item_fail(&parser->r, "'expect'", "at the beginning");
		return;
	}
	if (!item_name(&parser->r, "the core's name", &parser->x->name, &at) ||
		!item_text(&parser->r, "what it is", &parser->x->text) ||
		!item_punct(&parser->r, '{', "after the core's text"))
		return;
	while (parser->r.x.now.kind != TOKEN_END && !lex_is(&parser->r.x, '}'))
		if (!(lex_is_word(&parser->r.x, "cpu") ? parse_cpu(parser) : parse_expected(parser)))
			item_recover(&parser->r, 1);
	if (!item_punct(&parser->r, '}', "at the end of the core"))
		return;
	if (parser->r.x.now.kind != TOKEN_END)
		item_fail(&parser->r, "the end of the file", "after the core");
	if (!parser->x->n_models)
		diag_add(parser->r.diags, DIAG_ERROR, &at,
			"as in: cpu vendor \"AuthenticAMD\" family 25 model 16 .. 31;",
			"the file does not say which processors it describes");
}

struct expectation *
expectation_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct parser p = {.r.diags = diags, .x = mem_new(sizeof *p.x)};
	size_t before = diags->errors;

	p.x->arena = p.r.arena = arena_new();
	p.x->name = p.x->text = p.x->vendor = "";
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_file(&p);
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.x;
	expectation_free(p.x);
	return NULL;
}

void
expectation_free(struct expectation *x)
{
	if (!x)
		return;
	arena_free(x->arena);
	free(x->models);
	free(x->item);
	free(x);
}

bool
expectation_fits(const struct expectation *x, const char *vendor, int family, int model)
{
	if (!str_eq(x->vendor, vendor) || x->family != family)
		return false;
	for (size_t i = 0; i < x->n_models; i++)
		if (x->models[i].first <= model && model <= x->models[i].last)
			return true;
	return false;
}

static struct expectation *
native_expect_load(const char *name, struct diags *diags, struct err *e)
{
	char *path = file_find(name, EXPECT_FOLDERS, EXPECT_ENDING, e), *text;
	size_t n = 0;

	text = path ? file_read(path, FILE_MAX, &n, e) : NULL;
	if (text)
		return expectation_parse(path, text, n, diags);
	free(path);
	return NULL;
}

struct expectation *
expectation_here(struct diags *diags, struct err *e)
{
	struct trust_cpuid id;
	char **name = file_names(EXPECT_FOLDERS, EXPECT_ENDING), *text;
	struct expectation *found = NULL;
	bool known = host_cpu(&id);

	for (size_t i = 0; name[i] && known && !found; i++) {
		struct expectation *expectation = native_expect_load(name[i], diags, e);

		if (expectation && expectation_fits(expectation, id.vendor, id.family, id.model))
			found = expectation;
		else
			expectation_free(expectation);
	}
	str_split_free(name);
	if (found)
		return found;
	text = host_cpu_text();
	err_set(e, "no file of models/expect says what to expect of this processor (%s)", text ? text : "unknown");
	err_hint(e, "docs/native-probes.md describes how to write one");
	free(text);
	return NULL;
}

const struct expected *
expectation_of(const struct expectation *x, const char *probe)
{
	for (size_t i = 0; x && i < x->n; i++)
		if (str_eq(x->item[i].probe, probe))
			return &x->item[i];
	return NULL;
}

bool
expected_agrees(const struct expected *e, const struct probe_answer *a)
{
	if (!a->found)
		return false;
	if (a->high >= e->low && a->low <= e->high)
		return true;
	return a->value >= e->low * (1 - EXPECT_NEAR) && a->value <= e->high * (1 + EXPECT_NEAR);
}
