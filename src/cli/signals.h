/* Signals that would end the program, while it counts or reads live data. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	struct sigaction old[4];
	sigset_t during; /* the mask to wait under, set by signals_block() */
};

/* From this call on, signals are noted, and arrive only under the mask `during`. */
void signals_block(struct signals *);
void signals_release(const struct signals *);

/* Between these two calls, signals are noted. A second Ctrl-C ends the program as usual. A signal that the parent
 * process ignored stays ignored. */
void signals_hold(struct signals *);
void signals_let_go(const struct signals *);

int signals_caught(void);        /* number of the last signal; 0: none */
int signals_interrupts(void);    /* how often Ctrl-C was pressed */
bool signals_interrupted(void);  /* has a signal arrived, or is one blocked? For callbacks of long tasks */

/* Ends the program by the signal that arrived, unless that was Ctrl-C. Call it last. */
void signals_obey(void);

#endif
