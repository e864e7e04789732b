/* Words of FDL, CounterPoint's flow description language (docs/fdl-language.md). Private to convert/fdl. */
#ifndef CONVERT_FDL_LEXER_H
#define CONVERT_FDL_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "text/source.h"

struct diags;
struct str;

enum fdl_token_kind {
	FDL_END,
	FDL_WORD,  /* [A-Za-z0-9_.$]+ */
	FDL_ARROW, /* => */
	FDL_PUNCT, /* one other character */
};

struct fdl_token {
	enum fdl_token_kind kind;
	char punct;       /* FDL_PUNCT: its first byte */
	uint32_t at, len; /* bytes in the source */
};

/* Begins to read a text in which every byte has the source's offset: blanks replace what m4 removed. */
struct fdl_lexer {
	const struct source *source;
	const char *text;
	struct fdl_token now, next; /* the next token, and the one after it */
	uint32_t last_end;          /* end of the token before `now` */
	size_t at;
};

void fdl_lex_begin(struct fdl_lexer *, const struct source *, const char *text);
void fdl_lex_next(struct fdl_lexer *);

bool fdl_lex_is(const struct fdl_lexer *, char punct);
bool fdl_lex_is_word(const struct fdl_lexer *, const char *word);
struct place fdl_lex_place(const struct fdl_lexer *); /* of the next token */

/* Describes the next token for messages: "';'", "'count'", "the end of the file". */
void fdl_lex_describe(const struct fdl_lexer *, struct str *out);

/* Whether words may contain this byte. */
bool fdl_word_byte(char);

#endif
