/* Parses the items of a .probe file. After an error it goes on with the next item, so that all errors of a file are
 * reported at once. */
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/probe/probe.h"
#include "text/diag.h"
#include "text/item.h"

#define NUMBER_MAX ((uint64_t)1 << 40)
#define POINTS_MAX 4000
#define COUNT_MAX (1 << 24)
#define PASS_MAX (1 << 18)
#define STRIDE_MAX 8192
#define POINTER 8
#define LINE 64

struct parser {
	struct item_reader r;
	struct probe *probe;
	bool measures; /* an item says what is measured */
};

/* A number from `least` to `most`, perhaps with K or M for binary units. */
static bool
parse_number(struct parser *p, const char *what, uint64_t least, uint64_t most, uint64_t *out)
{
	int64_t v;

	if (!item_number(&p->r, what, NOTATION_COUNT, (int64_t)least, (int64_t)most, &v, NULL))
		return false;
	*out = (uint64_t)v;
	return true;
}

/* A number that must not be large. */
static bool
parse_count(struct parser *p, const char *what, uint64_t least, unsigned *out)
{
	uint64_t n;

	if (!parse_number(p, what, least, COUNT_MAX, &n))
		return false;
	*out = (unsigned)n;
	return true;
}

static bool
parse_op(struct parser *parser, enum probe_op *out)
{
	struct str all = {0};

	for (int op = 0; op < PROBE_N_OPS; op++) {
		if (lex_is_word(&parser->r.x, probe_op_name((enum probe_op)op))) {
			*out = (enum probe_op)op;
			str_free(&all);
			lex_next(&parser->r.x);
			return true;
		}
		str_addf(&all, "%s%s", op == 0 ? "" : op + 1 < PROBE_N_OPS ? ", " : " or ",
			probe_op_name((enum probe_op)op));
	}
	item_fail(&parser->r, str_text(&all), "here");
	str_free(&all);
	return false;
}

/* Returns true if x has no more values than may be measured. */
static bool
has_few_points(const struct probe *q)
{
	size_t n = 0;

	for (uint64_t x = q->first; x <= q->last && n <= POINTS_MAX; x = probe_next_x(q, x))
		n++;
	return n <= POINTS_MAX;
}

/* FIRST .. LAST step N; or FIRST .. LAST doubling [N]; */
static bool
parse_range(struct parser *parser, enum probe_value value)
{
	struct probe *probe = parser->probe;
	struct place at = lex_place(&parser->r.x);

	if (value != PROBE_LEVEL)
		lex_next(&parser->r.x);
	if (parser->measures) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "a second value: a probe looks for one");
		return false;
	}
	parser->measures = true;
	probe->value = value;
	if (!parse_number(parser, "the first x", 1, NUMBER_MAX, &probe->first) ||
		!item_punct(&parser->r, '.', "after the first x") ||
		!item_punct(&parser->r, '.', "after the first x") ||
		!parse_number(parser, "the last x", 1, NUMBER_MAX, &probe->last))
		return false;
	probe->per_doubling = 1;
	if (item_take_word(&parser->r, "doubling")) {
		if (!lex_is(&parser->r.x, ';') &&
			!parse_count(parser, "the steps of a doubling", 1, &probe->per_doubling))
			return false;
	} else {
		if (!item_take_word(&parser->r, "step"))
			return item_fail(&parser->r, "'step' or 'doubling'", "after the last x");
		if (!parse_number(parser, "the step of x", 1, NUMBER_MAX, &probe->step))
			return false;
	}
	if (probe->last <= probe->first || !has_few_points(probe)) {
		diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "x must rise, in at most %d steps", POINTS_MAX);
		return false;
	}
	return item_punct(&parser->r, ';', "after the step of x");
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
parse_ratio(struct parser *p)
{
	return parse_range(p, PROBE_RATIO);
}

static bool
parse_level(struct parser *p)
{
	lex_next(&p->r.x);
	return parse_count(p, "the number of the plateau", 1, &p->probe->level) && parse_range(p, PROBE_LEVEL);
}

static bool
parse_block(struct parser *p)
{
	lex_next(&p->r.x);
	p->probe->block = true;
	return item_punct(&p->r, ';', "after 'block'");
}

