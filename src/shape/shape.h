/* A record described once. A shape is a table with a row for each field of a C struct: its name, its type, its place,
 * and what it means. From the rows follow how the record is freed, how it is sent (wire.h), how it is written as JSON,
 * and the JSON Schema of that.
 *
 *     static const struct shape_row ROWS[] = {
 *             {SHAPE_FIELD(struct note, text), .key = "text", .help = "a sentence for people"},
 *             {SHAPE_ARRAY(struct note, line, n_lines), .key = "lines", .help = "the lines that it is about"},
 *     };
 *     const struct shape note_shape = SHAPE(struct note, ROWS);
 *
 * SHAPE_FIELD and its sisters find the type themselves. A text, an array and a pointer belong to the record. JSON has
 * the rows that have a key, in their order; a record is sent with the rows that are not `local`. Several rows may show
 * the same field in different ways; then all but one are local. */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_writer;
struct shape;
struct wire;

/* SHAPE_BYTES: sent as they are in memory. SHAPE_ZERO: a key whose value is always 0. SHAPE_HAND: the caller of
 * shape_json() writes it; only `json` says what it is, and an object has the rows of `of`. SHAPE_ROWS: all rows of
 * `of`, which is about the same record. The last three have no field. */
enum shape_type {
	SHAPE_BOOL, SHAPE_SIGNED, SHAPE_UNSIGNED, SHAPE_REAL, SHAPE_TEXT, SHAPE_WORD, SHAPE_RECORD, SHAPE_BYTES,
	SHAPE_ZERO, SHAPE_HAND, SHAPE_ROWS
};
/* One value; a fixed number of them; an array of its own with a field for its length; a pointer to one, or NULL. */
enum shape_many { SHAPE_SINGLE, SHAPE_FIXED, SHAPE_LIST, SHAPE_POINTER };
/* How JSON shows a number or an array: as it is; as a number that begins with 1; as the counter with this number; as an
 * object of counters and their coefficients, without zeros; an array as its first element, or null. */
enum shape_as { SHAPE_PLAIN, SHAPE_FROM_ONE, SHAPE_COUNTER, SHAPE_COEFFICIENTS, SHAPE_FIRST };

struct shape_row {
	const char *key;             /* in JSON, or the column of a table in a file; NULL: not there */
	enum shape_type type;
	enum shape_many many;
	enum shape_as as;
	bool local;                  /* neither sent nor freed: another row does it, or it stays where it is */
	size_t at, size;             /* offset in the record; bytes of an element */
	size_t count;                /* SHAPE_FIXED: number of elements; SHAPE_LIST: offset of the field with it */
	const struct shape *of;      /* SHAPE_RECORD, SHAPE_HAND, SHAPE_ROWS */
	const char *const *word;     /* SHAPE_WORD: the word for each number; SHAPE_HAND: the texts that there are */
	size_t n_words;
	bool (*shown)(const void *); /* JSON has null where this is false of the record; NULL: always shown */
	const char *json;            /* SHAPE_HAND: the types of JSON: "object|null", "array(string)" */
	bool optional;               /* SHAPE_HAND: the key may be missing */
	const char *unit, *help;     /* NULL: none */
};

struct shape {
	size_t size; /* of the record, in bytes */
	const struct shape_row *row;
	size_t n;
};

#define SHAPE(record, rows) {.size = sizeof(record), .row = (rows), .n = sizeof(rows) / sizeof *(rows)}

#define SHAPE_TYPE_OF(x) \
	_Generic((x), bool: SHAPE_BOOL, double: SHAPE_REAL, char *: SHAPE_TEXT, int: SHAPE_SIGNED, long: SHAPE_SIGNED, \
		long long: SHAPE_SIGNED, unsigned: SHAPE_UNSIGNED, unsigned long: SHAPE_UNSIGNED, \
		unsigned long long: SHAPE_UNSIGNED, default: SHAPE_RECORD)
#define SHAPE_AT(record, field) .at = offsetof(record, field), .size = sizeof(((record *)0)->field)
#define SHAPE_FIELD(record, field) SHAPE_AT(record, field), .type = SHAPE_TYPE_OF(((record *)0)->field)
#define SHAPE_RAW(record, field) SHAPE_AT(record, field), .type = SHAPE_BYTES
/* A number that stands for a word of a list: an enum. */
#define SHAPE_ONE_OF(record, field, words) \
	SHAPE_AT(record, field), .type = SHAPE_WORD, .word = (words), .n_words = sizeof(words) / sizeof *(words)
#define SHAPE_EACH(record, field) \
	.at = offsetof(record, field), .size = sizeof(((record *)0)->field[0]), .many = SHAPE_FIXED, \
	.count = sizeof(((record *)0)->field) / sizeof(((record *)0)->field[0]), \
	.type = SHAPE_TYPE_OF(((record *)0)->field[0])
#define SHAPE_ARRAY(record, field, n) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_LIST, \
	.count = offsetof(record, n), .type = SHAPE_TYPE_OF(*((record *)0)->field)
/* The same of records that consist of numbers and are sent as they are in memory. */
#define SHAPE_RAW_ARRAY(record, field, n) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_LIST, \
	.count = offsetof(record, n), .type = SHAPE_BYTES
#define SHAPE_OWN(record, field) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_POINTER, \
	.type = SHAPE_TYPE_OF(*((record *)0)->field)

/* Frees what the record holds. The record must not be used afterwards, except to fill it anew. */
void shape_clear(const struct shape *, void *record);
/* The same for each of n records, and frees their array. */
void shape_free_array(const struct shape *, void *array, size_t n);
/* Frees a record that was allocated by itself; NULL is allowed. */
void shape_free(const struct shape *, void *record);

/* Writes the record, or reads it into one that is empty. A broken message sets `bad`; the record can be freed then. */
void shape_wire(struct wire *, const struct shape *, void *record);

/* What JSON needs besides the record: the names of counters, and a function that writes rows of the type SHAPE_HAND. It
 * gets the record that has the row. It writes one value under this key; or nothing, if it wrote the key together with
 * an earlier one, or the row is optional. */
struct shape_names {
	const char *(*counter)(const void *ctx, size_t i);
	void (*by_hand)(const void *ctx, struct json_writer *, const char *key, const void *record);
	const void *ctx;
};
void shape_json(struct json_writer *, const char *key, const struct shape *, const void *record,
	const struct shape_names *);
/* The same into an object that is open. */
void shape_json_rows(struct json_writer *, const struct shape *, const void *record, const struct shape_names *);

/* Writes the JSON Schema of a document. Several keys that are alike may share a row of the type SHAPE_HAND that only
 * the schema uses, separated by spaces: "low high". */
void shape_schema(struct json_writer *, const struct shape *, const char *title);

#endif
