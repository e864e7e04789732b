#include "collect/perf/barrier.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* Requests and results are in memory. The eventfd only wakes a poller, so a failing read or write of it costs time and
 * nothing else. */
enum state { IDLE, ASKED, PASSED, REFUSED, LEAVING };

struct barrier {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t asked;
	enum state state;
	int done;
};

static void *
wait_for_cpus(void *of)
{
	struct barrier *barrier = of;
	uint64_t one = 1;

	pthread_mutex_lock(&barrier->lock);
	for (;;) {
		bool passed;

		while (barrier->state != ASKED && barrier->state != LEAVING)
			pthread_cond_wait(&barrier->asked, &barrier->lock);
		if (barrier->state == LEAVING)
			break;
		pthread_mutex_unlock(&barrier->lock);
		passed = syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
		pthread_mutex_lock(&barrier->lock);
		if (barrier->state == ASKED)
			barrier->state = passed ? PASSED : REFUSED;
		while (write(barrier->done, &one, sizeof one) < 0 && errno == EINTR)
			continue;
	}
	pthread_mutex_unlock(&barrier->lock);
	return NULL;
}

struct barrier *
barrier_new(void)
{
	struct barrier *barrier = mem_new(sizeof *barrier);
	sigset_t all, before;
	bool started;

	pthread_mutex_init(&barrier->lock, NULL);
	pthread_cond_init(&barrier->asked, NULL);
	barrier->done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	sigfillset(&all); /* signals are the main thread's */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = barrier->done >= 0 && pthread_create(&barrier->thread, NULL, wait_for_cpus, barrier) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		return barrier;
	if (barrier->done >= 0)
		close(barrier->done);
	pthread_cond_destroy(&barrier->asked);
	pthread_mutex_destroy(&barrier->lock);
	free(barrier);
	return NULL;
}

static void
order(struct barrier *b, enum state state)
{
	pthread_mutex_lock(&b->lock);
	b->state = state;
	pthread_cond_signal(&b->asked);
	pthread_mutex_unlock(&b->lock);
}

void
barrier_free(struct barrier *b)
{
	if (!b)
		return;
	order(b, LEAVING);
	pthread_join(b->thread, NULL);
	close(b->done);
	pthread_cond_destroy(&b->asked);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

void
barrier_begin(struct barrier *b)
{
	order(b, ASKED);
}

int
barrier_fd(const struct barrier *b)
{
	return b->done;
}

bool
barrier_over(struct barrier *b)
{
	bool over;

	pthread_mutex_lock(&b->lock);
	over = b->state != ASKED;
	pthread_mutex_unlock(&b->lock);
	return over;
}

bool
barrier_done(struct barrier *b)
{
	uint64_t v;
	bool passed;

	(void)!read(b->done, &v, sizeof v);
	pthread_mutex_lock(&b->lock);
	passed = b->state == PASSED;
	b->state = IDLE;
	pthread_mutex_unlock(&b->lock);
	return passed;
}
