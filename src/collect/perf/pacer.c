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
	struct pacer *p = ctx;
	uint64_t next = 0;

	pthread_mutex_lock(&p->lock);
	while (!p->stop && next != UINT64_MAX) {
		struct timespec until = {.tv_sec = (time_t)(next / 1000000000), .tv_nsec = (long)(next % 1000000000)};
		uint64_t now = clock_ns();

		if (now >= next)
			next = p->step(p->ctx, now);
		else
			pthread_cond_timedwait(&p->change, &p->lock, &until);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

struct pacer *
pacer_new(uint64_t (*step)(void *ctx, uint64_t now_ns), void *ctx)
{
	struct pacer *p = mem_new(sizeof *p);
	pthread_condattr_t clock;
	sigset_t all, before;
	int failed;

	*p = (struct pacer){.step = step, .ctx = ctx};
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&p->change, &clock);
	pthread_condattr_destroy(&clock);
	sigfillset(&all); /* signals are the main thread's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&p->thread, NULL, pace, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed)
		return p;
	pthread_cond_destroy(&p->change);
	pthread_mutex_destroy(&p->lock);
	free(p);
	return NULL;
}

void
pacer_free(struct pacer *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_signal(&p->change);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->change);
	pthread_mutex_destroy(&p->lock);
	free(p);
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
