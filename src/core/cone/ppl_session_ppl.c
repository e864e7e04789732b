#include "core/cone/ppl_session.h"

#include <ppl_c.h>

static void
restore(const struct ppl_session *s)
{
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	sigaction(SIGPROF, &s->action, NULL);
}

bool
ppl_session_open(struct ppl_session *session, double seconds)
{
	unsigned hundredths = seconds < 0.01 ? 1 : seconds > 1e6 ? 100000000 : (unsigned)(seconds * 100);
	sigset_t prof;

	sigemptyset(&prof);
	sigaddset(&prof, SIGPROF);
	sigprocmask(SIG_UNBLOCK, &prof, &session->mask);
	sigaction(SIGPROF, NULL, &session->action);
	if (ppl_initialize() < 0) {
		restore(session);
		return false;
	}
	if (ppl_restore_pre_PPL_rounding() < 0 || ppl_set_timeout(hundredths) < 0) {
		ppl_finalize();
		restore(session);
		return false;
	}
	return true;
}

void
ppl_session_close(const struct ppl_session *s)
{
	/* Needed after a timeout too: until it is reset, PPL throws in every later computation. */
	ppl_reset_timeout();
	ppl_finalize();
	restore(s);
}

const char *
ppl_session_reason(int code)
{
	if (code == PPL_TIMEOUT_EXCEPTION)
		return "the time limit was reached";
	if (code == PPL_ERROR_OUT_OF_MEMORY)
		return "PPL ran out of memory";
	return "PPL reported an internal error";
}
