/* The parser's own vocabulary, shared by its files. Private to core/stack. */
#ifndef CORE_STACK_PARSER_H
#define CORE_STACK_PARSER_H

#include "core/lang/diag.h"
#include "core/lang/item.h"
#include "core/stack/stack.h"

struct stack_parser {
	struct item_reader r;
	struct counter_reader values;
	struct stack *stack;
	bool named, whole_given, top_exclusive;
	bool *exclusive; /* per part: what it is made of shares no counter */
	size_t cap_exclusive, cap_parts, cap_machines;
	uint32_t whole_at, whole_len;
};

/* `part` and `rest` with what is in them; the word is taken. */
bool stack_parse_part(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_rest(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_exclusive(struct stack_parser *, size_t parent);
/* what a level leaves over is never hidden, named or not */
void stack_imply_rest(struct stack_parser *, size_t parent, unsigned depth);

/* Everything is read: names, units, order, what overlaps. Errors go to the diagnostics. */
void stack_check(struct stack_parser *);
/* Which part needs which counter; false after errors about parts that share one where they must not. All is bound. */
bool stack_check_overlap(struct stack_parser *);

#endif
