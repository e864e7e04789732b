#include "work/side_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/journal.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/pipe.h"
#include "base/str.h"
#include "shape/wire.h"

#define PIECE 65536        /* bytes that are read at once */
#define MESSAGE_MOST 65536 /* bytes after a head; more means a broken stream */

/* Before each message. Without bytes after it: the work is done. */
struct head {
	uint64_t size; /* bytes after the head */
};

struct side_process {
	char *name;
	pid_t pid; /* -1: it was waited for */
	int fd;    /* -1: closed */
	unsigned char *in;
	size_t n, cap, at; /* bytes read, and how many of them were taken */
	bool stopped, done;
};

struct side_sender {
	int fd;
	pid_t parent;
};

/* --- in the other process ---------------------------------------------------------------------------------------- */

static bool
side_process_write_all(int fd, const void *data, size_t n)
{
	for (size_t at = 0; at < n;) {
		ssize_t k = pipe_write(fd, (const unsigned char *)data + at, n - at);

		if (k <= 0)
			return false;
		at += (size_t)k;
	}
	return true;
}

static bool
write_message(int fd, const struct wire *w)
{
	struct head head = {.size = w->n};

	return side_process_write_all(fd, &head, sizeof head) && side_process_write_all(fd, w->data, w->n);
}

void
side_send(struct side_sender *s, const struct wire *w)
{
	if (!write_message(s->fd, w))
		_exit(1);
}

static bool
read_all(int fd, void *data, size_t n)
{
	for (size_t at = 0; at < n;) {
		ssize_t k = read(fd, (unsigned char *)data + at, n - at);

		if (k == 0 || (k < 0 && errno != EINTR))
			return false;
		at += k > 0 ? (size_t)k : 0;
	}
	return true;
}

bool
side_hear(struct side_sender *s, struct wire *message)
{
	struct head head;

	wire_free(message);
	if (!read_all(s->fd, &head, sizeof head) || head.size > MESSAGE_MOST)
		return false;
	*message = (struct wire){.reading = true, .data = mem_new(head.size + 1), .n = head.size};
	return read_all(s->fd, message->data, head.size);
}

bool
side_is_awaited(const struct side_sender *s)
{
	return getppid() == s->parent;
}

/* Signals as a new process has them; the terminal is out of reach. */
static void
leave_parent(const char *name, int fd)
{
	static const int theirs[] = {SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCHLD};
	int nowhere = open("/dev/null", O_RDWR);
	sigset_t none;

	panic_set_hook(NULL);
	caps_drop_files(); /* the prober counts */
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		signal(theirs[i], SIG_DFL);
	signal(SIGINT, SIG_IGN); /* Ctrl-C is for the parent */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	for (int i = 0; i < 3; i++)
		dup2(nowhere, i);
	if (fd > 3)
		close_range(3, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
}

/* --- in the process that started it ------------------------------------------------------------------------------ */

struct side_process *
side_process_start(const char *name, side_work *work, void *ctx, struct err *e)
{
	struct side_sender sender = {.parent = getpid()};
	struct side_process *process;
	pid_t pid;
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) {
		err_set(e, "cannot start the process %s: %s", name, strerror(errno));
		return NULL;
	}
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		leave_parent(name, fd[1]);
		sender.fd = fd[1];
		work(&sender, ctx);
		side_send(&sender, &(struct wire){0});
		_exit(0);
	}
	close(fd[1]);
	if (pid < 0) {
		err_set(e, "cannot start the process %s: %s", name, strerror(errno));
		close(fd[0]);
		return NULL;
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	process = mem_new(sizeof *process);
	process->name = mem_str(name);
	process->pid = pid;
	process->fd = fd[0];
	journal_line("process", "%s starts as %d", name, (int)pid);
	return process;
}

bool
side_process_ask(struct side_process *p, const struct wire *w)
{
	return p->fd >= 0 && write_message(p->fd, w);
}

