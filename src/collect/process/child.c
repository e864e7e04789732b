#include "collect/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/pipe.h"
#include "base/str.h"
#include "collect/process/minder.h"
#include "collect/process/setup.h"
#include "collect/source.h"

struct child {
	pid_t minder, pid;
	char *program;  /* argv[0], for messages */
	const struct spec_program *setup;
	const bool *runs_on; /* of struct source_spec */
	int control;    /* pipe to the minder; its end of file makes the minder kill the command */
	int report;     /* pipe from the minder: the command's pid, then its end */
	int go;         /* pipe to the command: one byte lets it call execve(2) */
	int failed;     /* socket from the command: struct minder_failure, or end of file */
	uint64_t before_user_ns, before_system_ns; /* used before execve(2) */
	bool ended;
	struct child_end end;
};

static bool
refuse_start(struct err *e, const char *what, int error)
{
	err_set(e, "the command cannot be prepared: %s: %s", what, strerror(error));
	if (error == EMFILE)
		err_hint(e, "raise the limit of open files, for example: ulimit -n 4096");
	else if (error == ENFILE)
		err_hint(e, "this machine's limit of open files is reached: sudo sysctl fs.file-max=1000000");
	else if (error == EAGAIN)
		err_hint(e, "the limit of processes is reached (ulimit -u, or the cgroup's pids.max)");
	return false;
}

static void
close_all(int (*pair)[2], size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (int j = 0; j < 2; j++)
			if (pair[i][j] >= 0)
				close(pair[i][j]);
}

/* Opens a pipe, or a pair of sockets, whose ends are above the standard descriptors, even if hecate was started with
 * one of those closed. */
