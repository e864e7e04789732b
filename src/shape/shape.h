/* One description of a record for all purposes. A shape is a table with a row for each field of a C struct: its name,
 * its type, its place, and its meaning. The rows determine how the record is freed, how it is sent (wire.h), how it is
 * written as JSON, and the JSON Schema of that document.
 *
 *     static const struct shape_row ROWS[] = {
 *             {SHAPE_FIELD(struct note, text), .key = "text", .help = "a sentence for people"},
 *             {SHAPE_ARRAY(struct note, line, n_lines), .key = "lines", .help = "the lines that it is about"},
 *     };
 *     const struct shape note_shape = SHAPE(struct note, ROWS);
 *
 * SHAPE_FIELD and the similar macros find the type themselves. The record owns its texts, its arrays and what its
 * pointers point to. JSON contains the rows that have a key, in their order; a message contains the rows that are not
 * `local`. Several rows may show the same field in different ways; then all but one are local. */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_writer;
struct shape;
struct wire;

/* SHAPE_BYTES: sent as the bytes in memory. SHAPE_ZERO: a key whose value is always 0. SHAPE_HAND: the caller of
 * shape_json() writes the value; its type is in `json`, and the rows of an object are in `of`. SHAPE_ROWS: all rows of
 * `of`, which describes the same record. The last three have no field. */
enum shape_type {
	SHAPE_BOOL, SHAPE_SIGNED, SHAPE_UNSIGNED, SHAPE_REAL, SHAPE_TEXT, SHAPE_WORD, SHAPE_RECORD, SHAPE_BYTES,
	SHAPE_ZERO, SHAPE_HAND, SHAPE_ROWS
};
/* In order: one value; a fixed number of values; an allocated array, with another field for its length; a pointer to
 * one value, or NULL. */
enum shape_many { SHAPE_SINGLE, SHAPE_FIXED, SHAPE_LIST, SHAPE_POINTER };
/* How JSON shows a number or an array, in order: as it is; as a number that counts from 1; as the name of the counter
 * with this number; as an object of counters and their coefficients, without zeros; as the array's first element, or
 * null. */
enum shape_as { SHAPE_PLAIN, SHAPE_FROM_ONE, SHAPE_COUNTER, SHAPE_COEFFICIENTS, SHAPE_FIRST };

struct shape_row {
	const char *key;             /* key in JSON, or name of a column in a file; NULL: in neither */
	enum shape_type type;
	enum shape_many many;
	enum shape_as as;
	/* neither sent nor freed, because another row does it, or because the field is only for this process */
	bool local;
	bool named;                  /* SHAPE_TEXT: never NULL */
	size_t at, size;             /* offset in the record; bytes of an element */
	/* SHAPE_FIXED: number of elements; SHAPE_LIST: offset of the field with that number */
	size_t count;
	const struct shape *of;      /* SHAPE_RECORD, SHAPE_HAND, SHAPE_ROWS */
	const char *const *word;     /* SHAPE_WORD: the word for each number; SHAPE_HAND: the possible texts */
	size_t n_words;
	bool (*shown)(const void *); /* JSON shows null if this returns false for the record; NULL: always shown */
	const char *json;            /* SHAPE_HAND: JSON types of the value: "object|null", "array(string)" */
	bool optional;               /* SHAPE_HAND: the key may be missing */
	const char *unit, *help;     /* NULL: none */
};

struct shape {
	size_t size; /* size of the record in bytes */
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
/* A field that holds the number of a word in a list, such as an enum. */
#define SHAPE_ONE_OF(record, field, words) \
	SHAPE_AT(record, field), .type = SHAPE_WORD, .word = (words), .n_words = sizeof(words) / sizeof *(words)
#define SHAPE_EACH(record, field) \
	.at = offsetof(record, field), .size = sizeof(((record *)0)->field[0]), .many = SHAPE_FIXED, \
	.count = sizeof(((record *)0)->field) / sizeof(((record *)0)->field[0]), \
	.type = SHAPE_TYPE_OF(((record *)0)->field[0])
#define SHAPE_ARRAY(record, field, n) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_LIST, \
	.count = offsetof(record, n), .type = SHAPE_TYPE_OF(*((record *)0)->field)
/* The same for an array of records that consist of numbers and are sent as the bytes in memory. */
#define SHAPE_RAW_ARRAY(record, field, n) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_LIST, \
	.count = offsetof(record, n), .type = SHAPE_BYTES
#define SHAPE_OWN(record, field) \
	.at = offsetof(record, field), .size = sizeof(*((record *)0)->field), .many = SHAPE_POINTER, \
	.type = SHAPE_TYPE_OF(*((record *)0)->field)

/* Frees what the record holds. The record must not be used afterwards, except to fill it anew. */
void shape_clear(const struct shape *, void *record);
/* Does the same for each of n records, and frees their array. */
void shape_free_array(const struct shape *, void *array, size_t n);
/* Frees a record that was allocated by itself; NULL is allowed. */
void shape_free(const struct shape *, void *record);

/* Writes the record, or reads it into one that is empty. A broken message sets `bad`; the record can be freed then. */
void shape_wire(struct wire *, const struct shape *, void *record);

/* What JSON needs besides the record: the names of counters, and a function that writes rows of the type SHAPE_HAND.
 * by_hand() gets the record that has the row. It writes one value under this key, or nothing if it wrote the key
 * together with an earlier one, or if the row is optional. */
struct shape_names {
	const char *(*counter)(const void *ctx, size_t i);
	void (*by_hand)(const void *ctx, struct json_writer *, const char *key, const void *record);
	const void *ctx;
};
void shape_json(struct json_writer *, const char *key, const struct shape *, const void *record,
	const struct shape_names *);
/* The same, into an object that is already open. */
void shape_json_rows(struct json_writer *, const struct shape *, const void *record, const struct shape_names *);

/* Writes the JSON Schema of a document. Several keys that are alike may share a row of the type SHAPE_HAND that only
 * the schema uses, separated by spaces: "low high". */
void shape_schema(struct json_writer *, const struct shape *, const char *title);

#endif
