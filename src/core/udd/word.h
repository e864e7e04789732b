/* Words of the language: which texts are legal in which places, and the replacement of `<PARAM>` pieces. Private to
 * core/udd. */
#ifndef CORE_UDD_WORD_H
#define CORE_UDD_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct bexpr_names;
struct diags;
struct names;
struct udd_ast;
struct udd_frame;
struct udd_word;

#define UDD_WORD_MAX 4096 /* bytes of a word, also after replacement, so that words cannot grow without end */

#define UDD_PARAMETERS_MAX 64 /* parameters of a def */

enum word_kind {
	WORD_NAME,     /* [A-Za-z_][A-Za-z0-9_]*, not reserved */
	WORD_VALUE,    /* [A-Za-z0-9_]+ */
	WORD_COUNTER,  /* [A-Za-z_][A-Za-z0-9_.$]* not ending in '.', or any quoted text */
	WORD_ARGUMENT, /* a name, a value, a counter word or quoted text */
	WORD_NUMBER,   /* [0-9]+ */
};

/* Returns what is wrong with this text as a word of the kind, as a sentence without its subject. Returns NULL if it is
 * legal. */
const char *word_fault(enum word_kind, const char *text, bool quoted);
/* The same for a piece `<…>` that names no parameter, inside or outside a def. */
const char *word_piece_fault(bool in_def);
bool word_is_reserved(const char *text);

/* Returns the table's own copy of a text. Equal texts share one copy, which does not move. */
const char *word_text(struct names *words, const char *s, size_t n);

/* Sets *out to the word with its pieces replaced by the frame's arguments; the text is kept in `words`. A word without
 * pieces stays as it is. Returns false and adds a diagnostic if the result is not legal for the kind. Returns false
 * without one if the frame's arguments are unknown. */
bool word_resolve(const struct udd_ast *, const struct udd_frame *, const struct udd_word *, enum word_kind,
	struct names *words, struct diags *, struct udd_word *out);

/* Parse a number word from lo to hi. If it is anything else, returns false and adds a diagnostic with the bounds. */
bool word_number(const struct udd_ast *, const struct udd_frame *, const struct udd_word *, uint32_t lo, uint32_t hi,
	struct names *words, struct diags *, uint32_t *out);

#endif
