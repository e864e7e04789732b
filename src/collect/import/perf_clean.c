/* A prefix counts only if every line has it, empty lines aside: then it is no part of what perf printed. The forms that
 * vary from line to line (time stamps) are described here; any other prefix must be the same text in all lines and end
 * like the name of a source: "web_1  | ", "job: ", "[pod] ". */
#include "collect/import/perf_clean.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/perf_record.h"

#define LINES_LEAST 2 /* fewer lines do not show that they share a prefix */

static size_t
skip_digits(const char *p, size_t n, size_t least, size_t most)
{
	size_t k = 0;

	while (k < n && k < most && isdigit((unsigned char)p[k]))
		k++;
	return k >= least ? k : 0;
}

/* Matches a shape: '9' one digit, '+' any number of digits, '~' a fraction that may be missing, other characters
 * themselves. Returns the number of bytes, 0 for no match. */
static size_t
match(const char *shape, const char *p, size_t n)
{
	size_t at = 0, k;

	for (; *shape; shape++) {
		if (*shape == '~') {
			k = at < n && (p[at] == '.' || p[at] == ',') ? skip_digits(p + at + 1, n - at - 1, 1, 12) : 0;
			at += k ? k + 1 : 0;
			continue;
		}
		if (*shape == '9' || *shape == '+') {
			k = skip_digits(p + at, n - at, 1, *shape == '9' ? 1 : 12);
			if (!k)
				return 0;
			at += k;
			continue;
		}
		if (at >= n || p[at] != *shape)
			return 0;
		at++;
	}
	return at;
}

/* Returns the bytes of a time stamp at the beginning of a line, with one blank after it; 0: none. */
static size_t
stamp(const char *p, size_t n)
{
	static const char *const shapes[] = {"9999-99-99T99:99:99~", "9999-99-99 99:99:99~", "9999/99/99 99:99:99~",
		"99:99:99~"};
	static const char *const zones[] = {"Z", "99:99", "9999", " UTC"};
	bool bracket = n && *p == '[';
	size_t at = bracket, k = 0;

	while (bracket && at < n && p[at] == ' ')
		at++;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !k; i++)
		k = match(shapes[i], p + at, n - at);
	for (size_t i = 0, more = 0; k && !more && i < sizeof zones / sizeof *zones; i++) {
		size_t sign = *zones[i] == '9' && at + k < n && (p[at + k] == '+' || p[at + k] == '-');

		more = sign || *zones[i] != '9' ? match(zones[i], p + at + k + sign, n - at - k - sign) : 0;
		k += more ? more + sign : 0;
	}
	if (!k && bracket && (k = match("+~", p + at, n - at)) && !memchr(p + at, '.', k))
		k = 0;
	if (!k)
		return 0;
	at += k;
	if (bracket && (at >= n || p[at++] != ']'))
		return 0;
	at += at < n && p[at] == ':';
	return at == n ? at : p[at] == ' ' || p[at] == '\t' ? at + 1 : 0;
}

static size_t
quotes(const char *p, size_t n)
{
	size_t at = 0, end = 0;

	for (; at < n && (p[at] == '>' || p[at] == ' '); at++)
		if (p[at] == '>')
			end = at + 1;
	return end && end < n && p[end] == ' ' ? end + 1 : end;
}

/* "#", "##", each with a blank after it or at the end of the line. */
static size_t
hashes(const char *p, size_t n)
{
	size_t at = 0;

	while (at < n && at < 3 && p[at] == '#')
		at++;
	return !at || (at < n && p[at] != ' ') ? 0 : at + (at < n);
}

/* Bytes of the line without blanks at its end. */
static size_t
trimmed(const char *p, const char *q)
{
	while (q > p && isspace((unsigned char)q[-1]))
		q--;
	return (size_t)(q - p);
}

static bool
has_letter(const char *p, size_t n)
{
	return perf_span_has_letter((struct perf_span){p, n});
}

/* Cuts the shared text to the longest prefix that ends like a name, or is a bar. */
static void
cut_same(char *same)
{
	size_t n = strcspn(same, "{\"<"); /* JSON, and words of perf in the place of a count */

	for (; n > 1; n--)
		if (same[n - 1] == ' ' && strchr("|:]>", same[n - 2]) &&
			(has_letter(same, n) || strspn(same, " |") == n))
			break;
	same[n > 1 ? n : 0] = '\0';
}

/* Finds the time of day in the first line's beginning: its digits differ from line to line. */
static void
find_clock(struct perf_clean *c, size_t n)
{
	for (size_t i = 0; i < n && c->clock_end == c->clock; i++) {
		size_t k = match("99:99:99~", c->same + i, n - i);

		if (k && (i == 0 || !isdigit((unsigned char)c->same[i - 1]))) {
			c->clock = i;
			c->clock_end = i + k;
		}
	}
}

