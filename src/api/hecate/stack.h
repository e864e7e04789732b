/* Stacks: methods that account for cycles, slots or time by counters (docs/stack-language.md). */
#ifndef HECATE_STACK_H
#define HECATE_STACK_H

#include "hecate/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hecate_stack;
struct hecate_account;

#define HECATE_WHOLE ((size_t)-1)

/* Reads a .stack file, or the installed one of that name. */
struct hecate_stack *hecate_stack_load(const char *name, char **message);
void hecate_stack_free(struct hecate_stack *);

size_t hecate_stack_counters(const struct hecate_stack *);
const char *hecate_stack_counter(const struct hecate_stack *, size_t);
size_t hecate_stack_parts(const struct hecate_stack *);
const char *hecate_stack_part(const struct hecate_stack *, size_t);
/* The part that a part belongs to; HECATE_WHOLE: it is a part of the whole. */
size_t hecate_stack_parent(const struct hecate_stack *, size_t);

/* Accounts for one owner's counts, one for each counter of the stack in its base unit; NAN: not counted. */
struct hecate_account *hecate_account_new(const struct hecate_stack *, const double *count);
void hecate_account_free(struct hecate_account *);

/* Values of the whole (HECATE_WHOLE) and of parts, their shares of the whole, and the figure (CPI) that falls to them.
 * NAN: unknown, because a counter is missing or a divisor is 0. */
double hecate_account_value(const struct hecate_account *, size_t part);
double hecate_account_share(const struct hecate_account *, size_t part);
double hecate_account_figure(const struct hecate_account *, size_t part);

#ifdef __cplusplus
}
#endif
#endif
