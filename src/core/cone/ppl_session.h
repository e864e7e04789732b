/* PPL's global state, opened for one computation and put back after it.
 *
 * PPL keeps process-wide state: its tables, the floating-point rounding mode (set upwards by ppl_initialize, which
 * would spoil every other double), and a time limit that counts CPU time of the process through ITIMER_PROF and
 * SIGPROF, which nobody else may use meanwhile; while SIGPROF were blocked the limit would never come, so a session
 * lets it through. A session sets these up and takes all of them down again, so nothing else in the program notices.
 * Not for threads. */
#ifndef CORE_CONE_PPL_SESSION_H
#define CORE_CONE_PPL_SESSION_H

#include <signal.h>
#include <stdbool.h>

/* What is put back. */
struct ppl_session {
	sigset_t mask;
	struct sigaction action; /* of SIGPROF */
};

/* `seconds` of CPU time until PPL's functions return PPL_TIMEOUT_EXCEPTION; at least a hundredth is given. False when
 * PPL cannot start; then the session is closed already. */
bool ppl_session_open(struct ppl_session *, double seconds);
void ppl_session_close(const struct ppl_session *);

/* What a negative return value of a PPL function means, as part of a sentence. */
const char *ppl_session_reason(int code);

#endif
