/* Bars of stacks, for the screen and for print: the parts that are drawn, their length, key, fill and role. */
#ifndef DRAW_STACK_BARS_H
#define DRAW_STACK_BARS_H

#include "draw/cell.h"

struct str;
struct stack;
struct stack_account;

bool stack_has_parts(const struct stack *, size_t part); /* it is drawn by its parts instead */
/* Is the part shown? A remainder without a name is not, if it is empty. */
bool stack_shows(const struct stack *, const struct stack_account *, size_t part);

unsigned char stack_fill(const struct stack *, size_t part); /* as in struct draw_part; neighbours differ */
/* one hue for all parts of one part; dim for a remainder */
enum role stack_role(const struct stack *, size_t part);
/* a remainder without a name has the key of the part that it belongs to; 0: none */
char stack_key(const struct stack *, size_t part);

/* The parts to draw, in order; `out` has room for all. Returns how many. `figure`: as shares of the figure, else of the
 * whole as counted. */
size_t stack_bar_parts(const struct stack *, const struct stack_account *, bool figure, struct draw_part *out);
/* The length of the bar: the sum of its parts, or the whole if that is larger. 0: there is nothing to draw. */
double stack_bar_length(const struct stack *, const struct stack_account *, bool figure);

/* "R██": key and fill as in the bar; three columns, blank for a part that is drawn by its parts. */
void stack_swatch(const struct pen *, int x, int y, const struct stack *, size_t part);

#endif
