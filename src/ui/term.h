/* The terminal: a grid of cells in, keys out. Only term_curses.c sees curses. */
#ifndef UI_TERM_H
#define UI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "draw/cell.h"
#include "draw/theme.h"

struct err;

enum term_color { TERM_COLOR_AUTO, TERM_COLOR_ALWAYS, TERM_COLOR_NEVER };

struct term_options {
	enum term_color color; /* AUTO honours NO_COLOR and the terminal's abilities */
	/* ASCII only: on request, outside UTF-8, on the Linux console, or if a glyph is not one column wide */
	bool ascii;
	bool mouse;
};

/* Keys: Unicode code points for characters (0x09 Tab, 0x0d Enter, 0x1b Esc; 0x7f and 0x08 arrive as TK_BACKSPACE), else
 * one of: */
enum {
	TK_NONE = -1,
	TK_GONE = -2,      /* the terminal is gone: end of file or hang-up */
	TK_ALT = 0x200000, /* added to a digit that was typed with Alt */
	TK_BASE = 0x110000,
	TK_UP, TK_DOWN, TK_LEFT, TK_RIGHT, TK_HOME, TK_END, TK_PAGE_UP, TK_PAGE_DOWN, TK_SHIFT_TAB, TK_BACKSPACE,
	TK_RESIZE, TK_MOUSE,
	TK_F1, TK_F2, TK_F3, TK_F4, TK_F5, TK_F6, TK_F7, TK_F8, TK_F9, TK_F10, TK_F11, TK_F12,
	TK_PASTE, TK_PASTE_END /* before and after what is pasted, if the terminal tells */
};

enum { MOUSE_PRESS, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN, MOUSE_DRAG, MOUSE_RELEASE };

struct term_event {
	int key;
	int x, y, button; /* for TK_MOUSE: the cell, and MOUSE_… */
};

struct term;

/* Enters the alternate screen of the controlling terminal and sets the hook of panic(). Returns NULL and sets *e if
 * standard input or output is no terminal, or if TERM is unknown. */
struct term *term_open(const struct term_options *, const struct theme *, struct err *e);
void term_close(struct term *); /* restores the terminal, even after it is gone; may be called in any state */
/* Gives the terminal to another program until the next term_show(), which must be with `redraw`. */
void term_suspend(struct term *);
void term_size(const struct term *, int *w, int *h); /* the size that the kernel reports */
bool term_ascii(const struct term *);
void term_set_theme(struct term *, const struct theme *);
/* Shows the grid. Sends only cells that have changed since the last call, or with `redraw` all cells. */
void term_show(struct term *, const struct grid *, bool redraw);
int term_fd(const struct term *); /* readable when there is input */
int term_output_fd(const struct term *); /* poll() reports POLLHUP or POLLERR when its other end has closed */
/* Returns the next key without waiting; TK_NONE: there is none. Call it until it returns that, also after SIGWINCH,
 * which makes it return TK_RESIZE. A lone Esc is distinguished from a sequence within 25 ms. */
struct term_event term_next(struct term *);

#endif
