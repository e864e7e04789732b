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

#define BEGIN 1u
#define END 2u /* eventfds carry numbers: 1, 2 and nothing else */

struct barrier {
	pthread_t thread;
	int order, done;
};

static uint64_t
take(int fd)
{
	uint64_t v = 0;

	while (read(fd, &v, sizeof v) < 0 && errno == EINTR)
		continue;
	return v;
}

static void
give(int fd, uint64_t v)
{
	while (write(fd, &v, sizeof v) < 0 && errno == EINTR)
		continue;
}

static void *
wait_for_cpus(void *of)
{
	const struct barrier *b = of;

	while (take(b->order) == BEGIN)
		give(b->done, syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0 ? BEGIN : END);
	return NULL;
}

struct barrier *
barrier_new(void)
{
	struct barrier *b = mem_new(sizeof *b);
	sigset_t all, before;
	bool started;

	b->order = eventfd(0, EFD_CLOEXEC);
	b->done = eventfd(0, EFD_CLOEXEC);
	sigfillset(&all); /* signals are for the thread that knows what to do */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = b->order >= 0 && b->done >= 0 && pthread_create(&b->thread, NULL, wait_for_cpus, b) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		return b;
	if (b->order >= 0)
		close(b->order);
	if (b->done >= 0)
		close(b->done);
	free(b);
	return NULL;
}

void
barrier_free(struct barrier *b)
{
	if (!b)
		return;
	give(b->order, END);
	pthread_join(b->thread, NULL);
	close(b->order);
	close(b->done);
	free(b);
}

void
barrier_begin(struct barrier *b)
{
	give(b->order, BEGIN);
}

int
barrier_fd(const struct barrier *b)
{
	return b->done;
}

bool
barrier_done(struct barrier *b)
{
	return take(b->done) == BEGIN;
}
