/* Checks names that mean the same in every call. Each place is visited once, whether or not its def is called. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/check.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/diag.h"

struct checker {
	struct udd_ast *ast;
	struct diags *diags;
	struct udd_frame frame; /* the current body, with unknown arguments */
};

static size_t
find_name(struct checker *c, const struct names *names, const char *what, const char *text, uint32_t at, uint32_t len)
{
	size_t i = names_find(names, text, strlen(text));
	char *hint;

	if (i != NAMES_NONE)
		return i;
	hint = udd_nearest(c->diags, names, text);
	udd_complain(c->ast, c->diags, &c->frame, at, len, hint, "no %s %.80s", what, text);
	free(hint);
	return NAMES_NONE;
}

static void
bind_feature(void *ctx, struct bexpr *name)
{
	struct checker *checker = ctx;
	struct udd_word w = {.text = name->name, .at = name->at, .len = name->len & 0x3fffffff, .pieces = name->pieces};
	const char *bad = name->pieces ? NULL : word_fault(WORD_NAME, name->name, false);
	size_t i;

	for (const char *s = strchr(w.text, '<'), *end; s && (end = strchr(s, '>')); s = strchr(end, '<')) {
		bool known = false;

		for (size_t k = 0; checker->frame.body->kind == ITEM_DEF && k < checker->frame.body->n_words; k++)
			known |= strncmp(checker->frame.body->word[k].text, s + 1, (size_t)(end - s) - 1) == 0 &&
				!checker->frame.body->word[k].text[end - s - 1];
		if (known)
			continue;
		udd_complain(checker->ast, checker->diags, &checker->frame, w.at, w.len, NULL, "%.*s %s",
			(int)(end - s) + 1, s, word_piece_fault(checker->frame.body->kind == ITEM_DEF));
		name->pieces = false;
		return;
	}
	if (name->pieces)
		return;
	if (bad) {
		udd_complain(
			checker->ast, checker->diags, &checker->frame, w.at, w.len, NULL, "'%.60s' %s", w.text, bad);
		return;
	}
	i = find_name(checker, &checker->ast->feature_names, "feature", w.text, w.at, w.len);
	name->index = i == NAMES_NONE || i >= FSET_MAX ? BEXPR_UNBOUND : (uint32_t)i;
}

static void
check_names_bind(struct checker *c, struct bexpr *e)
{
	if (e)
		bexpr_each_name(e, bind_feature, c);
}

static void
check_number(struct checker *c, const struct udd_word *w, uint32_t lo, uint32_t hi)
{
	uint32_t v;

	if (!w->pieces)
		word_number(c->ast, &c->frame, w, lo, hi, &c->ast->words, c->diags, &v);
}

static void
check_repeat(struct checker *c, const struct udd_stmt *s)
{
	uint64_t lo, hi;

	for (uint32_t i = 0; i < s->n_words; i++)
		check_number(c, &s->word[i], 0, 64);
	if (s->n_words == 2 && str_to_u64(s->word[0].text, &lo) && str_to_u64(s->word[1].text, &hi) && lo > hi)
		udd_complain_range(c->ast, c->diags, &c->frame, s, (uint32_t)lo, (uint32_t)hi);
}

static void
check_call(struct checker *checker, const struct udd_stmt *stmt)
{
	size_t i, n = stmt->n_words - 1;
	const struct udd_item *def;
	const struct source *src;
	char *hint;

	if (stmt->word[0].pieces)
		return;
	i = find_name(checker, &checker->ast->def_names, "def", stmt->word[0].text, stmt->at, stmt->len);
	if (i == NAMES_NONE || checker->ast->def[i]->n_words == n)
		return;
	def = checker->ast->def[i];
	src = &checker->ast->file[def->file];
	hint = str_format("it is defined at %s:%d:%d", src->name, source_line(src, def->name.at),
		source_column(src, def->name.at));
	udd_complain(checker->ast, checker->diags, &checker->frame, stmt->at, stmt->len, hint,
		"%.80s takes %zu argument%s, not %zu", def->name.text, def->n_words, plural_s(def->n_words), n);
	free(hint);
}

