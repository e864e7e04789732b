#include "collect/perf/pacer.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

struct pacer {
	uint64_t (*step)(void *ctx, uint64_t now_ns);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	bool stop;
};

static void *
pace(void *ctx)
{
	struct pacer *pacer = ctx;
	uint64_t next = 0;

	pthread_mutex_lock(&pacer->lock);
	while (!pacer->stop && next != UINT64_MAX) {
		struct timespec until = {.tv_sec = (time_t)(next / 1000000000), .tv_nsec = (long)(next % 1000000000)};
		uint64_t now = clock_ns();

		if (now >= next)
			next = pacer->step(pacer->ctx, now);
		else
			pthread_cond_timedwait(&pacer->change, &pacer->lock, &until);
	}
	pthread_mutex_unlock(&pacer->lock);
	return NULL;
}

struct pacer *
pacer_new(uint64_t (*step)(void *ctx, uint64_t now_ns), void *ctx)
{
	struct pacer *pacer = mem_new(sizeof *pacer);
	pthread_condattr_t clock;
	sigset_t all, before;
	int failed;

	*pacer = (struct pacer){.step = step, .ctx = ctx};
	pthread_mutex_init(&pacer->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&pacer->change, &clock);
	pthread_condattr_destroy(&clock);
	sigfillset(&all); /* signals are the main thread's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&pacer->thread, NULL, pace, pacer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed)
		return pacer;
	pthread_cond_destroy(&pacer->change);
	pthread_mutex_destroy(&pacer->lock);
	free(pacer);
	return NULL;
}

void
pacer_free(struct pacer *pacer)
{
	if (!pacer)
		return;
	pthread_mutex_lock(&pacer->lock);
	pacer->stop = true;
	pthread_cond_signal(&pacer->change);
	pthread_mutex_unlock(&pacer->lock);
	pthread_join(pacer->thread, NULL);
	pthread_cond_destroy(&pacer->change);
	pthread_mutex_destroy(&pacer->lock);
	free(pacer);
}

void
pacer_lock(struct pacer *p)
{
	if (p)
		pthread_mutex_lock(&p->lock);
}

void
pacer_unlock(struct pacer *p)
{
	if (p)
		pthread_mutex_unlock(&p->lock);
}
