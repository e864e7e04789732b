#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "base/utf8.h"

#define JSON_DEPTH 256
#define WRITER_DEPTH 32 /* begin_line() holds as many blanks */

/* The number of bytes at s that a string may hold unescaped. */
static size_t
plain_bytes(const char *s)
{
	size_t n = 0;

	while ((unsigned char)s[n] - 0x20u < 0x5f && s[n] != '"' && s[n] != '\\')
		n++;
	return n;
}

static void
add_quoted(struct str *out, const char *s)
{
	size_t n = plain_bytes(s), all = n + strlen(s + n);

	str_addc(out, '"');
	str_addn(out, s, n);
	for (size_t i = n; i < all;) {
		uint32_t cp;
		size_t len = utf8_decode(s + i, all - i, &cp);

		if (cp == '"' || cp == '\\')
			str_addf(out, "\\%c", (int)cp);
		else if (cp == '\n')
			str_add(out, "\\n");
		else if (cp == '\t')
			str_add(out, "\\t");
		else if (cp < 0x20 || cp == 0x7f)
			str_addf(out, "\\u%04x", (unsigned)cp);
		else if (cp == 0xfffd && len == 1)
			str_add(out, "\xef\xbf\xbd");
		else
			str_addn(out, s + i, len);
		i += len;
	}
	str_addc(out, '"');
}

static void
begin_line(struct json_writer *w)
{
	static const char blanks[] = "\n                                                                ";

	str_addn(w->out, blanks, 1 + 2 * (size_t)w->depth);
}

static void
begin_value(struct json_writer *w, const char *key)
{
	if (w->drain && w->out->n > JSON_DRAIN)
		w->drain->drain(w->drain->ctx, w->out);
	if (w->some[w->depth])
		str_addc(w->out, ',');
	if (w->depth > 0)
		begin_line(w);
	w->some[w->depth] = true;
	if (key) {
		add_quoted(w->out, key);
		str_addn(w->out, ": ", 2);
	}
}

void
json_open(struct json_writer *w, const char *key, char bracket)
{
	begin_value(w, key);
	str_addc(w->out, bracket);
	if (w->depth == WRITER_DEPTH)
		panic("a JSON document nests deeper than %d", WRITER_DEPTH);
	w->some[++w->depth] = false;
}

void
json_close(struct json_writer *w, char bracket)
{
	bool some = w->some[w->depth];

	if (w->depth == 0)
		panic("a JSON bracket closes nothing");
	w->depth--;
	if (some)
		begin_line(w);
	str_addc(w->out, bracket);
	if (w->depth == 0)
		str_addc(w->out, '\n');
}

void
json_str(struct json_writer *w, const char *key, const char *s)
{
	begin_value(w, key);
	if (s)
		add_quoted(w->out, s);
	else
		str_add(w->out, "null");
}

void
json_int(struct json_writer *w, const char *key, int64_t v)
{
	char digits[24], *p = digits + sizeof digits;
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	begin_value(w, key);
	do
		*--p = (char)('0' + size % 10);
	while (size /= 10);
	if (v < 0)
		*--p = '-';
	str_addn(w->out, p, (size_t)(digits + sizeof digits - p));
}

void
json_num(struct json_writer *w, const char *key, double v)
{
	char text[40];
	int digits = 15;

	begin_value(w, key);
	if (!isfinite(v)) {
		str_add(w->out, "null");
		return;
	}
	do /* the shortest text that reads back as the same number */
		snprintf(text, sizeof text, "%.*g", digits, v);
	while (strtod(text, NULL) != v && ++digits <= 17);
	str_add(w->out, text);
}

void
json_bool(struct json_writer *w, const char *key, bool v)
{
	begin_value(w, key);
	str_add(w->out, v ? "true" : "false");
}

void
json_null(struct json_writer *w, const char *key)
{
	begin_value(w, key);
	str_add(w->out, "null");
}

void
json_raw(struct json_writer *w, const char *key, const char *text)
{
	begin_value(w, key);
	str_add(w->out, text);
}

void
json_decimal(struct json_writer *w, const char *key, const char *digits)
{
	int64_t v;

	if (str_to_i64(digits, &v) && v <= INT64_C(9007199254740992) && v >= -INT64_C(9007199254740992))
		json_raw(w, key, digits);
	else
		json_str(w, key, digits);
}

struct reader {
	const char *s;
	size_t n, at;
	int depth;
	struct err *e;
};

static void
skip_blank(struct reader *r)
{
	while (r->at < r->n && memchr(" \t\r\n", r->s[r->at], 4))
		r->at++;
}

static bool
json_fail(struct reader *r, const char *what)
{
	int line = 1, col = 1;

	for (size_t i = 0; i < r->at && i < r->n; i++) {
		col = r->s[i] == '\n' ? 1 : col + 1;
		line += r->s[i] == '\n';
	}
	err_set(r->e, "not JSON at line %d, column %d: %s", line, col, what);
	err_place(r->e, "", line, col);
	return false;
}

static bool
read_hex4(struct reader *r, uint32_t *cp)
{
	*cp = 0;
	for (int i = 0; i < 4; i++, r->at++) {
		int c = r->at < r->n ? r->s[r->at] : 0;
		int small = c | 0x20;
		int d = c >= '0' && c <= '9' ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;

		if (d < 0)
			return json_fail(r, "four hex digits expected after \\u");
		*cp = *cp << 4 | (uint32_t)d;
	}
	return true;
}

