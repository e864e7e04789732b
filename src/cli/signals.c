#include "cli/signals.h"

#include <stddef.h>

/* Set by the handlers below; a signal handler can reach nothing else. */
static volatile sig_atomic_t caught, interrupts;

static void
on_signal(int number)
{
	caught = number;
	interrupts += number == SIGINT;
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void
signals_block(struct signals *signals)
{
	struct sigaction act = {.sa_handler = on_signal};
	sigset_t block;

	sigemptyset(&act.sa_mask);
	sigemptyset(&block);
	for (int i = 0; i < 4; i++) {
		sigaction(ending[i], &act, &signals->old[i]);
		sigaddset(&block, ending[i]);
	}
	sigprocmask(SIG_BLOCK, &block, &signals->during);
}

void
signals_release(const struct signals *s)
{
	sigprocmask(SIG_SETMASK, &s->during, NULL);
	signals_let_go(s);
}

void
signals_hold(struct signals *s)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

	sigemptyset(&act.sa_mask);
	for (int i = 0; i < 4; i++) {
		sigaction(ending[i], NULL, &s->old[i]);
		if (s->old[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &act, NULL);
	}
}

void
signals_let_go(const struct signals *s)
{
	for (int i = 0; i < 4; i++)
		sigaction(ending[i], &s->old[i], NULL);
}

int
signals_caught(void)
{
	return caught;
}

int
signals_interrupts(void)
{
	return interrupts;
}

bool
signals_interrupted(void)
{
	sigset_t waiting;
	bool some = caught;

	if (!some && sigpending(&waiting) == 0)
		for (int i = 0; i < 4; i++)
			some |= sigismember(&waiting, ending[i]) == 1;
	return some;
}

void
signals_obey(void)
{
	if (caught && caught != SIGINT)
		raise(caught); /* the handlers are the old ones again */
}
