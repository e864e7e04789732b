#include "text/aexpr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "text/aexpr_operate.h"
#include "text/diag.h"
#include "text/lex.h"
#include "text/notation.h"

struct reader {
	struct lexer *x;
	struct arena *arena;
	uint32_t depth, nodes;
};

static struct aexpr *read_sum(struct reader *);

static struct aexpr *
fail_at(struct reader *r, struct place at, const char *what)
{
	struct str seen = {0};

	lex_describe(r->x, &seen);
	diag_add(r->x->diags, DIAG_ERROR, &at, NULL, "%s expected, not %s", what, str_text(&seen));
	str_free(&seen);
	return NULL;
}

static struct aexpr *
aexpr_fail(struct reader *r, const char *what)
{
	return fail_at(r, lex_place(r->x), what);
}

static struct aexpr *
node(struct reader *reader, enum aexpr_op op, uint32_t at, struct aexpr *a, struct aexpr *b)
{
	struct aexpr *e;

	if (++reader->nodes > AEXPR_NODES_MAX) {
		diag_add(reader->x->diags, DIAG_ERROR, &(struct place){reader->x->source, at, 1},
			"split it into constants or counters of their own", "an expression of more than %d parts",
			AEXPR_NODES_MAX);
		return NULL;
	}
	e = arena_alloc(reader->arena, sizeof *e);
	e->op = op;
	e->arg[0] = a;
	e->arg[1] = b;
	e->at = at;
	e->len = reader->x->last_end - at;
	e->size = 1 + (a ? a->size : 0) + (b ? b->size : 0);
	return e;
}

/* "12", "0.3", "1e6"; then possibly a unit, glued or not. */
static struct aexpr *
aexpr_read_number(struct reader *reader)
{
	struct place at = lex_join_decimal(reader->x, false);
	char *digits = str_format("%.*s", (int)at.len, at.source->text + at.at);
	struct aexpr *aexpr = NULL;
	double v, factor = 1;
	struct unit u = {0};
	bool good = true;

	if (!decimal_read(0, INFINITY, digits, &v))
		diag_add(reader->x->diags, DIAG_ERROR, &at, "a blank goes before a unit: 4 cycles",
			"'%.40s' is not a number", digits);
	else {
		if (reader->x->now.kind == TOKEN_WORD)
			good = unit_parse(reader->x, &u, &factor);
		aexpr = good ? node(reader, AEXPR_NUMBER, at.at, NULL, NULL) : NULL;
	}
	if (aexpr) {
		aexpr->value = v * factor;
		aexpr->unit = u;
	}
	free(digits);
	return aexpr;
}

/* Takes the sign; false and a diagnostic where another token is. */
static bool
take_sign(struct reader *r, char sign, const char *what)
{
	if (!lex_is(r->x, sign)) {
		aexpr_fail(r, what);
		return false;
	}
	lex_next(r->x);
	return true;
}

/* Reads "(slice)" after the word owners, which is at `at`. */
static struct aexpr *
read_owners(struct reader *reader, uint32_t at)
{
	struct place scope;
	struct aexpr *aexpr;
	bool pieces;

	if (!take_sign(reader, '(', "'('"))
		return NULL;
	scope = lex_join(reader->x, "", &pieces);
	if (!scope.len)
		return aexpr_fail(reader, "a scope");
	if (!take_sign(reader, ')', "')'"))
		return NULL;
	aexpr = node(reader, AEXPR_OWNERS, at, NULL, NULL);
	if (aexpr) {
		char *name = str_format("owners(%.*s)", (int)scope.len, scope.source->text + scope.at);

		aexpr->name = arena_str(reader->arena, name);
		free(name);
	}
	return aexpr;
}

