/* What the user, the locale and the kernel want of a terminal, before curses is asked. */
#ifndef UI_TERM_WANTED_H
#define UI_TERM_WANTED_H

#include <stdbool.h>

#include "ui/term.h"

/* The upper left part that is used of a larger terminal: a terminal may claim any size. */
#define TERM_COLUMNS 1000
#define TERM_ROWS 500

/* Returns whether ASCII is drawn alone: the user asked for it, or locale or terminal cannot show the other signs. */
bool term_wants_ascii(bool asked);
bool term_wants_color(enum term_color);
/* COLORTERM says truecolor or 24bit. GNU screen, which passes on the variable but not the colours, is not believed. */
bool term_claims_true_color(void);
/* Sets the size that the kernel knows; leaves it where the kernel knows none. */
void term_size_known(int *w, int *h);
/* Returns the size that an environment variable has, or `known` where it has none of at most `most`. */
int term_size_from(const char *variable, int known, int most);

#endif
