/* Builds the tree of rows from the text: defs are expanded in place, and what the chosen features leave out is marked
 * as off. */
#include "core/udd/outline.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"
#include "base/number.h"
#include "base/str.h"
#include "core/udd/alternatives.h"
#include "core/udd/ast.h"
#include "core/udd/check.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/diag.h"

#define NO_ROW SIZE_MAX
#define ITEMS_PER_ROW 16

struct outliner {
	const struct udd_ast *ast;
	const struct fset *on;
	struct udd_outline *out;
	struct outline_item *item; /* items of all rows, row by row */
	size_t n_items, cap_items, cap_rows, max_rows, steps;
	size_t left;               /* statements that did not fit */
	size_t *first_item;        /* per row: index of its first item */
	size_t cap_first;
	struct names words;
};

/* The place that statements of one block are added to. */
struct level {
	uint32_t depth; /* depth of the rows that continue the block */
	size_t row;     /* row that items are added to; NO_ROW: begin a new one */
	bool own_row;   /* the row is the case, branch or path itself: a decision needs a row of its own */
	bool off;
};

static void outline_block(struct outliner *, const struct udd_frame *, struct level *, const struct udd_stmt *);

static const char *
outline_keep(struct outliner *o, const char *text)
{
	struct names *all = &o->out->text;
	size_t at = names_add(all, text, strlen(text));

	return all->name[at];
}

static const char *
outline_text_of(struct outliner *o, const struct udd_frame *f, const struct udd_word *w, enum word_kind kind)
{
	struct diags none = {0};
	struct udd_word out = *w;

	word_resolve(o->ast, f, w, kind, &o->words, &none, &out); /* cannot fail: the model was checked */
	diags_free(&none);
	return outline_keep(o, out.text);
}

static const char *
expr_text(struct outliner *o, const char *before, const struct bexpr *e)
{
	struct str t = {0};
	const char *text;

	str_add(&t, before);
	bexpr_print(e, &t);
	text = outline_keep(o, str_text(&t));
	str_free(&t);
	return text;
}

static bool
is_on(struct outliner *o, const struct udd_frame *f, const struct bexpr *e)
{
	struct udd_features features = {o->ast, f, &o->words};

	return !e || bexpr_eval(e, NULL, o->on->w, &(struct bexpr_names){udd_feature_index, &features}) == BEXPR_YES;
}

static size_t
outline_add_row(struct outliner *o, enum outline_kind kind, uint32_t depth, const char *text, bool off)
{
	struct udd_outline *out = o->out;

	mem_grow(&out->row, &o->cap_rows, out->n + 1, sizeof *out->row);
	mem_grow(&o->first_item, &o->cap_first, out->n + 1, sizeof *o->first_item);
	out->row[out->n] = (struct outline_row){.kind = kind, .depth = depth, .text = text, .off = off};
	o->first_item[out->n] = o->n_items;
	return out->n++;
}

static void
add_item(struct outliner *o, struct level *l, struct outline_item item)
{
	if (l->row == NO_ROW) {
		l->row = outline_add_row(o, OUTLINE_SEQUENCE, l->depth, "", l->off);
		l->own_row = false;
	}
	item.off = l->off;
	mem_grow(&o->item, &o->cap_items, o->n_items + 1, sizeof *o->item);
	o->item[o->n_items++] = item;
}

/* A decision stands below a row of its own, or at the end of one that a sequence began. */
static void
open_decision(struct outliner *o, struct level *l, enum outline_item_kind kind, const char *text)
{
	if (l->own_row)
		l->row = NO_ROW;
	add_item(o, l, (struct outline_item){.kind = kind, .text = text});
	l->row = NO_ROW;
}

/* Adds the number of statements to o->left, with those inside them. */
static void
outline_leave_out(void *ctx, const struct udd_stmt *s)
{
	struct outliner *o = ctx;

	for (; s; s = s->next) {
		o->left++;
		udd_each_block(s, outline_leave_out, o);
	}
}

static bool
is_full(const struct outliner *o)
{
	return o->out->n >= o->max_rows || o->n_items >= o->max_rows * ITEMS_PER_ROW ||
		o->steps >= o->max_rows * ITEMS_PER_ROW * 4;
}

/* Add a case or branch and its body. */
static void
outline_body(struct outliner *outliner, const struct udd_frame *frame, const struct level *above,
	enum outline_kind kind, const char *text, const char *guard, bool off, const struct udd_stmt *body)
{
	struct level l = {.depth = above->depth + 2, .own_row = true, .off = above->off || off};

	if (is_full(outliner)) {
		outline_leave_out(outliner, body);
		return;
	}
	l.row = outline_add_row(outliner, kind, above->depth + 1, text, l.off);
	outliner->out->row[l.row].guard = guard;
	outline_block(outliner, frame, &l, body);
}

