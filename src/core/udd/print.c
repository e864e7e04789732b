/* Prints a model's text in normal form. Comments are lost; includes are replaced by what they contain. */
#include <string.h>

#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/lex.h"

#define INDENT 4

void
udd_counter_word(const char *name, struct str *out)
{
	if (word_fault(WORD_COUNTER, name, false))
		lex_add_string(name, out);
	else
		str_add(out, name);
}

/* Quote only if necessary: "a.b" and a.b are the same counter. A word with pieces may need quotes for what the
 * arguments contain. */
static void
add_word(struct str *out, const struct udd_word *w)
{
	if (w->quoted && (w->pieces || word_fault(WORD_COUNTER, w->text, false)))
		lex_add_string(w->text, out);
	else
		str_add(out, w->text);
}

static void
print_add_words(struct str *out, const struct udd_word *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			str_add(out, ", ");
		add_word(out, &w[i]);
	}
}

static void
print_add_text(struct str *out, const char *text)
{
	if (!*text)
		return;
	str_addc(out, ' ');
	lex_add_string(text, out);
}

static void
add_guard(struct str *out, const char *word, const struct bexpr *e)
{
	if (!e)
		return;
	str_addf(out, " %s ", word);
	bexpr_print(e, out);
}

static void print_block(struct str *, const struct udd_stmt *, int depth);

static void
print_indent(struct str *out, int depth)
{
	str_addf(out, "%*s", depth * INDENT, "");
}

/* Returns true if the statement fits on the line of its case. */
static bool
is_plain(const struct udd_stmt *s)
{
	return s->kind != STMT_SWITCH && s->kind != STMT_CHOOSE && s->kind != STMT_WHEN && s->kind != STMT_BOTH &&
		s->kind != STMT_REPEAT;
}

static void print_statement(struct str *, const struct udd_stmt *, int depth);

static void
print_cases(struct str *out, const struct udd_case *udd_case, int depth)
{
	for (; udd_case; udd_case = udd_case->next) {
		print_indent(out, depth);
		if (udd_case->n_values) {
			str_add(out, "case ");
			print_add_words(out, udd_case->value, udd_case->n_values);
		} else {
			str_add(out, "default");
		}
		add_guard(out, "when", udd_case->when);
		str_addc(out, ':');
		if (udd_case->body && !udd_case->body->next && is_plain(udd_case->body)) {
			str_addc(out, ' ');
			print_statement(out, udd_case->body, 0);
		} else {
			str_addc(out, '\n');
			print_block(out, udd_case->body, depth + 1);
		}
	}
}

/* Print `HEAD {`, the block, and the closing brace without a newline. */
static void
print_braces(struct str *out, const struct udd_stmt *body, int depth)
{
	str_add(out, " {\n");
	print_block(out, body, depth + 1);
	print_indent(out, depth);
	str_addc(out, '}');
}

static void
print_when(struct str *out, const struct udd_stmt *stmt, int depth)
{
	for (const struct udd_arm *arm = stmt->arms; arm; arm = arm->next) {
		if (arm != stmt->arms)
			str_add(out, " else");
		if (arm->when) {
			str_add(out, arm == stmt->arms ? "when (" : " when (");
			bexpr_print(arm->when, out);
			str_addc(out, ')');
		}
		print_braces(out, arm->body, depth);
	}
	str_addc(out, '\n');
}

static void
print_decision(struct str *out, const struct udd_stmt *s, int depth)
{
	if (s->kind == STMT_SWITCH)
		str_addf(out, "switch (%s) {\n", s->word[0].text);
	else
		str_add(out, "choose {\n");
	print_cases(out, s->cases, depth + 1);
	print_indent(out, depth);
	str_add(out, "}\n");
}

