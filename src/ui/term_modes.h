/* Modes of the terminal beside those of curses: reports of the mouse and of pastes, and what gives the terminal back
 * when a defect ends the program by a signal such as SIGSEGV.
 *
 * What is written then is made beforehand, because a signal handler may only write(2). The signal's earlier action
 * follows: the end of the program, a core dump, or a sanitizer's report. */
#ifndef UI_TERM_MODES_H
#define UI_TERM_MODES_H

#include <stdbool.h>
#include <stdio.h>

/* Call it before curses changes the terminal. */
void term_modes_note(void);
/* Asks for reports of drags and of columns beyond 223, which curses does not always do, and for marks around what is
 * pasted, and is there for signals from now on. `leave` gives the screen back then. Call it after curses has been set
 * up. */
void term_modes_begin(FILE *out, bool mouse, bool paste, const char *leave);
/* The reverse; NULL: `out` is not to be written. Call it before curses gives the terminal back. */
void term_modes_end(FILE *out);

#endif
