/* The parser's own vocabulary, shared by its files. Private to core/udd. */
#ifndef CORE_UDD_PARSER_H
#define CORE_UDD_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/lex.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"
#include "core/udd/word.h"

struct arena;

struct parser {
	struct lexer x;
	struct udd_model *model;
	struct udd_ast *ast;
	struct arena *arena;
	struct diags *diags;
	const struct udd_loader *loader;
	uint32_t file;               /* index of the text being read */
	const struct udd_item *body; /* the def or path being read; NULL between items */
	int depth;                   /* blocks that are open */
	struct includes *includes;
};

/* All return false after a diagnostic. */
/* "EXPECTED expected behind BEHIND, not 'x'" */
bool parse_fail(struct parser *, const char *expected, const char *behind);
bool parse_punct(struct parser *, char c, const char *behind);
/* `others` is what else could stand there: "',' or " */
bool parse_punct_or(struct parser *, char c, const char *others, const char *behind);
bool parse_word(struct parser *, enum word_kind, const char *what, struct udd_word *out);
bool parse_string(struct parser *, const char *what, struct udd_word *out);
/* Words between commas, at least one. */
bool parse_words(struct parser *, enum word_kind, const char *what, struct udd_word **out, size_t *n);

/* Does the next word begin an item? All of these are reserved. */
bool parse_at_item(const struct parser *);

/* Skip to behind the next ';' or balanced '{ … }' of the same level, or to before '}' or the end: where the next item
 * or statement may begin; a line that begins with a word which begins one is taken as that. */
void parse_recover(struct parser *);

/* `{ statements }`; the brace is next. The list may be shorter than what was written when there were errors. */
bool parse_block(struct parser *, const char *behind, struct udd_stmt **out);

void parse_items(struct parser *);

#endif
