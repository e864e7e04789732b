#include "work/files/tracing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "collect/process/child.h"
#include "collect/source.h"
#include "sim/trace/gzip.h"
#include "sim/trace/op_trace.h"

#define OPS 4096
#define MESSAGE_MAX 32768       /* longer lines are written in pieces: only messages of valgrind are that long */
#define GATHERED 65536          /* bytes that are worth reading */
#define PIPE_BYTES (1 << 20)    /* of the pipe, as far as the user may have so much (pipe(7)) */
#define END_SECONDS 2.0         /* s that the command has for ending after SIGTERM */

struct tracer {
	const struct tracing *how;
	struct child *child;
	int pipe;                /* valgrind's output; -1: closed */
	struct sim_gzip *gzip;   /* NULL: plain text */
	struct child_end end;
	bool ended;              /* `end` is set */
	double signalled;        /* time of SIGTERM; 0: not sent */
	char *rest;              /* beginning of a line of which the end has not come */
	size_t n_rest;
};

static bool
tracing_write_text(struct tracer *tracer, const char *text, size_t n, struct err *e)
{
	if (tracer->gzip && sim_gzip_add(tracer->gzip, text, n))
		return true;
	for (size_t at = 0; !tracer->gzip;) {
		ssize_t wrote = at < n ? write(tracer->how->fd, text + at, n - at) : 0;

		if (at == n)
			return true;
		if (wrote < 0 && errno != EINTR)
			break;
		at += wrote > 0 ? (size_t)wrote : 0;
	}
	err_set(e, "cannot write the trace: %s", strerror(errno));
	return err_hint(
		e, "a trace takes about 20 bytes an instruction, and a tenth of that in a file that ends in .gz");
}

/* Ends the command if a signal wants that. False: it has had its time to end. */
static bool
obey_signals(struct tracer *t)
{
	if (!t->ended && t->signalled <= 0 && t->how->interrupted()) {
		child_signal(t->child, SIGTERM);
		t->signalled = clock_seconds();
	}
	return t->signalled <= 0 || clock_seconds() - t->signalled < END_SECONDS;
}

/* Waits for output or the end of the command. Returns false at the end: all its output has been read, or it does not
 * end in time. */
static bool
wait_output(struct tracer *tracer)
{
	while (obey_signals(tracer)) {
		struct pollfd fds[] = {{.fd = tracer->pipe, .events = POLLIN},
			{.fd = tracer->ended ? -1 : child_wait_fd(tracer->child), .events = POLLIN}};
		struct timespec patience = {.tv_nsec = tracer->ended ? 0 : 200000000};
		int ready = ppoll(fds, 2, &patience, tracer->how->during);

		if (ready > 0 && fds[0].revents)
			return true;
		if (tracer->ended)
			return false;
		if (ready > 0 && fds[1].revents)
			tracer->ended = child_poll(tracer->child, &tracer->end);
	}
	return false;
}