/* [N] [far|fresh|same] OP */
static bool
parse_step(struct parser *parser, struct probe_step *step)
{
	struct place at = lex_place(&parser->r.x);

	step->count = 1;
	if (parser->r.x.now.kind == TOKEN_WORD && parser->r.source.text[at.at] >= '0' &&
		parser->r.source.text[at.at] <= '9' &&
		!parse_count(parser, "the number of instructions", 1, &step->count))
		return false;
	at = lex_place(&parser->r.x);
	if (item_take_word(&parser->r, "far"))
		step->place = PROBE_FAR;
	else if (item_take_word(&parser->r, "fresh"))
		step->place = PROBE_FRESH;
	else if (item_take_word(&parser->r, "same"))
		step->place = PROBE_SAME;
	if (!parse_op(parser, &step->op))
		return false;
	if (step->place == PROBE_NOWHERE && probe_op_is_access(step->op))
		step->place = PROBE_NEAR;
	if ((step->place != PROBE_NOWHERE && !probe_op_is_access(step->op)) ||
		(step->place == PROBE_FAR && step->op != PROBE_LOAD)) {
		diag_add(parser->r.diags, DIAG_ERROR, &at,
			"far is for load; fresh and same are for what accesses memory", "%s has no such place",
			probe_op_name(step->op));
		return false;
	}
	return true;
}

/* Steps with ',' between them. */
static bool
parse_part(struct parser *parser, struct probe_part *part)
{
	struct place at = lex_place(&parser->r.x);

	do {
		if (part->n == PROBE_STEPS_MAX) {
			diag_add(parser->r.diags, DIAG_ERROR, &at, NULL, "more than %d instructions in turn",
				PROBE_STEPS_MAX);
			return false;
		}
		if (!parse_step(parser, &part->step[part->n]))
			return false;
		part->n++;
	} while (item_take_punct(&parser->r, ','));
	return true;
}

static bool
has_store(const struct probe_part *part)
{
	bool has = false;

	for (unsigned i = 0; i < part->n; i++)
		has |= part->step[i].op == PROBE_STORE;
	return has;
}

/* [HEAD then] BODY [then TAIL] [chained | together | waves | waiting] [late] [stride N | stride x]; */
static bool
parse_sequence(struct parser *parser, const struct place *at, struct probe_fill *fill)
{
	if (fill->body.n) {
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL, "a second sequence of the same kind");
		return false;
	}
	if (!parse_part(parser, &fill->body))
		return false;
	if (item_take_word(&parser->r, "then")) {
		fill->head = fill->body;
		fill->body = (struct probe_part){0};
		if (!parse_part(parser, &fill->body))
			return false;
		if (item_take_word(&parser->r, "then") && !parse_part(parser, &fill->tail))
			return false;
	}
	if (item_take_word(&parser->r, "chained"))
		fill->link = PROBE_CHAINED;
	else if (item_take_word(&parser->r, "together"))
		fill->link = PROBE_TOGETHER;
	else if (item_take_word(&parser->r, "waves"))
		fill->link = PROBE_WAVES;
	else if (item_take_word(&parser->r, "waiting"))
		fill->link = PROBE_WAITING;
	fill->late = item_take_word(&parser->r, "late");
	if (fill->late && (fill->link != PROBE_CHAINED || !has_store(&fill->body))) {
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: fill add, store, load chained late;",
			"'late' needs a chain with a store");
		return false;
	}
	if (item_take_word(&parser->r, "stride")) {
		fill->stride_is_x = item_take_word(&parser->r, "x");
		if (!fill->stride_is_x && !parse_count(parser, "the stride in bytes, or x,", 1, &fill->stride))
			return false;
	}
	return item_punct(&parser->r, ';', "after the instructions");
}

static bool
parse_fill(struct parser *p)
{
	struct place at = lex_place(&p->r.x);

	lex_next(&p->r.x);
	return parse_sequence(p, &at, &p->probe->fill);
}

/* SEQUENCE, or footprint stride BYTES; */
static bool
parse_against(struct parser *p)
{
	struct place at = lex_place(&p->r.x);
	struct probe_fill *f = &p->probe->against;

	lex_next(&p->r.x);
	if (!item_take_word(&p->r, "footprint"))
		return parse_sequence(p, &at, f);
	if (!item_take_word(&p->r, "stride"))
		return item_fail(&p->r, "'stride'", "after 'footprint'");
	return parse_count(p, "the stride in bytes", 1, &f->stride) && item_punct(&p->r, ';', "after the stride");
}

static bool
parse_footprint(struct parser *parser)
{
	lex_next(&parser->r.x);
	parser->probe->footprint = true;
	parser->probe->of_code = item_take_word(&parser->r, "code");
	parser->probe->sequential = item_take_word(&parser->r, "sequential");
	parser->probe->pairs = item_take_word(&parser->r, "pairs");
	parser->probe->stride = 64;
	if (item_take_word(&parser->r, "stride")) {
		parser->probe->stride_is_x = item_take_word(&parser->r, "x");
		if (!parser->probe->stride_is_x &&
			!parse_count(parser, "the stride in bytes, or x,", 1, &parser->probe->stride))
			return false;
	}
	parser->probe->hot = item_take_word(&parser->r, "hot");
	return item_punct(&parser->r, ';', "after 'footprint'");
}

