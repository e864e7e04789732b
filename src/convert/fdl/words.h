/* Finds words of FDL for names of other languages. Each name of a name space gets a word of its own: the name itself
 * where possible. Private to convert/fdl. */
#ifndef CONVERT_FDL_WORDS_H
#define CONVERT_FDL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"

/* How a language spells its words. */
struct fdl_spelling {
	bool (*is_part)(char);              /* whether a word may contain the character after its first one */
	bool (*is_reserved)(const char *);
};

struct fdl_words {
	const struct fdl_spelling *spelling;
	struct names given;  /* keys: space and name */
	const char **word;   /* word of each key */
	size_t cap;
	struct names taken;  /* words in use; keys: space and word */
};

extern const struct fdl_spelling fdl_spelling;     /* for FDL */
extern const struct fdl_spelling fdl_udd_spelling; /* for names of the µDD language */

/* The word for a name; it lives as long as the table. Equal names of one space have the same word. */
const char *fdl_word(struct fdl_words *, size_t space, const char *name);
/* The word for something without a name. `key` must differ from all names; the word is spelled like `wish`. */
const char *fdl_word_for(struct fdl_words *, size_t space, const char *key, const char *wish);
void fdl_words_free(struct fdl_words *);

#endif
