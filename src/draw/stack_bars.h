/* Bars of stacks, for the screen and for print: the parts that are drawn, their length, key, fill and role. */
#ifndef DRAW_STACK_BARS_H
#define DRAW_STACK_BARS_H

#include "draw/cell.h"

struct str;
struct stack;
struct stack_account;

/* Are the part's own parts drawn instead of it? In a tree, only if they add up to it. */
bool stack_has_parts(const struct stack *, size_t part);
/* Is the part itself in the bar, rather than its parts or a part that contains it? */
bool stack_is_drawn(const struct stack *, size_t part);
/* Is the part shown? All parts are, except an empty remainder without a name. */
bool stack_shows(const struct stack *, const struct stack_account *, size_t part);

unsigned char stack_fill(const struct stack *, size_t part); /* as in struct draw_part; neighbours differ */
/* The part's role: one hue for a part and all its parts; dim for a remainder. */
enum role stack_role(const struct stack *, size_t part);
/* The part's key; 0: none. A remainder without a name has the key of its parent. */
char stack_key(const struct stack *, size_t part);

/* Sets out[], which has room for all, to the parts to draw, in order. Returns how many. `figure`: the bar shows the
 * figure, else the whole as counted. */
size_t stack_bar_parts(const struct stack *, const struct stack_account *, bool figure, struct draw_part *out);
/* stack_bar_length() is the length to the right of zero: the sum of the parts above zero, or the whole if that is
 * larger; 0: there is nothing to draw. stack_bar_below() is the sum of the parts below zero, as a positive number. */
double stack_bar_length(const struct stack *, const struct stack_account *, bool figure);
double stack_bar_below(const struct stack *, const struct stack_account *, bool figure);

/* Draws "R██": key and fill as in the bar. Takes three columns, which are blank if the part's parts are drawn
 * instead. */
void stack_swatch(const struct pen *, int x, int y, const struct stack *, size_t part);

#endif