static const char *
values_text(struct outliner *o, const struct udd_frame *f, const struct udd_case *c)
{
	struct str t = {0};
	const char *text;

	for (uint32_t i = 0; i < c->n_values; i++)
		str_addf(&t, "%s%s", i ? ", " : "", outline_text_of(o, f, &c->value[i], WORD_VALUE));
	text = c->n_values ? outline_keep(o, str_text(&t)) : "default";
	str_free(&t);
	return text;
}

static void
outline_decision(struct outliner *o, const struct udd_frame *f, struct level *l, const struct udd_stmt *s)
{
	open_decision(
		o, l, OUTLINE_DECISION, s->kind == STMT_SWITCH ? outline_text_of(o, f, &s->word[0], WORD_NAME) : "");
	for (const struct udd_case *c = s->cases; c; c = c->next)
		outline_body(o, f, l, OUTLINE_CASE, values_text(o, f, c), c->when ? expr_text(o, "", c->when) : NULL,
			!is_on(o, f, c->when), c->body);
}

/* Arms of a when are added where the when is, one level above cases. */
static void
outline_when(struct outliner *outliner, const struct udd_frame *f, struct level *level, const struct udd_stmt *stmt)
{
	struct level above = {.depth = level->depth - 1, .off = level->off};
	bool taken = false;

	for (const struct udd_arm *a = stmt->arms; a; a = a->next) {
		bool on = !taken && is_on(outliner, f, a->when);
		const char *text = a->when ? expr_text(outliner, a == stmt->arms ? "when " : "else when ", a->when)
					   : "else";

		outline_body(outliner, f, &above, OUTLINE_BRANCH, text, NULL, !on, a->body);
		taken |= on;
	}
	level->row = NO_ROW;
}

static void
outline_repeat(struct outliner *outliner, const struct udd_frame *f, struct level *level, const struct udd_stmt *stmt)
{
	const char *lo = outline_text_of(outliner, f, &stmt->word[0], WORD_NUMBER),
		   *hi = outline_text_of(outliner, f, &stmt->word[stmt->n_words - 1], WORD_NUMBER);
	struct level above = {.depth = level->depth - 1, .off = level->off};
	char *text = stmt->n_words == 2 ? str_format("%s..%s times", lo, hi)
				     : str_format("%s time%s", lo, str_eq(lo, "1") ? "" : "s");
	const char *kept = outline_keep(outliner, text);

	free(text);
	if (stmt->n_words == 2) {
		open_decision(outliner, level, OUTLINE_DECISION, "repeat");
		outline_body(outliner, f, level, OUTLINE_CASE, kept, NULL, false, stmt->block[0]);
	} else {
		outline_body(outliner, f, &above, OUTLINE_BRANCH, kept, NULL, false, stmt->block[0]);
		level->row = NO_ROW;
	}
}

static void
outline_call(struct outliner *outliner, const struct udd_frame *f, struct level *level, const struct udd_stmt *stmt)
{
	const char *name = outline_text_of(outliner, f, &stmt->word[0], WORD_NAME);
	size_t i = names_find(&outliner->ast->def_names, name, strlen(name));
	struct udd_word *arg = mem_new_array(stmt->n_words, sizeof *arg);
	struct udd_frame inner = {.caller = f, .arg = arg, .at = stmt->at, .len = stmt->len};
	struct diags none = {0};

	for (uint32_t k = 1; k < stmt->n_words; k++)
		word_resolve(outliner->ast, f, &stmt->word[k], WORD_ARGUMENT, &outliner->words, &none, &arg[k - 1]);
	diags_free(&none);
	if (i != NAMES_NONE) {
		inner.body = outliner->ast->def[i];
		outline_block(outliner, &inner, level, inner.body->body);
	}
	free(arg);
}

static void
outline_count(struct outliner *o, const struct udd_frame *f, struct level *l, const struct udd_stmt *s)
{
	struct outline_item item = {
		.kind = OUTLINE_COUNT, .text = outline_text_of(o, f, &s->word[0], WORD_COUNTER), .amount = 1};
	uint64_t amount;

	item.counter = (uint32_t)names_find(&o->ast->counter_names, item.text, strlen(item.text));
	if (s->n_words == 2 && str_to_u64(outline_text_of(o, f, &s->word[1], WORD_NUMBER), &amount))
		item.amount = (uint32_t)amount;
	add_item(o, l, item);
}

