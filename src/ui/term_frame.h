/* A frame goes to the terminal in one write.
 *
 * ncurses hands out what it has whenever the cursor moves, some sixty times a frame: each is a system call and wakes
 * who reads the terminal, and frames are seen half drawn. So curses has a stream of its own onto the terminal, and
 * between begin and end that leads into memory. Nobody else's standard output changes. */
#ifndef UI_TERM_FRAME_H
#define UI_TERM_FRAME_H

#include <stdbool.h>
#include <stdio.h>

struct term_frame {
	FILE *out;  /* what curses writes to; standard output itself where no descriptor was left */
	int tty;    /* the same terminal again; -1: frames go out as they are made */
	int memory;
};

void term_frame_open(struct term_frame *); /* onto the terminal that standard output is */
void term_frame_close(struct term_frame *);
void term_frame_begin(struct term_frame *);
/* nothing if none has begun. False: the terminal does not take it, it has gone */
bool term_frame_end(struct term_frame *);

#endif
