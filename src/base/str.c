#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/panic.h"

void
str_free(struct str *t)
{
	free(t->s);
	*t = (struct str){0};
}

void
str_clear(struct str *t)
{
	t->n = 0;
	if (t->s)
		t->s[0] = '\0';
}

void
str_addn(struct str *t, const char *s, size_t n)
{
	if (t->n + n >= t->cap)
		mem_grow(&t->s, &t->cap, t->n + n + 1, 1);
	if (n)
		memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
}

char *
str_room(struct str *t, size_t n)
{
	mem_grow(&t->s, &t->cap, t->n + n + 1, 1);
	return t->s + t->n;
}

void
str_grown(struct str *t, size_t n)
{
	t->n += n;
	t->s[t->n] = '\0';
}

void
str_add(struct str *t, const char *s)
{
	str_addn(t, s, strlen(s));
}

void
str_addc(struct str *t, char c)
{
	if (t->n + 1 >= t->cap)
		mem_grow(&t->s, &t->cap, t->n + 2, 1);
	t->s[t->n++] = c;
	t->s[t->n] = '\0';
}

void
str_addv(struct str *str, const char *fmt, va_list ap)
{
	char short_text[128];
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(short_text, sizeof short_text, fmt, ap);
	if (n < 0)
		panic("a format could not be printed: %s", fmt);
	if ((size_t)n < sizeof short_text) {
		str_addn(str, short_text, (size_t)n);
	} else {
		vsnprintf(str_room(str, (size_t)n), (size_t)n + 1, fmt, again);
		str->n += (size_t)n;
	}
	va_end(again);
}

void
str_addf(struct str *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_addv(t, fmt, ap);
	va_end(ap);
}

const char *
str_text(const struct str *t)
{
	return t->s ? t->s : "";
}

char *
str_take(struct str *t)
{
	char *s = t->s ? t->s : mem_str("");

	*t = (struct str){0};
	return s;
}

char *
str_format(const char *fmt, ...)
{
	struct str t = {0};
	va_list ap;

	va_start(ap, fmt);
	str_addv(&t, fmt, ap);
	va_end(ap);
	return str_take(&t);
}

bool
str_eq(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

bool
str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool
str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && strcmp(s + n - m, suffix) == 0;
}

bool
str_to_u64(const char *s, uint64_t *out)
{
	uint64_t v = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return false;
		if (__builtin_mul_overflow(v, (uint64_t)10, &v) || __builtin_add_overflow(v, (uint64_t)(*s - '0'), &v))
			return false;
	}
	*out = v;
	return true;
}

bool
str_to_i64(const char *s, int64_t *out)
{
	bool minus = *s == '-';
	uint64_t v, top = (uint64_t)INT64_MAX + (minus ? 1 : 0);

	if (!str_to_u64(s + minus, &v) || v > top)
		return false;
	*out = minus ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

bool
str_to_double(const char *s, double *out)
{
	const char *p = s;
	char *end;
	double v;
	size_t digits = 0;

	/* strtod() also takes hexadecimal, inf, nan and blanks. Here a number is what a user would type. */
	p += *p == '-' || *p == '+';
	for (; (*p >= '0' && *p <= '9') || *p == '.'; p++)
		digits += *p != '.';
	if (!digits)
		return false;
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '-' || *p == '+';
		if (*p < '0' || *p > '9')
			return false;
		while (*p >= '0' && *p <= '9')
			p++;
	}
	if (*p)
		return false;
	errno = 0;
	v = strtod(s, &end);
	if (*end || !isfinite(v))
		return false;
	*out = v;
	return true;
}

char **
str_split(const char *s, char sep, size_t *n)
{
	size_t count = 1, k = 0;
	char **piece;

	for (const char *p = s; *p; p++)
		count += *p == sep;
	piece = mem_new_array(count + 1, sizeof *piece);
	for (const char *p = s;; p++) {
		if (*p && *p != sep)
			continue;
		piece[k++] = mem_strn(s, (size_t)(p - s));
		if (!*p)
			break;
		s = p + 1;
	}
	if (n)
		*n = count;
	return piece;
}

void
str_split_free(char **piece)
{
	for (size_t i = 0; piece && piece[i]; i++)
		free(piece[i]);
	free(piece);
}
