#include "app/probe/prober.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/probe/probe_machine.h"
#include "app/wire.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/pipe.h"
#include "base/str.h"

#define PIECE 65536       /* bytes that are read at once */
#define MESSAGE_MOST 65536 /* bytes after a head; more means a broken stream */

/* Before each message. */
struct head {
	uint64_t size; /* bytes after the head */
};

struct prober {
	pid_t pid; /* -1: it was waited for */
	int fd;    /* -1: closed */
	unsigned char *in;
	size_t n, cap, at; /* bytes read, and how many of them were taken */
	bool stopped, ended;
};

static void
news_wire(struct wire *w, struct prober_news *x)
{
	int word = (int)x->word;

	wire_int(w, &word);
	w->bad |= word < 0 || word >= PROBER_WORDS;
	x->word = w->bad ? PROBER_ENDED : (enum prober_word)word;
	wire_size(w, &x->job);
	wire_size(w, &x->at);
	wire_double(w, &x->point.x);
	wire_double(w, &x->point.min);
	wire_double(w, &x->point.mean);
	wire_double(w, &x->point.max);
	wire_str(w, &x->text);
}

/* --- in the prober ----------------------------------------------------------------------------------------------- */

struct child {
	int fd;
	pid_t parent;
	size_t job;
	struct curve sent; /* the curve as it was sent */
};

/* Nobody reads any more: the prober ends. */
static void
say(struct child *c, const struct prober_news *news)
{
	struct prober_news x = *news;
	struct head head = {0};
	struct wire w = {0};

	wire_bytes(&w, &head, sizeof head);
	news_wire(&w, &x);
	head.size = w.n - sizeof head;
	memcpy(w.data, &head, sizeof head);
	for (size_t at = 0; at < w.n;) {
		ssize_t n = pipe_write(c->fd, w.data + at, w.n - at);

		if (n <= 0)
			_exit(1);
		at += (size_t)n;
	}
	wire_free(&w);
}

static void
say_text(struct child *c, enum prober_word word, const char *text)
{
	char *copy = mem_str(text);

	say(c, &(struct prober_news){.word = word, .job = c->job, .text = copy});
	free(copy);
}

static bool
same_point(const struct curve_point *a, const struct curve_point *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

static bool
hear(void *child, const struct curve *curve)
{
	struct child *c = child;

	for (size_t i = 0; i < curve->n; i++) {
		if (i < c->sent.n && same_point(&curve->point[i], &c->sent.point[i]))
			continue;
		say(c, &(struct prober_news){
			.word = PROBER_POINT, .job = c->job, .at = i, .point = curve->point[i]});
		if (i < c->sent.n)
			c->sent.point[i] = curve->point[i];
		else
			curve_add(&c->sent, &curve->point[i]);
	}
	return getppid() == c->parent;
}

static void
run_job(struct child *c, struct probe_machine *m, const struct probe *p)
{
	struct curve curve = {0};
	struct err e = {0};
	bool good = probe_machine_run(m, p, hear, c, &curve, &e);

	hear(c, &curve);
	for (size_t i = 0; i < curve.n_notes; i++)
		say_text(c, PROBER_NOTE, curve.note[i]);
	if (good)
		say(c, &(struct prober_news){.word = PROBER_DONE, .job = c->job});
	else
		say_text(c, PROBER_FAILED, e.what);
	curve_free(&curve);
	curve_free(&c->sent);
	c->sent = (struct curve){0};
}

/* Signals as a new process has them; the terminal is out of reach. */
static void
leave_parent(int fd)
{
	static const int theirs[] = {SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCHLD};
	int nowhere = open("/dev/null", O_RDWR);
	sigset_t none;

	panic_set_hook(NULL);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		signal(theirs[i], SIG_DFL);
	signal(SIGINT, SIG_IGN); /* Ctrl-C is for the parent */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "hecate-prober");
	for (int i = 0; i < 3; i++)
		dup2(nowhere, i);
	if (fd > 3)
		close_range(3, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
}

static _Noreturn void
run_jobs(int fd, pid_t parent, const struct prober_job *job, size_t n)
{
	struct child c = {.fd = fd, .parent = parent};
	struct probe_machine *m = NULL;
	const char *on = NULL;
	struct err e = {0};

	leave_parent(fd);
	for (; c.job < n; c.job++) {
		if (!on || !str_eq(on, job[c.job].on)) {
			probe_machine_free(m);
			e = (struct err){0};
			m = probe_machine_new(job[c.job].on, NULL, &e);
			on = job[c.job].on;
		}
		if (m && n > 1 && !probe_machine_takes(m, job[c.job].probe))
			continue; /* of many, those that suit the machine */
		say(&c, &(struct prober_news){.word = PROBER_BEGINS, .job = c.job});
		if (m)
			run_job(&c, m, job[c.job].probe);
		else
			say_text(&c, PROBER_FAILED, e.what);
	}
	say(&c, &(struct prober_news){.word = PROBER_ENDED});
	_exit(0);
}

/* --- in the process that started it ------------------------------------------------------------------------------ */

struct prober *
prober_start(const struct prober_job *job, size_t n, struct err *e)
{
	struct prober *p;
	pid_t self = getpid(), pid;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0) {
		err_set(e, "cannot start the process that measures: %s", strerror(errno));
		return NULL;
	}
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		run_jobs(fd[1], self, job, n);
	}
	close(fd[1]);
	if (pid < 0) {
		err_set(e, "cannot start the process that measures: %s", strerror(errno));
		close(fd[0]);
		return NULL;
	}
	fcntl(fd[0], F_SETFL, O_NONBLOCK);
	p = mem_new(sizeof *p);
	p->pid = pid;
	p->fd = fd[0];
	return p;
}

