/* Parts of several methods of accounting beside each other: those of one name are one row, whatever else the methods
 * do.
 *
 *     retiring bad_spec front_end back_end      (topdown-l1)
 *     base branch L2 L3 DRAM TLB                (naive)          ──▶  all of the first, then base, branch …
 *
 * The order keeps each method's own as far as they agree, so that equal edges of bars stand above each other. */
#ifndef APP_TIMELINE_METHODS_H
#define APP_TIMELINE_METHODS_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

#define METHOD_NONE ((size_t)-1) /* a method has no such part */

struct method_part {
	const char *name;   /* the stack's */
	size_t stack, part; /* the first method that has it, and its number there */
	size_t *in;         /* per method: its number there; METHOD_NONE */
};

struct methods {
	size_t n_stacks;
	struct method_part *part;
	size_t n;
};

/* A part is another's equal by its name; a remainder that no file names, by what it is left over of. The stacks must
 * outlive it. */
struct methods *methods_new(struct stack *const *, size_t n);
void methods_free(struct methods *);

/* Do all tell the same figure ("CPI"); is the whole of all of one unit? */
bool methods_share_figure(struct stack *const *, size_t n);
bool methods_share_unit(struct stack *const *, size_t n);

#endif
