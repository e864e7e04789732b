/* Data that come through a pipe, while they are read. Whoever wrote them may have ended and left something behind that
 * holds the pipe open (perf stat, of a command that starts a daemon): its end never comes, and nothing on the screen
 * would say what is waited for. */
#ifndef CLI_PATIENCE_H
#define CLI_PATIENCE_H

#include <stdbool.h>

struct patience;

/* Standard input is about to be read to its end. Where nothing comes for some seconds, that is said once, and Ctrl-C is
 * the end of the data: what has come is taken. NULL where standard input is no pipe: a file ends, and at a terminal
 * somebody types. */
struct patience *patience_begin(void);

/* It was read; signals are as they were before. NULL is nothing. True: Ctrl-C was the end of the data. */
bool patience_end(struct patience *);

#endif
