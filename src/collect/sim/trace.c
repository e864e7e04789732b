#include "collect/sim/trace.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

#define CHUNK ((size_t)1 << 16)
#define RECORD_MAX ((size_t)64)    /* bytes of the longest record */
/* bytes of an access. The largest accesses of processors save their state: some thousand bytes */
#define SIZE_LIMIT 65536u
#define REACH ((uint64_t)1 << 48)
#define OTHER_MAX 65535u

struct sim_trace {
	int fd;
	size_t at, n;         /* position and bytes in the buffer */
	uint64_t line;        /* number of the next line, from 1 */
	uint64_t records;     /* number of records read */
	uint64_t other;       /* instructions since the last access that are not yet in a µop */
	bool fetched;         /* the last record was an instruction; an access that follows belongs to it */
	bool in_message;      /* the current line began before the buffer and is a message of valgrind */
	bool ended, failed;
	struct sim_uop store; /* store of a modification whose load has been returned */
	bool owes;
	struct err e;
	char buffer[CHUNK];
};

struct sim_trace *
sim_trace_new(int fd)
{
	struct sim_trace *t = mem_new(sizeof *t);

	t->fd = fd;
	t->line = 1;
	return t;
}

void
sim_trace_free(struct sim_trace *t)
{
	free(t);
}

static size_t
fail(struct sim_trace *t, struct err *e)
{
	t->failed = true;
	if (e)
		*e = t->e;
	return SIZE_MAX;
}

/* Reads more bytes. False at the end, and on errors. */
static bool
read_more(struct sim_trace *t)
{
	memmove(t->buffer, t->buffer + t->at, t->n - t->at);
	t->n -= t->at;
	t->at = 0;
	for (;;) {
		ssize_t got = read(t->fd, t->buffer + t->n, CHUNK - t->n);

		if (got > 0) {
			t->n += (size_t)got;
			return true;
		}
		if (got == 0) {
			t->ended = true;
			return false;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			poll(&(struct pollfd){.fd = t->fd, .events = POLLIN}, 1, -1);
		} else if (errno != EINTR) {
			t->failed = true;
			err_set(&t->e, "cannot read the trace: %s", strerror(errno));
			err_hint(&t->e, "give a file or pipe that can be read");
			return false;
		}
	}
}

static bool
broken(struct sim_trace *t, const char *line, size_t n, const char *why)
{
	err_set(&t->e, "line %llu of the trace, '%.*s', is not a record: %s", (unsigned long long)t->line,
		(int)(n < RECORD_MAX ? n : RECORD_MAX), line, why);
	return err_hint(&t->e, "records are printed by valgrind --tool=lackey --trace-mem=yes; send the program's own "
		"output elsewhere: --log-fd=9 9>&1 >/dev/null");
}

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9'    ? c - '0'
		: c >= 'a' && c <= 'f' ? c - 'a' + 10
		: c >= 'A' && c <= 'F' ? c - 'A' + 10
			: -1;
}

/* Reads "04032e70,4": an address and a size. False for anything else. */
static bool
read_place(const char *s, const char *end, uint64_t *at, uint64_t *size)
{
	const char *digits = s;

	*at = *size = 0;
	for (int d; s < end && s - digits < 16 && (d = hex_digit(*s)) >= 0; s++)
		*at = *at << 4 | (unsigned)d;
	if (s == digits || s == end || *s++ != ',')
		return false;
	digits = s;
	for (; s < end && s - digits < 6 && *s >= '0' && *s <= '9'; s++)
		*size = 10 * *size + (unsigned)(*s - '0');
	return s > digits && s == end;
}

static bool
is_message(const char *line, size_t n)
{
	return n >= 2 && line[0] == line[1] && (line[0] == '=' || line[0] == '-' || line[0] == '*');
}

/* Returns the access of a line: 'I', 'L', 'S' or 'M'. 0 and an error for anything else. */
static char
read_record(struct sim_trace *t, const char *line, size_t n, uint64_t *at, uint64_t *size)
{
	bool fetch = n > 3 && line[0] == 'I' && line[1] == ' ' && line[2] == ' ',
		data = n > 3 && line[0] == ' ' && strchr("LSM", line[1]) && line[1] && line[2] == ' ';

	if (!fetch && !data) {
		broken(t, line, n, "it must begin with 'I  ', ' L ', ' S ' or ' M '");
		return 0;
	}
	if (!read_place(line + 3, line + n, at, size)) {
		broken(t, line, n,
			t->ended && t->at + n == t->n ? "the trace ends inside it"
				: "ADDRESS,SIZE is expected, in hexadecimal and decimal digits");
		return 0;
	}
	if (*size == 0 || *size > SIZE_LIMIT) {
		broken(t, line, n, "no instruction accesses so many bytes");
		return 0;
	}
	if (data && (*at >= REACH || *size > REACH - *at)) {
		broken(t, line, n, "addresses of data must be below 2^48");
		return 0;
	}
	return fetch ? 'I' : line[1];
}

