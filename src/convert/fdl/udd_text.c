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

#define INDENT 4

enum { SPACE_DEFS, SPACE_EVENTS, SPACE_PROPERTIES, SPACE_FEATURES, SPACE_MODEL, SPACE_VALUES };

struct writer {
	struct str *out;
	struct fdl_words words;
	struct names properties; /* the values of property i have space SPACE_VALUES + i */
	const char *prefix;      /* prefix of this flow's defs; "" unless there are several flows */
};

static void
quote(struct str *out, const char *text)
{
	str_addc(out, '"');
	for (; *text; text++)
		str_addf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	str_addc(out, '"');
}

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
write_block(struct writer *w, const struct udd_stmt *s, const struct udd_stmt *end, int depth)
{
	for (; s && s != end; s = s->next) {
		udd_text_indent(w, depth);
		if (s->kind == STMT_EVENT) {
			str_addf(w->out, "event %s;\n", fdl_word(&w->words, SPACE_EVENTS, s->word[0].text));
		} else if (s->kind == STMT_COUNT) {
			str_add(w->out, "count ");
			udd_counter_word(s->word[0].text, w->out);
			str_add(w->out, ";\n");
		} else if (s->kind == STMT_JUMP) {
			str_addf(w->out, "%s();\n", def_name(w, s->word[0].text));
		} else if (s->kind == STMT_DONE) {
			str_add(w->out, "done;\n");
		} else {
			str_addf(w->out, "switch (%s) {\n", fdl_word(&w->words, SPACE_PROPERTIES, s->word[0].text));
			for (const struct udd_case *c = s->cases; c; c = c->next) {
				udd_text_indent(w, depth + 1);
				str_addf(w->out, "case %s:", value_word(w, &s->word[0], c->value->text));
				write_body(w, c->body, depth + 2);
			}
			udd_text_indent(w, depth);
			str_add(w->out, "}\n");
		}
		if (!falls(s, s->next))
			return;
	}
}

/* Writes a root's sections as items: the path, and a def for each label. */
static void
write_root(struct writer *w, const struct udd_item *root)
{
	const struct udd_stmt *s = root->body, *end;

	str_addf(w->out, "path %s", fdl_word(&w->words, SPACE_MODEL, root->name.text));
	if (root->when)
		str_addf(w->out, " when %s", fdl_word(&w->words, SPACE_FEATURES, root->name.text));
	for (;;) {
		str_add(w->out, " {\n");
		for (end = s; end && end->kind != STMT_TARGET; end = end->next)
			;
		write_block(w, s, end, 1);
		if (end && falls(s, end)) {
			udd_text_indent(w, 1);
			str_addf(w->out, "%s();\n", def_name(w, end->word[0].text));
		} else if (!end && falls(s, end)) {
			udd_text_indent(w, 1);
			str_add(w->out, "done;\n");
		}
		str_add(w->out, "}\n\n");
		if (!end)
			return;
		str_addf(w->out, "def %s()", def_name(w, end->word[0].text));
		s = end->next;
	}
}

static void
udd_text_write_counter(struct writer *w, const struct udd_counter *c)
{
	bool plain = c->n_events == 1 && str_eq(c->event[0].name, c->name);

	str_add(w->out, "counter ");
	udd_counter_word(c->name, w->out);
	for (size_t k = 0; k < c->n_events && !plain; k++) {
		str_add(w->out, k ? ", " : " = ");
		quote(w->out, c->event[k].name);
		if (c->event[k].filter) {
			str_add(w->out, " if ");
			quote(w->out, c->event[k].filter);
		}
	}
	str_add(w->out, ";\n");
}

static void
write_feature(struct writer *w, const struct udd_model *m, size_t i)
{
	const struct udd_feature *f = &m->feature[i];

	str_addf(w->out, "feature %s", fdl_word(&w->words, SPACE_FEATURES, f->name));
	if (*f->text) {
		str_addc(w->out, ' ');
		quote(w->out, f->text);
	}
	for (size_t k = 0; k < f->n_excludes; k++)
		str_addf(w->out, "%s%s", k ? ", " : " excludes ",
			fdl_word(&w->words, SPACE_FEATURES, m->feature[f->excludes[k]].name));
	str_add(w->out, ";\n");
}

void
model_print_udd(const struct udd_model *m, struct str *out)
{
	struct writer w = {.out = out, .words = {.spelling = &fdl_udd_spelling}, .prefix = ""};
	char *prefix;

	if (m->form == UDD_FORM_UDD) {
		udd_print(m, out);
		return;
	}
	str_addf(out, "model %s", fdl_word(&w.words, SPACE_MODEL, m->name));
	if (*m->text) {
		str_addc(out, ' ');
		quote(out, m->text);
	}
	str_add(out, ";\n");
	if (m->n_counters)
		str_addc(out, '\n');
	for (size_t i = 0; i < m->n_counters; i++)
		udd_text_write_counter(&w, &m->counter[i]);
	if (m->n_features)
		str_addc(out, '\n');
	for (size_t i = 0; i < m->n_features; i++)
		write_feature(&w, m, i);
	if (m->n_variants)
		str_addc(out, '\n');
	for (size_t i = 0; i < m->n_variants; i++)
		str_addf(out, "variant %s { %s };\n", fdl_word(&w.words, SPACE_FEATURES, m->variant[i].name),
			fdl_word(&w.words, SPACE_FEATURES, m->variant[i].name));
	str_addc(out, '\n');
	for (size_t i = 0; i < m->n_roots; i++) {
		prefix = m->form == UDD_FORM_FDL_FOLDER ? str_format("%s_", m->root[i].name) : mem_str("");
		w.prefix = prefix;
		write_root(&w, m->ast->root[i]);
		free(prefix);
	}
	fdl_words_free(&w.words);
	names_free(&w.properties);
	while (out->n > 1 && out->s[out->n - 1] == '\n' && out->s[out->n - 2] == '\n')
		out->s[--out->n] = '\0';
}
