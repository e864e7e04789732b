/* Words of FDL for names of other languages: each name of a space gets a word of its own, which is the name itself
 * where that may be. Private to core/fdl. */
#ifndef CORE_FDL_WORDS_H
#define CORE_FDL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/names.h"

/* How a language spells its words. */
struct fdl_spelling {
	bool (*is_part)(char);              /* may it stand in a word, behind the first letter? */
	bool (*is_reserved)(const char *);
};

struct fdl_words {
	const struct fdl_spelling *spelling;
	struct names given;  /* space and name */
	const char **word;   /* … and its word */
	size_t cap;
	struct names taken;  /* space and word */
};

extern const struct fdl_spelling fdl_spelling; /* of FDL */
extern const struct fdl_spelling fdl_udd_spelling; /* of names of the µDD language */

/* The word of a name; lives as long as the table. Equal names of one space have one word. */
const char *fdl_word(struct fdl_words *, size_t space, const char *name);
/* The word of something that has no name: `key` is none that anything has, and it is spelled after `wish`. */
const char *fdl_word_for(struct fdl_words *, size_t space, const char *key, const char *wish);
void fdl_words_free(struct fdl_words *);

#endif
