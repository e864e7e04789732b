/* Compares the parts of one method with those of a method whose result is known to be true: a stack with the item
 * `reference;`, such as a simulator's own account of its cycles. */
#ifndef CORE_STACK_ERRORS_H
#define CORE_STACK_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

struct stack;
struct stack_account;

/* Errors beyond this share of the whole are marked. */
#define STACK_ERROR_MARKED 0.07

struct stack_errors {
	/* per part: its share minus the share of the true part with the same name; NAN: one of them is unknown */
	double *error;
	size_t n_parts;
	size_t worst;   /* the part with the largest absolute error; n_parts: no error is known */
};

/* Compares parts by their names. Remainders without a name are left out. Free with stack_errors_free(). */
struct stack_errors *stack_errors_new(const struct stack *, const struct stack_account *, const struct stack *truth,
	const struct stack_account *of_truth);
void stack_errors_free(struct stack_errors *);

/* Returns the largest absolute error, as a share of the whole; NAN: no error is known. */
double stack_errors_worst(const struct stack_errors *);

/* Returns the number of the first stack that is a reference; n if there is none, or no other stack to compare with it.
 */
size_t stack_reference(struct stack *const *, size_t n);
/* Returns the part with this name; n_parts if there is none. Remainders without a name are never found. */
size_t stack_part_called(const struct stack *, const char *name);
/* Returns true if the part with this name is the remainder of one of the stacks. Such a part cannot be removed. */
bool stack_is_rest(struct stack *const *, size_t n, const char *name);

/* Returns how many times faster everything would be without the part: whole / (whole − part). NAN: unknown, or nothing
 * would be left. */
double stack_gain(const struct stack_account *, size_t part);

#endif
