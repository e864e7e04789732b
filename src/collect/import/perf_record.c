#include "collect/import/perf_record.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"

void
perf_record_free(struct perf_record *r)
{
	str_free(&r->group);
	str_free(&r->event);
}

static bool
perf_record_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *
perf_line_end(const char *p, const char *end)
{
	const char *q = memchr(p, '\n', (size_t)(end - p));

	return q ? q : end;
}

const char *
perf_line_end_or_open(const char *p, const char *end, bool *open)
{
	const char *q = perf_line_end(p, end);

	*open = q == end;
	return q;
}

struct perf_span
perf_span_trim(struct perf_span s)
{
	while (s.n && isspace((unsigned char)*s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

bool
perf_span_is(struct perf_span s, const char *word)
{
	return strlen(word) == s.n && memcmp(s.p, word, s.n) == 0;
}

bool
perf_span_is_integer(struct perf_span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!perf_record_is_digit(s.p[i]))
			return false;
	return s.n > 0;
}

size_t
perf_span_integer(struct perf_span s)
{
	size_t v = 0;

	for (size_t i = 0; i < s.n && v < 1000000000; i++)
		v = v * 10 + (size_t)(s.p[i] - '0');
	return v;
}

bool
perf_span_has_letter(struct perf_span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (isalpha((unsigned char)s.p[i]) || (unsigned char)s.p[i] >= 0x80)
			return true;
	return false;
}

bool
perf_span_is_event(struct perf_span s)
{
	if (s.n == 0 || !(isalpha((unsigned char)*s.p) || *s.p == '_'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == '<' || s.p[i] == '"')
			return false;
	return true;
}

bool
perf_span_is_excuse(struct perf_span s, enum perf_state *state)
{
	if (s.n < 3 || *s.p != '<' || s.p[s.n - 1] != '>')
		return false;
	*state = perf_span_is(s, "<not supported>") ? PERF_NOT_SUPPORTED : PERF_NOT_COUNTED;
	return true;
}

/* Returns the length in bytes of a mark between digits at s[i], 0 for none: point, comma, apostrophes, and blanks. */
static size_t
mark_at(struct perf_span s, size_t i)
{
	static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};
	char c = s.p[i];

	if (c == '.' || c == ',' || c == '\'' || c == ' ')
		return 1;
	for (size_t k = 0; (unsigned char)c >= 0x80 && k < sizeof wide / sizeof *wide; k++) {
		size_t n = strlen(wide[k]);

		if (s.n - i >= n && memcmp(s.p + i, wide[k], n) == 0)
			return n;
	}
	return 0;
}

/* Returns the index of the decimal point, s.n without one. The point is the last mark, unless that groups digits.
 *
 * perf groups whole counts by three and prints 2, 6 or 9 decimals, never 3. So a mark followed by exactly three digits
 * groups, if the digits before it can be a group. */
static size_t
find_point(struct perf_span s, bool grouped)
{
	size_t last = s.n, marks = 0, digits = 0;

	for (size_t i = 0, n; i < s.n; i += n) {
		n = 1;
		if (perf_record_is_digit(s.p[i])) {
			digits++;
			continue;
		}
		n = mark_at(s, i);
		if (!n)
			break;
		last = i;
		marks++;
		digits = 0;
	}
	if (!marks || !grouped || digits != 3)
		return last;
	return s.p[0] == '0' && marks == 1 ? last : s.n;
}

/* Returns true when the groups before the point are well-formed: three digits in the last one, two (as in India) or
 * three in the others, any number in the first. */
static bool
groups_are_good(struct perf_span s, size_t point)
{
	size_t digits = 0, marks = 0;

	for (size_t i = 0, n; i < point; i += n) {
		n = perf_record_is_digit(s.p[i]) ? 0 : mark_at(s, i);
		if (n && (digits == 0 || digits > 3 || (marks && digits < 2)))
			return false;
		marks += n > 0;
		digits = n ? 0 : digits + 1;
		n = n ? n : 1;
	}
	return !marks || digits == 3;
}

/* Returns true when c may follow `before` in a mantissa or exponent: digits always may, a sign only at the beginning of
 * the exponent. */
static bool
may_follow(char before, char c)
{
	if (c == '+' || c == '-')
		return before == 'e' || before == 'E';
	return (c == 'e' || c == 'E') && perf_record_is_digit(before);
}

bool
perf_span_plain(struct perf_span s, bool grouped, char out[PERF_VALUE_MAX])
{
	size_t used = 0, point, n, digits = 0;

	s = perf_span_trim(s);
	if (s.n && (*s.p == '-' || *s.p == '+')) {
		out[used++] = *s.p++;
		s.n--;
	}
	point = find_point(s, grouped);
	for (size_t i = 0; i < s.n; i += n) {
		n = perf_record_is_digit(s.p[i]) ? 0 : mark_at(s, i);
		if (used >= PERF_VALUE_MAX - 2)
			return false;
		if (perf_record_is_digit(s.p[i]) || (digits && may_follow(out[used - 1], s.p[i]))) {
			digits += perf_record_is_digit(s.p[i]);
			out[used++] = s.p[i];
			n = 1;
		} else if (n == 1 && i == point && (s.p[i] == '.' || s.p[i] == ',')) {
			out[used++] = '.';
		} else if (!n || !grouped) {
			return false;
		}
	}
	out[used] = '\0';
	return digits > 0 && perf_record_is_digit(out[used - 1]) && (!grouped || groups_are_good(s, point));
}

bool
perf_span_number(struct perf_span s, double *out)
{
	char plain[PERF_VALUE_MAX];

	return perf_span_plain(s, false, plain) && str_to_double(plain, out);
}

void
perf_set_name(struct str *s, const char *p, size_t n)
{
	bool plain = true;

	str_clear(s);
	for (size_t i = 0; i < n && plain; i++)
		plain = (unsigned char)p[i] >= 0x20 && (unsigned char)p[i] < 0x7f;
	if (plain)
		str_addn(s, p, n);
	else
		utf8_add_visible(s, p, n);
}

void
perf_add_unit(struct str *event, struct perf_span unit)
{
	struct str name = {0};

	unit = perf_span_trim(unit);
	perf_set_name(&name, unit.p, unit.n);
	/* a unit is a word; anything else is no name that can be read again */
	if (name.n && !strpbrk(str_text(&name), " ()"))
		str_addf(event, " (%s)", str_text(&name));
	str_free(&name);
}
