/* The lexer of every text format of hecate.
 *
 * White space and comments (slash-slash to the end of the line, slash-star to star-slash) only separate tokens. The
 * lexer knows no format. It cuts text into runs of [A-Za-z0-9_], `<NAME>` pieces, strings and single punctuation
 * characters, and marks each token that follows the previous one without a gap ("glued"). The parser joins glued tokens
 * where its format allows it (`load.pde$_miss`, `<T>.done_<S>`, `&&`, `..`). So the lexer needs no context for `1..4`,
 * `4k` or `repeat(1..<N>)`. */
#ifndef TEXT_LEX_H
#define TEXT_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/budget.h"
#include "text/source.h"

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
	char punct;       /* TOKEN_PUNCT: the character */
	bool glued;       /* there is nothing between this token and the previous one */
	bool broken;      /* a string with an error that has been reported */
	uint32_t at, len; /* bytes in the source */
};

/* How a text is laid out. LEX_LINES: the end of a line is a token, the punctuation '\n', and a '#' at the beginning of
 * a line or after a blank begins a comment. LEX_LINES_WITH_COLOURS: a '#' does so only at the beginning of a line, or
 * before a blank or another '#', so #7fb4ff is a word. */
enum lex_layout { LEX_FREE, LEX_LINES, LEX_LINES_WITH_COLOURS };

struct lexer {
	const struct source *source;
	enum lex_layout layout;
	struct diags *diags;
	struct token now;  /* the next token */
	uint32_t last_end; /* end of the token before `now` */
	size_t at;
	struct budget budget;
};

/* Begins at the first token. A text that is not UTF-8, or contains NUL, causes one error and is read as empty. When
 * the budget of reading is met, that is the last error, and the text ends there. */
void lex_begin(struct lexer *, const struct source *, struct diags *);
/* The same, for another layout than LEX_FREE. */
void lex_begin_lines(struct lexer *, const struct source *, enum lex_layout, struct diags *);
void lex_next(struct lexer *);

/* For layouts by lines: takes everything from byte `from`, which is in or right after the next token, to the end of the
 * line, unchanged but without blanks at both ends and without a comment. The next token is then the end of the line. */
struct place lex_take_line(struct lexer *, uint32_t from);
/* For layouts by lines: joins everything up to a blank. */
struct place lex_join_all(struct lexer *);

bool lex_is(const struct lexer *, char punct);                /* whether the next token is this punctuation */
/* whether the next token is this word, without a piece glued to it */
bool lex_is_word(const struct lexer *, const char *word);
struct place lex_place(const struct lexer *);                 /* place of the next token */

/* Joins the glued tokens from here on: words, pieces, and the punctuation listed in `also`. It consumes them and
 * returns their place, which has length 0 if there are none. *pieces says whether one of them was a piece. */
struct place lex_join(struct lexer *, const char *also, bool *pieces);

/* The same for the parts of a decimal number: 0.25, 1e-3, with a sign in front if `sign`. In 1..4 it takes only the 1.
 * It does not check that the parts form a number. */
struct place lex_join_decimal(struct lexer *, bool sign);

/* Appends the text of a string token to `out`, with escapes resolved. */
void lex_string_text(const struct source *, const struct token *, struct str *out);
/* Appends a string token whose text that is. */
void lex_add_string(const char *text, struct str *out);

/* Describes the next token for messages: "';'", "a string", "the end of the file", "'count'". */
void lex_describe(const struct lexer *, struct str *out);

#endif
