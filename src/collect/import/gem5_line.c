#include "collect/import/gem5_stats.h"

#include <string.h>

#include "base/str.h"

bool
gem5_line_begins(const char *s, size_t n, const char *prefix)
{
	return n >= strlen(prefix) && memcmp(s, prefix, strlen(prefix)) == 0;
}

static size_t
word_end(const char *s, size_t n, size_t at)
{
	while (at < n && s[at] != ' ' && s[at] != '\t')
		at++;
	return at;
}

static size_t
blanks_end(const char *s, size_t n, size_t at)
{
	while (at < n && (s[at] == ' ' || s[at] == '\t'))
		at++;
	return at;
}

static bool
name_ends(const char *s, size_t n, const char *suffix)
{
	size_t m = strlen(suffix);

	return n > m && memcmp(s + n - m, suffix, m) == 0;
}

/* True for statistics that describe a distribution, or the simulator's host. They are no counts, even where they are
 * whole numbers. */
static bool
is_measure(const char *s, size_t n)
{
	static const char *const suffix[] = {"::mean", "::gmean", "::stdev", "::min_value", "::max_value",
		"::bucket_size", "::min_bucket", "::max_bucket"};

	for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++)
		if (name_ends(s, n, suffix[i]))
			return true;
	return gem5_line_begins(s, n, "host");
}

/* Returns true when the unit at the end of the description is a ratio: "((Count/Cycle))", "(Ratio)". */
static bool
is_ratio(const char *s, size_t n)
{
	return name_ends(s, n, "(Ratio)") || name_ends(s, n, "(Rate)") || (name_ends(s, n, "))") && memchr(s, '/', n));
}

/* Reads a non-negative whole number; otherwise returns why it is no count. */
static enum gem5_fault
gem5_line_read_value(const char *s, size_t n, int64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return GEM5_FAULT_NO_COUNT;
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, s[i] - '0', value))
			return GEM5_FAULT_HUGE;
	return GEM5_FAULT_NONE;
}

/* True for anything that gem5 prints as a number, nan and inf included. */
static bool
gem5_line_is_number(const char *s, size_t n)
{
	char word[64];
	double v;

	if (!n || n >= sizeof word)
		return false;
	memcpy(word, s, n);
	word[n] = '\0';
	return str_eq(word, "nan") || str_eq(word, "-nan") || str_eq(word, "inf") || str_eq(word, "-inf")
		|| str_to_double(word, &v) || strspn(word, "0123456789") == n;
}

bool
gem5_line_is_blank(const char *s, size_t n)
{
	return blanks_end(s, n, 0) == n;
}

enum gem5_line_kind
gem5_line_read(const char *s, size_t n, struct gem5_line *out)
{
	size_t name = word_end(s, n, 0), at = blanks_end(s, n, name), end = word_end(s, n, at);

	*out = (struct gem5_line){.name = name};
	if (at < n && s[at] == '|')
		return GEM5_LINE_VECTOR;
	if (!name || !gem5_line_is_number(s + at, end - at))
		return GEM5_LINE_BAD;
	out->fault = gem5_line_read_value(s + at, end - at, &out->value);
	out->whole = out->fault == GEM5_FAULT_NONE;
	if (is_measure(s, name) || is_ratio(s + end, n - end))
		out->fault = GEM5_FAULT_NO_COUNT;
	return GEM5_LINE_STATISTIC;
}
