/* A method of accounting: a whole (cycles, slots, elapsed time) and the parts that it is made of, each an expression
 * over counters. What a .stack file says, parsed and checked (docs/stack-language.md).
 *
 * Sources of the view: Eyerman et al., A Performance Counter Architecture for Computing Accurate CPI Components (ASPLOS
 * 2006), for stacks and why methods differ; Yasin, A Top-Down Method for Performance Analysis and Counters Architecture
 * (ISPASS 2014), for parts in parts. */
#ifndef CORE_STACK_STACK_H
#define CORE_STACK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/lang/aexpr.h"
#include "core/lang/counters.h"
#include "core/lang/scope.h"

struct diags;

#define STACK_FILE_MAX ((size_t)1 << 20)
#define STACK_COUNTERS_MAX 1024 /* and constants */
#define STACK_PARTS_MAX 61      /* one key letter each */
#define STACK_DEPTH_MAX 4       /* levels of parts in parts */
#define STACK_TOP ((size_t)-1)  /* the parent of what is part of the whole itself */

struct stack_part {
	const char *name, *text;     /* "" without a text */
	char key;                    /* a letter or digit, another one for each part */
	size_t parent;               /* STACK_TOP: a part of the whole */
	unsigned depth;              /* 0: a part of the whole */
	bool rest;                   /* what the other parts of the same parent leave over */
	bool implied;                /* … and the file does not name it */
	struct aexpr *e;             /* NULL: a rest */
	uint32_t at, len;
};

struct stack {
	const char *name, *text;
	enum scope per;              /* who has a bar: all counters are his, or his parts' */
	const char **machine;        /* names of the processors that it is written for, as libpfm4's; none: any */
	size_t n_machines;
	struct counter_item *counter;
	size_t n_counters;
	struct constant_item *constant;
	size_t n_constants;
	const char *whole_name, *whole_text;
	struct aexpr *whole;
	const char *figure_text;     /* "CPI"; NULL: there is none */
	struct aexpr *figure;        /* told of each part in its share */
	struct stack_part *part;     /* as written, parts of a part behind it; one rest at the end of each level */
	size_t n_parts;
	/* Values by number, as struct aexpr.index has them: counters, constants, the whole, the parts. `order`: the
	 * parts that have an expression, each behind those that it uses. */
	size_t n_values;
	size_t *order, n_order;
	/* (n_parts + 2) × n_counters: the part, then the whole, then the figure, needs the counter, itself or through
	 * another */
	bool *uses;
	struct arena *arena;
};

static inline size_t
stack_value_of_whole(const struct stack *s)
{
	return s->n_counters + s->n_constants;
}

static inline size_t
stack_value_of_part(const struct stack *s, size_t part)
{
	return stack_value_of_whole(s) + 1 + part;
}

/* Does the part (n_parts: the whole; n_parts + 1: the figure) need the counter? A rest needs what the other parts of
 * its level do not tell. */
static inline bool
stack_uses(const struct stack *s, size_t part, size_t counter)
{
	return s->uses[part * s->n_counters + counter];
}

/* Takes name and text (heap). NULL after diagnostics; warnings may stand there beside a stack. Diagnostics keep no
 * reference to the text. */
struct stack *stack_parse(char *name, char *text, size_t n, struct diags *);
void stack_free(struct stack *);

#endif