/* Reads a name, or owners(SCOPE). */
static struct aexpr *
aexpr_read_name(struct reader *reader)
{
	struct place at = lex_place(reader->x);
	struct aexpr *aexpr;
	const char *name;
	bool pieces;

	if (reader->x->now.kind == TOKEN_STRING) {
		struct str text = {0};
		bool broken = reader->x->now.broken;

		lex_string_text(reader->x->source, &reader->x->now, &text);
		name = arena_strn(reader->arena, str_text(&text), text.n);
		str_free(&text);
		lex_next(reader->x);
		if (broken)
			return NULL;
	} else {
		at = lex_join(reader->x, ".$", &pieces);
		if (!at.len || pieces)
			return fail_at(reader, at.len ? at : lex_place(reader->x), "a number, a name or '('");
		name = arena_strn(reader->arena, at.source->text + at.at, at.len);
		if (lex_is(reader->x, '(') && strcmp(name, "owners") == 0)
			return read_owners(reader, at.at);
	}
	aexpr = node(reader, AEXPR_NAME, at.at, NULL, NULL);
	if (aexpr)
		aexpr->name = name;
	return aexpr;
}

static struct aexpr *
read_call(struct reader *reader, enum aexpr_op op)
{
	uint32_t at = reader->x->now.at;
	struct aexpr *a, *b;

	lex_next(reader->x);
	if (!take_sign(reader, '(', "'('"))
		return NULL;
	a = read_sum(reader);
	if (!a || !take_sign(reader, ',', "','"))
		return NULL;
	b = read_sum(reader);
	return b && take_sign(reader, ')', "')'") ? node(reader, op, at, a, b) : NULL;
}

/* Reads counted(NAME) or counted(owners(SCOPE)). */
static struct aexpr *
read_counted(struct reader *r)
{
	uint32_t at = r->x->now.at;
	struct aexpr *name;

	lex_next(r->x);
	if (!take_sign(r, '(', "'('"))
		return NULL;
	name = aexpr_read_name(r);
	return name && take_sign(r, ')', "')'") ? node(r, AEXPR_COUNTED, at, name, NULL) : NULL;
}

/* Reads A < B, A > B or counted(NAME). */
static struct aexpr *
read_condition(struct reader *reader)
{
	uint32_t at = reader->x->now.at;
	struct aexpr *a, *b;
	bool more;

	if (lex_is_word(reader->x, "counted"))
		return read_counted(reader);
	a = read_sum(reader);
	if (!a)
		return NULL;
	more = lex_is(reader->x, '>');
	if (!more && !lex_is(reader->x, '<'))
		return aexpr_fail(reader, "'<' or '>'");
	lex_next(reader->x);
	b = read_sum(reader);
	return b ? node(reader, AEXPR_LESS, at, more ? b : a, more ? a : b) : NULL;
}

/* Reads if(CONDITION, A, B). */
static struct aexpr *
read_if(struct reader *reader)
{
	uint32_t at = reader->x->now.at;
	struct aexpr *condition, *a, *b, *either;

	lex_next(reader->x);
	if (!take_sign(reader, '(', "'('"))
		return NULL;
	condition = read_condition(reader);
	if (!condition || !take_sign(reader, ',', "','"))
		return NULL;
	a = read_sum(reader);
	if (!a || !take_sign(reader, ',', "','"))
		return NULL;
	b = read_sum(reader);
	if (!b || !take_sign(reader, ')', "')'"))
		return NULL;
	either = node(reader, AEXPR_EITHER, at, a, b);
	return either ? node(reader, AEXPR_IF, at, condition, either) : NULL;
}

static struct aexpr *read_unary(struct reader *);

