/* Sends a frame to the terminal in one write.
 *
 * ncurses writes whenever the cursor moves, some sixty times a frame. Each write is a system call that wakes the
 * terminal, and frames are seen half drawn. So curses gets a stream of its own to the terminal, which between begin and
 * end collects in memory. Standard output itself does not change.
 *
 * Most terminals have true colour, but terminfo rarely says so, and ncurses names 256 colours. So a frame may give some
 * of the 256 numbers colours of their own: "38;5;N" is then sent as "38;2;R;G;B" (xterm's ctlseqs). */
#ifndef UI_TERM_FRAME_H
#define UI_TERM_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FRAME_COLORS 64

struct term_frame {
	FILE *out;  /* stream that curses writes to; standard output if there is no descriptor left */
	int tty;    /* descriptor of the terminal; -1: frames are written as they are made */
	int memory;
	int first_own, n_own; /* numbers of colours that are sent as own[number - first_own], 0xrrggbb */
	uint32_t own[FRAME_COLORS];
};

void term_frame_open(struct term_frame *); /* for the terminal of standard output */
void term_frame_close(struct term_frame *);
bool term_frame_can_paint(const struct term_frame *); /* false: `own` has no effect */
void term_frame_begin(struct term_frame *);
/* Does nothing unless a frame was begun. False: the terminal is gone. */
bool term_frame_end(struct term_frame *);

#endif
