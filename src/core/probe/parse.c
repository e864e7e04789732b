/* Parses the items of a .probe file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "core/lang/item.h"
#include "core/probe/probe.h"

#define NUMBER_MAX ((uint64_t)1 << 40)
#define POINTS_MAX 4000

struct parser {
	struct item_reader r;
	struct probe *probe;
	bool measures; /* an item says what is measured */
};

static bool
parse_number(struct parser *p, const char *what, uint64_t least, uint64_t *out)
{
	struct place at = lex_place(&p->r.x);
	char *digits = mem_strn(p->r.source.text + at.at, at.len), *end = digits;
	unsigned long long v = p->r.x.now.kind == TOKEN_WORD && *digits >= '0' && *digits <= '9' ?
		strtoull(digits, &end, 10) : 0;
	bool good = end > digits;

	if (good && (*end == 'k' || *end == 'M')) /* binary units of bytes */
		v <<= *end++ == 'k' ? 10 : 20;
	good = good && *end == '\0' && v >= least && v <= NUMBER_MAX;
	free(digits);
	if (!good) {
		diag_add(p->r.diags, DIAG_ERROR, &at, "k and M mean 1024 and 1024 times 1024",
			"%s expected, a number from %llu to %llu", what, (unsigned long long)least,
			(unsigned long long)NUMBER_MAX);
		return false;
	}
	*out = v;
	lex_next(&p->r.x);
	return true;
}

static bool
parse_op(struct parser *p, enum probe_op *out)
{
	struct str all = {0};

	for (int op = 0; op < PROBE_N_OPS; op++) {
		if (lex_is_word(&p->r.x, probe_op_name((enum probe_op)op))) {
			*out = (enum probe_op)op;
			str_free(&all);
			lex_next(&p->r.x);
			return true;
		}
		str_addf(&all, "%s%s", op == 0 ? "" : op + 1 < PROBE_N_OPS ? ", " : " or ",
			probe_op_name((enum probe_op)op));
	}
	item_fail(&p->r, str_text(&all), "here");
	str_free(&all);
	return false;
}

/* FIRST .. LAST step N; */
static bool
parse_range(struct parser *p, enum probe_value value)
{
	struct probe *q = p->probe;
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	if (p->measures) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a second knee, slope or rate: a probe looks for one");
		return false;
	}
	p->measures = true;
	q->value = value;
	if (!parse_number(p, "the first x", 1, &q->first) || !item_punct(&p->r, '.', "after the first x") ||
		!item_punct(&p->r, '.', "after the first x") || !parse_number(p, "the last x", 1, &q->last))
		return false;
	if (!item_take_word(&p->r, "step"))
		return item_fail(&p->r, "'step'", "after the last x");
	if (!parse_number(p, "the step of x", 1, &q->step))
		return false;
	if (q->last <= q->first || (q->last - q->first) / q->step >= POINTS_MAX) {
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "x must rise, in at most %d steps", POINTS_MAX);
		return false;
	}
	return item_punct(&p->r, ';', "after the step of x");
}

static bool
parse_knee(struct parser *p)
{
	return parse_range(p, PROBE_KNEE);
}

static bool
parse_slope(struct parser *p)
{
	return parse_range(p, PROBE_SLOPE);
}

static bool
parse_rate(struct parser *p)
{
	return parse_range(p, PROBE_RATE);
}

static bool
parse_block(struct parser *p)
{
	lex_next(&p->r.x);
	p->probe->block = true;
	return item_punct(&p->r, ';', "after 'block'");
}

static bool
parse_prefill(struct parser *p)
{
	uint64_t n;

	lex_next(&p->r.x);
	if (!parse_number(p, "the number of instructions before the fill", 1, &n) ||
		!parse_op(p, &p->probe->prefill_op))
		return false;
	p->probe->prefill = n > POINTS_MAX ? POINTS_MAX : (unsigned)n;
	return item_punct(&p->r, ';', "after the prefill");
}

static bool
parse_stride(struct parser *p, unsigned *stride)
{
	uint64_t n;

	if (!item_take_word(&p->r, "stride"))
		return true;
	if (!parse_number(p, "the stride in bytes", 1, &n))
		return false;
	*stride = n > 1 << 20 ? 1 << 20 : (unsigned)n;
	return true;
}

