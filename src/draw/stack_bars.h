/* Bars of stacks, the same on the screen and on paper: which parts are drawn, how long, with which key, fill and role.
 */
#ifndef DRAW_STACK_BARS_H
#define DRAW_STACK_BARS_H

#include "draw/cell.h"

struct str;
struct stack;
struct stack_account;

bool stack_has_parts(const struct stack *, size_t part); /* then these are drawn in its place */
/* What nobody named and nothing is in is not shown. */
bool stack_shows(const struct stack *, const struct stack_account *, size_t part);

unsigned char stack_fill(const struct stack *, size_t part); /* as draw_part has it; neighbours differ */
/* one hue for what is part of the same; what is left over is dim */
enum role stack_role(const struct stack *, size_t part);
/* what nobody named has that of the part which it is left over of; 0 */
char stack_key(const struct stack *, size_t part);

/* The parts that are drawn, in order; `out` has room for all. Returns how many. `figure`: in shares of the figure, else
 * of the whole as counted. */
size_t stack_bar_parts(const struct stack *, const struct stack_account *, bool figure, struct draw_part *out);
/* How long the bar is: the sum of what it shows, or the whole if that is more. 0: there is nothing to be drawn. */
double stack_bar_length(const struct stack *, const struct stack_account *, bool figure);

/* "R██": key and fill as in the bar; three columns, blanks where parts of its own stand for it. */
void stack_swatch(const struct pen *, int x, int y, const struct stack *, size_t part);

#endif