/* Returns true when `ch` may stand at place i of the shared prefix. */
static bool
perf_clean_is_same(const struct perf_clean *c, size_t i, char ch)
{
	return ch == c->same[i] || (i >= c->clock && i < c->clock_end && isdigit((unsigned char)ch) &&
		isdigit((unsigned char)c->same[i]));
}

static bool
begins_same(const struct perf_clean *c, const char *p, size_t same)
{
	for (size_t i = 0; i < same; i++)
		if (!perf_clean_is_same(c, i, p[i]))
			return false;
	return true;
}

/* Recognises what stands before every line of the text. Returns true when something does. */
static bool
perf_clean_find(const char *text, size_t n, struct perf_clean *clean)
{
	const char *end = text + n, *q;
	size_t lines = 0, same = 0;

	*clean = (struct perf_clean){.quoted = true, .commented = true, .stamped = true};
	for (const char *p = text; p < end; p = q + 1) {
		size_t k;

		q = perf_line_end(p, end);
		k = trimmed(p, q);
		if (!k || (q == end && lines >= LINES_LEAST)) /* the last line may be cut */
			continue;
		if (lines++ == 0) {
			same = k < PERF_PREFIX_MOST ? k : PERF_PREFIX_MOST;
			memcpy(clean->same, p, same);
			find_clock(clean, same);
		}
		/* Only blanks of the prefix may be missing, at the end of an empty line. */
		for (size_t i = 0; i < same; i++)
			if (i < k ? !perf_clean_is_same(clean, i, p[i]) : clean->same[i] != ' ')
				same = i;
		clean->quoted &= quotes(p, k) > 0;
		clean->commented &= hashes(p, k) > 0;
		clean->stamped &= stamp(p, k) > 0;
		if (!clean->quoted && !clean->commented && !clean->stamped && !same)
			break;
	}
	clean->same[same] = '\0';
	cut_same(clean->same);
	if (lines < LINES_LEAST)
		*clean = (struct perf_clean){.quoted = false};
	if (strlen(clean->same) > clean->clock_end && clean->clock_end > clean->clock)
		clean->stamped = false; /* more than the time is the same: "2024-03-13 10:00:00 host job: " */
	if (clean->quoted || clean->commented || clean->stamped)
		clean->same[0] = '\0';
	return perf_clean_needed(clean);
}

bool
perf_clean_needed(const struct perf_clean *c)
{
	return c->quoted || c->commented || c->stamped || c->same[0];
}

static size_t
prefix(const struct perf_clean *clean, const char *p, size_t n)
{
	size_t same = strlen(clean->same);

	if (clean->stamped)
		return stamp(p, n);
	if (clean->quoted)
		return quotes(p, n);
	if (clean->commented)
		return hashes(p, n);
	if (same && n >= same && begins_same(clean, p, same))
		return same;
	return same && n < same && (has_letter(p, n) || begins_same(clean, p, n)) ? n : 0;
}

/* Returns the bytes of a terminal's escape sequence at p: colours and the like. */
static size_t
escape(const char *p, size_t n)
{
	size_t at = 2;

	if (n < 2)
		return n;
	if (p[1] == ']') { /* a title, up to BEL */
		while (at < n && p[at] != '\a' && p[at] != '\033')
			at++;
		return at < n && p[at] == '\a' ? at + 1 : at;
	}
	if (p[1] != '[')
		return p[1] == '(' && n > 2 ? 3 : 2;
	while (at < n && (p[at] < '@' || p[at] > '~'))
		at++;
	return at < n ? at + 1 : n;
}

void
perf_clean_line(const struct perf_clean *clean, const char *line, size_t n, struct str *out)
{
	size_t from = out->n, skip;

	for (size_t i = 0, k; i < n; i += k) {
		const char *next = memchr(line + i, '\033', n - i);

		k = next ? (size_t)(next - line) - i : n - i;
		str_addn(out, line + i, k);
		if (next)
			k += escape(next, n - i - k);
	}
	skip = out->n > from ? prefix(clean, out->s + from, out->n - from) : 0;
	if (skip) {
		memmove(out->s + from, out->s + from + skip, out->n - from - skip + 1);
		out->n -= skip;
	}
}

char *
perf_clean_text(const char *text, size_t n, struct perf_clean *clean, size_t *cleaned)
{
	const char *end = text + n, *q;
	struct str out = {0};

	if (!perf_clean_find(text, n, clean) && !memchr(text, '\033', n))
		return NULL;
	for (const char *p = text; p < end; p = q + 1) {
		q = perf_line_end(p, end);
		perf_clean_line(clean, p, (size_t)(q - p), &out);
		if (q < end)
			str_addc(&out, '\n');
	}
	*cleaned = out.n;
	return str_take(&out);
}