static bool
parse_fill(struct parser *p)
{
	struct probe_fill *f = &p->probe->fill;
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	do {
		if (f->n == PROBE_FILL_MAX) {
			diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "more than %d instructions in turn",
				PROBE_FILL_MAX);
			return false;
		}
		if (!parse_op(p, &f->op[f->n]))
			return false;
		f->n++;
	} while (item_take_punct(&p->r, ','));
	f->chained = item_take_word(&p->r, "chained");
	return parse_stride(p, &f->stride) && item_punct(&p->r, ';', "after the fill");
}

static bool
parse_footprint(struct parser *p)
{
	lex_next(&p->r.x);
	p->probe->footprint = true;
	p->probe->stride = 64;
	return parse_stride(p, &p->probe->stride) && item_punct(&p->r, ';', "after 'footprint'");
}

static bool
parse_counts(struct parser *p)
{
	uint64_t n;

	lex_next(&p->r.x);
	if (!parse_number(p, "what the probe itself takes", 0, &n))
		return false;
	p->probe->counts = n > POINTS_MAX ? POINTS_MAX : (unsigned)n;
	return item_punct(&p->r, ';', "after the number");
}

static bool
parse_unit(struct parser *p)
{
	lex_next(&p->r.x);
	return item_text(&p->r, "the unit, in quotes,", &p->probe->unit) && item_punct(&p->r, ';', "after the unit");
}

static bool
parse_parameter(struct parser *p)
{
	struct place at;

	lex_next(&p->r.x);
	return item_name(&p->r, "a parameter of a .machine file", &p->probe->parameter, &at) &&
		item_punct(&p->r, ';', "after the parameter");
}

static bool
parse_group(struct parser *p)
{
	lex_next(&p->r.x);
	return item_text(&p->r, "the group, in quotes,", &p->probe->group) && item_punct(&p->r, ';', "after the group");
}

static bool
parse_says(struct parser *p)
{
	lex_next(&p->r.x);
	return item_text(&p->r, "a sentence, in quotes,", &p->probe->says) && item_punct(&p->r, ';', "after it");
}

static void
parse_items(struct parser *p)
{
	static const struct {
		const char *word;
		bool (*parse)(struct parser *);
	} item[] = {
		{"knee", parse_knee}, {"slope", parse_slope}, {"rate", parse_rate}, {"block", parse_block},
		{"prefill", parse_prefill}, {"fill", parse_fill}, {"footprint", parse_footprint},
		{"counts", parse_counts}, {"unit", parse_unit}, {"parameter", parse_parameter}, {"says", parse_says},
		{"group", parse_group},
	};

	while (p->r.x.now.kind != TOKEN_END && !lex_is(&p->r.x, '}')) {
		size_t i = item_choose(&p->r, item, sizeof item / sizeof *item, sizeof *item);

		if (i == sizeof item / sizeof *item || !item[i].parse(p))
			item_recover(&p->r, 1);
	}
}

static void
parse_probe(struct parser *p)
{
	struct probe *q = p->probe;
	struct place at;

	if (!item_take_word(&p->r, "probe")) {
		item_fail(&p->r, "'probe'", "at the beginning");
		return;
	}
	if (!item_name(&p->r, "the probe's name", &q->name, &at) || !item_text(&p->r, "what it measures", &q->text) ||
		!item_punct(&p->r, '{', "after the probe's text"))
		return;
	parse_items(p);
	if (!item_punct(&p->r, '}', "at the end of the probe"))
		return;
	if (p->r.x.now.kind != TOKEN_END)
		item_fail(&p->r, "the end of the file", "after the probe");
	if (!p->measures)
		diag_add(p->r.diags, DIAG_ERROR, &at, "as in: knee 16 .. 512 step 4;",
			"the probe does not say what it looks for");
	if (q->fill.n == 0 && !q->footprint)
		diag_add(p->r.diags, DIAG_ERROR, &at, "as in: fill nop;", "the probe has no instructions");
	if (q->footprint && (q->fill.n || q->block))
		diag_add(p->r.diags, DIAG_ERROR, &at, NULL, "a footprint has no fill and no block: its loads are all");
}

struct probe *
probe_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.probe = mem_new(sizeof *p.probe);
	p.probe->arena = p.r.arena = arena_new();
	p.probe->name = p.probe->text = p.probe->unit = p.probe->parameter = p.probe->says =
		p.probe->group = "";
	source_init(&p.r.source, name, text, n);
	lex_begin(&p.r.x, &p.r.source, diags);
	parse_probe(&p);
	source_free(&p.r.source);
	if (diags->errors == before)
		return p.probe;
	probe_free(p.probe);
	return NULL;
}

void
probe_free(struct probe *p)
{
	if (!p)
		return;
	arena_free(p->arena);
	free(p);
}