int
side_process_fd(const struct side_process *p)
{
	return p->fd;
}

int
side_process_pid(const struct side_process *p)
{
	return p->pid;
}

/* Waits for the process, and returns how it ended if that was not by itself; the caller frees. */
static char *
bury(struct side_process *process)
{
	int status = 0;
	pid_t got;

	if (process->pid < 0)
		return NULL;
	kill(process->pid, SIGKILL); /* it has nothing more to say */
	while ((got = waitpid(process->pid, &status, 0)) < 0 && errno == EINTR)
		;
	journal_line("process", "%s %d ended with wait status %d", process->name, (int)process->pid, status);
	process->pid = -1;
	if (process->stopped || process->done || got < 0)
		return NULL;
	if (WIFSIGNALED(status))
		return str_format("the process %s was killed by signal %d", process->name, WTERMSIG(status));
	return str_format("the process %s ended with status %d", process->name, WEXITSTATUS(status));
}

/* Reads what has come. False: nobody writes any more. */
static bool
side_process_take_in(struct side_process *process)
{
	ssize_t n;

	if (process->at) {
		memmove(process->in, process->in + process->at, process->n - process->at);
		process->n -= process->at;
		process->at = 0;
	}
	mem_grow(&process->in, &process->cap, process->n + PIECE, 1);
	do
		n = read(process->fd, process->in + process->n, PIECE);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		process->n += (size_t)n;
	return n > 0 || (n < 0 && errno == EAGAIN);
}

/* Takes a whole message from what was read. *broken: it is none. */
static bool
take_message(struct side_process *process, struct wire *wire, bool *broken)
{
	struct head head;
	size_t left = process->n - process->at;

	if (left < sizeof head)
		return false;
	memcpy(&head, process->in + process->at, sizeof head);
	*broken = head.size > MESSAGE_MOST;
	if (*broken || left < sizeof head + head.size)
		return false;
	*wire = (struct wire){.reading = true, .data = process->in + process->at + sizeof head, .n = head.size};
	process->at += sizeof head + head.size;
	return true;
}

static enum side_news
side_process_end(struct side_process *p, char **died)
{
	*died = bury(p);
	close(p->fd);
	p->fd = -1;
	return SIDE_ENDED;
}

enum side_news
side_process_next(struct side_process *process, struct wire *wire, char **died)
{
	bool open = true, broken = false, got;

	*died = NULL;
	if (process->fd < 0)
		return SIDE_NOTHING;
	got = take_message(process, wire, &broken);
	if (!got && !broken) {
		open = side_process_take_in(process);
		got = take_message(process, wire, &broken);
	}
	process->done = got && wire->n == 0;
	if (got && !process->done)
		return SIDE_MESSAGE;
	return process->done || broken || !open ? side_process_end(process, died) : SIDE_NOTHING;
}

void
side_process_break(struct side_process *p, char **died)
{
	*died = NULL;
	if (p->fd >= 0)
		side_process_end(p, died);
}

enum side_news
side_process_take(struct side_process *process, bool (*take)(void *ctx, struct wire *message), void *ctx, char **died)
{
	enum side_news news = SIDE_NOTHING, next;
	struct wire w;

	while ((next = side_process_next(process, &w, died)) == SIDE_MESSAGE) {
		news = SIDE_MESSAGE;
		if (!take(ctx, &w)) {
			side_process_break(process, died);
			return SIDE_ENDED;
		}
	}
	return next == SIDE_ENDED ? SIDE_ENDED : news;
}

void
side_process_stop(struct side_process *p)
{
	p->stopped = true;
	if (p->pid >= 0)
		kill(p->pid, SIGKILL);
}

void
side_process_free(struct side_process *p)
{
	if (!p)
		return;
	side_process_stop(p);
	free(bury(p));
	if (p->fd >= 0)
		close(p->fd);
	free(p->in);
	free(p->name);
	free(p);
}
