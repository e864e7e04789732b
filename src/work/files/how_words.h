/* The last part of a text "sim:…": how to simulate, as words with and without values: "samples=20,seed=3,exact". */
#ifndef WORK_FILES_HOW_WORDS_H
#define WORK_FILES_HOW_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/notation.h"

struct err;

/* A word. Without a value (NOTATION_WORD) it sets a bool, unless how_words.choice reads its value. */
struct how_word {
	const char *word;
	enum notation form;
	int64_t least, most; /* most 1 for a NOTATION_WORD: it has a value */
	size_t field;        /* offset in the struct that is filled: of a number of 64 bits, a bool, or a choice */
};

struct how_words {
	const struct how_word *word;
	size_t n;
	size_t samples;      /* offset of the number of samples; `endless` sets it to 0 */
	size_t said_samples; /* of a bool: the user gave their number, or `endless` */
	const char *known;   /* begins the list of words in a message */
	bool (*choice)(const char *value, void *field, struct err *e); /* NULL: no word needs it */
};

/* The word that a text begins with, up to '=' or ','; NULL: none of these. */
const struct how_word *how_words_find(const struct how_words *, const char *text);
/* Reads a list of words into a struct. False and *e on a mistake. */
bool how_words_take(const struct how_words *, const char *text, void *into, struct err *e);

#endif