/* Print the statement and a newline; the caller has indented. */
static void
print_statement(struct str *out, const struct udd_stmt *stmt, int depth)
{
	if (stmt->label)
		str_addf(out, "%s: ", stmt->label->text);
	switch (stmt->kind) {
	case STMT_EVENT:
		str_addf(out, "event %s;\n", stmt->word[0].text);
		return;
	case STMT_COUNT:
		str_add(out, "count ");
		add_word(out, &stmt->word[0]);
		if (stmt->n_words == 2)
			str_addf(out, " * %s", stmt->word[1].text);
		str_add(out, ";\n");
		return;
	case STMT_SWITCH:
	case STMT_CHOOSE:
		print_decision(out, stmt, depth);
		return;
	case STMT_WHEN:
		print_when(out, stmt, depth);
		return;
	case STMT_BOTH:
		str_add(out, "both");
		print_braces(out, stmt->block[0], depth);
		str_add(out, " and");
		print_braces(out, stmt->block[1], depth);
		str_addc(out, '\n');
		return;
	case STMT_CALL:
		str_addf(out, "%s(", stmt->word[0].text);
		print_add_words(out, stmt->word + 1, stmt->n_words - 1);
		str_add(out, ");\n");
		return;
	case STMT_REPEAT:
		str_addf(out, stmt->n_words == 2 ? "repeat (%s..%s)" : "repeat (%s)", stmt->word[0].text,
			stmt->word[stmt->n_words - 1].text);
		print_braces(out, stmt->block[0], depth);
		str_addc(out, '\n');
		return;
	case STMT_RETURN:
		str_add(out, "return;\n");
		return;
	case STMT_IMPOSSIBLE:
		str_add(out, "impossible;\n");
		return;
	case STMT_DONE:
		str_add(out, "done;\n");
		return;
	case STMT_BEFORE:
		str_addf(out, "before %s, %s;\n", stmt->word[0].text, stmt->word[1].text);
		return;
	case STMT_TARGET: /* from other languages, which print their own text (convert/fdl) */
	case STMT_JUMP:
		return;
	}
}

static void
print_block(struct str *out, const struct udd_stmt *s, int depth)
{
	for (; s; s = s->next) {
		print_indent(out, depth);
		print_statement(out, s, depth);
	}
}

static void
print_counter(struct str *out, const struct udd_item *item)
{
	str_add(out, "counter ");
	add_word(out, &item->name);
	for (size_t i = 0; i < item->n_events; i++) {
		str_add(out, i ? ", " : " = ");
		lex_add_string(item->event[i].name.text, out);
		if (item->event[i].filtered) {
			str_add(out, " if ");
			lex_add_string(item->event[i].filter.text, out);
		}
	}
	print_add_text(out, item->text);
	str_add(out, ";\n");
}

static void
print_variant(struct str *out, const struct udd_item *item)
{
	str_addf(out, "variant %s ", item->name.text);
	if (item->base) {
		str_addf(out, "= %s", item->base->text);
		for (size_t i = 0; i < item->n_words; i++)
			str_addf(out, " %c %s", item->minus[i] ? '-' : '+', item->word[i].text);
	} else {
		str_add(out, "{ ");
		print_add_words(out, item->word, item->n_words);
		str_add(out, item->n_words ? " }" : "}");
	}
	str_add(out, ";\n");
}

static void
print_item(struct str *out, const struct udd_item *item)
{
	switch (item->kind) {
	case ITEM_MODEL:
		str_addf(out, "model %s", item->name.text);
		print_add_text(out, item->text);
		str_add(out, ";\n");
		return;
	case ITEM_COUNTER:
		print_counter(out, item);
		return;
	case ITEM_GROUP:
		str_addf(out, "group %s { ", item->name.text);
		print_add_words(out, item->word, item->n_words);
		str_add(out, " };\n");
		return;
	case ITEM_FEATURE:
		str_addf(out, "feature %s", item->name.text);
		print_add_text(out, item->text);
		add_guard(out, "requires", item->when);
		if (item->n_words) {
			str_add(out, " excludes ");
			print_add_words(out, item->word, item->n_words);
		}
		str_add(out, ";\n");
		return;
	case ITEM_VARIANT:
		print_variant(out, item);
		return;
	case ITEM_DEF:
		str_addf(out, "def %s(", item->name.text);
		print_add_words(out, item->word, item->n_words);
		str_addc(out, ')');
		break;
	case ITEM_PATH:
		str_addf(out, "path %s", item->name.text);
		add_guard(out, "when", item->when);
		break;
	}
	print_braces(out, item->body, 0);
	str_addc(out, '\n');
}

void
udd_print(const struct udd_model *m, struct str *out)
{
	const struct udd_item *before = NULL;

	for (const struct udd_item *item = m->ast->first; item; before = item, item = item->next) {
		if (before && (before->kind != item->kind || item->kind == ITEM_DEF || item->kind == ITEM_PATH))
			str_addc(out, '\n');
		print_item(out, item);
	}
}
