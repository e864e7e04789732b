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
parse_amount(struct parser *p, const char *what, double *out)
{
	struct lexer ahead = p->r.x;
	struct place at = lex_join_decimal(&ahead, false);
	int64_t whole;

	if (memchr(at.source->text + at.at, '.', at.len))
		return item_decimal(&p->r, what, 0, INFINITY, out, "k and M do not go with a fraction: 512, not 0.5k");
	if (!item_number(&p->r, what, NOTATION_COUNT, 0, AMOUNT_MAX, &whole, NULL))
		return false;
	*out = (double)whole;
	return true;
}

static bool
parse_range(struct parser *p, const char *what, double *low, double *high)
{
	struct place at = lex_place(&p->r.x);

	if (!parse_amount(p, what, low))
		return false;
	*high = *low;
	if (!item_take_punct(&p->r, '.'))
		return true;
	if (!item_punct(&p->r, '.', "after the first number") || !parse_amount(p, "the last number", high))
		return false;
	if (*high >= *low)
		return true;
	diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "the last number is below the first");
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
parse_cpu(struct parser *p)
{
	struct place at = lex_place(&p->r.x);
	unsigned family;
	double low, high;

	if (p->x->n_models) {
		diag_add(p->r.diags, DIAG_ERROR, &at, "list the models of one family in it", "a second 'cpu'");
		return false;
	}
	lex_next(&p->r.x);
	if (!item_take_word(&p->r, "vendor"))
		return item_fail(&p->r, "'vendor'", "after 'cpu'");
	if (!item_text(&p->r, "the vendor, in quotes,", &p->x->vendor))
		return false;
	if (!item_take_word(&p->r, "family"))
		return item_fail(&p->r, "'family'", "after the vendor");
	if (!item_count(&p->r, "the family", 0, ID_MAX, &family, "/proc/cpuinfo shows that of a processor"))
		return false;
	p->x->family = (int)family;
	if (!item_take_word(&p->r, "model"))
		return item_fail(&p->r, "'model'", "after the family");
	do {
		at = lex_place(&p->r.x);
		if (!parse_range(p, "a model", &low, &high) || !check_id(p, &at, low) || !check_id(p, &at, high))
			return false;
		mem_grow(&p->x->models, &p->x->cap_models, p->x->n_models + 1, sizeof *p->x->models);
		p->x->models[p->x->n_models++] = (struct expect_models){(int)low, (int)high};
	} while (item_take_punct(&p->r, ','));
	return item_punct(&p->r, ';', "after the models");
}

/* [doubtful] PROBE NUMBER [.. NUMBER] "source"; */
static bool
parse_expected(struct parser *p)
{
	struct expected e = {.doubtful = item_take_word(&p->r, "doubtful")};
	struct place at;

	if (!item_name(&p->r, "a probe's name", &e.probe, &at) || !parse_range(p, "what it finds", &e.low, &e.high) ||
		!item_text(&p->r, "the source, in quotes,", &e.source))
		return false;
	if (!*e.source) {
		diag_add(p->r.diags, DIAG_ERROR, &at, "a manual with its section, or a measurement with its address",
			"'%s' has no source", e.probe);
		return false;
	}
	if (expectation_of(p->x, e.probe)) {
		diag_add(p->r.diags, DIAG_ERROR, &at, "one range can hold what several sources say",
			"'%.60s' is given twice", e.probe);
		return false;
	}
	mem_grow(&p->x->item, &p->x->cap, p->x->n + 1, sizeof *p->x->item);
	p->x->item[p->x->n++] = e;
	return item_punct(&p->r, ';', "after the source");
}

static void
parse_file(struct parser *p)
{
	struct place at;

	if (!item_take_word(&p->r, "expect")) {
		item_fail(&p->r, "'expect'", "at the beginning");
		return;
	}
	if (!item_name(&p->r, "the core's name", &p->x->name, &at) || !item_text(&p->r, "what it is", &p->x->text) ||
		!item_punct(&p->r, '{', "after the core's text"))
		return;
	while (p->r.x.now.kind != TOKEN_END && !lex_is(&p->r.x, '}'))
		if (!(lex_is_word(&p->r.x, "cpu") ? parse_cpu(p) : parse_expected(p)))
			item_recover(&p->r, 1);
	if (!item_punct(&p->r, '}', "at the end of the core"))
		return;
	if (p->r.x.now.kind != TOKEN_END)
		item_fail(&p->r, "the end of the file", "after the core");
	if (!p->x->n_models)
		diag_add(p->r.diags, DIAG_ERROR, &at, "as in: cpu vendor \"AuthenticAMD\" family 25 model 16 .. 31;",
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
		struct expectation *x = native_expect_load(name[i], diags, e);

		if (x && expectation_fits(x, id.vendor, id.family, id.model))
			found = x;
		else
			expectation_free(x);
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
