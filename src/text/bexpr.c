#include "text/bexpr.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "text/diag.h"
#include "text/lex.h"

struct reader {
	struct lexer *x;
	struct arena *arena;
	int depth;
};

struct list {
	struct bexpr **arg;
	size_t n, cap;
};

static struct bexpr *read_or(struct reader *);

static struct bexpr *
new_node(struct reader *reader, enum bexpr_op op, struct list *args)
{
	struct bexpr *bexpr = arena_alloc(reader->arena, sizeof *bexpr);

	bexpr->op = op;
	bexpr->index = BEXPR_UNBOUND;
	if (args) {
		bexpr->arg = arena_copy(reader->arena, args->arg, args->n * sizeof *bexpr->arg);
		bexpr->n = args->n;
		for (size_t i = 0; i < bexpr->n; i++)
			bexpr->size += bexpr->arg[i]->size;
		bexpr->at = args->arg[0]->at;
		bexpr->len = args->arg[args->n - 1]->at + args->arg[args->n - 1]->len - bexpr->at;
	}
	return bexpr;
}

static struct bexpr *
bexpr_fail(struct reader *r, const char *what)
{
	struct place p = lex_place(r->x);
	struct str seen = {0};

	lex_describe(r->x, &seen);
	diag_add(r->x->diags, DIAG_ERROR, &p, NULL, "%s expected, not %s", what, str_text(&seen));
	str_free(&seen);
	return NULL;
}

static struct bexpr *
bexpr_read_name(struct reader *reader)
{
	struct bexpr *bexpr;
	bool pieces;
	struct place p = lex_join(reader->x, "", &pieces);

	if (!p.len)
		return bexpr_fail(reader, "a name, '!' or '('");
	bexpr = new_node(reader, BEXPR_NAME, NULL);
	bexpr->name = arena_strn(reader->arena, p.source->text + p.at, p.len);
	bexpr->pieces = pieces;
	bexpr->size = 1;
	bexpr->at = p.at;
	bexpr->len = p.len;
	return bexpr;
}

static struct bexpr *
read_unary(struct reader *reader)
{
	struct bexpr *bexpr, *inner;
	struct place from = lex_place(reader->x);
	bool negated = lex_is(reader->x, '!');

	if (!negated && !lex_is(reader->x, '('))
		return bexpr_read_name(reader);
	if (++reader->depth > BEXPR_DEPTH_MAX) {
		diag_add(reader->x->diags, DIAG_ERROR, &from, NULL, "an expression nests deeper than %d",
			BEXPR_DEPTH_MAX);
		return NULL;
	}
	lex_next(reader->x);
	inner = negated ? read_unary(reader) : read_or(reader);
	reader->depth--;
	if (!inner)
		return NULL;
	if (negated) {
		bexpr = new_node(reader, BEXPR_NOT, &(struct list){&inner, 1, 1});
		bexpr->len += bexpr->at - from.at;
		bexpr->at = from.at;
		return bexpr;
	}
	if (!lex_is(reader->x, ')'))
		return bexpr_fail(reader, "'&&', '||' or ')'");
	lex_next(reader->x);
	return inner;
}

/* Reads operands that are separated by `op` written twice ("&&"). An operand with the same operation is merged into the
 * node, so that the tree is in normal form. */
static struct bexpr *
read_chain(struct reader *reader, char op, enum bexpr_op kind, struct bexpr *(*operand)(struct reader *))
{
	struct list args = {0};
	struct bexpr *bexpr = operand(reader);

	while (bexpr) {
		size_t n = bexpr->op == kind ? bexpr->n : 1;

		mem_grow(&args.arg, &args.cap, args.n + n, sizeof *args.arg);
		memcpy(args.arg + args.n, bexpr->op == kind ? bexpr->arg : &bexpr, n * sizeof *args.arg);
		args.n += n;
		if (!lex_is(reader->x, op))
			break;
		lex_next(reader->x);
		if (!lex_is(reader->x, op) || !reader->x->now.glued) {
			bexpr = bexpr_fail(reader, op == '&' ? "'&&'" : "'||'");
			break;
		}
		lex_next(reader->x);
		bexpr = operand(reader);
	}
	if (bexpr && args.n > 1)
		bexpr = new_node(reader, kind, &args);
	free(args.arg);
	return bexpr;
}

static struct bexpr *
read_and(struct reader *r)
{
	return read_chain(r, '&', BEXPR_AND, read_unary);
}

