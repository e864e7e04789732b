/* Counts by a program that runs the command and prints what it executes: valgrind or qemu-user. */
#include "collect/workload/instrument.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/process/child.h"
#include "collect/source.h"
#include "collect/workload/instrument_lines.h"

#define PIPE_BYTES (1 << 20) /* as far as the user may have so much (pipe(7)) */
#define BUFFER 65536
#define ARGS_MAX 16
#define END_SECONDS 2.0      /* that the command has for ending after SIGTERM */

struct tool {
	const struct instrument_request *how;
	struct child *child;
	struct child_end end;
	bool ended;
	int pipe;
	double until, signalled; /* 0: none */
	struct instrument_lines *lines;
};

static const char *
package_of(enum instrument_method m)
{
	return m == INSTRUMENT_QEMU ? "qemu-user" : "valgrind";
}

/* The emulator for a program, NULL if there is none. Foreign programs run, too. */
static const char *
emulator_of(const struct instrument_file *file)
{
	switch (file->machine) {
	case EM_386:
		return "qemu-i386";
	case EM_X86_64:
		return "qemu-x86_64";
	case EM_AARCH64:
		return "qemu-aarch64";
	case EM_RISCV:
		return file->bits == 32 ? "qemu-riscv32" : "qemu-riscv64";
	}
	return NULL;
}

static enum instrument_code
code_of(const struct instrument_file *f)
{
	if (f->machine == EM_X86_64)
		return INSTRUMENT_CODE_X86_64;
	return f->machine == EM_386 ? INSTRUMENT_CODE_X86 : INSTRUMENT_CODE_OTHER;
}

/* The arguments before the command; the command itself is `path`. A child that calls no execve(2) is silent. */
static size_t
first_arguments(enum instrument_method m, const struct instrument_file *file, int log, char *to[ARGS_MAX])
{
	size_t n = 0;

	if (m == INSTRUMENT_QEMU) {
		to[n++] = mem_str(emulator_of(file));
		/* the model with all that qemu emulates: the plainest one lacks what programs are compiled for */
		for (const char *const *a = (const char *const[]){"-cpu", "max", "-singlestep", "-d",
			"nochain,exec,in_asm", "-D", NULL}; *a; a++)
			to[n++] = mem_str(*a);
		to[n++] = str_format("/dev/fd/%d", log);
		return n;
	}
	to[n++] = mem_str("valgrind");
	for (const char *const *a = (const char *const[]){"--tool=lackey", "--trace-mem=yes", "--basic-counts=no",
		"--vex-guest-chase=no", "--child-silent-after-fork=yes", NULL}; *a; a++)
		to[n++] = mem_str(*a);
	to[n++] = str_format("--log-fd=%d", log);
	return n;
}

static bool
start_tool(struct tool *tool, enum instrument_method m, const struct instrument_file *file, const char *path, int log,
	struct err *e)
{
	struct source_spec spec = {.out_fd = open("/dev/null", O_WRONLY | O_CLOEXEC), .err_fd = -1, .no_input = true,
		.own_group = true};
	char *first[ARGS_MAX], **argv;
	struct err why = {0};
	size_t n_first = first_arguments(m, file, log, first), n = 0;
	uint64_t at;

	while (tool->how->argv[n])
		n++;
	argv = mem_new_array(n_first + n + 1, sizeof *argv);
	memcpy(argv, first, n_first * sizeof *argv);
	argv[n_first] = mem_str(path);
	for (size_t i = 1; i < n; i++)
		argv[n_first + i] = mem_str(tool->how->argv[i]);
	spec.argv = argv;
	tool->child = child_new(&spec, &why);
	if (!tool->child || !child_start(tool->child, &at, &why)) {
		err_set(e, "%s, which counts what the command executes, cannot be run: %s", argv[0], why.what);
		err_hint(e, "install it: apt-get install %s", package_of(m));
		child_free(tool->child);
		tool->child = NULL;
	}
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	free(argv);
	if (spec.out_fd >= 0)
		close(spec.out_fd);
	return tool->child != NULL;
}

/* Ends the command when a signal or the time wants that. False: it has had its time to end. */
static bool
obey(struct tool *t, struct instrument_result *out)
{
	if (!t->ended && t->signalled <= 0 &&
		(t->how->interrupted() || (t->until > 0 && clock_seconds() > t->until))) {
		child_signal(t->child, SIGTERM);
		t->signalled = clock_seconds();
		out->cut = true;
	}
	return t->signalled <= 0 || clock_seconds() - t->signalled < END_SECONDS;
}

/* Waits for output. Returns false at the end: all has been read, or the command does not end in time. */
static bool
wait_output(struct tool *tool, struct instrument_result *out)
{
	while (obey(tool, out)) {
		struct pollfd fds[] = {{.fd = tool->pipe, .events = POLLIN},
			{.fd = tool->ended ? -1 : child_wait_fd(tool->child), .events = POLLIN}};
		struct timespec patience = {.tv_nsec = tool->ended ? 0 : 200000000};
		int ready = ppoll(fds, 2, &patience, tool->how->during);

		if (ready > 0 && fds[0].revents & POLLIN)
			return true;
		if (tool->ended)
			return false;
		if (ready > 0 && fds[1].revents)
			tool->ended = child_poll(tool->child, &tool->end);
		else if (ready > 0) /* the pipe is closed, and the command goes on to its end */
			poll(&fds[1], 1, 200);
	}
	return false;
}

