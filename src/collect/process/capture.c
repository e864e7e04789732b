#include "collect/process/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"

static char **
copy_words(const char *const *word)
{
	char **copy;
	size_t n = 0;

	while (word && word[n])
		n++;
	copy = mem_new_array(n + 1, sizeof *copy);
	while (n-- > 0)
		copy[n] = mem_str(word[n]);
	return copy;
}

/* In the new process: becomes the program. Sends errno through `failed`, which execve(2) closes otherwise. */
static _Noreturn void
become(const struct capture *what, pid_t parent, int out, int failed)
{
	char **argv = copy_words(what->argv), **env = copy_words(what->env);
	int error, nowhere = open("/dev/null", O_RDWR);
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	if (getppid() != parent)
		_exit(127);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(nowhere, STDIN_FILENO);
	dup2(what->errors ? nowhere : out, STDOUT_FILENO);
	dup2(what->errors ? out : nowhere, STDERR_FILENO);
	for (size_t i = 0; env[i]; i++)
		putenv(env[i]);
	execvp(argv[0], argv);
	error = errno;
	if (write(failed, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

static int
start_program(const struct capture *what, pid_t *pid, bool *missing, struct err *e)
{
	int out[2], failed[2], error = 0;
	pid_t parent = getpid();
	ssize_t n;

	if (pipe2(out, O_CLOEXEC) != 0)
		return err_set(e, "cannot start %s: %s", what->argv[0], strerror(errno)) - 1;
	if (pipe2(failed, O_CLOEXEC) != 0) {
		err_set(e, "cannot start %s: %s", what->argv[0], strerror(errno));
		close(out[0]);
		close(out[1]);
		return -1;
	}
	*pid = fork();
	if (*pid == 0)
		become(what, parent, out[1], failed[1]);
	error = *pid < 0 ? errno : 0;
	close(out[1]);
	close(failed[1]);
	while (!error && (n = read(failed[0], &error, sizeof error)) < 0 && errno == EINTR)
		;
	close(failed[0]);
	if (!error)
		return out[0];
	close(out[0]);
	if (*pid > 0)
		waitpid(*pid, NULL, 0);
	*missing = error == ENOENT;
	err_set(e, "cannot start %s: %s", what->argv[0], *missing ? "no such program in PATH" : strerror(error));
	return -1;
}

/* Reads until the end; false at a limit. */
static bool
read_all(const struct capture *what, int fd, struct str *out, struct err *e)
{
	uint64_t end = clock_ns() + (uint64_t)what->limit_ms * 1000000;
	size_t begun = out->n;

	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		uint64_t now = clock_ns();
		char *room = str_room(out, 65536), bytes[NUMBER_TEXT];
		ssize_t n;

		if (now >= end)
			return err_set(e, "%s took longer than %d s and was stopped", what->argv[0],
				what->limit_ms / 1000);
		if (poll(&ready, 1, (int)((end - now) / 1000000) + 1) <= 0)
			continue;
		n = read(fd, room, 65536);
		if (n < 0 && errno != EINTR)
			return err_set(e, "cannot read what %s prints: %s", what->argv[0], strerror(errno));
		if (n == 0)
			return true;
		str_grown(out, n > 0 ? (size_t)n : 0);
		if (out->n - begun > what->most)
			return err_set(e, "%s printed more than %s and was stopped", what->argv[0],
				number_bytes(bytes, (double)what->most, true));
	}
}

bool
capture_run(const struct capture *what, struct str *out, int *status, bool *missing, struct err *e)
{
	pid_t pid = -1;
	int fd;
	bool good;

	*status = 0;
	*missing = false;
	fd = start_program(what, &pid, missing, e);
	if (fd < 0)
		return false;
	good = read_all(what, fd, out, e);
	kill(-pid, SIGKILL); /* what it left behind; itself, if it closed its output and goes on */
	close(fd);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	return good;
}
