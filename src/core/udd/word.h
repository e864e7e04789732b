/* Words of the language: which text is legal where, and `<PARAM>` pieces replaced. Private to core/udd. */
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

#define UDD_WORD_MAX 4096 /* bytes of one word, also behind replacement: words may not grow without end */

#define UDD_PARAMETERS_MAX 64 /* of one def */

enum word_kind {
	WORD_NAME,     /* [A-Za-z_][A-Za-z0-9_]*, not reserved */
	WORD_VALUE,    /* [A-Za-z0-9_]+ */
	WORD_COUNTER,  /* [A-Za-z_][A-Za-z0-9_.$]* not ending in '.', or any quoted text */
	WORD_ARGUMENT, /* a name, a value, a counter word or quoted text */
	WORD_NUMBER,   /* [0-9]+ */
};

/* What is wrong with this text as that kind of word: a sentence without the word, or NULL when it is legal. */
const char *word_fault(enum word_kind, const char *text, bool quoted);
bool word_is_reserved(const char *text);

/* The table's own copy of a text: equal texts have one, and it stays where it is. */
const char *word_text(struct names *words, const char *s, size_t n);

/* The word as this frame means it: itself when it has no pieces, else with them replaced (text in `words`). False and a
 * diagnostic when the result is no legal word of the kind; false without one when the frame's arguments are unknown. */
bool word_resolve(const struct udd_ast *, const struct udd_frame *, const struct udd_word *, enum word_kind,
	struct names *words, struct diags *, struct udd_word *out);

/* A number word from lo to hi. False and a diagnostic that names the bounds otherwise. */
bool word_number(const struct udd_ast *, const struct udd_frame *, const struct udd_word *, uint32_t lo, uint32_t hi,
	struct names *words, struct diags *, uint32_t *out);

#endif
