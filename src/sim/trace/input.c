#include "sim/trace/input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "sim/trace/gzip.h"

#define INPUT_ROOM (4 * SIM_INPUT_REACH)
#define INPUT_RAW ((size_t)1 << 16)

struct input {
	struct sim_input to;
	int fd;
	bool known;             /* it is known whether the data are compressed */
	bool failed;
	struct sim_gunzip *gunzip; /* NULL: plain data */
	size_t raw_at, raw_n;   /* bytes that were read and not yet uncompressed */
	sim_trace_read *read;
	void *ctx;
	uint8_t raw[INPUT_RAW], window[INPUT_ROOM];
};

/* Reads once from the descriptor. */
static ssize_t
input_read_descriptor(void *ctx, void *to, size_t n, struct err *e)
{
	const struct input *in = ctx;

	for (;;) {
		ssize_t got = read(in->fd, to, n);

		if (got >= 0)
			return got;
		if (errno == EAGAIN || errno == EWOULDBLOCK) {
			poll(&(struct pollfd){.fd = in->fd, .events = POLLIN}, 1, -1);
		} else if (errno != EINTR) {
			err_set(e, "cannot read the trace: %s", strerror(errno));
			err_hint(e, "give a file or pipe that can be read");
			return -1;
		}
	}
}

struct sim_input *
sim_input_from(sim_trace_read *read_from, void *ctx)
{
	struct input *in = mem_new(sizeof *in);

	in->read = read_from;
	in->ctx = ctx;
	in->to.at = in->window;
	return &in->to;
}

struct sim_input *
sim_input_new(int fd)
{
	struct sim_input *in = sim_input_from(input_read_descriptor, NULL);

	((struct input *)in)->fd = fd;
	((struct input *)in)->ctx = in;
	return in;
}

void
sim_input_free(struct sim_input *to)
{
	struct input *in = (struct input *)to;

	if (!in)
		return;
	sim_gunzip_free(in->gunzip);
	free(in);
}

/* Reads two bytes at least: these show whether the data are compressed. */
static bool
find_kind(struct input *in, struct err *e)
{
	while (in->raw_n < 2) {
		ssize_t got = in->read(in->ctx, in->raw + in->raw_n, INPUT_RAW - in->raw_n, e);

		if (got < 0)
			return false;
		if (got == 0)
			break;
		in->raw_n += (size_t)got;
	}
	in->known = true;
	if (sim_is_gzip(in->raw, in->raw_n))
		in->gunzip = sim_gunzip_new();
	return true;
}

/* Returns the number of plain bytes added, 0 at the end, −1 and *e on failure. */
static ssize_t
add_plain(struct input *in, uint8_t *to, size_t room, struct err *e)
{
	size_t first = in->raw_n;

	if (!first)
		return in->read(in->ctx, to, room, e);
	memcpy(to, in->raw, first);
	in->raw_n = 0;
	return (ssize_t)first;
}

static ssize_t
add_uncompressed(struct input *in, uint8_t *to, size_t room, struct err *e)
{
	for (;;) {
		size_t used, made;
		ssize_t got;

		made = sim_gunzip_step(in->gunzip, in->raw + in->raw_at, in->raw_n - in->raw_at, &used, to, room, e);
		if (made == SIZE_MAX)
			return -1;
		in->raw_at += used;
		if (made)
			return (ssize_t)made;
		if (in->raw_at < in->raw_n && used)
			continue;
		got = in->read(in->ctx, in->raw, INPUT_RAW, e);
		if (got <= 0)
			return got < 0 || !sim_gunzip_may_end(in->gunzip, e) ? -1 : 0;
		in->raw_at = 0;
		in->raw_n = (size_t)got;
	}
}

bool
sim_input_more(struct sim_input *to, struct err *e)
{
	struct input *in = (struct input *)to;
	uint8_t *end;
	ssize_t got;

	if (to->ended || in->failed)
		return false;
	memmove(in->window, to->at, to->n);
	to->at = in->window;
	end = in->window + to->n;
	if (!in->known && !find_kind(in, e))
		got = -1;
	else
		got = (in->gunzip ? add_uncompressed : add_plain)(in, end, INPUT_ROOM - to->n, e);
	in->failed = got < 0;
	to->ended = got == 0;
	to->n += got > 0 ? (size_t)got : 0;
	return got > 0;
}

#define TAR_MARK 257 /* where the first header of an archive names its format */

/* Sources: the formats' descriptions (xz-file-format.txt 2.1.1.1, RFC 8878 3.1.1, bzip2's format, lz4's frame format,
 * APPNOTE.TXT 4.3.7, elf(5), perf.data-file-format.txt, tar(5)). */
static const struct input_magic {
	const char *bytes;
	size_t n;
	const char *kind, *program;
	size_t at;
} input_magics[] = {
	{"\xfd" "7zXZ", 6, "xz", "xz -dc", 0},
	{"\x28\xb5\x2f\xfd", 4, "zstd", "zstd -dc", 0},
	{"BZh", 3, "bzip2", "bzip2 -dc", 0},
	{"\x04\x22\x4d\x18", 4, "lz4", "lz4 -dc", 0},
	{"PK\x03\x04", 4, "zip", "unzip -p", 0},
	{"\x7f" "ELF", 4, "an ELF program or library", NULL, 0},
	{"PERFILE2", 8, "data of perf record", NULL, 0},
	{"ustar", 5, "an archive (tar)", "tar -xOf", TAR_MARK},
};

const char *
sim_input_kind(const uint8_t *bytes, size_t n, const char **program)
{
	for (size_t i = 0; i < sizeof input_magics / sizeof *input_magics; i++) {
		const struct input_magic *m = &input_magics[i];

		if (n >= m->at + m->n && memcmp(bytes + m->at, m->bytes, m->n) == 0) {
			*program = m->program;
			return m->kind;
		}
	}
	return NULL;
}