static bool
make_pair(int pair[2], bool sockets)
{
	int low[2];

	if ((sockets ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, low) : pipe2(low, O_CLOEXEC)) != 0)
		return false;
	for (int i = 0; i < 2; i++) {
		pair[i] = low[i] > STDERR_FILENO ? low[i] : fcntl(low[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (pair[i] != low[i])
			close(low[i]);
	}
	return pair[0] >= 0 && pair[1] >= 0;
}

/* Reads n bytes, also across signals. Returns false at end of file. */
static bool
child_read_all(int fd, void *p, size_t n)
{
	for (size_t got = 0; got < n;) {
		ssize_t k = read(fd, (char *)p + got, n - got);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		got += (size_t)k;
	}
	return true;
}

/* Does the command share hecate's process group, the terminal's foreground group? With the terminal as its input it
 * must, or reading would stop it. */
static bool
shares_terminal(const struct source_spec *spec)
{
	return !spec->no_input && isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

struct child *
child_new(const struct source_spec *spec, struct err *e)
{
	enum { CONTROL, REPORT, GO, FAILED, PIPES };
	int pair[PIPES][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
	struct minder_orders orders = {.spec = spec, .own_group = spec->own_group || !shares_terminal(spec)};
	struct minder_word word;
	struct child *child;
	pid_t minder;

	if (!spec->argv || !spec->argv[0]) {
		err_set(e, "no command to run");
		return NULL;
	}
	for (int i = 0; i < PIPES; i++)
		if (!make_pair(pair[i], i == FAILED)) {
			refuse_start(e, "pipe", errno);
			close_all(pair, PIPES);
			return NULL;
		}
	orders.control = pair[CONTROL][0];
	orders.report = pair[REPORT][1];
	orders.go = pair[GO][0];
	orders.failed = pair[FAILED][1];
	minder = fork();
	if (minder == 0) {
		panic_set_hook(NULL);
		close(pair[CONTROL][1]);
		close(pair[REPORT][0]);
		close(pair[GO][1]);
		close(pair[FAILED][0]);
		minder_run(&orders);
	}
	if (minder < 0) {
		refuse_start(e, "fork", errno);
		close_all(pair, PIPES);
		return NULL;
	}
	close(orders.control);
	close(orders.report);
	close(orders.go);
	close(orders.failed);
	child = mem_new(sizeof *child);
	*child = (struct child){.minder = minder, .pid = -1, .program = mem_str(spec->argv[0]), .setup = spec->setup,
		.runs_on = spec->runs_on, .control = pair[CONTROL][1], .report = pair[REPORT][0],
		.go = pair[GO][1], .failed = pair[FAILED][0]};
	if (!child_read_all(child->report, &word, sizeof word) || word.error) {
		refuse_start(e, "fork", word.error ? word.error : EAGAIN);
		child_free(child);
		return NULL;
	}
	child->pid = word.pid;
	fcntl(child->report, F_SETFL, O_NONBLOCK); /* child_poll() reads its end without blocking */
	return child;
}

pid_t
child_pid(const struct child *c)
{
	return c->pid;
}

pid_t
child_minder(const struct child *c)
{
	return c->minder;
}

void
child_signal(const struct child *c, int sig)
{
	unsigned char order = (unsigned char)sig;

	if (!c->ended && c->control >= 0)
		(void)!pipe_write(c->control, &order, 1);
}

/* Does a folder of PATH hold this name at all? execvp(3) fails with EACCES as soon as one of them may not be searched.
 */
static bool
is_in_path(const char *program)
{
	const char *path = getenv("PATH");
	char **folder = str_split(path ? path : "/bin:/usr/bin", ':', NULL);
	bool found = false;

	for (size_t i = 0; folder[i] && !found; i++) {
		char *full = str_format("%s/%s", *folder[i] ? folder[i] : ".", program);
		struct stat st;

		found = stat(full, &st) == 0 && S_ISREG(st.st_mode);
		free(full);
	}
	str_split_free(folder);
	return found;
}

/* Puts execvp's errno for this name into words. Always false. */
static bool
explain_exec(const char *program, int error, struct err *e)
{
	struct stat st;
	bool here = strchr(program, '/') && stat(program, &st) == 0;

	if (error == EACCES && !strchr(program, '/') && !is_in_path(program))
		error = ENOENT;
	if (error == ENOENT && here) {
		err_set(e, "%s cannot be started: its interpreter is missing", program);
		return err_hint(e, "look at the first line of the script, or: file %s", program);
	}
	if (error == ENOENT) {
		err_set(e, "%s: command not found", program);
		return strchr(program, '/') ? false : err_hint(e, "it is in no directory of PATH; write ./%s for one "
			"in this folder", program);
	}
	if (error == EACCES && here && S_ISDIR(st.st_mode))
		return err_set(e, "%s is a directory, not a command", program);
	if (error == EACCES) {
		err_set(e, "%s may not be executed", program);
		return err_hint(e, "chmod +x, or a file system without noexec");
	}
	if (error == ENOEXEC) {
		err_set(e, "%s is not a program that this machine can run", program);
		return err_hint(e, "a script needs a first line such as #!/bin/sh; file shows what it is");
	}
	if (error == E2BIG)
		return err_set(e, "%s cannot be started: its arguments and environment are too long", program);
	if (error == ENOTDIR)
		return err_set(e, "%s cannot be started: a part of its path is not a directory", program);
	return err_set(e, "%s cannot be started: %s", program, strerror(error));
}

bool
child_start(struct child *child, uint64_t *at_ns, struct err *e)
{
	struct minder_failure f = {0};
	ssize_t n;

	if (child->go < 0)
		return err_set(e, "%s was started already", child->program);
	*at_ns = clock_ns(); /* taken before, because the command may have ended by the time that its start is known */
	n = pipe_write(child->go, "g", 1);
	close(child->go);
	child->go = -1;
	if (n != 1)
		return err_set(e, "%s cannot be started: its waiting process was killed", child->program);
	if (child_read_all(child->failed, &f, sizeof f) && !f.error) {
		child->before_user_ns = f.user_ns;
		child->before_system_ns = f.system_ns;
		if (!child_read_all(child->failed, &f, sizeof f))
			return true;
	}
	if (!f.error)
		return true;
	if (f.step != SETUP_COMMAND)
		return setup_explain(child->setup, (enum setup_step)f.step, f.error, e);
	return explain_exec(child->program, f.error, e);
}

int
child_wait_fd(const struct child *c)
{
	return c->report;
}

static uint64_t
child_least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

bool
child_poll(struct child *child, struct child_end *end)
{
	struct minder_word word;

	if (!child->ended) {
		/* The pipe itself is read: where poll(2) fails, the end would never be seen. */
		ssize_t n = read(child->report, &word, sizeof word);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return false;
		child->ended = true;
		child->end.known = n > 0 && child_read_all(child->report, (char *)&word + n, sizeof word - (size_t)n);
		if (child->end.known) {
			child->end = word.end;
			child->end.user_ns -= child_least(word.end.user_ns, child->before_user_ns);
			child->end.system_ns -= child_least(word.end.system_ns, child->before_system_ns);
		} else {
			child->end.at_ns = clock_ns();
		}
	}
	*end = child->end;
	return true;
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
child_release(struct child *c)
{
	if (c->runs_on && *c->runs_on && c->go < 0)
		child_signal(c, MINDER_LET_RUN);
	close_end(&c->go);
	close_end(&c->control);
	close_end(&c->failed);
}

void
child_free(struct child *c)
{
	if (!c)
		return;
	child_release(c);
	close_end(&c->report);
	while (waitpid(c->minder, NULL, 0) < 0 && errno == EINTR)
		continue;
	free(c->program);
	free(c);
}