/* Hands whole lines to the counter; the rest is for the next time. */
static size_t
take_lines(struct tool *tool, char *text, size_t n)
{
	char *from = text, *end;

	while ((end = memchr(from, '\n', (size_t)(text + n - from)))) {
		instrument_lines_take(tool->lines, from, (size_t)(end - from));
		from = end + 1;
	}
	n = (size_t)(text + n - from);
	if (n == BUFFER) { /* a line that is longer than all that counts */
		instrument_lines_take(tool->lines, from, n);
		return 0;
	}
	memmove(text, from, n);
	return n;
}

static bool
read_all_lines(struct tool *tool, struct instrument_result *out, struct err *e)
{
	char *text = mem_new(BUFFER);
	size_t have = 0;
	bool good = true;

	while (good && wait_output(tool, out)) {
		ssize_t got = read(tool->pipe, text + have, BUFFER - have);

		if (got < 0 && errno != EINTR)
			good = err_set(e, "cannot read what the tool prints: %s", strerror(errno));
		if (got == 0)
			break;
		have = take_lines(tool, text, have + (got > 0 ? (size_t)got : 0));
	}
	free(text);
	while (good && !tool->ended && obey(tool, out)) {
		struct pollfd fd = {.fd = child_wait_fd(tool->child), .events = POLLIN};

		if (ppoll(&fd, 1, &(struct timespec){.tv_nsec = 200000000}, tool->how->during) > 0)
			tool->ended = child_poll(tool->child, &tool->end);
	}
	return good;
}

/* The tool printed no count. Its own last message tells why, as a rule. */
static bool
explain_nothing(const struct tool *tool, enum instrument_method m, const struct instrument_result *out, struct err *e)
{
	const char *name = instrument_method_name(m), *said = instrument_lines_messages(tool->lines);

	if (*out->unknown) {
		err_set(e, "valgrind cannot execute an instruction of %s (bytes %s)", tool->how->argv[0], out->unknown);
		return err_hint(e, "valgrind has no AVX-512, for instance; other methods count the program");
	}
	if (out->cut)
		return err_set(e, "%s was ended before %s had a count", tool->how->argv[0], name);
	err_set(e, "%s has no count of %s%s%.300s", name, tool->how->argv[0], *said ? ": " : "", said);
	for (char *c = e->what + strlen(e->what); c > e->what && c[-1] == '\n'; c--)
		c[-1] = '\0';
	return err_hint(e, "run it alone to see why: %s %s", m == INSTRUMENT_QEMU ? "qemu-x86_64" : "valgrind "
		"--tool=none", tool->how->argv[0]);
}

static bool
check_file(enum instrument_method m, const struct instrument_request *how, struct instrument_file *file, char **path,
	struct err *e)
{
	*path = instrument_find(how->argv[0], e);
	if (!*path || !instrument_look(*path, file, e))
		return false;
	if (m != INSTRUMENT_QEMU || emulator_of(file))
		return true;
	if (file->elf)
		return err_set(e, "%s is for a processor that hecate knows no qemu of", *path);
	err_set(e, "%s is a script, and qemu-user runs programs only", *path);
	return err_hint(e, "name the interpreter before it, for instance: /bin/sh %s", *path);
}

bool
instrument_tool(enum instrument_method m, const struct instrument_request *how, struct instrument_result *out,
	struct err *e)
{
	struct tool t = {.how = how, .pipe = -1};
	struct instrument_file file = {0};
	int ends[2] = {-1, -1};
	char *path = NULL;
	bool good = check_file(m, how, &file, &path, e);

	if (good && (pipe2(ends, O_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, 0) != 0))
		good = err_set(e, "cannot make a pipe: %s", strerror(errno));
	if (good) {
		fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
		t.lines = instrument_lines_new(m, code_of(&file));
		t.until = how->seconds > 0 ? clock_seconds() + how->seconds : 0;
		good = start_tool(&t, m, &file, path, ends[1], e);
		close(ends[1]);
		ends[1] = -1;
	}
	t.pipe = ends[0];
	if (good)
		good = read_all_lines(&t, out, e);
	if (good) {
		instrument_lines_result(t.lines, out);
		out->ended = t.ended && t.end.known;
		out->status = t.end.status;
		if (m == INSTRUMENT_QEMU && out->ended && WIFSIGNALED(out->status) && WTERMSIG(out->status) == SIGILL)
			snprintf(out->unknown, sizeof out->unknown, "SIGILL");
		good = out->count[INSTRUMENT_INSTRUCTIONS].known || explain_nothing(&t, m, out, e);
	}
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	child_free(t.child);
	instrument_lines_free(t.lines);
	free(path);
	return good;
}
