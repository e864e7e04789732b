/* Writes FDL in the µDD language. A label becomes a def with the text after it; the def ends with a call of the section
 * that it falls through to. `next` becomes a call. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "convert/fdl/print.h"
#include "convert/fdl/words.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/bexpr.h"
#include "text/lex.h"

#define INDENT 4

enum { SPACE_DEFS, SPACE_EVENTS, SPACE_PROPERTIES, SPACE_FEATURES, SPACE_MODEL, SPACE_VALUES };

struct writer {
	struct str *out;
	struct fdl_words words;
	struct names properties; /* the values of property i have space SPACE_VALUES + i */
	const char *prefix;      /* prefix of this flow's defs; "" unless there are several flows */
};

static const char *
def_name(struct writer *w, const char *label)
{
	char *name = str_format("%s%s", w->prefix, label);
	const char *word = fdl_word(&w->words, SPACE_DEFS, name);

	free(name);
	return word;
}

static const char *
value_word(struct writer *w, const struct udd_word *property, const char *value)
{
	size_t i = names_add(&w->properties, property->text, strlen(property->text));

	return fdl_word(&w->words, SPACE_VALUES + i, value);
}

static void
udd_text_indent(struct writer *w, int depth)
{
	str_addf(w->out, "%*s", depth * INDENT, "");
}

/* Whether a µpath can pass all these statements and go on after them. */
static bool
falls(const struct udd_stmt *s, const struct udd_stmt *end)
{
	for (; s && s != end; s = s->next) {
		bool some = s->kind != STMT_SWITCH && s->kind != STMT_DONE && s->kind != STMT_JUMP;

		for (const struct udd_case *c = s->kind == STMT_SWITCH ? s->cases : NULL; c; c = c->next)
			some |= falls(c->body, NULL);
		if (!some)
			return false;
	}
	return true;
}

static void write_block(struct writer *, const struct udd_stmt *, const struct udd_stmt *end, int depth);

/* Writes the body of a case: a single statement on the same line, more below it. */
static void
write_body(struct writer *w, const struct udd_stmt *s, int depth)
{
	bool alone = s && s->kind != STMT_SWITCH && (!s->next || !falls(s, s->next));

	str_addc(w->out, alone ? ' ' : '\n');
	write_block(w, s, NULL, alone ? 0 : depth);
}

/* Writes statements up to `end`, and leaves out what no µpath reaches. */
static void
write_block(struct writer *writer, const struct udd_stmt *stmt, const struct udd_stmt *end, int depth)
{
	for (; stmt && stmt != end; stmt = stmt->next) {
		udd_text_indent(writer, depth);
		if (stmt->kind == STMT_EVENT) {
			str_addf(
				writer->out, "event %s;\n", fdl_word(&writer->words, SPACE_EVENTS, stmt->word[0].text));
		} else if (stmt->kind == STMT_COUNT) {
			str_add(writer->out, "count ");
			udd_counter_word(stmt->word[0].text, writer->out);
			str_add(writer->out, ";\n");
		} else if (stmt->kind == STMT_JUMP) {
			str_addf(writer->out, "%s();\n", def_name(writer, stmt->word[0].text));
		} else if (stmt->kind == STMT_DONE) {
			str_add(writer->out, "done;\n");
		} else {
			str_addf(writer->out, "switch (%s) {\n",
				fdl_word(&writer->words, SPACE_PROPERTIES, stmt->word[0].text));
			for (const struct udd_case *udd_case = stmt->cases; udd_case; udd_case = udd_case->next) {
				udd_text_indent(writer, depth + 1);
				str_addf(writer->out,
					"case %s:", value_word(writer, &stmt->word[0], udd_case->value->text));
				write_body(writer, udd_case->body, depth + 2);
			}
			udd_text_indent(writer, depth);
			str_add(writer->out, "}\n");
		}
		if (!falls(stmt, stmt->next))
			return;
	}
}