static void
outline_statement(
	struct outliner *outliner, const struct udd_frame *frame, struct level *level, const struct udd_stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_EVENT:
		add_item(outliner, level,
			(struct outline_item){.kind = OUTLINE_EVENT,
				.text = outline_text_of(outliner, frame, &stmt->word[0], WORD_NAME)});
		return;
	case STMT_COUNT:
		outline_count(outliner, frame, level, stmt);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		outline_decision(outliner, frame, level, stmt);
		return;
	case STMT_WHEN:
		outline_when(outliner, frame, level, stmt);
		return;
	case STMT_BOTH:
		open_decision(outliner, level, OUTLINE_FORK, "");
		outline_body(outliner, frame, level, OUTLINE_BRANCH, "both", NULL, false, stmt->block[0]);
		outline_body(outliner, frame, level, OUTLINE_BRANCH, "and", NULL, false, stmt->block[1]);
		return;
	case STMT_CALL:
		outline_call(outliner, frame, level, stmt);
		return;
	case STMT_REPEAT:
		outline_repeat(outliner, frame, level, stmt);
		return;
	case STMT_RETURN:
		add_item(outliner, level, (struct outline_item){.kind = OUTLINE_RETURN, .text = ""});
		return;
	case STMT_IMPOSSIBLE:
		add_item(outliner, level, (struct outline_item){.kind = OUTLINE_IMPOSSIBLE, .text = ""});
		return;
	case STMT_DONE:
		add_item(outliner, level, (struct outline_item){.kind = OUTLINE_DONE, .text = ""});
		return;
	case STMT_BEFORE:
		return;
	case STMT_TARGET:
		level->row = NO_ROW;
		add_item(outliner, level,
			(struct outline_item){.kind = OUTLINE_TARGET,
				.text = outline_text_of(outliner, frame, &stmt->word[0], WORD_NAME)});
		return;
	case STMT_JUMP:
		add_item(outliner, level,
			(struct outline_item){.kind = OUTLINE_JUMP,
				.text = outline_text_of(outliner, frame, &stmt->word[0], WORD_NAME)});
		return;
	}
}

static void
outline_block(struct outliner *o, const struct udd_frame *f, struct level *l, const struct udd_stmt *s)
{
	for (; s; s = s->next, o->steps++) {
		if (is_full(o)) {
			outline_leave_out(o, s);
			return;
		}
		outline_statement(o, f, l, s);
	}
}

static void
outline_root(struct outliner *outliner, size_t i)
{
	const struct udd_item *root = outliner->ast->root[i];
	struct udd_frame f = {.body = root};
	struct level l = {.depth = 1, .own_row = true, .off = !is_on(outliner, &f, root->when)};
	struct str text = {0};

	str_add(&text, root->name.text);
	if (root->when) {
		str_add(&text, " when ");
		bexpr_print(root->when, &text);
	}
	l.row = outline_add_row(outliner, OUTLINE_PATH, 0, outline_keep(outliner, str_text(&text)), l.off);
	str_free(&text);
	outline_block(outliner, &f, &l, root->body);
}

/* Put an OUTLINE_CUT item into the last row. */
static void
outline_cut(struct outliner *o)
{
	struct level l = {.row = o->out->n - 1};
	char *text = str_format("%zu more statement%s", o->left, plural_s(o->left));

	add_item(o, &l, (struct outline_item){.kind = OUTLINE_CUT, .text = outline_keep(o, text)});
	free(text);
}

/* Set items of each row, numbers of rows below it, and last siblings. A row's subtree ends at the next row that is
 * not deeper. */
static void
outline_finish(struct outliner *outliner)
{
	struct udd_outline *out = outliner->out;
	struct outline_item *item;

	item = out->item = mem_resize(outliner->item, outliner->n_items, sizeof *item);
	out->row = mem_resize(out->row, out->n, sizeof *out->row);
	for (size_t i = out->n; i-- > 0;) {
		struct outline_row *row = &out->row[i];
		size_t end = i + 1;

		row->n_items = (i + 1 < out->n ? outliner->first_item[i + 1] : outliner->n_items) -
			outliner->first_item[i];
		row->item = item + outliner->first_item[i];
		while (end < out->n && out->row[end].depth > row->depth)
			end += 1 + out->row[end].below; /* skip whole subtrees */
		row->below = (uint32_t)(end - i - 1);
		row->last = end == out->n || out->row[end].depth < row->depth;
	}
}

struct udd_outline *
udd_outline_new(const struct udd_model *model, const struct fset *on, size_t max_rows)
{
	struct outliner o = {.ast = model->ast, .on = on, .max_rows = max_rows ? max_rows : 1};
	bool one = udd_has_alternatives(model) && fset_count(on);

	o.out = mem_new(sizeof *o.out);
	for (size_t i = 0; i < model->n_roots; i++)
		if (one && !fset_has(on, i))
			continue;
		else if (is_full(&o))
			outline_leave_out(&o, model->ast->root[i]->body);
		else
			outline_root(&o, i);
	if (o.left)
		outline_cut(&o);
	outline_finish(&o);
	free(o.first_item);
	names_free(&o.words);
	return o.out;
}

void
udd_outline_free(struct udd_outline *out)
{
	if (!out)
		return;
	free(out->row);
	free(out->item);
	names_free(&out->text);
	free(out);
}
