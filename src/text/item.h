/* Reads items of a text format, and finds where to continue after an error. Shared by formats that are lists of `word
 * name "text" … ;` (networks, stacks). */
#ifndef TEXT_ITEM_H
#define TEXT_ITEM_H

#include <stdbool.h>
#include <stddef.h>

#include "text/lex.h"
#include "text/notation.h"
#include "text/source.h"

struct aexpr;
struct arena;
struct diags;

struct item_reader {
	struct lexer x;
	struct source source;
	struct arena *arena; /* owner of names, texts and expressions */
	struct diags *diags;
};

/* All return false after adding a diagnostic, if the next token is not what they expect. */
bool item_fail(struct item_reader *, const char *expected, const char *after);
bool item_punct(struct item_reader *, char, const char *after);
bool item_take_punct(struct item_reader *, char); /* takes the character if it is next */
bool item_take_word(struct item_reader *, const char *word);
bool item_name(struct item_reader *, const char *what, const char **out, struct place *at); /* bare or quoted */
bool item_text(struct item_reader *, const char *what, const char **out);
/* Appends texts that stand one after another, with a blank between them: they are parts of one, which is not empty. */
bool item_joined_text(struct item_reader *, const char *what, struct str *all);
bool item_optional_text(struct item_reader *, const char **out); /* "" when there is none */
bool item_expression(struct item_reader *, struct aexpr **out);

/* Read a number. If the token is no number or out of range, they report "WHAT: a whole number from 1 to 64 is expected,
 * not '65'" with the hint (NULL: none), and do not consume it. */
bool item_number(struct item_reader *, const char *what, enum notation, int64_t least, int64_t most, int64_t *out,
	const char *hint);
bool item_decimal(
	struct item_reader *, const char *what, double least, double most, double *out, const char *hint);
/* The same for a whole number into an unsigned. */
bool item_count(
	struct item_reader *, const char *what, unsigned least, unsigned most, unsigned *out, const char *hint);

/* Takes the word of an item that may come once. Returns false after a diagnostic when it was given before; then the
 * word is not consumed. */
bool item_once(struct item_reader *, bool given);

/* An item that gives one field of a struct its value: `word VALUE;`. */
enum item_kind {
	ITEM_COUNT, /* an unsigned from `least` to `most` */
	ITEM_TEXT,  /* a const char *: a string */
	ITEM_NAME,  /* a const char *: bare or quoted */
};
struct item_value {
	enum item_kind kind;
	size_t field;            /* offset in the struct */
	const char *what;        /* what the value is, for messages: "the unit, in quotes," */
	const char *after;       /* for messages: what the ';' must follow */
	unsigned least, most;    /* COUNT */
	enum notation form;      /* COUNT */
	bool once;               /* TEXT, NAME: the item may come only once */
};

/* Reads such an item into the struct. Its word is the next token. */
bool item_value(struct item_reader *, const struct item_value *, void *into);

/* Finds which of n rows the next word means. Each row has `size` bytes and begins with its word (a const char *). The
 * word is not consumed. If no row fits, adds a diagnostic that lists the words, skips the item and returns n. */
size_t item_choose(struct item_reader *, const void *rows, size_t n, size_t size);

/* Skips past the ';' or '}' that ends the item; if `depth` is above 0, stops before a '}'. */
void item_recover(struct item_reader *, int depth);

#endif
