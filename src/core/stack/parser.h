/* Declarations that the files of the .stack parser share. Private to core/stack. */
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
	bool *exclusive; /* per part: its parts share no counter */
	size_t cap_exclusive, cap_parts, cap_machines, cap_expects;
	uint32_t whole_at, whole_len;
};

/* Parse `part` or `rest` and its body, after the first word. */
bool stack_parse_part(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_rest(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_exclusive(struct stack_parser *, size_t parent);
/* Add the unnamed remainder of a level, so that it is always shown. */
void stack_imply_rest(struct stack_parser *, size_t parent, unsigned depth);

/* Check what was parsed: names, units, order, overlaps. Errors go to the diagnostics. */
void stack_check(struct stack_parser *);
/* Find which part needs which counter. False after errors about exclusive parts that add the same one. All names are
 * bound. */
bool stack_check_overlap(struct stack_parser *);

#endif