/* As against, but the time is always subtracted. */
static bool
parse_less(struct parser *p)
{
	p->probe->subtracts = true;
	return parse_against(p);
}

/* native; or native fill SEQUENCE */
static bool
parse_native(struct parser *p)
{
	struct place at;

	lex_next(&p->r.x);
	at = lex_place(&p->r.x);
	if (item_take_word(&p->r, "fill"))
		return parse_sequence(p, &at, &p->probe->native);
	p->probe->needs_native = true;
	return item_punct(&p->r, ';', "after 'native'");
}

static bool
parse_simulated(struct parser *p)
{
	lex_next(&p->r.x);
	p->probe->needs_sim = true;
	return item_punct(&p->r, ';', "after 'simulated'");
}

static bool
parse_pages(struct parser *p)
{
	lex_next(&p->r.x);
	if (!item_take_word(&p->r, "4k"))
		return item_fail(&p->r, "'4k'", "after 'pages'");
	p->probe->small_pages = true;
	return item_punct(&p->r, ';', "after the size of pages");
}

static void
probe_parse_items(struct parser *parser)
{
#define AT(f) offsetof(struct probe, f)
#define COUNT(f, least, what, after) {ITEM_COUNT, AT(f), what, after, least, COUNT_MAX, NOTATION_COUNT, false}
	static const struct {
		const char *word;
		bool (*parse)(struct parser *); /* NULL: the item is this value */
		struct item_value value;
	} item[] = {
		{"knee", .parse = parse_knee}, {"slope", .parse = parse_slope}, {"rate", .parse = parse_rate},
		{"level", .parse = parse_level}, {"ratio", .parse = parse_ratio}, {"block", .parse = parse_block},
		{"fill", .parse = parse_fill}, {"less", .parse = parse_less}, {"native", .parse = parse_native},
		{"simulated", .parse = parse_simulated}, {"against", .parse = parse_against},
		{"footprint", .parse = parse_footprint}, {"pages", .parse = parse_pages},
		{"counts", .value = COUNT(counts, 0, "what the probe itself takes", "after the number")},
		{"times", .value = COUNT(times, 1, "the factor of the answer", "after the factor")},
		{"over", .value = COUNT(over, 1, "the divisor of the answer", "after the divisor")},
		{"unit", .value = {.kind = ITEM_TEXT, .field = AT(unit),
			.what = "the unit, in quotes,", .after = "after the unit"}},
		{"parameter", .value = {.kind = ITEM_NAME, .field = AT(parameter),
			.what = "a parameter of a .machine file", .after = "after the parameter"}},
		{"says", .value = {.kind = ITEM_TEXT, .field = AT(says),
			.what = "a sentence, in quotes,", .after = "after it"}},
		{"group", .value = {.kind = ITEM_TEXT, .field = AT(group),
			.what = "the group, in quotes,", .after = "after the group"}},
	};
#undef AT
#undef COUNT
	size_t n = sizeof item / sizeof *item;

	while (parser->r.x.now.kind != TOKEN_END && !lex_is(&parser->r.x, '}')) {
		size_t i = item_choose(&parser->r, item, n, sizeof *item);
		bool good = i < n &&
			(item[i].parse ? item[i].parse(parser) : item_value(&parser->r, &item[i].value, parser->probe));

		if (!good)
			item_recover(&parser->r, 1);
	}
}

/* Instructions of the longest pass of a fill; 0: there is none. */
static uint64_t
pass_length(const struct probe *q, const struct probe_fill *f)
{
	uint64_t body = f->stride_is_x ? PROBE_TURNS * probe_part_length(&f->body) : q->last;

	return f->body.n ? probe_part_length(&f->head) + body + probe_part_length(&f->tail) : 0;
}

/* Lines of a footprint hold a pointer each. */
static bool
has_room_for_pointers(const struct probe *q)
{
	if (!q->stride_is_x)
		return q->stride % POINTER == 0 && q->against.stride % POINTER == 0;
	return q->first % POINTER == 0 && q->step % POINTER == 0 && (q->step || q->per_doubling <= POINTER);
}

