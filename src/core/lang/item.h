/* Items of a text format: what they are made of, and where to go on after an error. Shared by the formats that are
 * lists of `word name "text" … ;` (networks, stacks). */
#ifndef CORE_LANG_ITEM_H
#define CORE_LANG_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/lang/lex.h"
#include "core/lang/source.h"

struct aexpr;
struct arena;
struct diags;

struct item_reader {
	struct lexer x;
	struct source source;
	struct arena *arena; /* names, texts and expressions live there */
	struct diags *diags;
};

/* All return false after a diagnostic. */
bool item_fail(struct item_reader *, const char *expected, const char *behind);
bool item_punct(struct item_reader *, char, const char *behind);
bool item_take_punct(struct item_reader *, char); /* if it is next */
bool item_take_word(struct item_reader *, const char *word);
bool item_name(struct item_reader *, const char *what, const char **out, struct place *at); /* bare or quoted */
bool item_text(struct item_reader *, const char *what, const char **out);
bool item_optional_text(struct item_reader *, const char **out); /* "" when there is none */
bool item_expression(struct item_reader *, struct aexpr **out);

/* Which of n rows is meant, each of `size` bytes and beginning with its word (a const char *); the word is not taken.
 * n, after a diagnostic that lists the words, and behind what stands there, when it is none. */
size_t item_choose(struct item_reader *, const void *rows, size_t n, size_t size);

/* to behind the ';' or '}' that ends what was begun, or before a '}' of `depth` above 0 */
void item_recover(struct item_reader *, int depth);

#endif