static struct bexpr *
read_or(struct reader *r)
{
	return read_chain(r, '|', BEXPR_OR, read_and);
}

struct bexpr *
bexpr_parse(struct lexer *x, struct arena *arena)
{
	struct bexpr *e = read_or(&(struct reader){x, arena, 0});
	struct place p;

	if (!e || e->size <= BEXPR_NAMES_MAX)
		return e;
	p = (struct place){x->source, e->at, e->len};
	diag_add(x->diags, DIAG_ERROR, &p, NULL, "an expression with more than %d names", BEXPR_NAMES_MAX);
	return NULL;
}

void
bexpr_each_name(struct bexpr *e, void (*f)(void *ctx, struct bexpr *name), void *ctx)
{
	if (e->op == BEXPR_NAME)
		f(ctx, e);
	for (size_t i = 0; i < e->n; i++)
		bexpr_each_name(e->arg[i], f, ctx);
}

static enum bexpr_truth
eval_name(const struct bexpr *e, const uint64_t *known, const uint64_t *value, const struct bexpr_names *names)
{
	uint32_t i = e->pieces && names ? names->index(names->ctx, e) : e->index;

	if (i == BEXPR_UNBOUND)
		return BEXPR_NO;
	if (known && !(known[i / 64] >> (i % 64) & 1))
		return BEXPR_OPEN;
	return value[i / 64] >> (i % 64) & 1 ? BEXPR_YES : BEXPR_NO;
}

enum bexpr_truth
bexpr_eval(const struct bexpr *bexpr, const uint64_t *known, const uint64_t *value, const struct bexpr_names *names)
{
	enum bexpr_truth all, stop;

	if (bexpr->op == BEXPR_NAME)
		return eval_name(bexpr, known, value, names);
	if (bexpr->op == BEXPR_NOT) {
		all = bexpr_eval(bexpr->arg[0], known, value, names);
		return all == BEXPR_OPEN ? BEXPR_OPEN : all == BEXPR_YES ? BEXPR_NO : BEXPR_YES;
	}
	stop = bexpr->op == BEXPR_AND ? BEXPR_NO : BEXPR_YES;
	all = bexpr->op == BEXPR_AND ? BEXPR_YES : BEXPR_NO;
	for (size_t i = 0; i < bexpr->n; i++) {
		enum bexpr_truth t = bexpr_eval(bexpr->arg[i], known, value, names);

		if (t == stop)
			return t;
		if (t == BEXPR_OPEN)
			all = t;
	}
	return all;
}

struct bexpr *
bexpr_bound(const struct bexpr *bexpr, struct arena *arena, const struct bexpr_names *names)
{
	struct bexpr *copy = arena_copy(arena, bexpr, sizeof *bexpr);

	if (bexpr->op == BEXPR_NAME && bexpr->pieces)
		copy->index = names->index(names->ctx, bexpr);
	copy->pieces = false;
	if (bexpr->n)
		copy->arg = arena_alloc(arena, bexpr->n * sizeof *copy->arg);
	for (size_t i = 0; i < bexpr->n; i++)
		copy->arg[i] = bexpr_bound(bexpr->arg[i], arena, names);
	return copy;
}

struct bexpr *
bexpr_not(struct bexpr *e, struct arena *arena)
{
	struct bexpr *not = arena_alloc(arena, sizeof *not);

	*not = (struct bexpr){.op = BEXPR_NOT, .n = 1, .index = BEXPR_UNBOUND, .size = e->size};
	not->arg = arena_copy(arena, &e, sizeof e);
	return not;
}

static void
print_inside(const struct bexpr *e, enum bexpr_op outer, struct str *out)
{
	bool brackets = e->op > outer || (outer == BEXPR_NOT && e->n > 1);

	if (brackets)
		str_addc(out, '(');
	bexpr_print(e, out);
	if (brackets)
		str_addc(out, ')');
}

void
bexpr_print(const struct bexpr *e, struct str *out)
{
	if (e->op == BEXPR_NAME)
		str_add(out, e->name);
	else if (e->op == BEXPR_NOT)
		str_addc(out, '!');
	for (size_t i = 0; i < e->n; i++) {
		if (i > 0)
			str_add(out, e->op == BEXPR_AND ? " && " : " || ");
		print_inside(e->arg[i], e->op, out);
	}
}
