/* Tokens that every text format of hecate is made of.
 *
 * White space and comments (slash-slash to the end of the line, slash-star to star-slash) only separate. The lexer
 * knows no format: it cuts text into runs of [A-Za-z0-9_], `<NAME>` pieces, strings and single punctuation characters,
 * and says of each whether it is glued to the one before. What belongs together (`load.pde$_miss`, `<T>.done_<S>`,
 * `&&`, `..`) is joined by whoever knows what may stand there; so `1..4`, `4k` and `repeat(1..<N>)` need no context
 * here. */
#ifndef CORE_LANG_LEX_H
#define CORE_LANG_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lang/source.h"

struct diags;
struct str;

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,   /* [A-Za-z0-9_]+ */
	TOKEN_PIECE,  /* <NAME> */
	TOKEN_STRING, /* "…", escapes \" and \\ */
	TOKEN_PUNCT,  /* one other character */
};

struct token {
	enum token_kind kind;
	char punct;       /* TOKEN_PUNCT: which */
	bool glued;       /* nothing stands between it and the token before */
	bool broken;      /* a string with an error that was reported already */
	uint32_t at, len; /* bytes in the source */
};

struct lexer {
	const struct source *source;
	struct diags *diags;
	struct token now;  /* the token to look at */
	uint32_t last_end; /* where the token before it ended */
	size_t at;
};

/* Begin at the first token. A text that is no UTF-8 (or holds NUL) is one error and reads as empty. */
void lex_begin(struct lexer *, const struct source *, struct diags *);
void lex_next(struct lexer *);

bool lex_is(const struct lexer *, char punct);                /* is this punctuation next? */
bool lex_is_word(const struct lexer *, const char *word);     /* is this word, not glued to a piece behind it, next? */
struct place lex_place(const struct lexer *);                 /* of the token to look at */

/* Join the glued tokens from here on: words, pieces, and punctuation that stands in `also`. They are consumed; returns
 * their place, of length 0 when none stands here. *pieces says whether a piece was among them. */
struct place lex_join(struct lexer *, const char *also, bool *pieces);

/* The text of a string token, escapes undone, appended to `out`. */
void lex_string_text(const struct source *, const struct token *, struct str *out);

/* "';'", "a string", "the end of the file", "'count'": what stands next, for messages. */
void lex_describe(const struct lexer *, struct str *out);

#endif
