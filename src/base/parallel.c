#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"

#define THREADS_MAX 16

struct crew {
	const struct parallel *how;
	size_t n;
	atomic_size_t next, done;
	atomic_bool stop;
	atomic_uint_least64_t helped; /* nanoseconds */
};

size_t
parallel_threads(void)
{
	const char *wish = getenv("HECATE_THREADS");
	int64_t n = 0;
	cpu_set_t set;

	if (!wish || !str_to_i64(wish, &n) || n < 1)
		n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return n > THREADS_MAX ? THREADS_MAX : (size_t)n;
}

static bool
take_one(struct crew *c)
{
	size_t i = atomic_fetch_add(&c->next, 1);

	if (i >= c->n || atomic_load(&c->stop))
		return false;
	c->how->each(c->how->ctx, i);
	atomic_fetch_add(&c->done, 1);
	return true;
}

static void *
help(void *ctx)
{
	struct crew *c = ctx;

	while (take_one(c))
		;
	if (c->how->leave)
		c->how->leave(c->how->ctx);
	atomic_fetch_add(&c->helped, (uint64_t)(clock_thread_seconds() * 1e9));
	return NULL;
}

static size_t
start_helpers(struct crew *c, pthread_t *thread, size_t most)
{
	sigset_t all, before;
	size_t started = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (started < most && pthread_create(&thread[started], NULL, help, c) == 0)
		started++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

bool
parallel_each(const struct parallel *how, size_t n)
{
	struct crew c = {.how = how, .n = n};
	size_t threads = parallel_threads(), worth = n / (how->least ? how->least : 1), started;
	pthread_t thread[THREADS_MAX];
	bool more = true;

	if (threads > worth)
		threads = worth;
	started = start_helpers(&c, thread, threads > 1 ? threads - 1 : 0);
	while (more) {
		if (how->go_on && atomic_load(&c.next) < n && !how->go_on(how->ctx, atomic_load(&c.done)))
			atomic_store(&c.stop, true);
		more = take_one(&c);
	}
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	if (how->helped)
		*how->helped += (double)atomic_load(&c.helped) * 1e-9;
	return atomic_load(&c.done) == n;
}

/* Linux keeps priority and policy for each thread (sched(7)). */
void
parallel_stand_back(void)
{
	(void)!setpriority(PRIO_PROCESS, (id_t)gettid(), PARALLEL_NICE);
	(void)!sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0});
}
