#include "collect/perf/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/pipe.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"

struct keeper {
	bool tried;
	int orders;   /* pipe for tracepoint ids, whose end of file ends the process; -1: none */
	uint64_t *held;
	size_t n, cap;
};

struct keeper *
keeper_new(void)
{
	struct keeper *k = mem_new(sizeof *k);

	k->orders = -1;
	return k;
}

void
keeper_free(struct keeper *k)
{
	if (!k)
		return;
	if (k->orders >= 0)
		close(k->orders);
	free(k->held);
	free(k);
}

/* The process: opens each requested tracepoint on itself, disabled, so that nothing is counted. Its exit closes them
 * all. */
_Noreturn static void
keep(int orders)
{
	int null = open("/dev/null", O_RDWR);
	uint64_t id;

	caps_drop_files();
	setsid();
	prctl(PR_SET_NAME, "hecate-keeper");
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	if (dup2(orders, 3) != 3)
		_exit(1);
	close_range(4, ~0u, 0);
	(void)!chdir("/");
	while (read(3, &id, sizeof id) == (ssize_t)sizeof id) {
		struct event_code c = {.kind = EVENT_TRACEPOINT, .type = 2, .config = id};

		(void)perf_open_raw(&c, 0, -1, OPEN_SELF);
	}
	_exit(0);
}

/* Starts the process. It is forked twice, so that hecate need not reap it. */
static void
start(struct keeper *keeper)
{
	int pair[2];
	pid_t pid;

	keeper->tried = true;
	if (pipe2(pair, O_CLOEXEC) != 0)
		return;
	pid = fork();
	if (pid == 0) {
		panic_set_hook(NULL);
		signal(SIGPIPE, SIG_IGN);
		if (fork() == 0) {
			close(pair[1]);
			keep(pair[0]);
		}
		_exit(0);
	}
	close(pair[0]);
	if (pid < 0) {
		close(pair[1]);
		return;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	keeper->orders = pair[1];
}

void
keeper_hold(struct keeper *k, uint64_t id)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->held[i] == id)
			return;
	if (!k->tried)
		start(k);
	if (k->orders < 0 || pipe_write(k->orders, &id, sizeof id) != (ssize_t)sizeof id)
		return;
	mem_grow(&k->held, &k->cap, k->n + 1, sizeof *k->held);
	k->held[k->n++] = id;
}
