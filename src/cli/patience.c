#include "cli/patience.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"

#define SILENCE_S 3 /* in which nothing comes, before it is said */
#define LOOKS_A_SECOND 10

struct patience {
	pthread_t thread;
	struct sigaction before;
	int stop[2]; /* a pipe, closed when the reading has ended */
};

/* What the handler can reach: an end of data to be put in the place of the pipe, and whether it was. */
static volatile sig_atomic_t nothing = -1, was_stopped;

/* The read(2) at hand is interrupted, and the next one finds the end. */
static void
end_the_data(int number)
{
	int error = errno;

	(void)number;
	dup2(nothing, STDIN_FILENO);
	was_stopped = 1;
	errno = error;
}

/* Is there somebody who could still write, and nothing to be read? */
static bool
is_silent(void)
{
	struct pollfd p = {.fd = STDIN_FILENO};
	int waiting = 0;

	return poll(&p, 1, 0) == 0 && ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0;
}

static void *
listen_to_silence(void *of)
{
	const struct patience *p = of;
	struct pollfd stop = {.fd = p->stop[0]};

	for (int silent = 0; silent < SILENCE_S * LOOKS_A_SECOND; silent = is_silent() ? silent + 1 : 0)
		if (poll(&stop, 1, 1000 / LOOKS_A_SECOND) > 0)
			return NULL;
	log_line(NULL,
		"standard input: nothing has come for %d s, and a program still holds it open (whoever wrote the data, "
		"or what it left running); Ctrl-C goes on with what has come",
		SILENCE_S);
	return NULL;
}

static bool
is_pipe(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Signals are for the thread that reads. */
static bool
start(struct patience *p)
{
	sigset_t all, before;
	bool good;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	good = pthread_create(&p->thread, NULL, listen_to_silence, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

struct patience *
patience_begin(void)
{
	struct patience *p;
	struct sigaction on = {.sa_handler = end_the_data};

	if (!is_pipe())
		return NULL;
	p = mem_new(sizeof *p);
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	was_stopped = 0;
	if (nothing < 0 || pipe2(p->stop, O_CLOEXEC) != 0) {
		free(p);
		return NULL;
	}
	if (!start(p)) {
		close(p->stop[0]);
		close(p->stop[1]);
		free(p);
		return NULL;
	}
	sigaction(SIGINT, NULL, &p->before);
	if (p->before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &on, NULL);
	return p;
}

bool
patience_end(struct patience *p)
{
	if (!p)
		return false;
	if (p->before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &p->before, NULL);
	close(p->stop[1]);
	pthread_join(p->thread, NULL);
	close(p->stop[0]);
	close(nothing);
	free(p);
	return was_stopped;
}
