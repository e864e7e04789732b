#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

static void
take_terminal(int terminal, const char *const *env, enum pty_kind kind)
{
	setsid();
	if (kind == PTY_CONTROLS)
		ioctl(terminal, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(terminal, fd);
	if (terminal > 2)
		close(terminal);
	for (size_t i = 0; env && env[i]; i++)
		putenv(mem_str(env[i]));
}

bool
pty_run(struct pty *p, int (*body)(void *), void *ctx, const char *const *env, int w, int h, enum pty_kind kind)
{
	char name[128];
	int terminal;

	*p = (struct pty){.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
	if (p->master < 0 || grantpt(p->master) != 0 || unlockpt(p->master) != 0 ||
		ptsname_r(p->master, name, sizeof name) != 0)
		return false;
	pty_size(p, w, h);
	terminal = open(name, O_RDWR | O_NOCTTY);
	if (terminal < 0)
		return false;
	fflush(stdout);
	p->pid = fork();
	if (p->pid == 0) {
		close(p->master);
		take_terminal(terminal, env, kind);
		exit(body(ctx));
	}
	close(terminal);
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	return p->pid > 0;
}

static int
become(void *ctx)
{
	const char *const *argv = ctx;
	size_t n = 0;
	char **copy;

	while (argv[n])
		n++;
	copy = mem_new_array(n + 1, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = mem_str(argv[i]);
	execv(copy[0], copy);
	_exit(127);
}

bool
pty_start(struct pty *p, const char *const *argv, const char *const *env, int w, int h, enum pty_kind kind)
{
	return pty_run(p, become, (void *)(uintptr_t)argv, env, w, h, kind);
}

void
pty_size(struct pty *p, int w, int h)
{
	struct winsize size = {.ws_col = (unsigned short)w, .ws_row = (unsigned short)h};

	if (p->master >= 0)
		ioctl(p->master, TIOCSWINSZ, &size);
}

/* Also reads what the program writes meanwhile, because it could otherwise block. */
void
pty_send(struct pty *p, const void *bytes, size_t n)
{
	const char *at = bytes;
	double until = clock_seconds() + 60;

	while (n && p->master >= 0 && clock_seconds() < until) {
		ssize_t done = write(p->master, at, n);

		if (done > 0) {
			at += done;
			n -= (size_t)done;
		} else if (errno != EAGAIN && errno != EINTR) {
			return;
		} else {
			pty_read(p, 0.01);
		}
	}
}

bool
pty_read(struct pty *p, double seconds)
{
	struct pollfd f = {.fd = p->master, .events = POLLIN};
	char part[8192];
	bool some = false;

	if (p->master < 0 || poll(&f, 1, (int)(seconds * 1000)) <= 0)
		return false;
	for (ssize_t n; (n = read(p->master, part, sizeof part)) > 0; some = true)
		str_addn(&p->out, part, (size_t)n);
	return some;
}

bool
pty_expect(struct pty *p, const char *text, double seconds)
{
	double until = clock_seconds() + seconds;

	while (!p->out.s || !memmem(p->out.s, p->out.n, text, strlen(text))) {
		if (clock_seconds() >= until)
			return false;
		if (!pty_read(p, 0.05) && p->pid && clock_seconds() < until)
			poll(NULL, 0, 5); /* after the end of its output the terminal is always readable */
	}
	return true;
}

void
pty_forget(struct pty *p)
{
	str_clear(&p->out);
}

void
pty_hang_up(struct pty *p)
{
	if (p->master >= 0)
		close(p->master);
	p->master = -1;
}

bool
pty_ended(struct pty *p, double seconds, int *status)
{
	double until = clock_seconds() + seconds;

	while (p->pid) {
		if (waitpid(p->pid, status, WNOHANG) == p->pid) {
			p->pid = 0;
			break;
		}
		if (clock_seconds() >= until)
			return false;
		if (!pty_read(p, 0.02))
			poll(NULL, 0, 5);
	}
	return true;
}

void
pty_free(struct pty *p)
{
	if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	pty_hang_up(p);
	str_free(&p->out);
	*p = (struct pty){.master = -1};
}