static struct aexpr *
read_inner(struct reader *reader)
{
	struct aexpr *aexpr;

	if (lex_is(reader->x, '-')) {
		uint32_t at = reader->x->now.at;

		lex_next(reader->x);
		aexpr = read_unary(reader);
		return aexpr ? node(reader, AEXPR_NEGATE, at, aexpr, NULL) : NULL;
	}
	if (lex_is(reader->x, '(')) {
		lex_next(reader->x);
		aexpr = read_sum(reader);
		if (!aexpr)
			return NULL;
		if (!lex_is(reader->x, ')'))
			return aexpr_fail(reader, "')'");
		lex_next(reader->x);
		return aexpr;
	}
	if (lex_is_word(reader->x, "min"))
		return read_call(reader, AEXPR_MIN);
	if (lex_is_word(reader->x, "max"))
		return read_call(reader, AEXPR_MAX);
	if (lex_is_word(reader->x, "ratio"))
		return read_call(reader, AEXPR_RATIO);
	if (lex_is_word(reader->x, "if"))
		return read_if(reader);
	if (reader->x->now.kind == TOKEN_WORD && reader->x->source->text[reader->x->now.at] >= '0' &&
		reader->x->source->text[reader->x->now.at] <= '9')
		return aexpr_read_number(reader);
	return aexpr_read_name(reader);
}

/* Reads an operand; counts how deep minus signs and parentheses nest. */
static struct aexpr *
read_unary(struct reader *reader)
{
	struct aexpr *aexpr = NULL;

	if (++reader->depth > AEXPR_DEPTH_MAX) {
		struct place at = lex_place(reader->x);

		diag_add(reader->x->diags, DIAG_ERROR, &at, NULL, "signs and parentheses nest more than %d deep",
			AEXPR_DEPTH_MAX);
	} else {
		aexpr = read_inner(reader);
	}
	reader->depth--;
	return aexpr;
}

/* Reads operands with either of two operations between them, from left to right. */
static struct aexpr *
read_chain(struct reader *reader, struct aexpr *(*read_operand)(struct reader *), const char *sign,
	const enum aexpr_op *op)
{
	struct aexpr *e = read_operand(reader);

	while (e && (lex_is(reader->x, sign[0]) || lex_is(reader->x, sign[1]))) {
		bool second = lex_is(reader->x, sign[1]);
		struct aexpr *b;

		lex_next(reader->x);
		b = read_operand(reader);
		e = b ? node(reader, op[second], e->at, e, b) : NULL;
	}
	return e;
}

static struct aexpr *
read_product(struct reader *r)
{
	return read_chain(r, read_unary, "*/", (const enum aexpr_op[]){AEXPR_TIMES, AEXPR_DIVIDE});
}

static struct aexpr *
read_sum(struct reader *r)
{
	return read_chain(r, read_product, "+-", (const enum aexpr_op[]){AEXPR_ADD, AEXPR_SUBTRACT});
}

struct aexpr *
aexpr_parse(struct lexer *x, struct arena *arena)
{
	struct reader r = {.x = x, .arena = arena};

	return read_sum(&r);
}

struct binding {
	const struct source *source;
	const struct aexpr_names *names;
	struct diags *diags;
};

static struct place
aexpr_place_of(const struct binding *b, const struct aexpr *e)
{
	return (struct place){b->source, e->at, e->len};
}

static bool
bind_name(struct aexpr *e, const struct binding *b)
{
	struct place at = aexpr_place_of(b, e);
	char *hint = NULL;
	bool known = b->names->find(b->names->ctx, e->name, &e->index, &e->unit, &hint);

	if (!known)
		diag_add(b->diags, DIAG_ERROR, &at, hint, "'%.60s' is not known here", e->name);
	free(hint);
	return known;
}

static bool
aexpr_is_zero(const struct aexpr *e)
{
	return e->op == AEXPR_NUMBER && e->value == 0;
}

static bool
one_unit(struct aexpr *e, const struct binding *binding)
{
	struct place at = aexpr_place_of(binding, e);
	struct str left = {0}, right = {0};
	bool good = unit_equal(e->arg[0]->unit, e->arg[1]->unit) || aexpr_is_zero(e->arg[0]) ||
		aexpr_is_zero(e->arg[1]);

	e->unit = aexpr_is_zero(e->arg[0]) ? e->arg[1]->unit : e->arg[0]->unit;
	if (good)
		return true;
	unit_text(e->arg[0]->unit, &left);
	unit_text(e->arg[1]->unit, &right);
	diag_add(binding->diags, DIAG_ERROR, &at, "only equal units can be added and compared",
		"%s and %s do not go together", str_text(&left), str_text(&right));
	str_free(&left);
	str_free(&right);
	return false;
}

