#include "base/pipe.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

ssize_t
pipe_write(int fd, const void *bytes, size_t n)
{
	sigset_t broken, before, pending;
	const struct timespec now = {0};
	bool was_pending;
	ssize_t done;
	int error;

	/* The kernel sends SIGPIPE to the thread that writes. While it is blocked, this function can remove it before
	 * anybody sees it. */
	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &broken, &before);
	do
		done = write(fd, bytes, n);
	while (done < 0 && errno == EINTR);
	error = errno;
	if (done < 0 && error == EPIPE && !was_pending)
		while (sigtimedwait(&broken, NULL, &now) < 0 && errno == EINTR)
			continue;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return done;
}
