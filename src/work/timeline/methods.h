/* Lines up the parts of several methods of accounting: parts of the same name share one row.
 *
 *     retiring bad_spec front_end back_end      (topdown-l1)
 *     base branch L2 L3 DRAM TLB                (naive)          ──▶  all of the first, then base, branch …
 *
 * Each method's own order is kept as far as the methods agree, so that equal edges of the bars line up. */
#ifndef WORK_TIMELINE_METHODS_H
#define WORK_TIMELINE_METHODS_H

#include <stdbool.h>
#include <stddef.h>

struct stack;

#define METHOD_NONE ((size_t)-1) /* the method has no such part */

struct method_part {
	const char *name;   /* borrowed from the stack */
	size_t stack, part; /* the first method that has the part, and the part's number there */
	size_t *in;         /* per method: the part's number there, or METHOD_NONE */
};

struct methods {
	size_t n_stacks;
	struct method_part *part;
	size_t n;
};

/* Parts are equal when their names are. A remainder that has no name in its file is identified by the part of which it
 * remains. The stacks must outlive the result. */
struct methods *methods_new(struct stack *const *, size_t n);
void methods_free(struct methods *);

/* Do all stacks report the same figure ("CPI")? Do all their wholes have the same unit? */
bool methods_share_figure(struct stack *const *, size_t n);
bool methods_share_unit(struct stack *const *, size_t n);

#endif