static bool
bind(struct aexpr *aexpr, const struct binding *binding)
{
	struct place at = aexpr_place_of(binding, aexpr);
	bool good = true;

	for (int i = 0; i < 2; i++)
		if (aexpr->arg[i])
			good &= bind(aexpr->arg[i], binding);
	if (!good)
		return false;
	switch (aexpr->op) {
	case AEXPR_NUMBER:
		return true;
	case AEXPR_NAME:
	case AEXPR_OWNERS:
		return bind_name(aexpr, binding);
	case AEXPR_NEGATE:
		aexpr->unit = aexpr->arg[0]->unit;
		return true;
	case AEXPR_ADD:
	case AEXPR_SUBTRACT:
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_EITHER:
		return one_unit(aexpr, binding);
	case AEXPR_LESS:
		good = one_unit(aexpr, binding);
		aexpr->unit = (struct unit){{0}};
		return good;
	case AEXPR_COUNTED:
		return true;
	case AEXPR_IF:
		aexpr->unit = aexpr->arg[1]->unit;
		return true;
	case AEXPR_TIMES:
		aexpr->unit = unit_times(aexpr->arg[0]->unit, aexpr->arg[1]->unit, 1);
		return true;
	case AEXPR_DIVIDE:
	case AEXPR_RATIO:
		if (aexpr_is_zero(aexpr->arg[1])) {
			diag_add(binding->diags, DIAG_ERROR, &at, NULL, "a division by zero");
			return false;
		}
		aexpr->unit = unit_times(aexpr->arg[0]->unit, aexpr->arg[1]->unit, -1);
		return true;
	}
	return false;
}

bool
aexpr_bind(struct aexpr *e, const struct source *source, const struct aexpr_names *names, struct diags *diags)
{
	return bind(e, &(struct binding){source, names, diags});
}

static bool
no_name(void *ctx, const char *name, uint32_t *index, struct unit *unit, char **hint)
{
	const char *const *expected = ctx;

	(void)name;
	(void)index;
	(void)unit;
	*hint = mem_str(*expected);
	return false;
}

bool
aexpr_bind_numbers(struct aexpr *e, const struct source *source, const char *hint, struct diags *diags)
{
	return aexpr_bind(e, source, &(struct aexpr_names){.find = no_name, .ctx = &hint}, diags);
}

const struct aexpr *
aexpr_chosen(const struct aexpr *e, const double *value)
{
	double holds = aexpr_value(e->arg[0], value);

	return isnan(holds) ? NULL : e->arg[1]->arg[holds > 0 ? 0 : 1];
}

double
aexpr_value(const struct aexpr *aexpr, const double *value)
{
	const struct aexpr *chosen = aexpr->op == AEXPR_IF ? aexpr_chosen(aexpr, value) : NULL;
	double a, b;

	if (aexpr->op == AEXPR_IF)
		return chosen ? aexpr_value(chosen, value) : NAN;
	if (aexpr->op == AEXPR_NUMBER)
		return aexpr->value;
	if (!aexpr->arg[0])
		return value[aexpr->index];
	a = aexpr_value(aexpr->arg[0], value);
	b = aexpr->arg[1] ? aexpr_value(aexpr->arg[1], value) : 0;
	return aexpr_operate(aexpr->op, a, b);
}

void
aexpr_each_name(const struct aexpr *e, void (*f)(void *ctx, const struct aexpr *name), void *ctx)
{
	if (e->op == AEXPR_NAME || e->op == AEXPR_OWNERS)
		f(ctx, e);
	for (int i = 0; i < 2; i++)
		if (e->arg[i])
			aexpr_each_name(e->arg[i], f, ctx);
}