/* Writes a root's sections as items: the path, and a def for each label. */
static void
write_root(struct writer *writer, const struct udd_item *root)
{
	const struct udd_stmt *stmt = root->body, *end;

	str_addf(writer->out, "path %s", fdl_word(&writer->words, SPACE_MODEL, root->name.text));
	if (root->when)
		str_addf(writer->out, " when %s", fdl_word(&writer->words, SPACE_FEATURES, root->name.text));
	for (;;) {
		str_add(writer->out, " {\n");
		for (end = stmt; end && end->kind != STMT_TARGET; end = end->next)
			;
		write_block(writer, stmt, end, 1);
		if (end && falls(stmt, end)) {
			udd_text_indent(writer, 1);
			str_addf(writer->out, "%s();\n", def_name(writer, end->word[0].text));
		} else if (!end && falls(stmt, end)) {
			udd_text_indent(writer, 1);
			str_add(writer->out, "done;\n");
		}
		str_add(writer->out, "}\n\n");
		if (!end)
			return;
		str_addf(writer->out, "def %s()", def_name(writer, end->word[0].text));
		stmt = end->next;
	}
}

static void
udd_text_write_counter(struct writer *writer, const struct udd_counter *c)
{
	bool plain = c->n_events == 1 && str_eq(c->event[0].name, c->name);

	str_add(writer->out, "counter ");
	udd_counter_word(c->name, writer->out);
	for (size_t k = 0; k < c->n_events && !plain; k++) {
		str_add(writer->out, k ? ", " : " = ");
		lex_add_string(c->event[k].name, writer->out);
		if (c->event[k].filter) {
			str_add(writer->out, " if ");
			lex_add_string(c->event[k].filter, writer->out);
		}
	}
	str_add(writer->out, ";\n");
}

static void
write_feature(struct writer *writer, const struct udd_model *model, size_t i)
{
	const struct udd_feature *feature = &model->feature[i];

	str_addf(writer->out, "feature %s", fdl_word(&writer->words, SPACE_FEATURES, feature->name));
	if (*feature->text) {
		str_addc(writer->out, ' ');
		lex_add_string(feature->text, writer->out);
	}
	for (size_t k = 0; k < feature->n_excludes; k++)
		str_addf(writer->out, "%s%s", k ? ", " : " excludes ",
			fdl_word(&writer->words, SPACE_FEATURES, model->feature[feature->excludes[k]].name));
	str_add(writer->out, ";\n");
}

void
model_print_udd(const struct udd_model *model, struct str *out)
{
	struct writer w = {.out = out, .words = {.spelling = &fdl_udd_spelling}, .prefix = ""};
	char *prefix;

	if (model->form == UDD_FORM_UDD) {
		udd_print(model, out);
		return;
	}
	str_addf(out, "model %s", fdl_word(&w.words, SPACE_MODEL, model->name));
	if (*model->text) {
		str_addc(out, ' ');
		lex_add_string(model->text, out);
	}
	str_add(out, ";\n");
	if (model->n_counters)
		str_addc(out, '\n');
	for (size_t i = 0; i < model->n_counters; i++)
		udd_text_write_counter(&w, &model->counter[i]);
	if (model->n_features)
		str_addc(out, '\n');
	for (size_t i = 0; i < model->n_features; i++)
		write_feature(&w, model, i);
	if (model->n_variants)
		str_addc(out, '\n');
	for (size_t i = 0; i < model->n_variants; i++)
		str_addf(out, "variant %s { %s };\n", fdl_word(&w.words, SPACE_FEATURES, model->variant[i].name),
			fdl_word(&w.words, SPACE_FEATURES, model->variant[i].name));
	str_addc(out, '\n');
	for (size_t i = 0; i < model->n_roots; i++) {
		prefix = model->form == UDD_FORM_FDL_FOLDER ? str_format("%s_", model->root[i].name) : mem_str("");
		w.prefix = prefix;
		write_root(&w, model->ast->root[i]);
		free(prefix);
	}
	fdl_words_free(&w.words);
	names_free(&w.properties);
	while (out->n > 1 && out->s[out->n - 1] == '\n' && out->s[out->n - 2] == '\n')
		out->s[--out->n] = '\0';
}