static bool
read_escape(struct reader *r, struct str *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p;
	uint32_t cp, low;
	char bytes[4];

	if (r->at >= r->n)
		return json_fail(r, "the string does not end");
	p = r->s[r->at] ? strchr(from, r->s[r->at]) : NULL;
	if (p) {
		str_addc(out, to[p - from]);
		r->at++;
		return true;
	}
	if (r->s[r->at++] != 'u')
		return json_fail(r, "unknown escape");
	if (!read_hex4(r, &cp))
		return false;
	if (cp >= 0xd800 && cp < 0xdc00 && r->at + 1 < r->n && r->s[r->at] == '\\' && r->s[r->at + 1] == 'u') {
		r->at += 2;
		if (!read_hex4(r, &low))
			return false;
		cp = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
	}
	if (cp == 0 || (cp >= 0xd800 && cp < 0xe000))
		cp = 0xfffd;
	str_addn(out, bytes, utf8_encode(cp, bytes));
	return true;
}

static char *
json_read_string(struct reader *r)
{
	struct str out = {0};

	for (r->at++; r->at < r->n && r->s[r->at] != '"';) {
		if ((unsigned char)r->s[r->at] < 0x20) {
			json_fail(r, "a control character in a string");
			goto bad;
		}
		if (r->s[r->at] != '\\') {
			str_addc(&out, r->s[r->at++]);
			continue;
		}
		r->at++;
		if (!read_escape(r, &out))
			goto bad;
	}
	if (r->at >= r->n) {
		json_fail(r, "the string does not end");
		goto bad;
	}
	r->at++;
	return str_take(&out);
bad:
	str_free(&out);
	return NULL;
}

static bool json_read_value(struct reader *, struct json *);

static bool
read_children(struct reader *r, struct json *v, char end)
{
	struct json **tail = &v->first;

	r->at++;
	skip_blank(r);
	if (r->at < r->n && r->s[r->at] == end) {
		r->at++;
		return true;
	}
	for (;;) {
		struct json *child = mem_new(sizeof *child);

		*tail = child;
		tail = &child->next;
		v->n++;
		skip_blank(r);
		if (end == '}') {
			if (r->at >= r->n || r->s[r->at] != '"')
				return json_fail(r, "a key in double quotes expected");
			child->key_at = r->at;
			child->key = json_read_string(r);
			if (!child->key)
				return false;
			skip_blank(r);
			if (r->at >= r->n || r->s[r->at] != ':')
				return json_fail(r, "':' expected after a key");
			r->at++;
		}
		if (!json_read_value(r, child))
			return false;
		skip_blank(r);
		if (r->at < r->n && r->s[r->at] == ',') {
			r->at++;
			continue;
		}
		if (r->at < r->n && r->s[r->at] == end) {
			r->at++;
			return true;
		}
		return json_fail(r, end == '}' ? "',' or '}' expected" : "',' or ']' expected");
	}
}

static bool
read_scalar(struct reader *r, struct json *v)
{
	size_t from = r->at;
	double number;

	while (r->at < r->n && r->s[r->at] && strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", r->s[r->at]))
		r->at++;
	v->text = mem_strn(r->s + from, r->at - from);
	if (str_eq(v->text, "null"))
		return true;
	v->kind = JSON_BOOL;
	v->truth = str_eq(v->text, "true");
	if (v->truth || str_eq(v->text, "false"))
		return true;
	v->kind = JSON_NUMBER;
	r->at = str_to_double(v->text, &number) ? r->at : from;
	return r->at > from || json_fail(r, "a value expected");
}

static bool
json_read_value(struct reader *r, struct json *v)
{
	bool good;
	char c;

	skip_blank(r);
	v->at = r->at;
	if (r->at >= r->n)
		return json_fail(r, "a value expected, the text ends");
	c = r->s[r->at];
	if (c == '"') {
		v->kind = JSON_STRING;
		v->text = json_read_string(r);
		return v->text != NULL;
	}
	if (c != '{' && c != '[')
		return read_scalar(r, v);
	v->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
	if (++r->depth > JSON_DEPTH)
		return json_fail(r, "nested too deeply");
	good = read_children(r, v, c == '{' ? '}' : ']');
	r->depth--;
	return good;
}

struct json *
json_parse(const char *s, size_t n, struct err *e)
{
	struct reader r = {.s = s, .n = n, .e = e};
	struct json *v = mem_new(sizeof *v);
	bool good = json_read_value(&r, v);

	skip_blank(&r);
	if (good && r.at != n)
		good = json_fail(&r, "text after the document");
	if (good)
		return v;
	json_free(v);
	return NULL;
}

void
json_free(struct json *v)
{
	while (v) {
		struct json *next = v->next;

		json_free(v->first); /* at most JSON_DEPTH deep */
		free(v->key);
		free(v->text);
		free(v);
		v = next;
	}
}

const struct json *
json_get(const struct json *object, const char *key)
{
	if (!object || object->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *v = object->first; v; v = v->next)
		if (str_eq(v->key, key))
			return v;
	return NULL;
}

double
json_number(const struct json *v)
{
	double d;

	return v && v->kind == JSON_NUMBER && str_to_double(v->text, &d) ? d : NAN;
}
