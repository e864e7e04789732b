/* Signals that would end the program, while it counts or reads here and now. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	struct sigaction old[4];
	sigset_t during; /* after signals_block(): the mask to wait under */
};

/* Signals are noted, and arrive only under the mask `during`. */
void signals_block(struct signals *);
void signals_release(const struct signals *);

/* Signals are noted until they are let go. A second Ctrl-C ends the program as usual. A signal that the caller ignored
 * stays ignored. */
void signals_hold(struct signals *);
void signals_let_go(const struct signals *);

int signals_caught(void);        /* the last one; 0 */
int signals_interrupts(void);    /* how often Ctrl-C was pressed */
bool signals_interrupted(void);  /* one has arrived, or is blocked; for callbacks that take long */

/* At the very end: dies by the signal that arrived, unless that was Ctrl-C. */
void signals_obey(void);

#endif