/* valgrind writes 1 KB at a time. Reading each at once would take longer than tracing. */
static void
let_gather(const struct tracer *t)
{
	int waiting = 0;

	if (!t->ended && ioctl(t->pipe, FIONREAD, &waiting) == 0 && waiting < GATHERED)
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

/* Reads whole lines, and writes them into the trace. */
static ssize_t
read_lines(void *ctx, void *to, size_t n, struct err *e)
{
	struct tracer *tracer = ctx;
	char *text = to, *end;
	size_t have = tracer->n_rest;

	memcpy(text, tracer->rest, have);
	tracer->n_rest = 0;
	for (;;) {
		bool some = wait_output(tracer);
		ssize_t got;

		if (some)
			let_gather(tracer);
		got = some ? read(tracer->pipe, text + have, n - have) : 0;
		if (got < 0 && errno != EINTR)
			return err_set(e, "cannot read what valgrind prints: %s", strerror(errno)), -1;
		if (got == 0)
			return 0; /* a line without its end is left out */
		have += got > 0 ? (size_t)got : 0;
		end = memrchr(text, '\n', have);
		if (end || have > MESSAGE_MAX)
			break;
	}
	n = end ? (size_t)(end + 1 - text) : have;
	tracer->n_rest = have - n;
	tracer->rest = mem_resize(tracer->rest, tracer->n_rest ? tracer->n_rest : 1, 1);
	memcpy(tracer->rest, text + n, tracer->n_rest);
	return tracing_write_text(tracer, text, n, e) ? (ssize_t)n : -1;
}

/* Starts valgrind. --basic-counts=no leaves out statistics that nobody reads. A child of the command that calls no
 * execve(2) would write into the same trace: it is silent. */
static bool
start_valgrind(struct tracer *tracer, int log, struct err *e)
{
	char log_fd[32];
	const char *const first[] = {"valgrind", "--tool=lackey", "--trace-mem=yes", "--basic-counts=no",
		"--child-silent-after-fork=yes", log_fd};
	size_t n_first = sizeof first / sizeof *first, n = 0;
	struct source_spec spec = {.out_fd = -1, .err_fd = -1};
	struct err why = {0};
	uint64_t at;
	char **argv;

	while (tracer->how->argv[n])
		n++;
	snprintf(log_fd, sizeof log_fd, "--log-fd=%d", log);
	argv = mem_new_array(n_first + n + 1, sizeof *argv);
	for (size_t i = 0; i < n_first; i++)
		argv[i] = mem_str(first[i]);
	for (size_t i = 0; i < n; i++)
		argv[n_first + i] = mem_str(tracer->how->argv[i]);
	spec.argv = argv;
	tracer->child = child_new(&spec, &why);
	if (!tracer->child || !child_start(tracer->child, &at, &why)) {
		err_set(e, "valgrind, which records the trace, cannot be run: %s", why.what);
		err_hint(e, "install it: apt-get install valgrind");
		child_free(tracer->child);
		tracer->child = NULL;
	}
	for (size_t i = 0; i < n_first + n; i++)
		free(argv[i]);
	free(argv);
	return tracer->child != NULL;
}

static bool
read_trace(struct tracer *tracer, struct traced *out, struct err *e)
{
	struct sim_stream *stream = sim_op_trace_from(read_lines, tracer, SIM_LACKEY);
	struct sim_op *op = mem_new_array(OPS, sizeof *op);
	struct sim_trace_facts facts;
	size_t got;

	do {
		got = sim_stream_fill(stream, op, OPS, e);
	} while (got > 0 && got < SIZE_MAX);
	facts = sim_op_trace_facts(stream);
	out->instructions = facts.instructions;
	out->taken = facts.taken;
	out->bytes = facts.bytes;
	sim_stream_free(stream);
	free(op);
	return got == 0;
}

/* Waits for the end of the command, of which the output has ended. */
static void
wait_end(struct tracer *t)
{
	while (!t->ended && obey_signals(t)) {
		struct pollfd fd = {.fd = child_wait_fd(t->child), .events = POLLIN};
		struct timespec patience = {.tv_nsec = 200000000};

		if (ppoll(&fd, 1, &patience, t->how->during) > 0)
			t->ended = child_poll(t->child, &t->end);
	}
}

static bool
finish_trace(struct tracer *tracer, struct traced *out, bool good, struct err *e)
{
	if (good && tracer->gzip && !sim_gzip_end(tracer->gzip))
		good = err_set(e, "cannot write the trace: %s", strerror(errno));
	if (good || !out->instructions)
		wait_end(tracer);
	out->ended = tracer->ended && tracer->end.known;
	out->status = tracer->end.status;
	out->cut = tracer->signalled > 0;
	if (good || out->instructions)
		return good;
	if (out->cut) {
		err_set(e, "a signal came before %s executed an instruction", tracer->how->argv[0]);
		err_hint(e, "the trace would be empty, so there is none");
	} else if (out->ended) {
		err_set(e, "%s left no trace: valgrind ended it, or could not run it", tracer->how->argv[0]);
		err_hint(e,
			"valgrind's own message is above; scripts and programs for the same architecture can be "
			"traced");
	}
	return false;
}

bool
tracing_run(const struct tracing *how, struct traced *out, struct err *e)
{
	struct tracer t = {.how = how, .pipe = -1, .rest = mem_new(1)};
	int ends[2] = {-1, -1};
	bool good;

	*out = (struct traced){0};
	if (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, 0) != 0) {
		good = err_set(e, "cannot make a pipe: %s", strerror(errno));
		goto out;
	}
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
	good = start_valgrind(&t, ends[1], e);
	close(ends[1]);
	ends[1] = -1;
	if (!good)
		goto out;
	t.pipe = ends[0];
	if (how->gzip)
		t.gzip = sim_gzip_new(how->fd);
	good = read_trace(&t, out, e);
	good = finish_trace(&t, out, good, e);
out:
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	child_free(t.child);
	sim_gzip_free(t.gzip);
	free(t.rest);
	return good;
}