static void check_block(struct checker *, const struct udd_stmt *);

static void
check_statement(struct checker *checker, const struct udd_stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_COUNT:
		if (stmt->n_words == 2)
			check_number(checker, &stmt->word[1], 1, INT32_MAX);
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next) {
			check_names_bind(checker, udd_case->when);
			check_block(checker, udd_case->body);
		}
		return;
	case STMT_WHEN:
		for (const struct udd_arm *arm = stmt->arms; arm; arm = arm->next) {
			check_names_bind(checker, arm->when);
			check_block(checker, arm->body);
		}
		return;
	case STMT_BOTH:
		check_block(checker, stmt->block[0]);
		check_block(checker, stmt->block[1]);
		return;
	case STMT_REPEAT:
		check_repeat(checker, stmt);
		check_block(checker, stmt->block[0]);
		return;
	case STMT_CALL:
		check_call(checker, stmt);
		return;
	case STMT_EVENT:
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
check_block(struct checker *c, const struct udd_stmt *s)
{
	for (; s; s = s->next)
		check_statement(c, s);
}

static void
check_excludes(struct checker *c, const struct udd_item *f)
{
	for (size_t i = 0; i < f->n_words; i++) {
		find_name(c, &c->ast->feature_names, "feature", f->word[i].text, f->word[i].at, f->word[i].len);
		if (f->word[i].text == f->name.text)
			udd_complain(c->ast, c->diags, &c->frame, f->word[i].at, f->word[i].len, "it could never be on",
				"%.80s excludes itself", f->name.text);
	}
}

void
udd_complain_range(const struct udd_ast *ast, struct diags *d, const struct udd_frame *f, const struct udd_stmt *s,
	uint32_t lo, uint32_t hi)
{
	udd_complain(ast, d, f, s->word[0].at, s->word[1].at + s->word[1].len - s->word[0].at,
		"the smaller number comes first", "%u..%u is an empty range", lo, hi);
}

void
udd_check_names(struct udd_ast *ast, struct diags *diags)
{
	struct checker c = {.ast = ast, .diags = diags};

	for (struct udd_item *item = ast->first; item; item = item->next) {
		c.frame = (struct udd_frame){.body = item};
		check_names_bind(&c, item->when);
		check_block(&c, item->body);
		if (item->kind == ITEM_FEATURE)
			check_excludes(&c, item);
		if (item->kind == ITEM_DEF || item->kind == ITEM_PATH)
			udd_check_labels(ast, &c.frame, diags);
	}
}

/* A name with pieces that must become a feature. */
struct naming {
	const struct udd_frame *frame;
	struct udd_ast *ast;
	struct diags *diags;
};

static void
check_feature(void *ctx, struct bexpr *name)
{
	struct naming *naming = ctx;
	struct udd_word w = {.text = name->name, .at = name->at, .len = name->len & 0x3fffffff, .pieces = name->pieces},
			out;
	char *hint;

	if (!name->pieces ||
		!word_resolve(naming->ast, naming->frame, &w, WORD_NAME, &naming->ast->words, naming->diags, &out))
		return;
	if (names_find(&naming->ast->feature_names, out.text, strlen(out.text)) != NAMES_NONE)
		return;
	hint = udd_nearest(naming->diags, &naming->ast->feature_names, out.text);
	udd_complain(naming->ast, naming->diags, naming->frame, w.at, w.len, hint, "no feature %.80s", out.text);
	free(hint);
}

void
udd_check_features(struct udd_ast *ast, const struct udd_frame *f, struct bexpr *e, struct diags *d)
{
	bexpr_each_name(e, check_feature, &(struct naming){f, ast, d});
}