/* Counts an instruction until its access comes. False when the count is full: a SIM_FETCH must be returned first. */
static bool
count_instruction(struct sim_trace *t)
{
	t->other += t->fetched;
	t->fetched = true;
	return t->other < OTHER_MAX;
}

static struct sim_uop
flush_others(struct sim_trace *t)
{
	/* this instruction, and as many as were counted before it */
	struct sim_uop u = {.kind = SIM_FETCH, .other = (uint16_t)(t->other - 1), .size = 1};

	t->other = 0;
	return u;
}

static struct sim_uop
access_of(struct sim_trace *t, char what, uint64_t at, uint64_t size)
{
	struct sim_uop u = {.at = at, .size = (uint32_t)size, .kind = what == 'S' ? SIM_STORE : SIM_LOAD,
		.other = (uint16_t)t->other};

	t->other = 0;
	t->fetched = false;
	if (what == 'M') {
		t->store = u;
		t->store.kind = SIM_STORE;
		t->store.other = 0;
		t->owes = true;
	}
	return u;
}

/* Takes one line without its end. Returns 1: *out is set; 0: nothing to return; -1: the line is malformed. */
static int
take_line(struct sim_trace *t, const char *line, size_t n, struct sim_uop *out)
{
	uint64_t at, size;
	char what;

	if (n && line[n - 1] == '\r')
		n--;
	if (n == 0 || is_message(line, n))
		return 0;
	what = read_record(t, line, n, &at, &size);
	if (!what)
		return -1;
	t->records++;
	if (what != 'I')
		*out = access_of(t, what, at, size);
	else if (!count_instruction(t))
		*out = flush_others(t);
	else
		return 0;
	return 1;
}

/* Returns the next whole line, or the rest at the end. NULL: more must be read first. A message of valgrind may have
 * any length, and is dropped piece by piece. */
static const char *
next_line(struct sim_trace *t, size_t *n)
{
	char *line = t->buffer + t->at, *end = memchr(line, '\n', t->n - t->at);

	if (t->in_message && end) { /* end of the message */
		t->at = (size_t)(end + 1 - t->buffer);
		t->line++;
		t->in_message = false;
		line = end + 1;
		end = memchr(line, '\n', t->n - t->at);
	} else if (t->in_message) {
		t->at = t->n;
		return NULL;
	}
	if (end) {
		*n = (size_t)(end - line);
		return line;
	}
	*n = t->n - t->at;
	if (t->ended)
		return *n ? line : NULL;
	if (*n > RECORD_MAX && is_message(line, *n)) {
		t->in_message = true;
		t->at = t->n;
	}
	return *n > RECORD_MAX && !t->in_message ? line : NULL; /* too long for a record, wherever it ends */
}

/* Returns the instructions that no access followed, once, at the end. */
static size_t
finish(struct sim_trace *t, struct sim_uop *out, struct err *e)
{
	t->other += t->fetched;
	t->fetched = false;
	if (!t->records) {
		err_set(&t->e, "the trace has no record");
		err_hint(&t->e, "make one: valgrind --tool=lackey --trace-mem=yes --log-fd=9 PROGRAM 9>&1 >/dev/null");
		return fail(t, e);
	}
	if (!t->other)
		return 0;
	*out = flush_others(t);
	return 1;
}

size_t
sim_trace_fill(struct sim_trace *t, struct sim_uop *out, size_t n, struct err *e)
{
	size_t k = 0;

	while (k < n && !t->failed) {
		const char *line;
		size_t length;
		int took;

		if (t->owes) {
			out[k++] = t->store;
			t->owes = false;
			continue;
		}
		line = next_line(t, &length);
		if (!line && !t->ended && k) /* the caller already has µops, so this does not block */
			return k;
		if (!line && !t->ended) {
			read_more(t);
			continue;
		}
		if (!line) {
			return k ? k : finish(t, out, e);
		}
		took = take_line(t, line, length, &out[k]);
		t->failed = took < 0;
		k += took > 0;
		t->at += length;
		if (t->at < t->n) { /* end of the message */
			t->at++;
			t->line++;
		}
	}
	return k ? k : fail(t, e);
}
