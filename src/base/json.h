/* JSON: a writer that cannot produce a broken document, and a reader for tests and imports. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;
struct err;

/* Writes a document to the end of `out`. At most 32 objects and arrays may be open. A value inside an object has a key;
 * for a value inside an array, `key` is NULL. For a long document, set `drain`: the writer calls it to empty the text
 * whenever the text has grown by JSON_DRAIN bytes. Control and zero-width characters become \uXXXX. */
#define JSON_DRAIN ((size_t)1 << 18)
struct json_drain {
	void (*drain)(void *ctx, struct str *);
	void *ctx;
};
struct json_writer {
	struct str *out;
	const struct json_drain *drain;
	int depth;
	bool some[33]; /* this level has an element already */
};

void json_open(struct json_writer *, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json_writer *, char bracket);                 /* '}' or ']' */
void json_str(struct json_writer *, const char *key, const char *s); /* NULL: null; broken UTF-8: U+FFFD */
void json_int(struct json_writer *, const char *key, int64_t v);
void json_num(struct json_writer *, const char *key, double v); /* NaN and infinities become null */
void json_float(struct json_writer *, const char *key, float);
void json_bool(struct json_writer *, const char *key, bool v);
void json_null(struct json_writer *, const char *key);
void json_raw(struct json_writer *, const char *key, const char *text); /* a number that is text already */
/* A whole number in decimal: a JSON number up to 2^53, a string beyond. */
void json_decimal(struct json_writer *, const char *key, const char *digits);

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
	enum json_kind kind;
	bool truth;
	char *text;         /* a string, decoded, or a number, as written */
	struct json *first; /* children of arrays and objects */
	struct json *next;
	char *key;
	size_t n;
	size_t at, key_at;  /* offsets of the value and of its key in the text, in bytes */
};

/* Parses one document; free it with json_free(). On bad input (nesting beyond 256, text after the document, and so on)
 * it returns NULL and sets *e, with line and column in bytes. */
struct json *json_parse(const char *s, size_t n, struct err *e);
void json_free(struct json *);
/* Returns NULL when the key is absent or `object` is no object. */
const struct json *json_get(const struct json *object, const char *key);
double json_number(const struct json *);                                 /* NaN when the value is no number */

#endif