/* A load of `block` writes an integer register. */
static bool
can_wait(const struct probe *probe, const struct probe_fill *fill)
{
	const struct probe_part *part[] = {&fill->head, &fill->body, &fill->tail};
	bool can = fill->link != PROBE_WAITING || probe->block;

	for (size_t k = 0; k < 3 && fill->link == PROBE_WAITING; k++)
		for (unsigned i = 0; i < part[k]->n; i++) {
			enum probe_op op = part[k]->step[i].op;

			can &= op != PROBE_FADD && op != PROBE_FMUL && op != PROBE_FDIV && op != PROBE_FMA;
		}
	return can;
}

/* What only a simulated core runs. */
static void
check_simulated(const struct parser *parser, const struct place *at)
{
	const struct probe *probe = parser->probe;

	if (probe->needs_sim && probe->needs_native)
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL, "'native' and 'simulated' exclude each other");
	if (!probe->needs_sim && (probe->of_code || probe_has_calls(probe)))
		diag_add(parser->r.diags, DIAG_ERROR, at, "add: simulated;",
			"a footprint of code, and calls and returns, are for a simulated core alone");
	if (probe->of_code &&
		(probe->stride_is_x || probe->stride % LINE ||
			probe->last / probe->stride > PASS_MAX / PROBE_LINE_NOPS))
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL,
			"lines of code are a multiple of %d bytes apart, and there are at most %d", LINE,
			PASS_MAX / PROBE_LINE_NOPS);
}

/* What the items mean together. */
static void
parse_check(const struct parser *parser, const struct place *at)
{
	const struct probe *probe = parser->probe;

	if (!parser->measures)
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: knee 16 .. 512 step 4;",
			"the probe does not say what it looks for");
	check_simulated(parser, at);
	if (probe->fill.body.n == 0 && !probe->footprint)
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: fill nop;", "the probe has no instructions");
	if (!can_wait(probe, &probe->fill) || !can_wait(probe, &probe->against) || !can_wait(probe, &probe->native))
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: block; fill add waiting;",
			"'waiting' needs the loads of 'block', and no floating-point operations");
	if (!probe->footprint && probe->against.stride && !probe->against.body.n)
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: footprint stride 1M;",
			"a footprint is compared with a footprint");
	if (probe->pairs && !probe->against.stride)
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: against footprint stride 8k;",
			"pairs are as far apart as the lines of a second footprint, which is missing");
	if (probe->footprint && (probe->against.stride || probe->hot) && !probe->needs_sim)
		diag_add(parser->r.diags, DIAG_ERROR, at, "add: simulated;",
			"a hot line, or a second footprint, is for a simulated core alone");
	if (probe->footprint && (probe->fill.body.n || probe->against.body.n || probe->block))
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL,
			"a footprint has no fill and no block: its loads are all");
	if (probe->value == PROBE_RATIO && !probe_is_pair(probe))
		diag_add(parser->r.diags, DIAG_ERROR, at, "as in: against add chained;",
			"a ratio needs a second fill, by whose time it divides");
	if ((probe->fill.stride_is_x || probe->against.stride_is_x || probe->native.stride_is_x) &&
		probe->last > STRIDE_MAX)
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL, "x is a stride of more than %d bytes", STRIDE_MAX);
	if (probe->footprint && !has_room_for_pointers(probe))
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL,
			"the lines of a footprint are a multiple of %d bytes apart", POINTER);
	if (pass_length(probe, &probe->fill) > PASS_MAX || pass_length(probe, &probe->against) > PASS_MAX ||
		pass_length(probe, &probe->native) > PASS_MAX)
		diag_add(parser->r.diags, DIAG_ERROR, at, NULL, "x is a pass of more than %d instructions", PASS_MAX);
}

static void
parse_probe(struct parser *parser)
{
	struct probe *probe = parser->probe;
	struct place at;

	if (!item_take_word(&parser->r, "probe")) {
		item_fail(&parser->r, "'probe'", "at the beginning");
		return;
	}
	if (!item_name(&parser->r, "the probe's name", &probe->name, &at) ||
		!item_text(&parser->r, "what it measures", &probe->text) ||
		!item_punct(&parser->r, '{', "after the probe's text"))
		return;
	probe_parse_items(parser);
	if (!item_punct(&parser->r, '}', "at the end of the probe"))
		return;
	if (parser->r.x.now.kind != TOKEN_END)
		item_fail(&parser->r, "the end of the file", "after the probe");
	parse_check(parser, &at);
}

struct probe *
probe_parse(char *name, char *text, size_t n, struct diags *diags)
{
	struct parser p = {.r.diags = diags};
	size_t before = diags->errors;

	p.probe = mem_new(sizeof *p.probe);
	p.probe->arena = p.r.arena = arena_new();
	p.probe->times = p.probe->over = 1;
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
