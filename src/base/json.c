#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
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
		else if (cp <= 0xffff && utf8_is_control(cp))
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
begin_value(struct json_writer *writer, const char *key)
{
	if (writer->drain && writer->out->n > JSON_DRAIN)
		writer->drain->drain(writer->drain->ctx, writer->out);
	if (writer->some[writer->depth])
		str_addc(writer->out, ',');
	if (writer->depth > 0)
		begin_line(writer);
	writer->some[writer->depth] = true;
	if (key) {
		add_quoted(writer->out, key);
		str_addn(writer->out, ": ", 2);
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
json_close(struct json_writer *writer, char bracket)
{
	bool some = writer->some[writer->depth];

	if (writer->depth == 0)
		panic("a JSON bracket closes nothing");
	writer->depth--;
	if (some)
		begin_line(writer);
	str_addc(writer->out, bracket);
	if (writer->depth == 0)
		str_addc(writer->out, '\n');
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
json_int(struct json_writer *writer, const char *key, int64_t v)
{
	char digits[24], *p = digits + sizeof digits;
	uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	begin_value(writer, key);
	do
		*--p = (char)('0' + size % 10);
	while (size /= 10);
	if (v < 0)
		*--p = '-';
	str_addn(writer->out, p, (size_t)(digits + sizeof digits - p));
}

/* The shortest text that reads back as the same number. */
static void
json_add_number(struct json_writer *writer, const char *key, double v, bool is_float)
{
	char text[40];
	int digits = is_float ? 6 : 15;

	begin_value(writer, key);
	if (!isfinite(v)) {
		str_add(writer->out, "null");
		return;
	}
	do
		snprintf(text, sizeof text, "%.*g", digits, v);
	while ((is_float ? (double)strtof(text, NULL) : strtod(text, NULL)) != v && ++digits <= 17);
	str_add(writer->out, text);
}

void
json_num(struct json_writer *writer, const char *key, double v)
{
	json_add_number(writer, key, v, false);
}

void
json_float(struct json_writer *writer, const char *key, float v)
{
	json_add_number(writer, key, (double)v, true);
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
	struct budget budget;
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
read_hex4(struct reader *reader, uint32_t *cp)
{
	*cp = 0;
	for (int i = 0; i < 4; i++, reader->at++) {
		int c = reader->at < reader->n ? reader->s[reader->at] : 0;
		int small = c | 0x20;
		int d = c >= '0' && c <= '9' ? c - '0' : small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;

		if (d < 0)
			return json_fail(reader, "four hex digits expected after \\u");
		*cp = *cp << 4 | (uint32_t)d;
	}
	return true;
}

static bool
read_escape(struct reader *reader, struct str *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p;
	uint32_t cp, low;
	char bytes[4];

	if (reader->at >= reader->n)
		return json_fail(reader, "the string does not end");
	p = reader->s[reader->at] ? strchr(from, reader->s[reader->at]) : NULL;
	if (p) {
		str_addc(out, to[p - from]);
		reader->at++;
		return true;
	}
	if (reader->s[reader->at++] != 'u')
		return json_fail(reader, "unknown escape");
	if (!read_hex4(reader, &cp))
		return false;
	if (cp >= 0xd800 && cp < 0xdc00 && reader->at + 1 < reader->n && reader->s[reader->at] == '\\' &&
		reader->s[reader->at + 1] == 'u') {
		reader->at += 2;
		if (!read_hex4(reader, &low))
			return false;
		cp = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00) : 0xfffd;
	}
	if (cp == 0 || (cp >= 0xd800 && cp < 0xe000))
		cp = 0xfffd;
	str_addn(out, bytes, utf8_encode(cp, bytes));
	return true;
}

static char *
json_read_string(struct reader *reader)
{
	struct str out = {0};

	for (reader->at++; reader->at < reader->n && reader->s[reader->at] != '"';) {
		if ((unsigned char)reader->s[reader->at] < 0x20) {
			json_fail(reader, "a control character in a string");
			goto bad;
		}
		if (reader->s[reader->at] != '\\') {
			str_addc(&out, reader->s[reader->at++]);
			continue;
		}
		reader->at++;
		if (!read_escape(reader, &out))
			goto bad;
	}
	if (reader->at >= reader->n) {
		json_fail(reader, "the string does not end");
		goto bad;
	}
	reader->at++;
	return str_take(&out);
bad:
	str_free(&out);
	return NULL;
}

static bool json_read_value(struct reader *, struct json *);

static bool
read_children(struct reader *reader, struct json *json, char end)
{
	struct json **tail = &json->first;

	reader->at++;
	skip_blank(reader);
	if (reader->at < reader->n && reader->s[reader->at] == end) {
		reader->at++;
		return true;
	}
	for (;;) {
		struct json *child = mem_new(sizeof *child);

		*tail = child;
		tail = &child->next;
		json->n++;
		skip_blank(reader);
		if (end == '}') {
			if (reader->at >= reader->n || reader->s[reader->at] != '"')
				return json_fail(reader, "a key in double quotes expected");
			child->key_at = reader->at;
			child->key = json_read_string(reader);
			if (!child->key)
				return false;
			skip_blank(reader);
			if (reader->at >= reader->n || reader->s[reader->at] != ':')
				return json_fail(reader, "':' expected after a key");
			reader->at++;
		}
		if (!json_read_value(reader, child))
			return false;
		skip_blank(reader);
		if (reader->at < reader->n && reader->s[reader->at] == ',') {
			reader->at++;
			continue;
		}
		if (reader->at < reader->n && reader->s[reader->at] == end) {
			reader->at++;
			return true;
		}
		return json_fail(reader, end == '}' ? "',' or '}' expected" : "',' or ']' expected");
	}
}

static bool
read_scalar(struct reader *reader, struct json *json)
{
	size_t from = reader->at;
	double number;

	while (reader->at < reader->n && reader->s[reader->at] &&
		strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", reader->s[reader->at]))
		reader->at++;
	json->text = mem_strn(reader->s + from, reader->at - from);
	if (str_eq(json->text, "null"))
		return true;
	json->kind = JSON_BOOL;
	json->truth = str_eq(json->text, "true");
	if (json->truth || str_eq(json->text, "false"))
		return true;
	json->kind = JSON_NUMBER;
	reader->at = str_to_double(json->text, &number) ? reader->at : from;
	return reader->at > from || json_fail(reader, "a value expected");
}

static bool
json_read_value(struct reader *reader, struct json *json)
{
	bool good;
	char c;

	if (budget_poll(&reader->budget, reader->at))
		return budget_refuse(&reader->budget, "", reader->e);
	skip_blank(reader);
	json->at = reader->at;
	if (reader->at >= reader->n)
		return json_fail(reader, "a value expected, the text ends");
	c = reader->s[reader->at];
	if (c == '"') {
		json->kind = JSON_STRING;
		json->text = json_read_string(reader);
		return json->text != NULL;
	}
	if (c != '{' && c != '[')
		return read_scalar(reader, json);
	json->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
	if (++reader->depth > JSON_DEPTH)
		return json_fail(reader, "nested too deeply");
	good = read_children(reader, json, c == '{' ? '}' : ']');
	reader->depth--;
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
