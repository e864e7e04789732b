#include "sim/trace/lackey.h"

#include <string.h>

#include "base/err.h"

#define LINE_MAX_BYTES ((size_t)64) /* of the longest record */
/* bytes of an access. The largest accesses of processors save their state: some thousand bytes */
#define ACCESS_MAX 65536u
#define DATA_REACH ((uint64_t)1 << 48)

static int
broken_line(const struct sim_lackey *l, const char *line, size_t n, const char *why, struct err *e)
{
	err_set(e, "line %llu of the trace, '%.*s', is not a record: %s", (unsigned long long)l->lines + 1,
		(int)(n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES), line, why);
	err_hint(e, "records are printed by valgrind --tool=lackey --trace-mem=yes; send the program's own "
		"output elsewhere: --log-fd=9 9>&1 >/dev/null");
	return -1;
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

/* Reads a line without its end. `cut`: the trace ends with it. */
static int
lackey_read_line(const struct sim_lackey *lackey, const char *line, size_t n, bool cut, struct sim_lackey_record *out,
	struct err *e)
{
	bool fetch = n > 3 && line[0] == 'I' && line[1] == ' ' && line[2] == ' ',
		data = n > 3 && line[0] == ' ' && strchr("LSM", line[1]) && line[1] && line[2] == ' ';
	uint64_t size;

	if (!fetch && !data)
		return broken_line(lackey, line, n, "it must begin with 'I  ', ' L ', ' S ' or ' M '", e);
	if (!read_place(line + 3, line + n, &out->at, &size))
		return broken_line(lackey, line, n,
			cut ? "the trace ends inside it"
			    : "ADDRESS,SIZE is expected, in hexadecimal and decimal digits", e);
	if (size == 0 || size > ACCESS_MAX)
		return broken_line(lackey, line, n, "no instruction accesses so many bytes", e);
	if (data && (out->at >= DATA_REACH || size > DATA_REACH - out->at))
		return broken_line(lackey, line, n, "addresses of data must be below 2^48", e);
	out->size = (uint32_t)size;
	out->what = fetch ? 'I' : line[1];
	return 1;
}

/* Returns the next whole line, or the rest at the end. NULL: more must be read first. A message of valgrind may have
 * any length, and is dropped piece by piece. */
static const char *
lackey_next_line(struct sim_lackey *lackey, struct sim_input *in, size_t *n)
{
	const char *line = (const char *)in->at, *end = in->n ? memchr(line, '\n', in->n) : NULL;

	if (lackey->in_message) {
		sim_input_skip(in, end ? (size_t)(end + 1 - line) : in->n);
		lackey->lines += end != NULL;
		lackey->in_message = !end;
		if (!end)
			return NULL;
		line = (const char *)in->at;
		end = in->n ? memchr(line, '\n', in->n) : NULL;
	}
	*n = end ? (size_t)(end - line) : in->n;
	if (end)
		return line;
	if (in->ended)
		return *n ? line : NULL;
	if (*n > LINE_MAX_BYTES && is_message(line, *n)) {
		lackey->in_message = true;
		sim_input_skip(in, *n);
		return NULL;
	}
	return *n > LINE_MAX_BYTES ? line : NULL; /* too long for a record, wherever it ends */
}

int
sim_lackey_next(struct sim_lackey *lackey, struct sim_input *in, struct sim_lackey_record *out, struct err *e)
{
	const char *line;
	size_t n;

	while ((line = lackey_next_line(lackey, in, &n))) {
		bool cut = in->ended && n == in->n;
		size_t text = n && line[n - 1] == '\r' ? n - 1 : n;
		int got = text == 0 || is_message(line, text) ? 0 : lackey_read_line(lackey, line, text, cut, out, e);

		if (got < 0)
			return -1;
		sim_input_skip(in, n < in->n ? n + 1 : n);
		lackey->lines++;
		lackey->records += got > 0;
		if (got)
			return 1;
	}
	return 0;
}
