/* PPL's global state, opened for one computation and put back after it.
 *
 * PPL keeps process-wide state: its tables, the floating-point rounding mode (set upwards by ppl_initialize, which would
 * spoil every other double), and a time limit that counts CPU time of the process through ITIMER_PROF and SIGPROF. A
 * session sets these up and takes all of them down again, so nothing else in the program notices. Not for threads. */
#ifndef CORE_CONE_PPL_SESSION_H
#define CORE_CONE_PPL_SESSION_H

#include <stdbool.h>

#define PPL_SECONDS_DEFAULT 2.0

/* `seconds` of CPU time until PPL's functions return PPL_TIMEOUT_EXCEPTION; at least a hundredth is given. False when PPL
 * cannot start; then the session is closed already. */
bool ppl_session_open(double seconds);
void ppl_session_close(void);

/* What a negative return value of a PPL function means, as part of a sentence. */
const char *ppl_session_reason(int code);

#endif
