#include "collect/workload/traced.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

/* The child: becomes the command. It stops once, so that the tracer can set its options. */
static void
become(char *const *argv, const sigset_t *mask, int failed)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (null > STDERR_FILENO)
		close(null);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* until the tracer has set PTRACE_O_EXITKILL */
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
		raise(SIGSTOP);
		sigprocmask(SIG_SETMASK, mask, NULL);
		execvp(argv[0], argv);
	}
	(void)!write(failed, &(int){errno}, sizeof(int));
	_exit(127);
}

bool
traced_fork(char *const *argv, const sigset_t *mask, struct traced_child *child, struct err *e)
{
	int failed[2] = {-1, -1}, status = 0, error;

	*child = (struct traced_child){.failed = -1};
	if (pipe2(failed, O_CLOEXEC) != 0)
		return err_set(e, "cannot make a pipe: %s", strerror(errno));
	child->pid = fork();
	if (child->pid == 0)
		become(argv, mask, failed[1]);
	close(failed[1]);
	if (child->pid < 0) {
		close(failed[0]);
		return err_set(e, "cannot start a process: %s", strerror(errno));
	}
	child->failed = failed[0];
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSTOPPED(status))
		return true;
	error = traced_error(child);
	return traced_explain(argv[0], error ? error : ECHILD, e);
}

int
traced_error(struct traced_child *c)
{
	int error = 0;

	if (c->failed < 0 || read(c->failed, &error, sizeof error) != (ssize_t)sizeof error)
		error = 0;
	if (c->failed >= 0)
		close(c->failed);
	c->failed = -1;
	return error;
}

bool
traced_explain(const char *program, int error, struct err *e)
{
	err_set(e, "%s cannot be stepped: %s", program, strerror(error));
	if (error == EPERM || error == EACCES)
		return err_hint(e, "ptrace(2) may be forbidden here (kernel.yama.ptrace_scope, or the container's "
			"seccomp filter)");
	return false;
}

bool
traced_wait_begin(struct traced_wait *wait, const sigset_t *during, bool (*interrupted)(void), struct err *e)
{
	sigset_t chld;

	*wait = (struct traced_wait){.during = *during, .interrupted = interrupted};
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigaddset(&wait->during, SIGCHLD);
	wait->fd = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	if (wait->fd < 0)
		return err_set(e, "cannot wait for a traced command: %s", strerror(errno));
	sigprocmask(SIG_BLOCK, &chld, &wait->old);
	return true;
}

void
traced_wait_end(struct traced_wait *w)
{
	struct signalfd_siginfo drop;

	if (w->fd < 0)
		return;
	while (read(w->fd, &drop, sizeof drop) > 0)
		;
	close(w->fd);
	w->fd = -1;
	sigprocmask(SIG_SETMASK, &w->old, NULL);
}

static bool
time_left(const struct traced_wait *w, struct timespec *left)
{
	double s = w->until - clock_seconds();

	if (s <= 0)
		return false;
	left->tv_sec = (time_t)s;
	left->tv_nsec = (long)((s - (double)left->tv_sec) * 1e9);
	return true;
}

pid_t
traced_next(const struct traced_wait *wait, int *status)
{
	struct pollfd p = {.fd = wait->fd, .events = POLLIN};
	struct signalfd_siginfo drop;
	struct timespec left = {0};

	while (!wait->interrupted() && (wait->until <= 0 || time_left(wait, &left))) {
		pid_t tid = waitpid(-1, status, __WALL | WNOHANG);

		if (tid != 0 && !(tid < 0 && errno == EINTR))
			return tid;
		ppoll(&p, 1, wait->until > 0 ? &left : NULL, &wait->during);
		while (read(wait->fd, &drop, sizeof drop) > 0)
			;
	}
	return 0;
}

void
traced_kill(pid_t pid)
{
	int status;

	if (pid <= 0)
		return;
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	for (;;) {
		pid_t got = waitpid(pid, &status, __WALL);

		if ((got < 0 && errno != EINTR) || (got == pid && !WIFSTOPPED(status)))
			return;
	}
}
