/* Checks the labels of one expansion. Each pass through a repeat is an expansion of its own: its labels are known
 * only inside, and it sees the labels around it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/check.h"
#include "core/udd/word.h"
#include "text/diag.h"

struct checker {
	const struct udd_ast *ast;
	const struct udd_frame *frame;
	struct diags *diags;
	struct names words; /* texts of replaced words */
};

struct scope {
	struct checker *checker;
	const struct scope *outer;
	struct names names;
	struct udd_word *word; /* place of each label */
	size_t cap;
};

void
udd_each_block(const struct udd_stmt *stmt, void (*f)(void *ctx, const struct udd_stmt *block), void *ctx)
{
	switch (stmt->kind) {
	case STMT_SWITCH:
	case STMT_CHOOSE:
		for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next)
			f(ctx, udd_case->body);
		return;
	case STMT_WHEN:
		for (const struct udd_arm *arm = stmt->arms; arm; arm = arm->next)
			f(ctx, arm->body);
		return;
	case STMT_BOTH:
		f(ctx, stmt->block[0]);
		f(ctx, stmt->block[1]);
		return;
	case STMT_REPEAT:
		f(ctx, stmt->block[0]);
		return;
	case STMT_EVENT:
	case STMT_COUNT:
	case STMT_CALL:
	case STMT_RETURN:
	case STMT_IMPOSSIBLE:
	case STMT_DONE:
	case STMT_BEFORE:
	case STMT_TARGET:
	case STMT_JUMP:
		return;
	}
}

static void
add_label(struct checker *checker, struct scope *in, const struct udd_word *label)
{
	const struct source *src = &checker->ast->file[checker->frame->body->file];
	struct udd_word w;
	size_t i, known = in->names.n;
	char *hint;

	if (!word_resolve(checker->ast, checker->frame, label, WORD_NAME, &checker->words, checker->diags, &w))
		return;
	i = names_add(&in->names, w.text, strlen(w.text));
	mem_grow(&in->word, &in->cap, in->names.n, sizeof *in->word);
	if (i == known) {
		in->word[i] = w;
		return;
	}
	hint = str_format("the first is at %s:%d:%d", src->name, source_line(src, in->word[i].at),
		source_column(src, in->word[i].at));
	udd_complain(checker->ast, checker->diags, checker->frame, w.at, w.len, hint, "label %.80s is defined twice",
		w.text);
	free(hint);
}

static void
labels_collect(void *ctx, const struct udd_stmt *s)
{
	struct scope *in = ctx;

	for (; s; s = s->next) {
		if (s->label)
			add_label(in->checker, in, s->label);
		if (s->kind != STMT_REPEAT)
			udd_each_block(s, labels_collect, in);
	}
}

static void
find_label(struct checker *checker, const struct scope *in, const struct udd_word *word)
{
	struct udd_word w;
	char *hint;

	if (!word_resolve(checker->ast, checker->frame, word, WORD_NAME, &checker->words, checker->diags, &w))
		return;
	for (const struct scope *scope = in; scope; scope = scope->outer)
		if (names_find(&scope->names, w.text, strlen(w.text)) != NAMES_NONE)
			return;
	hint = udd_nearest(checker->diags, &in->names, w.text);
	udd_complain(checker->ast, checker->diags, checker->frame, w.at, w.len,
		hint ? hint : "a label is known in its own def or path, inside repeat in that block only",
		"no label %.80s here", w.text);
	free(hint);
}

static void
look_up(void *ctx, const struct udd_stmt *stmt)
{
	struct scope *in = ctx;

	for (; stmt; stmt = stmt->next) {
		if (stmt->kind == STMT_BEFORE) {
			find_label(in->checker, in, &stmt->word[0]);
			find_label(in->checker, in, &stmt->word[1]);
		} else if (stmt->kind == STMT_REPEAT) {
			struct scope inner = {.checker = in->checker, .outer = in};

			labels_collect(&inner, stmt->block[0]);
			look_up(&inner, stmt->block[0]);
			names_free(&inner.names);
			free(inner.word);
		} else {
			udd_each_block(stmt, look_up, in);
		}
	}
}

/* Count labels and befores with pieces in *ctx, a size_t. */
static void
count_pieces(void *ctx, const struct udd_stmt *s)
{
	size_t *n = ctx;

	for (; s; s = s->next) {
		*n += s->label && s->label->pieces;
		*n += s->kind == STMT_BEFORE && (s->word[0].pieces || s->word[1].pieces);
		udd_each_block(s, count_pieces, n);
	}
}

void
udd_check_labels(const struct udd_ast *ast, const struct udd_frame *frame, struct diags *diags)
{
	struct checker c = {.ast = ast, .frame = frame, .diags = diags};
	struct scope top = {.checker = &c};
	size_t pieces = 0;

	count_pieces(&pieces, frame->body->body);
	/* without pieces one check is enough; with them the arguments must be known */
	if ((pieces > 0) != (frame->arg && frame->body->n_words > 0))
		return;
	labels_collect(&top, frame->body->body);
	look_up(&top, frame->body->body);
	names_free(&top.names);
	free(top.word);
	names_free(&c.words);
}
