/* Opens PPL's process-wide state for one computation and restores it afterwards, so that nothing else in the program is
 * affected. Private to core/cone; not for use in several threads.
 *
 * PPL keeps global tables. It sets the floating-point rounding mode upwards (ppl_initialize), which would spoil every
 * other double. Its time limit counts CPU time of the process by ITIMER_PROF and SIGPROF, so no other code may use
 * these meanwhile. A blocked SIGPROF would disable the limit, so a session unblocks it. */
#ifndef CORE_CONE_PPL_SESSION_H
#define CORE_CONE_PPL_SESSION_H

#include <signal.h>
#include <stdbool.h>

/* what ppl_session_close() restores */
struct ppl_session {
	sigset_t mask;
	struct sigaction action; /* of SIGPROF */
};

/* After `seconds` of CPU time PPL's functions return PPL_TIMEOUT_EXCEPTION; the limit is at least 0.01 s. Returns false
 * when PPL cannot start; the session is closed then. */
bool ppl_session_open(struct ppl_session *, double seconds);
void ppl_session_close(const struct ppl_session *);

/* Explains a negative return value of a PPL function, as part of a sentence. */
const char *ppl_session_reason(int code);

#endif
