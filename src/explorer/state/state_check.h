/* The invariants of the state after every action and every answer. */
#ifndef EXPLORER_STATE_STATE_CHECK_H
#define EXPLORER_STATE_STATE_CHECK_H

struct state;

/* Ends the program with the name of an invariant that does not hold. Does nothing unless configured with
 * --enable-checks or --enable-sanitizers. */
#ifdef HECATE_CHECKS
void state_check(const struct state *);
#else
static inline void
state_check(const struct state *s)
{
	(void)s;
}
#endif

#endif
