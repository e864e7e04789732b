/* Declarations that the files of the .udd parser share. Private to core/udd. */
#ifndef CORE_UDD_PARSER_H
#define CORE_UDD_PARSER_H

#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "core/udd/word.h"
#include "text/diag.h"
#include "text/lex.h"

struct arena;

struct parser {
	struct lexer x;
	struct udd_model *model;
	struct udd_ast *ast;
	struct arena *arena;
	struct diags *diags;
	const struct udd_loader *loader;
	uint32_t file;               /* index of the current text */
	const struct udd_item *body; /* the current def or path; NULL between items */
	int depth;                   /* number of open blocks */
	struct includes *includes;
};

/* All return false after adding a diagnostic. */
/* Reports "EXPECTED expected WHERE, not 'x'", where WHERE is "after the label" or "". */
bool parse_fail(struct parser *, const char *expected, const char *where);
bool parse_punct(struct parser *, char c, const char *where);
/* `others`: text that names what else may stand there, such as "',' or ". */
bool parse_punct_or(struct parser *, char c, const char *others, const char *where);
bool parse_word(struct parser *, enum word_kind, const char *what, struct udd_word *out);
bool parse_string(struct parser *, const char *what, struct udd_word *out);
/* Parse words separated by commas, at least one. */
bool parse_words(struct parser *, enum word_kind, const char *what, struct udd_word **out, size_t *n);

/* Returns true if the next word begins an item. All of these are reserved. */
bool parse_at_item(const struct parser *);

/* After an error, skip to the place where the next item or statement may begin: after the next ';' or balanced '{ …
 * }' of the same level, or before '}' or the end. A line that begins with a keyword is also such a place. */
void parse_recover(struct parser *);

/* Parse `{ statements }`; the brace is next. After errors the list may lack statements. */
bool parse_block(struct parser *, const char *where, struct udd_stmt **out);

void parse_items(struct parser *);

/* parse_first.c: how a statement begins. */
void parse_complain(struct parser *, const struct udd_word *, const char *hint, const char *text);
/* Parse a first word: keyword, def or label. It is checked as a name once its role is known. */
bool parse_first(struct parser *, struct udd_word *);
/* Parse the word of parse_first() once more as a name, which checks it. */
bool parse_name_again(struct parser *, struct udd_word *);
/* The kind of statement that a first word begins. Returns false and adds a diagnostic if there is none. */
bool parse_kind(struct parser *, const struct udd_word *, enum udd_stmt_kind *);
/* Report a label in front of a statement that cannot have one. */
void parse_check_label(struct parser *, const struct udd_stmt *);

#endif
