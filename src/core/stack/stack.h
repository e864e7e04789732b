/* A method of accounting: a whole (cycles, slots, elapsed time) and the parts that it is made of, each an expression
 * over counters. It is the parsed and checked contents of a .stack file (docs/stack-language.md).
 *
 * Sources: Eyerman et al., A Performance Counter Architecture for Computing Accurate CPI Components (ASPLOS 2006), for
 * stacks and why methods differ; Yasin, A Top-Down Method for Performance Analysis and Counters Architecture (ISPASS
 * 2014), for parts that have parts. */
#ifndef CORE_STACK_STACK_H
#define CORE_STACK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/counters/counters.h"
#include "core/counters/scope.h"
#include "text/aexpr.h"

struct diags;

#define STACK_FILE_MAX ((size_t)1 << 20)
#define STACK_COUNTERS_MAX 1024 /* counters and constants together */
#define STACK_PARTS_MAX 512     /* the first 61 have a key letter */
#define STACK_DEPTH_MAX 8       /* levels of nested parts */
#define STACK_VALUES_MAX 64
#define STACK_TOP ((size_t)-1)  /* parent of the parts of the whole */

/* The conditions under which a node of a tree is worth a look. */
struct stack_limit {
	double above;                /* share of the whole; NAN: none */
	bool alone;                  /* true: whether its parent is worth a look does not matter */
	const char *or_name;         /* also worth a look if the part with this name is; NULL: no such part */
	size_t or_part;              /* number of the part or_name; STACK_TOP: none */
};

/* What a node means and what to do about it. */
struct stack_advice {
	const char *name;            /* name of the part */
	const char *title, *means, *next, *helps; /* "" if the file does not say */
	uint32_t at, len;
};

struct stack_part {
	const char *name, *text;     /* text may be "" */
	char key;                    /* letter or digit, unique; 0: none was free */
	size_t parent;               /* STACK_TOP: part of the whole */
	unsigned depth;              /* 0: part of the whole */
	bool rest;                   /* the remainder of its level */
	bool implied;                /* a remainder that the file does not name */
	struct aexpr *e;             /* NULL for a remainder */
	struct stack_limit limit;    /* only for a node of a tree */
	const struct stack_advice *advice; /* NULL: none */
	uint32_t at, len;
};

/* A number that several expressions use, computed from counters, constants and earlier values. */
struct stack_value {
	const char *name, *text;
	struct aexpr *e;
	uint32_t at, len;
};

/* What makes a stack a tree whose nodes are judged one by one: the levels of its parts need not add up, except those
 * marked `sums`. */
struct stack_tree {
	/* "topdown": trees of one family are alternatives to choose from; NULL: the stack is no tree */
	const char *family;
	const char *source;          /* where the formulas were published; "" if the file does not say */
	struct stack_advice *advice;
	size_t n_advice;
	bool shared;                 /* the file ends with advice that several trees share */
	bool *sums;                  /* per part, and at index n_parts for the whole: its parts must add up to it */
};

/* An order of counts that holds whatever runs: `low` is at most `high`. */
struct stack_expect {
	struct aexpr *low, *high;    /* over counters, constants and the whole */
	const char *text;            /* explanation: what makes counts break the order */
	bool *uses;                  /* per counter: `low` or `high` needs it */
	uint32_t at, len;
};

struct stack {
	const char *name, *text;
	/* each owner of this scope has a bar; all counters belong to this scope or to finer ones */
	enum scope per;
	/* its bars are taken as the truth, with which the bars of other methods are compared */
	bool reference;
	const char **machine;        /* processors that it is written for, by libpfm4's names; empty: any */
	size_t n_machines;
	struct counter_item *counter;
	size_t n_counters;
	struct constant_item *constant;
	size_t n_constants;
	const char *whole_name, *whole_text;
	struct aexpr *whole;
	const char *figure_text;     /* "CPI"; NULL: no figure */
	struct aexpr *figure;        /* each part shows its share of the figure; NULL: no figure */
	/* in the file's order: the parts of a part come after it, and the remainder of a level comes last */
	struct stack_part *part;
	size_t n_parts;
	struct stack_expect *expect;
	size_t n_expects;
	struct stack_value *value;
	size_t n_value_items;
	struct stack_tree tree;
	/* Numbers by index, as in struct aexpr.index: counters, constants, the whole, the parts, the values. `order`
	 * lists the parts with an expression, each after the parts that it uses. */
	size_t n_values;
	size_t *order, n_order;
	/* (n_parts + 2 + n_value_items) × n_counters: true if the row's number needs the counter, directly or through
	 * another number. Rows: the parts, the whole, the figure, the values */
	bool *uses;
	/* laid out as `uses`: the number adds the counter, with no minus sign before it and not as a divisor */
	bool *adds;
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

static inline size_t
stack_value_of_item(const struct stack *s, size_t item)
{
	return stack_value_of_part(s, s->n_parts) + item;
}

/* Returns the level of a part: the number of its parent, or n_parts for the parts of the whole. */
static inline size_t
stack_level_of(const struct stack *s, size_t part)
{
	return s->part[part].parent == STACK_TOP ? s->n_parts : s->part[part].parent;
}

/* Returns the row in `uses` of the number with this index, which must not be a counter or constant. */
static inline size_t
stack_row_of(const struct stack *s, size_t index)
{
	size_t whole = stack_value_of_whole(s), items = stack_value_of_item(s, 0);

	return index == whole ? s->n_parts : index >= items ? s->n_parts + 2 + index - items : index - whole - 1;
}

/* Returns the expression of a row of `uses`; NULL for a remainder, or for the figure of a stack without one. */
static inline const struct aexpr *
stack_expression(const struct stack *s, size_t row)
{
	return row < s->n_parts ? s->part[row].e : row == s->n_parts ? s->whole : row == s->n_parts + 1 ? s->figure
		: s->value[row - s->n_parts - 2].e;
}

/* Returns true if the part (n_parts: the whole; n_parts + 1: the figure) needs the counter. A remainder needs all
 * counters of its parent. */
static inline bool
stack_uses(const struct stack *s, size_t part, size_t counter)
{
	return s->uses[part * s->n_counters + counter];
}

/* Parse and check a .stack file. Takes ownership of name and text (heap). Returns NULL if there are errors in the
 * diagnostics. There may be warnings even if a stack is returned. Diagnostics keep no reference to the text. */
struct stack *stack_parse(char *name, char *text, size_t n, struct diags *);
void stack_free(struct stack *);

#endif
