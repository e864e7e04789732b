/* Declarations that the files of the .stack parser share. Private to core/stack. */
#ifndef CORE_STACK_PARSER_H
#define CORE_STACK_PARSER_H

#include "core/stack/stack.h"
#include "text/diag.h"
#include "text/item.h"

struct stack_parser {
	struct item_reader r;
	struct counter_reader values;
	struct stack *stack;
	bool named, whole_given, top_exclusive;
	bool *exclusive; /* per part: its parts share no counter */
	size_t cap_exclusive, cap_parts, cap_machines, cap_expects, cap_values, cap_advice;
	bool top_sums, tree_given;
	bool *sums; /* per part: its parts add up to it; as long as `exclusive` */
	uint32_t whole_at, whole_len;
};

/* Parse `part` or `rest` and its body, after the first word. */
bool stack_parse_part(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_rest(struct stack_parser *, size_t parent, unsigned depth);
bool stack_parse_exclusive(struct stack_parser *, size_t parent);
bool stack_parse_sums(struct stack_parser *, size_t parent);
/* Add the unnamed remainder of a level, so that it is always shown. Levels of a tree have no remainder. */
void stack_imply_rest(struct stack_parser *, size_t parent, unsigned depth);

/* Parse items of trees, at their first word. */
bool stack_parse_tree(struct stack_parser *);
bool stack_parse_value(struct stack_parser *);
bool stack_parse_advice(struct stack_parser *);
bool stack_parse_shared(struct stack_parser *);
/* Parse `above N [alone] [or PART]` of a part, if it is there. */
bool stack_parse_limit(struct stack_parser *, struct stack_limit *);

/* Check what was parsed: names, units, order, overlaps. Errors go to the diagnostics. */
void stack_check(struct stack_parser *);
/* Bind the limits and the advice of a tree to its parts. Returns false after errors. */
bool stack_check_tree(struct stack_parser *);
/* Find which part needs which counter. Returns false after errors about exclusive parts that add the same counter. All
 * names must be bound. */
bool stack_check_overlap(struct stack_parser *);

#endif
