/* The parser's own vocabulary, shared by its files. Private to core/stack. */
#ifndef CORE_STACK_PARSER_H
#define CORE_STACK_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/lex.h"
#include "core/stack/stack.h"

struct stack_parser {
	struct lexer x;
	struct source source;
	struct stack *stack;
	struct diags *diags;
	bool named, whole_given, top_exclusive;
	bool *exclusive; /* per part: what it is made of shares no counter */
	size_t cap_exclusive, cap_counters, cap_constants, cap_parts, cap_machines;
	uint32_t whole_at, whole_len;
};

/* All return false after a diagnostic. */
bool stack_fail(struct stack_parser *, const char *expected, const char *behind);
bool stack_punct(struct stack_parser *, char, const char *behind);
bool stack_take_punct(struct stack_parser *, char); /* if it is next */
bool stack_take_word(struct stack_parser *, const char *word);
bool stack_name(struct stack_parser *, const char *what, const char **out, struct place *at); /* bare or quoted */
bool stack_text(struct stack_parser *, const char *what, const char **out);
bool stack_optional_text(struct stack_parser *, const char **out); /* "" when there is none */
bool stack_expression(struct stack_parser *, struct aexpr **out);
void stack_recover(struct stack_parser *, int depth); /* to behind the ';' or '}' that ends what was begun, or before a '}' of `depth` above 0 */

/* `part` and `rest` with what is in them; the word is taken. */
bool stack_parse_part(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_rest(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_exclusive(struct stack_parser *, size_t parent);
void stack_imply_rest(struct stack_parser *, size_t parent, unsigned depth); /* what a level leaves over is never hidden, named or not */

/* Everything is read: names, units, order, what overlaps. Errors go to the diagnostics. */
void stack_check(struct stack_parser *);
/* Which part needs which counter; false after errors about parts that share one where they must not. All is bound. */
bool stack_check_overlap(struct stack_parser *);

#endif