int
prober_fd(const struct prober *p)
{
	return p->fd;
}

int
prober_pid(const struct prober *p)
{
	return p->pid;
}

/* Waits for the process, and returns how it ended if that was not by itself; the caller frees. */
static char *
bury(struct prober *p)
{
	int status = 0;
	pid_t got;

	if (p->pid < 0)
		return NULL;
	kill(p->pid, SIGKILL); /* it has nothing more to say */
	while ((got = waitpid(p->pid, &status, 0)) < 0 && errno == EINTR)
		;
	p->pid = -1;
	if (p->stopped || p->ended || got < 0)
		return NULL;
	if (WIFSIGNALED(status))
		return str_format("the process that measures was killed by signal %d; what it had measured stands",
			WTERMSIG(status));
	return str_format("the process that measures ended with status %d; what it had measured stands",
		WEXITSTATUS(status));
}

/* Reads what has come. False: nobody writes any more. */
static bool
take_in(struct prober *p)
{
	ssize_t n;

	if (p->at) {
		memmove(p->in, p->in + p->at, p->n - p->at);
		p->n -= p->at;
		p->at = 0;
	}
	mem_grow(&p->in, &p->cap, p->n + PIECE, 1);
	do
		n = read(p->fd, p->in + p->n, PIECE);
	while (n < 0 && errno == EINTR);
	if (n > 0)
		p->n += (size_t)n;
	return n > 0 || (n < 0 && errno == EAGAIN);
}

/* Takes a whole message from what was read. *broken: it is none. */
static bool
take_message(struct prober *p, struct prober_news *x, bool *broken)
{
	struct head head;
	struct wire w = {.reading = true};
	size_t left = p->n - p->at;

	if (left < sizeof head)
		return false;
	memcpy(&head, p->in + p->at, sizeof head);
	*broken = head.size > MESSAGE_MOST;
	if (*broken || left < sizeof head + head.size)
		return false;
	w.data = p->in + p->at + sizeof head;
	w.n = head.size;
	news_wire(&w, x);
	p->at += sizeof head + head.size;
	*broken = w.bad;
	return true;
}

static bool
end(struct prober *p, struct prober_news *x)
{
	*x = (struct prober_news){.word = PROBER_ENDED, .text = bury(p)};
	close(p->fd);
	p->fd = -1;
	return true;
}

bool
prober_next(struct prober *p, struct prober_news *x)
{
	bool open = true, broken = false;

	*x = (struct prober_news){0};
	if (p->fd < 0)
		return false;
	if (!take_message(p, x, &broken) && !broken) {
		open = take_in(p);
		if (!take_message(p, x, &broken) && !broken)
			return !open && end(p, x);
	}
	if (!broken && x->word != PROBER_ENDED)
		return true;
	free(x->text);
	p->ended = !broken;
	return end(p, x);
}

void
prober_stop(struct prober *p)
{
	p->stopped = true;
	if (p->pid >= 0)
		kill(p->pid, SIGKILL);
}

void
prober_free(struct prober *p)
{
	if (!p)
		return;
	prober_stop(p);
	free(bury(p));
	if (p->fd >= 0)
		close(p->fd);
	free(p->in);
	free(p);
}
